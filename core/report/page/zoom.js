// Looking closer at a part of the axes. Dragging chooses a part; a double click, 0, Escape or the button shows all again.
// Keys: + and - about the middle, arrows to the sides.
const LEAST_DRAG = 6;  // pixels; a shorter way is a click
const CLOSEST_PART = 1e-5;  // of an axis

// The scale of an axis as the reader has chosen it; `whole` is that of everything.
function zoomed(panel, side, whole) {
  panel.whole = { ...panel.whole, [side]: whole };
  const part = panel.part && panel.part[side];
  return part ? makeScale(part, whole.log) : whole;
}

function lookAt(panel, part) {
  panel.part = part && Object.keys(part).length ? part : null;
  panel.draw();
}

// The part of an axis between two places of what is shown, given as shares of its length.
function partOf(panel, side, from, to) {
  const whole = panel.whole[side], shown = panel.part && panel.part[side] ? makeScale(panel.part[side], whole.log) : whole;
  const low = Math.max(0, whole.fraction(shown.value(from))), high = Math.min(1, whole.fraction(shown.value(to)));
  return high - low < CLOSEST_PART || high - low > 0.999 ? null : [whole.value(low), whole.value(high)];
}

function showZoomButton(panel) {
  if (!panel.zoomButton) {
    panel.zoomButton = make("button", { type: "button", "data-zoom": "" });
    panel.tools.prepend(panel.zoomButton);
    panel.zoomButton.addEventListener("click", () => (panel.part ? lookAt(panel, null) : zoomByKey(panel, "+")));
  }
  panel.zoomButton.textContent = panel.part ? "show all" : "zoom";
  panel.zoomButton.title = panel.part ? "Show all again (double click, 0 or Escape)"
      : "Look closer: drag over the figure, or press + and - on it";
}

// Whether the key did something.
function zoomByKey(panel, key) {
  if (!panel.whole) return false;
  const { part } = panel, narrow = (side, from, to) => {
    const chosen = partOf(panel, side, from, to), { [side]: old, ...others } = part || {};
    lookAt(panel, chosen ? { ...others, [side]: chosen } : others);
    return true;
  };
  if (key === "+" || key === "=") return narrow("x", 0.25, 0.75);
  if (!part) return false;
  if (key === "0" || key === "Escape") { lookAt(panel, null); return true; }
  if (key === "-") return part.x ? narrow("x", -0.5, 1.5) : narrow("y", -0.5, 1.5);
  const step = { ArrowLeft: ["x", -0.2], ArrowRight: ["x", 0.2], ArrowUp: ["y", 0.2], ArrowDown: ["y", -0.2] }[key];
  if (!step || !part[step[0]]) return false;
  const [side, by] = step, whole = panel.whole[side], shown = makeScale(part[side], whole.log);
  const low = whole.fraction(shown.low), high = whole.fraction(shown.high), size = high - low;
  const start = Math.min(1 - size, Math.max(0, low + by * size));
  lookAt(panel, { ...part, [side]: [whole.value(start), whole.value(start + size)] });
  return true;
}

// Dragging over the box of a drawing. sides: the axes that it chooses a part of. grips(point): whether the pointer there
// holds something else.
function addDragZoom(svg, panel, box, sides, grips = () => false) {
  const area = draw("rect", { class: "hair", visibility: "hidden", style: "fill:var(--accent);stroke:var(--accent)",
      "fill-opacity": 0.12 }, svg);
  svg.setAttribute("aria-keyshortcuts", "+ - 0");
  let start = null, chosen = null;
  const inside = (v, low, high) => Math.min(high, Math.max(low, v));
  const over = point => {
    const at = { x: inside(point.x, box.left, box.right), y: inside(point.y, box.top, box.bottom) };
    const wide = sides.includes("x") && Math.abs(at.x - start.x) > LEAST_DRAG;
    const high = sides.includes("y") && Math.abs(at.y - start.y) > 3 * LEAST_DRAG;
    const [left, right] = wide ? [at.x, start.x].sort((a, b) => a - b) : [box.left, box.right];
    const [top, bottom] = high ? [at.y, start.y].sort((a, b) => a - b) : [box.top, box.bottom];
    return wide || high ? { left, right, top, bottom, wide, high } : null;
  };
  svg.addEventListener("pointerdown", event => {
    const point = pointerIn(svg, event);
    const there = point.x >= box.left && point.x <= box.right && point.y >= box.top && point.y <= box.bottom;
    if (event.button === 0 && there && !grips(point)) start = point;
  });
  svg.addEventListener("pointermove", event => {
    if (!start) return;
    if (!(event.buttons & 1)) { start = chosen = null; return; }
    chosen = over(pointerIn(svg, event));
    area.setAttribute("visibility", chosen ? "visible" : "hidden");
    if (!chosen) return;
    svg.setPointerCapture(event.pointerId);
    hideTip();
    for (const [name, value] of [["x", chosen.left], ["y", chosen.top], ["width", chosen.right - chosen.left],
      ["height", chosen.bottom - chosen.top]]) area.setAttribute(name, short(value));
  });
  svg.addEventListener("pointercancel", () => { start = chosen = null; area.setAttribute("visibility", "hidden"); });
  svg.addEventListener("pointerup", () => {
    const part = { ...panel.part }, done = chosen;
    start = chosen = null;
    if (!done) return;
    panel.dragged = true;  // the click that follows chooses nothing
    setTimeout(() => { panel.dragged = false; }, 0);
    const [x, y] = [done.wide && partOf(panel, "x", ...[done.left, done.right].map(v => (v - box.left) / (box.right - box.left))),
      done.high && partOf(panel, "y", ...[done.bottom, done.top].map(v => (box.bottom - v) / (box.bottom - box.top)))];
    lookAt(panel, { ...part, ...(x ? { x } : {}), ...(y ? { y } : {}) });
  });
}

// What is drawn in the group stays inside the box, a little beyond for what lies on its edge.
function clipTo(svg, panel, box) {
  const id = "part" + panel.number, clip = draw("clipPath", { id }, draw("defs", {}, svg));
  draw("rect", { x: box.left - 1, y: box.top - 1, width: box.right - box.left + 2, height: box.bottom - box.top + 2 }, clip);
  return draw("g", { "clip-path": "url(#" + id + ")" }, svg);
}
