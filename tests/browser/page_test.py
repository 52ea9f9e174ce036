"""Opens a report page in headless Chromium and uses it: page_test.py PAGE.html [FOLDER FOR SCREENSHOTS]

Claims: no console error, drawn within half a second, no network request, the sliders move every panel that has their
dimension, hover shows values, the theme button changes the colours, the save buttons give well-formed SVG and CSV.
"""
import base64
import csv
import io
import json
import pathlib
import sys
import time
import xml.etree.ElementTree as ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

FIRST_DRAW_LIMIT_MS = 500  # "opens from file:// in under half a second"; best of three, the machine may be busy
FIRST_DRAW_TRIES = 3

# What a panel shows now: its SVG, the pixels of its canvas, or its table.
SHOWN = """return [...document.querySelectorAll('.panel')].map(panel => {
  const canvas = panel.querySelector('.plot canvas');
  return panel.querySelector('.plot').innerHTML + (canvas ? canvas.toDataURL() : '');
});"""
DIMENSIONS = """const data = JSON.parse(document.getElementById('data').textContent);
return data.figures.map(f => [...new Set([...f.variables, ...f.references, ...f.marks, f.positionX, f.positionY]
  .filter(Boolean).flatMap(key => data.arrays[key].dims))]);"""
SETTLE = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
CAPTURE = """window.saved = [];
URL.createObjectURL = blob => { blob.text().then(text => window.saved.push({type: blob.type, text})); return '#'; };
HTMLAnchorElement.prototype.click = function () {};"""

failures = []


def check(holds, claim):
    print(("ok    " if holds else "FAIL  ") + claim)
    if not holds:
        failures.append(claim)


def open_browser():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000",
                     "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def opened(browser, address):
    browser.get(address)
    return browser.execute_script("""const t = performance.getEntriesByType('navigation')[0];
        return document.documentElement.dataset.ready === 'yes' ? t.domComplete : 1e9;""")


def settle(browser):
    browser.execute_async_script(SETTLE)


def check_opening(browser, address):
    times = [opened(browser, address) for _ in range(FIRST_DRAW_TRIES)]
    check(min(times) < FIRST_DRAW_LIMIT_MS, f"drawn within {FIRST_DRAW_LIMIT_MS} ms: {', '.join(f'{t:.0f}' for t in times)} ms")
    panels = browser.execute_script("return [...document.querySelectorAll('.panel .plot')].map(p => p.children.length)")
    check(panels and all(panels), f"every one of {len(panels)} panels is drawn")


def check_no_network(browser):
    sent = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            sent.append(message["params"]["request"]["url"])
    foreign = [url for url in sent if not url.startswith(("file:", "data:", "blob:"))]
    check(not foreign and sent, f"no network request (only files: {len(sent)}) {foreign[:3]}")


def check_controls(browser):
    dimensions = browser.execute_script(DIMENSIONS)
    for control in browser.find_elements(By.CSS_SELECTOR, "#controls input[type=range], #controls .choices"):
        slider = control.tag_name == "input"
        button = None if slider else control.find_element(By.CSS_SELECTOR, "button[aria-pressed=false]")
        name = (control if slider else button).get_attribute("data-dim")
        before = browser.execute_script(SHOWN)
        if slider:
            browser.execute_script("arguments[0].value = 3; arguments[0].dispatchEvent(new Event('input'))", control)
        else:
            button.click()
        settle(browser)
        after = browser.execute_script(SHOWN)
        for number, (was, now) in enumerate(zip(before, after)):
            has = name in dimensions[number]
            check((was != now) == has, f"control '{name}': panel {number + 1} {'moves' if has else 'stays'}")


def check_keyboard(browser):
    slider = browser.find_elements(By.CSS_SELECTOR, "#controls input[type=range]")
    if not slider:
        return
    before = slider[0].get_attribute("value")
    slider[0].send_keys("\ue014")  # right arrow
    settle(browser)
    check(slider[0].get_attribute("value") != before, "the arrow keys move the slider")
    check(bool(slider[0].get_attribute("aria-valuetext")), "the slider says its value to a screen reader")


def check_hover(browser):
    for number, svg in enumerate(browser.find_elements(By.CSS_SELECTOR, ".panel .plot > svg")):
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        kind_has_node = svg.find_elements(By.CSS_SELECTOR, ".nodes path")
        target = kind_has_node[0] if kind_has_node else svg
        ActionChains(browser).move_to_element(target).perform()
        shown = browser.execute_script("const t = document.getElementById('tip'); return t.hidden ? '' : t.innerText")
        check(any(c.isdigit() for c in shown), f"hover over drawing {number + 1} shows values: {' | '.join(shown.split(chr(10)))[:90]}")
    ActionChains(browser).move_to_element(browser.find_element(By.TAG_NAME, "h1")).perform()
    check(browser.execute_script("return document.getElementById('tip').hidden"), "the values disappear with the pointer")


def check_click(browser):
    cursor = browser.find_elements(By.CSS_SELECTOR, ".panel svg .cursor")
    if not cursor:
        return
    slider = browser.find_element(By.CSS_SELECTOR, "#controls input[type=range]")
    svg = cursor[0].find_element(By.XPATH, "./ancestor::*[local-name()='svg']")
    before = slider.get_attribute("value")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
    ActionChains(browser).move_to_element_with_offset(svg, svg.size["width"] // 4, 0).click().perform()
    settle(browser)
    check(slider.get_attribute("value") != before, "a click into a line figure moves the slider")


def check_theme(browser):
    colors = "const s = e => getComputedStyle(document.querySelector(e)); return [s('body').backgroundColor, s('.panel').backgroundColor, s('.panel svg text').fill]"
    before = browser.execute_script(colors)
    browser.find_element(By.ID, "theme").click()
    after = browser.execute_script(colors)
    check(all(a != b for a, b in zip(before, after)), f"the theme button changes ground and text: {before[0]} -> {after[0]}")
    browser.find_element(By.ID, "theme").click()


def check_saving(browser):
    browser.execute_script(CAPTURE)
    for button in browser.find_elements(By.CSS_SELECTOR, "button[data-save]"):
        browser.execute_script("window.saved = []; arguments[0].click()", button)
        deadline = time.time() + 5
        while not browser.execute_script("return window.saved.length") and time.time() < deadline:
            time.sleep(0.01)
        saved = browser.execute_script("return window.saved[0]")
        kind = button.get_attribute("data-save")
        check(saved is not None, f"{kind} is saved") if saved is None else check_saved(kind, saved["text"])


def check_saved(kind, text):
    if kind == "SVG":
        root = ElementTree.fromstring(text)
        check(root.tag.endswith("svg") and "var(" not in text and "script" not in text, f"saved SVG is well-formed and complete ({len(text)} bytes)")
    elif kind == "CSV":
        rows = list(csv.reader(io.StringIO(text)))
        check(len(rows) > 1 and len({len(row) for row in rows}) == 1, f"saved CSV has {len(rows)} rows of {len(rows[0])} cells: {rows[0]}")
    else:
        check(len(text) > 100, "saved PNG has content")


def take_pictures(browser, folder):
    height = browser.execute_script("return document.documentElement.scrollHeight")
    for theme, width in (("light", 1400), ("dark", 1400), ("narrow", 420)):
        browser.set_window_size(width, 900)
        settle(browser)
        height = browser.execute_script("return document.documentElement.scrollHeight")
        browser.set_window_size(width, height + 140)
        if theme == "dark":
            browser.find_element(By.ID, "theme").click()
        time.sleep(0.3)
        browser.save_screenshot(str(folder / f"{theme}.png"))
    browser.set_window_size(1400, 1000)
    settle(browser)
    pdf = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    (folder / "print.pdf").write_bytes(base64.b64decode(pdf["data"]))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    time.sleep(0.3)
    browser.set_window_size(1000, browser.execute_script("return document.documentElement.scrollHeight") + 140)
    time.sleep(0.3)
    browser.save_screenshot(str(folder / "print.png"))


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    check(page.stat().st_size < 1_000_000, f"under 1 MB: {page.stat().st_size} bytes")
    browser = open_browser()
    try:
        check_opening(browser, page.as_uri())
        for step in (check_controls, check_keyboard, check_click, check_hover, check_theme, check_saving):
            step(browser)
        check_no_network(browser)
        errors = [e["message"] for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
        check(not errors, f"no console error {errors[:3]}")
        if len(sys.argv) > 2:
            take_pictures(browser, pathlib.Path(sys.argv[2]))
    finally:
        browser.quit()
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
