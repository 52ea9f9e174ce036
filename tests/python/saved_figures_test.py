"""Saved figures look alike in other programs: saved_figures_test.py

Every kind of figure as the command saves it and as its page does, drawn by rsvg-convert and by Chromium. Claims: the two
pictures differ little, and a cell of a heat map or a pixel of an image has one colour, the one that it stands for.
Exits with 77 (skipped) where rsvg-convert, Chromium, Selenium or Pillow is missing.
"""
import base64
import io
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    import numpy
    from PIL import Image
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CHROMEDRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
SVG = "{http://www.w3.org/2000/svg}"
MOST_DIFFERENCE = 2.0  # of 255, on average over all pixels: letters and lines have other edges, areas have not
MOST_OFF = 3  # of 255: what two programs round differently
INSIDE = 0.8  # of a cell's sides: its edges lie between pixels
# What each panel of a page saves as SVG.
SAVED = """const done = arguments[0], texts = [];
URL.createObjectURL = blob => { blob.text().then(text => texts.push(text)); return '#'; };
HTMLAnchorElement.prototype.click = function () {};
const look = () => {
  if (document.documentElement.dataset.drawn !== 'all') return setTimeout(look, 10);
  const buttons = [...document.querySelectorAll('[data-save="SVG"]')];
  setTimeout(() => {
    for (const button of buttons) button.click();
    const wait = () => (texts.length === buttons.length ? done(texts) : setTimeout(wait, 10));
    wait();
  }, 200);
};
look();"""

failures = []


def check(holds, claim):
    print(("ok    " if holds else "FAIL  ") + claim)
    if not holds:
        failures.append(claim)


def open_browser():
    os.environ["no_proxy"] = "localhost,127.0.0.1"  # the driver is on this machine
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    browser = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
    browser.set_script_timeout(60)
    return browser


def pixels(png):
    return numpy.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=float)


def size_of(path):
    root = ElementTree.parse(path).getroot()
    return int(float(root.get("width"))), int(float(root.get("height")))


def by_rsvg(path):
    return pixels(subprocess.run(["rsvg-convert", str(path)], check=True, stdout=subprocess.PIPE).stdout)


def by_chromium(browser, path):
    width, height = size_of(path)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    browser.get(path.as_uri())
    return pixels(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]))


def cells_of(image):
    """Colours of the cells of a picture, [row][column], NaN where it is transparent: squares of equal pixels are one."""
    rgba = numpy.asarray(Image.open(io.BytesIO(base64.b64decode(image.get("href").split(",")[1]))).convert("RGBA"))
    across = numpy.nonzero((rgba[:, 1:] != rgba[:, :-1]).any(axis=(0, 2)))[0] + 1
    down = numpy.nonzero((rgba[1:] != rgba[:-1]).any(axis=(1, 2)))[0] + 1
    factor = math.gcd(*rgba.shape[:2], *map(int, across), *map(int, down))
    colors = rgba[::factor, ::factor].astype(float)
    colors[colors[..., 3] == 0] = numpy.nan
    return colors[..., :3]


def off_cells(path, drawn):
    """How many cells of a file's pictures are not drawn in their one colour, and how many there are."""
    off = count = 0
    for image in ElementTree.parse(path).getroot().iter(SVG + "image"):
        left, top, width, height = (float(image.get(name)) for name in ("x", "y", "width", "height"))
        cells = cells_of(image)
        if min(cells.shape[:2]) < 2 or width / cells.shape[1] < 5:
            continue  # a colour bar, or cells of hardly a pixel
        for (row, column) in numpy.ndindex(*cells.shape[:2]):
            x, y = width / cells.shape[1], height / cells.shape[0]
            middle = top + (row + 0.5) * y, left + (column + 0.5) * x
            inner = drawn[math.ceil(middle[0] - INSIDE * y / 2):math.floor(middle[0] + INSIDE * y / 2),
                          math.ceil(middle[1] - INSIDE * x / 2):math.floor(middle[1] + INSIDE * x / 2)]
            if numpy.isnan(cells[row, column]).any():
                continue
            count += 1
            off += bool((abs(inner - cells[row, column]) > MOST_OFF).any())
    return off, count


def compare(browser, path):
    drawn, shown = by_rsvg(path), by_chromium(browser, path)
    rows, columns = (min(a, b) for a, b in zip(drawn.shape, shown.shape) if a != 3)
    difference = abs(drawn[:rows, :columns] - shown[:rows, :columns]).mean()
    check(difference < MOST_DIFFERENCE, f"{path.stem}: rsvg-convert and Chromium draw the same ({difference:.2f} of 255)")
    off, count = off_cells(path, drawn)
    if count:
        check(off == 0, f"{path.stem}: each of {count} cells has one colour, its own ({off} have not)")
    return count


def main():
    if not shutil.which("rsvg-convert") or not pathlib.Path(CHROMEDRIVER).exists():
        print("skipped: rsvg-convert (librsvg2-bin) or chromedriver is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([os.environ["FOVEA_TESTS"], "[sample]"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "FOVEA_SAMPLE_PAGES": name})
        browser = open_browser()
        try:
            saved = sorted(folder.glob("kinds_*.svg"))
            browser.get((folder / "kinds.html").as_uri())
            for number, text in enumerate(browser.execute_async_script(SAVED)):
                saved.append(folder / f"page_{number}.svg")
                saved[-1].write_text(text, encoding="utf-8")
            check(len(saved) > 8, f"{len(saved)} figures are saved")
            counts = {path.stem: compare(browser, path) for path in saved}
        finally:
            browser.quit()
    for kind in ("kinds_heatmap", "kinds_image"):
        check(counts[kind] > 0, f"{kind}: cells are compared")
    check(sum(count > 0 for stem, count in counts.items() if stem.startswith("page_")) >= 2,
          "cells that a page saves are compared")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
