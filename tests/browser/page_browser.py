"""A headless Chromium for the tests of pages, and how they say what holds. Ends with 77 (skipped) where there is none."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

from page_scripts import ALL_DRAWN, SETTLE

CHROMEDRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
if not os.path.exists(CHROMEDRIVER):
    print("skipped: chromedriver is not installed")
    sys.exit(77)
LONGEST_WAIT = 60  # seconds, for what happens in a moment on a machine with nothing else to do

failures = []


def check(holds, claim):
    print(("ok    " if holds else "FAIL  ") + claim)
    if not holds:
        failures.append(claim)


def open_browser():
    os.environ["no_proxy"] = "localhost,127.0.0.1"  # the driver is on this machine
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1400,1000", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
    browser.set_script_timeout(LONGEST_WAIT)
    browser.execute_cdp_cmd("Performance.enable", {})
    return browser


def until(holds):
    """What holds() says, once it is true or the time is over."""
    end = time.monotonic() + LONGEST_WAIT
    while not (said := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return said


def page_ms(browser):
    """Processor time that the thread of the page has taken."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return 1000 * next(entry["value"] for entry in metrics if entry["name"] == "ThreadTime")


def opened(browser, address):
    """What it took to open the page."""
    before = page_ms(browser)
    browser.get(address)
    check(browser.execute_script("return document.documentElement.dataset.ready") == "yes", "the page is ready when loaded")
    after = page_ms(browser)
    return after - before if after > before else after  # a page may begin with a thread of its own


def settle(browser):
    browser.execute_async_script(SETTLE)


def sample_pages(folder):
    subprocess.run([os.environ["FOVEA_TESTS"], "[sample]"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "FOVEA_SAMPLE_PAGES": folder})
    for figure in sorted(pathlib.Path(folder).glob("*.svg")):
        check(ElementTree.parse(figure).getroot().tag.endswith("svg"), f"figure {figure.name} is well-formed")
    return sorted(pathlib.Path(folder).glob("*.html"))


def console_errors(browser):
    return [e["message"] for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]


def test_pages(pages, check_page):
    """check_page(browser, page) for each of these, else for the sample pages; then the program ends."""
    with tempfile.TemporaryDirectory() as folder:
        browser = open_browser()
        try:
            for page in pages or sample_pages(folder):
                print(f"-- {page.name}")
                check_page(browser, page)
        finally:
            browser.quit()
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)
