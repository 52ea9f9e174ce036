// Puts the page to work: one panel a figure, redrawn when one of its sliders moves or its width changes.

// Dimensions of everything that a figure draws.
function dimensionsOf(figure) {
  const keys = [...figure.variables, ...figure.references, ...figure.marks, figure.positionX, figure.positionY,
    figure.labels, figure.edgeWeight, figure.bandLow, figure.bandHigh, figure.failed];
  return [...new Set(keys.filter(Boolean).flatMap(key => DATA.arrays[key].dims))];
}

// "temperature T = 0.012 - branch cooling": where the sliders stand that this figure does not draw as an axis or lines.
function whereText(panel) {
  const { x, y, hue } = panel.figure;
  return panel.dims.filter(d => isControl(d) && d !== x && d !== y && d !== hue).map(d =>
    DATA.dims[d].label + (DATA.dims[d].words ? ": " : " = ") + placeText(d, state.selection[d])).join(" \u00b7 ");
}

// In place of a figure whose variables have no values, whatever its kind.
function drawNothing(panel) {
  const svg = startSvg(panel, 60);
  label(svg, 2, 30, "There is no data.", { anchor: "start", size: 13 });
  panel.plot.replaceChildren(svg);
}

// Of a drawing on paper, where page.css makes it 150 mm: its letters are as large as on the screen, and two have room on a
// sheet.
const PAPER_WIDTH = 560, PAPER_HEIGHT = 920;

function makePanel(element) {
  const number = Number(element.dataset.figure), figure = DATA.figures[number];
  const panel = { number, figure, element, plot: element.querySelector(".plot"), tools: element.querySelector(".tools"),
      dims: dimensionsOf(figure), width: 0 };
  element.querySelector(".note").textContent = figure.note;
  panel.measure = () => { panel.width = Math.max(260, Math.floor(panel.plot.clientWidth)); };
  panel.drawn = false;
  if (KINDS[figure.kind].picture) panel.plot.classList.add("reserved");
  panel.draw = () => {
    const active = panel.plot.contains(document.activeElement) ? document.activeElement : null;
    const key = active && active.dataset.key;  // of what inside the drawing has the focus, else the drawing has it
    if (figure.variables.every(key => !arrayOf(key).size)) drawNothing(panel);
    else KINDS[figure.kind].draw(panel);
    panel.drawn = true;
    panel.plot.classList.remove("reserved");
    if (active) ([...panel.plot.querySelectorAll("[data-key]")].find(e => key && e.dataset.key === key) ||
        panel.plot.querySelector("[tabindex]")).focus({ preventScroll: true });
    panel.whereText = whereText(panel);
    element.querySelector(".where").textContent = panel.whereText;
  };
  addTools(panel, () => KINDS[figure.kind].rows(figure));
  panel.plot.addEventListener("dblclick", () => { if (panel.part) lookAt(panel, null); });
  element.addEventListener("keydown", event => useKey(panel, event));
  return panel;
}

// On a figure that has the focus: zooming, the next mark, the next place of its slider, playing.
function useKey(panel, event) {
  if (event.target.tagName !== "svg" || event.ctrlKey || event.metaKey || event.altKey) return;
  const { figure, dims, marks } = panel, { key } = event, step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const next = key in DIRECTIONS && marks ? nextMark(marks, key) : null;
  const dim = isControl(figure.x) ? figure.x : dims.find(d => isControl(d) && d in players) || dims.find(isControl);
  if (zoomByKey(panel, key)) event.preventDefault();
  else if (next) {
    event.preventDefault();
    chooseAll(next.choice);
  } else if (dim && key === " " && dim in players) {
    event.preventDefault();
    players[dim].toggle();
  } else if (dim && step) {
    event.preventDefault();
    choose(dim, state.selection[dim] + step);
  }
}

// What one sees at once; the rest when the browser has nothing else to do, so that a large page opens quickly.
function drawVisibleFirst(panels) {
  const visible = panels.filter(p => p.element.getBoundingClientRect().top < innerHeight);
  for (const panel of visible) panel.draw();
  const rest = panels.filter(p => !p.drawn);
  const later = window.requestIdleCallback || (action => setTimeout(action, 0));
  const next = () => {
    while (rest.length && rest[0].drawn) rest.shift();
    if (!rest.length) { document.documentElement.dataset.drawn = "all"; return; }
    rest.shift().draw();
    later(next, { timeout: 300 });
  };
  later(next, { timeout: 300 });
}

function start() {
  const root = document.documentElement;
  addThemeButton();
  for (const copy of document.querySelectorAll("button.copy")) {
    copy.addEventListener("click", () => {
      getSelection().selectAllChildren(copy.parentElement.querySelector("code"));
      copy.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    });
  }
  for (const table of document.querySelectorAll("table")) if (!table.closest(".panel")) makeSortable(table);
  if (!document.getElementById("controls")) return;
  buildControls();
  const panels = [...document.querySelectorAll(".panel")].map(makePanel);
  addAddresses(panels);
  addContents(panels);
  keepBelowControls();
  for (const panel of panels) panel.measure();  // all widths before any drawing: one layout, not one a panel
  goToAddress();
  drawVisibleFirst(panels);
  addEventListener("hashchange", goToAddress);
  addEventListener("resize", keepBelowControls);
  const waiting = new Set();
  state.listeners.push(dim => {
    if (!waiting.size) requestAnimationFrame(() => { for (const p of waiting) p.draw(); waiting.clear(); });
    const shows = p => p.dims.includes(dim) || (p.marks || []).some(mark => dim in mark.choice);
    for (const p of panels) if (p.drawn && shows(p)) waiting.add(p);
  });
  const resized = new ResizeObserver(() => {
    const changed = panels.filter(p => Math.abs(p.plot.clientWidth - p.width) > 2 && p.plot.clientWidth >= 260);
    for (const p of changed) p.measure();
    for (const p of changed) if (p.drawn) p.draw();
  });
  for (const panel of panels) resized.observe(panel.plot);
  const folded = [...document.querySelectorAll("details")];
  addEventListener("beforeprint", () => {
    hideTip();
    for (const p of panels) {
      p.width = PAPER_WIDTH;
      p.draw();
      const svg = p.plot.querySelector(":scope > svg:only-child");
      p.element.classList.toggle("tall", Boolean(svg) && svg.viewBox.baseVal.height > PAPER_HEIGHT);
    }
    for (const d of folded) { d.dataset.open = d.open; d.open = true; }
  });
  addEventListener("afterprint", () => {
    for (const d of folded) d.open = d.dataset.open === "true";
    for (const p of panels) { p.measure(); p.draw(); }
  });
  root.dataset.ready = "yes";
}
start();
