// Names of lines, each with a short sample of it. A click on a name, or Enter, switches its line off and on; with Shift it
// is shown alone. What is off does not count in the range of the axis: lines are switched off to see the others better.
const MOST_NAMES = 40;

const isOff = (panel, curve) => Boolean(panel.off && panel.off.has(curve.id));

function switchLine(panel, curves, curve, alone) {
  const on = curves.filter(c => !isOff(panel, c)), others = curves.filter(c => c !== curve);
  if (alone) panel.off = on.length === 1 && on[0] === curve ? null : new Set(others.map(c => c.id));
  else {
    panel.off = new Set(panel.off || []);
    if (!panel.off.delete(curve.id)) panel.off.add(curve.id);
  }
  panel.draw();
}

function drawKey(svg, panel, curves, curve, x, y, name, width) {
  const off = isOff(panel, curve);
  const key = draw("g", { class: off ? "key off" : "key", role: "button", tabindex: 0, "aria-pressed": String(!off),
      "aria-label": curve.name, "data-key": curve.id }, svg);
  segment(key, x, y - 4, x + 24, y - 4, curve.color,
      { "stroke-width": 2.4, ...dashesOf(curve) });
  if (!curve.theory && !curve.bins && curve.x.length <= FEW_POINTS) drawMarker(key, curve, x + 12, y - 4, 3.6);
  label(key, x + 30, y, name, { size: 12.5, anchor: "start", color: "var(--ink)", hint: curve.meaning });
  const area = draw("rect", { x: x - 2, y: y - 13, width, height: 18, rx: 4, class: "hair", style: "fill:transparent" }, key);
  draw("title", {}, area, (curve.meaning || curve.name) + " (click: off or on; with Shift: alone)");
  const act = event => { event.stopPropagation(); switchLine(panel, curves, curve, event.shiftKey); };
  for (const kind of ["click", "dblclick"]) key.addEventListener(kind, kind === "click" ? act : e => e.stopPropagation());
  key.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act(event);
  });
}

// In as many rows as they need; returns the height.
function drawLegend(svg, panel, curves, width, bands = []) {
  if (curves.length < 2 && !curves.some(c => c.theory) && !bands.length) return 0;
  let x = 4, y = 12;
  const room = needed => { if (x + needed - 18 > width && x > 4) { x = 4; y += 19; } };
  svg.setAttribute("role", "group");  // it holds buttons
  for (const curve of curves.slice(0, MOST_NAMES)) {
    const name = clipText(curve.name, 12.5, width - 60), needed = 52 + textWidth(name, 12.5);
    room(needed);
    if (panel.saving && isOff(panel, curve)) continue;
    drawKey(svg, panel, curves, curve, x, y, name, needed - 16);
    x += needed;
  }
  if (curves.length > MOST_NAMES) {
    const more = "and " + (curves.length - MOST_NAMES) + " more";
    room(20 + textWidth(more, 12.5));
    label(svg, x, y, more, { size: 12.5, anchor: "start" });
    x += 20 + textWidth(more, 12.5);
  }
  if (bands.length) {  // one name for all
    const name = clipText(bands[0].label, 12.5, width - 60);
    room(52 + textWidth(name, 12.5));
    draw("rect", { x, y: y - 10, width: 24, height: 11, style: "fill:" + bands[0].color, "fill-opacity": 0.3 }, svg);
    label(svg, x + 30, y, name, { size: 12.5, anchor: "start", color: "var(--ink)", hint: bands[0].meaning });
  }
  return y + 6;
}

// The drawing as it is saved: without the names of lines that are off.
function drawnToSave(panel) {
  const shown = () => panel.plot.querySelector("svg");
  if (!panel.off || !panel.off.size) return shown();
  panel.saving = true;
  panel.draw();
  const drawn = shown();
  panel.saving = false;
  panel.draw();
  return drawn;
}
