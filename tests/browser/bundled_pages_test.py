"""The pages of the project's configs, which their tests leave in a folder: bundled_pages_test.py FOLDER [PART PARTS]

Claims for each page on a phone and on a desk, light and dark: nothing is wider than the screen, no console error, the numbers of
figures ascend in the order of reading, and every text has a contrast of 4.5 : 1 to what it stands on.
Exits with 77 (skipped) where Chromium or Selenium is missing.
"""
import pathlib
import sys

from page_browser import check, console_errors, settle, test_pages, until
from page_scripts import ALL_DRAWN, FOLLOWED

WIDTHS = 420, 1280
LEAST_CONTRAST = 4.5  # WCAG 2.2, success criterion 1.4.3
OPEN_FOLDS = "document.querySelectorAll('details').forEach(fold => fold.open = true);"
# What sticks out of the screen: how wide the page is, how wide the screen, and the first that are too wide.
OVERFLOW = """const page = document.documentElement, inside = e => e.closest('.scroll, pre');
if (page.scrollWidth <= page.clientWidth) return [page.scrollWidth, page.clientWidth, []];
return [page.scrollWidth, page.clientWidth, [...document.querySelectorAll('main *, header *')].filter(e =>
  e.getBoundingClientRect().right > page.clientWidth + 1 && !inside(e)).slice(0, 3).map(e =>
  e.tagName + '.' + e.getAttribute('class') + ' ' + e.textContent.slice(0, 30))];"""
# Numbers of the figures from the top down, and from the left to the right where they stand side by side.
NUMBERS = """return [...document.querySelectorAll('.panel')].map(panel => [panel.getBoundingClientRect(),
  Number(panel.querySelector('figcaption b').textContent.replace(/\\D/g, ''))]).sort(([a], [b]) =>
  (Math.abs(a.top - b.top) > 3 ? a.top - b.top : a.left - b.left)).map(([, number]) => number);"""
# Texts with too little contrast: [contrast, text, where]. One of each kind is enough, and a few rows of a table.
FAINT = """const least = arguments[0], faint = [], seen = new Set();
const channels = color => (color.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const over = ([r, g, b, a = 1], below) => [r, g, b].map((v, i) => a * v + (1 - a) * below[i]);
const parse = color => { const c = channels(color); return color.startsWith('color(srgb') ? [...c.slice(0, 3).map(v => 255 * v), ...c.slice(3)] : c; };
const ground = e => {
  if (!e) return [255, 255, 255];
  const color = parse(getComputedStyle(e).backgroundColor), [, , , a = 1] = color;
  return a === 1 ? color : a === 0 ? ground(e.parentElement) : over(color, ground(e.parentElement));
};
const pixels = new Map();
const cell = (canvas, text) => {
  if (!pixels.has(canvas)) {
    const copy = document.createElement('canvas'), context = copy.getContext('2d', { willReadFrequently: true });
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    context.drawImage(canvas, 0, 0);
    pixels.set(canvas, context.getImageData(0, 0, copy.width, copy.height).data);
  }
  const box = canvas.getBoundingClientRect(), own = text.getBoundingClientRect();
  const at = (from, size, place, count) => Math.min(count - 1, Math.floor((place - from) / size * count));
  const start = 4 * (at(box.top, box.height, own.top + own.height / 2, canvas.height) * canvas.width +
    at(box.left, box.width, own.left + own.width / 2, canvas.width));
  return [...pixels.get(canvas).slice(start, start + 3)];
};
// A text of a drawing stands on a cell of its heat map, on a rectangle that was drawn for it, or on the ground of the page.
const below = text => {
  const before = text.previousElementSibling;
  if (text.closest('.cells')) return cell(text.closest('.plot').querySelector('canvas'), text);
  const fill = before && before.tagName === 'rect' ? getComputedStyle(before).fill : 'none';
  const [box, own] = [before, text].map(one => one && one.getBoundingClientRect()), middle = (own.left + own.right) / 2;
  return fill.startsWith('rgb') && box.left < middle && middle < box.right ? parse(fill) : ground(text.closest('.plot'));
};
for (const e of document.querySelectorAll('body *')) {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest('script, style, title, noscript, [hidden]')) continue;
  const svg = e.tagName === 'text', inCell = svg && e.closest('.cells');
  const kind = [e.tagName, e.className.baseVal ?? e.className, e.parentElement.className.baseVal ?? e.parentElement.className,
    svg ? e.getAttribute('style') : (e.closest('tr') || e.closest('section') || document.body).className].join('|');
  if (!inCell && seen.has(kind)) continue;
  seen.add(kind);
  const style = getComputedStyle(e), color = parse(svg ? style.fill : style.color), on = svg ? below(e) : ground(e);
  if (e.checkVisibility && !e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
  const [a, b] = [light(over(color, on)), light(on)].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
  if (contrast < least) faint.push([Math.round(100 * contrast) / 100, e.textContent.slice(0, 30), kind]);
}
return faint;"""


def check_view(browser, name, width, theme):
    where = f"{name} at {width}, {theme}"
    page, screen, wide = browser.execute_script(OVERFLOW)
    check(page <= screen, f"{where}: nothing is wider than the screen: {page} {wide}")
    faint = browser.execute_script(FAINT, LEAST_CONTRAST)
    check(not faint, f"{where}: every text has a contrast of {LEAST_CONTRAST} {faint[:4]}")


def check_page(browser, page):
    name = page.stem
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": WIDTHS[0], "height": 900, "deviceScaleFactor": 1, "mobile": False})
    browser.get(page.as_uri())
    browser.execute_script(OPEN_FOLDS)
    browser.execute_async_script(ALL_DRAWN)
    for width in WIDTHS:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        check(until(lambda: browser.execute_script(FOLLOWED, width)), f"{name}: the drawings follow to a width of {width}")
        settle(browser)
        numbers = browser.execute_script(NUMBERS)
        check(numbers == sorted(numbers), f"{name} at {width}: the numbers of figures ascend: {numbers}")
        for theme in ("light", "dark"):
            browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
            check_view(browser, name, width, theme)
    errors = console_errors(browser)
    check(not errors, f"{name}: no console error {errors[:3]}")


def main():
    folder, part, parts = pathlib.Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:4] or (0, 1))
    pages = sorted(folder.glob("*.html"))[part::parts]
    check(len(pages) > 0, f"there are pages in {folder}")
    test_pages(pages, check_page)


if __name__ == "__main__":
    main()
