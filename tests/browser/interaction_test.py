"""Uses report pages as readers do, with pointer and keys: interaction_test.py [PAGE.html ...]

Claims: tables sort, names of lines switch them off and on, dragging looks closer, a cell, a row and an arrow choose their pair, the
address of a figure opens it, and the keyboard reaches all of it. Exits with 77 (skipped) where Chromium or Selenium is missing.
"""
import csv
import io
import pathlib
import sys

from page_browser import check, console_errors, settle, test_pages, until
from page_scripts import ALL_DRAWN, CAPTURE, TIP
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PANEL = "return [...document.querySelectorAll('.panel')].find(p => p.id === 'fig-' + arguments[0]);"
# The numbers at the ticks of an axis: of x, those in the middle below it; of y, those to the left.
TICKS = """return [...arguments[0].querySelectorAll('.frame text:not([transform])')].filter(t =>
  t.getAttribute('text-anchor') === (arguments[1] === 'x' ? 'middle' : 'end')).map(t => Number(t.textContent.replace('\u2212', '-'))).filter(Number.isFinite);"""
CURVES = "return arguments[0].querySelectorAll('.curve').length;"
# The box of the axes, in pixels from the middle of the drawing.
BOX = """const svg = arguments[0].getBoundingClientRect(), lines = [...arguments[0].querySelectorAll('.frame > line')].map(
  line => line.getBoundingClientRect());
const x = svg.left + svg.width / 2, y = svg.top + svg.height / 2, all = side => lines.map(line => line[side]);
return [Math.min(...all('left')) - x, Math.min(...all('top')) - y, Math.max(...all('right')) - x, Math.max(...all('bottom')) - y];"""
FOCUS = "return document.activeElement.dataset.key || document.activeElement.tagName;"
CHOSEN = "return document.querySelector('#controls [data-dim=shown][aria-pressed=true]').textContent;"
# The middle of the cell of a heat map with these names along x and y, in pixels from the middle of the drawing.
CELL = """const svg = arguments[0].getBoundingClientRect(), texts = [...arguments[0].querySelectorAll('.frame text')];
const middle = (name, side) => texts.filter(t => t.textContent === name).map(t => t.getBoundingClientRect()).map(
  box => (side === 'x' ? box.left + box.width / 2 - svg.left - svg.width / 2 : box.top + box.height / 2 - svg.top - svg.height / 2));
return [middle(arguments[1], 'x')[0], middle(arguments[2], 'y').pop()];"""
# Half way along the arrow with this number, in pixels from the middle of the drawing.
ARROW = """const svg = arguments[0].getBoundingClientRect(), path = arguments[0].querySelector('[data-edge="' + arguments[1] + '"]');
const point = path.getPointAtLength(0.4 * path.getTotalLength()).matrixTransform(path.getScreenCTM());
return [point.x - svg.left - svg.width / 2, point.y - svg.top - svg.height / 2];"""


class Page:
    """The page that is open, by the names of its figures."""

    def __init__(self, browser):
        self.browser = browser

    def panel(self, name):
        return self.browser.execute_script(PANEL, name)

    def svg(self, name):
        svg = self.panel(name).find_element(By.CSS_SELECTOR, ".plot > svg")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        return svg

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()
            settle(self.browser)

    def focus(self, element):
        self.browser.execute_script("arguments[0].focus({preventScroll: true})", element)

    def click(self, element, right=0, down=0, times=1):
        action = ActionChains(self.browser).move_to_element_with_offset(element, round(right), round(down))
        (action.double_click() if times == 2 else action.click()).perform()
        settle(self.browser)

    def drag(self, name, left, right, top=0.3, bottom=0.3):
        """Over the box of the axes, by shares of its sides."""
        svg = self.svg(name)
        x1, y1, x2, y2 = self.browser.execute_script(BOX, svg)
        at = lambda x, y: (round(x1 + x * (x2 - x1)), round(y1 + y * (y2 - y1)))
        (fx, fy), (tx, ty) = at(left, top), at(right, bottom)
        action = ActionChains(self.browser, duration=50).move_to_element_with_offset(svg, fx, fy).click_and_hold()
        action.move_by_offset((tx - fx) // 2, (ty - fy) // 2).move_by_offset(tx - fx - (tx - fx) // 2, ty - fy - (ty - fy) // 2)
        action.release().perform()
        settle(self.browser)

    def ticks(self, name, side):
        return self.browser.execute_script(TICKS, self.svg(name), side)

    def column(self, name, number):
        return [row.find_elements(By.TAG_NAME, "td")[number].text for row in self.panel(name).find_elements(By.CSS_SELECTOR, "tbody tr")]

    def saved(self, name, kind):
        self.browser.execute_script(CAPTURE)
        button = self.panel(name).find_element(By.CSS_SELECTOR, f"[data-save={kind}]")
        self.browser.execute_script("arguments[0].click()", button)
        return until(lambda: self.browser.execute_script("return window.saved[0] && window.saved[0].text"))

    def rows_saved(self, name):
        return list(csv.reader(io.StringIO(self.saved(name, "CSV"))))

    def chosen(self):
        return self.browser.execute_script(CHOSEN)


def check_sorting(page):
    """Column by column: up, down, and as it was; equal rows stay in their order, and what is empty comes last."""
    page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", page.panel("rows"))
    original = page.column("rows", 0)
    orders = {"time": (3, "7 4 1 3 2 0 6 5".split(), "6 0 2 3 1 4 7 5".split()),
              "p-value": (4, "2 0 5 4 1 6 3 7".split(), "3 1 6 4 5 0 2 7".split()),
              "size": (5, "5 3 6 1 4 0 7 2".split(), "2 7 0 4 1 6 3 5".split()),
              "cause": (1, "3 0 4 6 1 2 5 7".split(), "5 7 2 1 0 4 6 3".split())}
    for head, (number, up, down) in orders.items():
        button = lambda: page.panel("rows").find_elements(By.CSS_SELECTOR, "th")[number].find_element(By.TAG_NAME, "button")
        kind = lambda: button().find_element(By.XPATH, "..").get_attribute("aria-sort")
        check(button().text == head and kind() is None, f"a head of a column is a button: {head}")
        button().click()
        check(page.column("rows", 0) == up and kind() == "ascending", f"'{head}' rises: {page.column('rows', number)}")
        page.keys(Keys.ENTER)
        check(page.column("rows", 0) == down and kind() == "descending", f"'{head}' falls by Enter: {page.column('rows', number)}")
        page.keys(" ")
        check(page.column("rows", 0) == original and kind() is None, f"a third time '{head}' is as it was")
    time = lambda: page.panel("rows").find_elements(By.CSS_SELECTOR, "th button")[3]
    time().click()
    page.browser.find_elements(By.CSS_SELECTOR, "#controls [data-dim=shown]")[1].click()
    settle(page.browser)
    check(page.column("rows", 0) == orders["time"][1], "the order stays when a slider moves the table")
    time().click()
    time().click()
    short = page.browser.find_element(By.CSS_SELECTOR, "table.checks")
    check(not short.find_elements(By.CSS_SELECTOR, "th button"), "a table of one row has nothing to sort")


def check_legend(page):
    names = lambda: page.svg("levels").find_elements(By.CSS_SELECTOR, ".key")
    curves = lambda: page.browser.execute_script(CURVES, page.svg("levels"))
    check([name.get_attribute("aria-label") for name in names()] == [f"station {k}" for k in range(1, 16)], "all of 15 lines are named")
    check(max(page.ticks("levels", "y")) > 1000, "the highest line is in the range of the axis")
    names()[-1].click()
    settle(page.browser)
    check(curves() == 14 and names()[-1].get_attribute("aria-pressed") == "false", "a click on a name switches its line off")
    check(not page.browser.execute_script(TIP), "no values lie on the names")
    check(max(page.ticks("levels", "y")) < 100, f"the axis shows the others: {page.ticks('levels', 'y')}")
    svg, rows = page.saved("levels", "SVG"), page.rows_saved("levels")
    check("station 14" in svg and "station 15" not in svg and "data-key" not in svg, "the saved SVG is without it")
    check(len(rows[0]) == 16 and "station 15" in rows[0][-1], "the CSV file has all lines")
    page.focus(names()[-1])
    page.keys(Keys.ENTER)
    check(curves() == 15 and names()[-1].get_attribute("aria-pressed") == "true", "Enter switches it on")
    check(page.browser.execute_script(FOCUS) == names()[-1].get_attribute("data-key"), "the name keeps the focus")
    for left in (1, 15):
        ActionChains(page.browser).key_down(Keys.SHIFT).click(names()[2]).key_up(Keys.SHIFT).perform()
        settle(page.browser)
        check(curves() == left, f"with Shift a line is alone, and again all are there: {left}")


def check_zoom(page, name):
    """What is seen shrinks to where one drags, and comes back; the CSV file has it all."""
    all_x, rows = page.ticks(name, "x"), page.rows_saved(name)
    button = lambda: page.panel(name).find_element(By.CSS_SELECTOR, "[data-zoom]")
    whole = lambda: page.ticks(name, "x") == all_x and button().text == "zoom"
    page.drag(name, 0.5, 0.9)
    closer = page.ticks(name, "x")
    check(min(closer) > min(all_x) and max(closer) <= max(all_x), f"{name}: dragging looks closer: {all_x} -> {closer}")
    check(page.rows_saved(name) == rows, f"{name}: the CSV file has all data")
    check("clip-path" in page.saved(name, "SVG"), f"{name}: the saved SVG is what is seen")
    page.click(page.svg(name), times=2)
    check(whole(), f"{name}: a double click shows all again")
    page.drag(name, 0.2, 0.8, 0.1, 0.6)
    check(not whole(), f"{name}: a drag over both axes looks closer")
    button().click()
    settle(page.browser)
    check(whole(), f"{name}: so does the button")
    page.focus(page.svg(name))
    page.keys("+")
    near, focus = page.ticks(name, "x"), page.browser.execute_script(FOCUS)
    check(min(near) > min(all_x) and max(near) < max(all_x) and focus == "svg", f"{name}: + looks closer: {near}")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    aside = page.ticks(name, "x")
    check(max(aside) > max(near), f"{name}: the arrow keys look aside: {aside}")
    page.keys("-", "-")
    check(whole(), f"{name}: - shows all again")
    for key in ("0", Keys.ESCAPE):
        page.keys("+", key)
        check(whole(), f"{name}: so does {key!r}")


def check_range(page):
    """What lies beside the part of x that is seen does not count in the range of y."""
    peak = max(page.ticks("profile", "y"))
    page.drag("profile", 0.5, 0.9)
    check(peak > 0.4 and max(page.ticks("profile", "y")) < 0.3, f"without the peak the axis is shorter: {page.ticks('profile', 'y')}")
    page.click(page.svg("profile"), times=2)
    check(max(page.ticks("profile", "y")) == peak, "with the peak it is as before")


def check_choice(page):
    svg = page.svg("matrix")
    pick = lambda x, y: page.click(page.svg("matrix"), *page.browser.execute_script(CELL, page.svg("matrix"), x, y))
    framed = lambda name: len(page.panel(name).find_elements(By.CSS_SELECTOR, ".chosen"))
    pick("rain", "upper river")
    check(page.chosen() == "rain \u2192 upper river", f"a click on a cell chooses its pair: {page.chosen()}")
    pick("snow", "upper river")
    check(page.chosen() == "snow \u2192 upper river" and framed("matrix") > 0, f"another cell another one: {page.chosen()}")
    pick("well", "rain")
    check(page.chosen() == "snow \u2192 upper river", "an empty cell chooses nothing")
    for arrow, pair in ((0, "rain \u2192 upper river"), (2, "lower river \u2194 upper river")):
        page.click(page.svg("graph"), *page.browser.execute_script(ARROW, page.svg("graph"), arrow))
        check(page.chosen() == pair and framed("graph") > 0, f"a click on an arrow chooses its pair: {page.chosen()}")
    check("\u2192" in until(lambda: page.browser.execute_script(TIP)), "an arrow says what it joins")
    row = lambda k: page.panel("rows").find_element(By.CSS_SELECTOR, f'[data-key="row{k}"]')
    row(0).click()
    settle(page.browser)
    check(page.chosen() == "rain \u2192 upper river" and "chosen" in row(0).get_attribute("class"), "a click on a row, too")
    page.focus(row(0))
    page.keys(Keys.ARROW_DOWN, Keys.ENTER)
    check(page.chosen() != "rain \u2192 upper river" and page.browser.execute_script(FOCUS).startswith("row"),
          f"the arrow keys and Enter choose a row: {page.chosen()}")
    row(0).click()
    page.focus(page.svg("matrix"))
    page.keys(Keys.ARROW_RIGHT)
    check(page.chosen() == "snow \u2192 upper river", f"the arrow keys choose the next cell: {page.chosen()}")
    page.focus(page.svg("graph"))
    page.keys(Keys.ARROW_DOWN)
    check(page.chosen() != "snow \u2192 upper river", f"and the next arrow: {page.chosen()}")


def check_addresses(page, file):
    browser = page.browser
    ids = [panel.get_attribute("id") for panel in browser.find_elements(By.CSS_SELECTOR, ".panel")]
    check(len(set(ids)) == len(ids) and all(one.startswith("fig-") for one in ids), f"every figure has an address: {ids}")
    links = [a.get_attribute("href").split("#")[1] for a in browser.find_elements(By.CSS_SELECTOR, ".contents a")]
    check(links[:len(ids)] == ids and "checks" in links, "the contents of a long page name all figures and sections")
    browser.get("about:blank")
    browser.get(file.as_uri() + "#fig-levels")
    browser.execute_async_script(ALL_DRAWN)
    settle(browser)
    top = lambda: browser.execute_script("return arguments[0].getBoundingClientRect().top", page.panel("levels"))
    bar = browser.execute_script("return document.getElementById('controls').getBoundingClientRect().bottom")
    check(bar <= top() < 200, f"the address of a figure opens the page there: {top()} below the bar at {bar}")
    before = top()
    browser.find_elements(By.CSS_SELECTOR, "#controls [data-dim=shown]")[2].click()
    settle(browser)
    there = browser.execute_script("return location.hash")
    check(abs(top() - before) < 2 and there == "#fig-levels", f"it stays there when a slider moves: {top()} {there}")
    link = page.panel("graph").find_element(By.CSS_SELECTOR, "a.address")
    page.focus(link)
    check(until(lambda: link.value_of_css_property("opacity") == "1"), "a focus shows the link to a figure")
    page.keys(Keys.ENTER)
    check(browser.execute_script("return location.hash") == "#fig-graph", "the link is the address of its figure")
    browser.find_element(By.CSS_SELECTOR, '.contents a[href="#fig-memory_of_series"]').click()
    settle(browser)
    folded = page.panel("memory_of_series")
    check(until(folded.is_displayed), "a link opens the fold in which its figure is")


def check_links_page(browser, file):
    page = Page(browser)
    check_sorting(page)
    check_legend(page)
    check_zoom(page, "levels")
    check_range(page)
    check_choice(page)
    check_addresses(page, file)


def check_sample_page(browser, file):
    page = Page(browser)
    check_zoom(page, "density")
    heads = browser.find_elements(By.CSS_SELECTOR, "table.checks th button")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", heads[2])
    heads[2].click()
    measured = [row.find_elements(By.TAG_NAME, "td")[2].text for row in browser.find_elements(By.CSS_SELECTOR, ".checks tbody tr")]
    check(measured == sorted(measured, key=float), f"the checks sort: {measured}")


def check_intervals_page(browser, file):
    page = Page(browser)
    check(not browser.find_elements(By.CSS_SELECTOR, ".contents"), "a short page has no contents")
    check_zoom(page, browser.find_element(By.CSS_SELECTOR, ".panel").get_attribute("id").removeprefix("fig-"))


CHECKS = {"links": check_links_page, "sample": check_sample_page, "intervals": check_intervals_page}


def check_page(browser, file):
    if file.stem not in CHECKS:
        return
    browser.get(file.as_uri())
    browser.execute_async_script(ALL_DRAWN)
    CHECKS[file.stem](browser, file)
    errors = console_errors(browser)
    check(not errors, f"no console error {errors[:3]}")


if __name__ == "__main__":
    test_pages([pathlib.Path(page).resolve() for page in sys.argv[1:]], check_page)
