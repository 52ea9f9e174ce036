// What all drawings share: SVG elements, frames with axes, colours, the box with hover values.

// The kinds of figures, each set by its own script: draw(panel) draws it, rows(figure) gives its numbers for a CSV file,
// picture says whether it can be saved as one.
const KINDS = {};

const SVG = "http://www.w3.org/2000/svg";
const lineColor = i => "var(--c" + (i % DATA.lines.colors) + ")";
const lineDashes = i => DATA.lines.dashes[Math.floor(i / DATA.lines.apart) % DATA.lines.dashes.length];
// How a line is drawn that is theory's, or of this number among the others.
const dashesOf = ({ theory, shape }) => {
  const dashes = theory ? "6 4" : lineDashes(shape);
  return dashes ? { "stroke-dasharray": dashes } : {};
};
const MAPS = Object.fromEntries(Object.entries(DATA.maps).map(([name, digits]) =>
  [name, digits.match(/../g).map(pair => parseInt(pair, 16))]));

function draw(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

const short = v => Math.round(v * 100) / 100;
const measure = document.createElement("canvas").getContext("2d");
const fontFamily = getComputedStyle(document.body).fontFamily;
function textWidth(text, size) {
  measure.font = size + "px " + fontFamily;
  return measure.measureText(text).width;
}

function clipText(text, size, width) {
  if (textWidth(text, size) <= width) return text;
  while (text.length > 1 && textWidth(text + "\u2026", size) > width) text = text.slice(0, -1);
  return text + "\u2026";
}

function label(parent, x, y, text, options = {}) {
  const { size = 12, anchor = "middle", color = "var(--quiet)", weight = 400, turn = 0, halo = false, hint } = options;
  const attributes = { x: short(x), y: short(y), "font-size": size, "text-anchor": anchor, style: "fill:" + color };
  if (weight !== 400) attributes["font-weight"] = weight;
  if (turn) attributes.transform = "rotate(" + turn + " " + short(x) + " " + short(y) + ")";
  if (halo) attributes.style += ";paint-order:stroke;stroke:var(--panel);stroke-width:4px;stroke-linejoin:round";
  const element = draw("text", attributes, parent, text);
  if (hint) draw("title", {}, element, hint);
  return element;
}

function segment(parent, x1, y1, x2, y2, color, extra = {}) {
  return draw("line", { x1: short(x1), y1: short(y1), x2: short(x2), y2: short(y2), style: "stroke:" + color,
      ...extra }, parent);
}

// A fresh SVG as wide as the panel. Its own width and height make a saved copy complete.
function startSvg(panel, height) {
  const width = panel.width;
  const svg = draw("svg", { xmlns: SVG, viewBox: "0 0 " + width + " " + height, width, height, role: "img", tabindex: 0,
    "aria-label": panel.figure.title,
    "font-family": "Inter, system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif" });
  draw("desc", {}, svg, [whereText(panel), panel.figure.caption].filter(Boolean).join(". "));
  return svg;
}

const plotHeight = width => Math.round(Math.min(width > 900 ? 460 : 420, Math.max(280, width * 0.64)));

// A label as large as its room allows, from 13 down to 11 pixels, then cut off.
function fitLabel(parent, x, y, text, room, options) {
  const size = [13, 12].find(s => textWidth(text, s) <= room) || 11;
  return label(parent, x, y, clipText(text, size, room), { size, color: "var(--ink)", ...options });
}

// Ticks of an axis: words, or numbers. Words that would run into each other are left out evenly.
function axisTicks(axis, length, vertical) {
  if (axis.dates) return dateTicks(axis.scale.low, axis.scale.high, Math.max(2, Math.round(length / 70)));
  if (!axis.words) return ticksOf(axis.scale, Math.max(2, Math.round(length / (vertical ? 55 : 75))));
  const room = vertical ? 16 : Math.max(24, ...axis.words.map(w => textWidth(w, 12) + 12));
  const { low, high } = axis.scale, seen = axis.words.map((word, value) => ({ word, value })).filter(t =>
      t.value >= low && t.value <= high);
  const step = Math.max(1, Math.ceil(seen.length * Math.min(room, 130) / length));
  return seen.filter(t => t.value % step === 0).map(t =>
      ({ value: t.value, label: clipText(t.word, 12, vertical ? 110 : 120) }));
}

// Words below an axis that would run into each other stand upright, where that shows more of them: how much higher the
// foot is then, else 0.
function uprightRoom(x, y, width, height, square) {
  const words = x.words || [], widest = Math.max(...words.map(w => textWidth(w, 12)));
  const across = width - (y.words ? 150 : 80), length = square ? Math.min(across, height - 62) : across;
  const crowded = words.length * Math.min(Math.max(24, widest + 12), 130) > length;
  return crowded && words.length > 1 ? Math.min(Math.ceil(widest), 110) - 8 : 0;
}

// Chooses the margins, draws axes and grid; returns the box and the functions from data to pixels.
function drawFrame(svg, width, height, x, y, options = {}) {
  const { top = 14, right = 16, grid = true, square = false } = options;
  const upright = uprightRoom(x, y, width - right, height, square), bottom = height - 48 - upright;
  const yTicks = axisTicks(y, bottom - top, true);
  const left = Math.ceil(Math.max(...yTicks.map(t => textWidth(t.label, 12)), 10)) + (y.label ? 38 : 16);
  const box = { left, top, right: width - right, bottom };
  if (square) {
    const side = Math.min(box.right - left, bottom - top);
    box.left = left + Math.max(0, (box.right - left - side) / 2);
    box.right = box.left + side;
    box.top = bottom - side;
  }
  box.width = box.right - box.left;
  box.height = box.bottom - box.top;
  const px = v => box.left + box.width * x.scale.fraction(v), py = v => box.bottom - box.height * y.scale.fraction(v);
  const frame = draw("g", { class: "frame" }, svg);
  for (const tick of axisTicks(x, box.width, upright > 0)) {
    if (grid) segment(frame, px(tick.value), box.top, px(tick.value), box.bottom, "var(--faint)");
    segment(frame, px(tick.value), box.bottom, px(tick.value), box.bottom + 4, "var(--edge)");
    if (upright > 0) label(frame, px(tick.value) + 4, box.bottom + 9, tick.label, { turn: -90, anchor: "end" });
    else label(frame, px(tick.value), box.bottom + 18, tick.label);
  }
  for (const tick of yTicks) {
    if (grid) segment(frame, box.left, py(tick.value), box.right, py(tick.value), "var(--faint)");
    segment(frame, box.left - 4, py(tick.value), box.left, py(tick.value), "var(--edge)");
    label(frame, box.left - 8, py(tick.value) + 4, tick.label, { anchor: "end" });
  }
  for (const v of x.words ? [] : minorTicks(x.scale)) {
    segment(frame, px(v), box.bottom, px(v), box.bottom + 3, "var(--edge)");
  }
  for (const v of y.words ? [] : minorTicks(y.scale)) {
    segment(frame, box.left - 3, py(v), box.left, py(v), "var(--edge)");
  }
  segment(frame, box.left, box.bottom, box.right, box.bottom, "var(--edge)");
  segment(frame, box.left, box.top, box.left, box.bottom, "var(--edge)");
  fitLabel(frame, (box.left + box.right) / 2, height - 8, x.label, box.width + left, { hint: x.meaning });
  if (y.label) fitLabel(frame, box.left - left + 13, (box.top + box.bottom) / 2, y.label, box.height + 20,
      { turn: -90, hint: y.meaning });
  return { box, px, py };
}

function mapColor(map, fraction) {
  if (!Number.isFinite(fraction)) return [187, 187, 187];
  const i = 3 * Math.round(255 * Math.min(1, Math.max(0, fraction)));
  return [map[i], map[i + 1], map[i + 2]];
}

// Whether most values lie so far below the largest that even colours would not tell them apart.
function isSkewed(values, [low, high]) {
  let sum = 0, count = 0;
  for (const v of values) if (v > low) { sum += v - low; ++count; }
  return low >= 0 && count > 0 && sum / count < 0.2 * (high - low);
}

// Values of both signs get the diverging map with 0 in its middle; `root`: colours even in the square root.
function colorScale(range, root = false, signed = false) {
  const diverging = signed || (range[0] < 0 && range[1] > 0);
  const top = Math.max(-range[0], range[1]);
  const shown = diverging ? [-top, top] : range;
  const even = v => (v - shown[0]) / (shown[1] - shown[0]);
  return { range: shown, root, map: diverging ? MAPS.diverging : MAPS.sequential,
      fraction: root ? v => Math.sqrt(Math.max(0, even(v))) : even };
}

const COLOR_BAR = 98;  // pixels that a colour bar takes to the right of a box

function drawColorBar(svg, id, box, colors, array) {
  const gradient = draw("linearGradient", { id, x1: 0, y1: 1, x2: 0, y2: 0 }, draw("defs", {}, svg));
  for (let i = 0; i <= 32; ++i) {
    draw("stop", { offset: short(i / 32 * 100) + "%", "stop-color": "rgb(" + mapColor(colors.map, i / 32) + ")" },
        gradient);
  }
  const left = box.right + 16;
  draw("rect", { x: left, y: box.top, width: 12, height: box.bottom - box.top, fill: "url(#" + id + ")",
      style: "stroke:var(--edge)" }, svg);
  let widest = 0;
  for (const tick of ticksOf(makeScale(colors.range), Math.round((box.bottom - box.top) / 55))) {
    widest = Math.max(widest, textWidth(tick.label, 12));
    const y = box.bottom - (box.bottom - box.top) * colors.fraction(tick.value);
    segment(svg, left + 12, y, left + 16, y, "var(--edge)");
    label(svg, left + 19, y + 4, tick.label, { anchor: "start" });
  }
  const text = axisLabel(array.label, array.units) + (colors.root ? ", \u221a scale" : "");
  fitLabel(svg, box.right + Math.max(COLOR_BAR - 12, 47 + widest), (box.top + box.bottom) / 2, text, box.bottom - box.top + 20,
      { turn: 90, hint: array.meaning });
}

// Outlines around the origin that tell groups and lines apart without colour.
const SHAPES = [
  r => "M" + -r + " 0a" + r + " " + r + " 0 1 0 " + 2 * r + " 0a" + r + " " + r + " 0 1 0 " + -2 * r + " 0z",
  r => { const s = short(r * 0.9); return "M" + -s + " " + -s + "h" + 2 * s + "v" + 2 * s + "h" + -2 * s + "z"; },
  r => { const s = short(r * 1.25); return "M0 " + -s + ["l" + s, s + "l" + -s, s + "l" + -s, -s + "z"].join(" "); },
  r => { const s = short(r * 1.2), h = short(s * 1.8); return "M0 " + -s + "l" + s + " " + h + "h" + -2 * s + "z"; },
  r => { const s = short(r * 1.2), h = short(s * 1.8); return "M0 " + s + "l" + -s + " " + -h + "h" + 2 * s + "z"; },
  r => {
    const w = short(r * 0.45), a = short(r * 0.8), out = "h" + a, back = "h" + -a;
    return "M" + -w + " " + short(-w - a) + "h" + 2 * w + "v" + a + out + "v" + 2 * w + back + "v" + a + "h" + -2 * w +
        "v" + -a + back + "v" + -2 * w + out + "z";
  },
];
const shapeOf = k => SHAPES[k % SHAPES.length];

const tip = document.getElementById("tip");
// rows: [{color, name, value}]; text only, so that names from data stay text.
function showTip(event, title, rows) {
  tip.replaceChildren();
  make("b", {}, tip, title);
  for (const row of rows) {
    const line = make("div", {}, tip);
    make("i", row.color ? { style: "background:" + row.color } : {}, line);
    make("span", {}, line, row.name);
    make("span", {}, line, row.value);
  }
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const x = event.clientX + 16 + width > innerWidth ? event.clientX - width - 16 : event.clientX + 16;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = Math.max(4, Math.min(innerHeight - height - 4, event.clientY - height / 2)) + "px";
}
const hideTip = () => { tip.hidden = true; };

// Pointer position in the coordinates of the drawing.
function pointerIn(svg, event) {
  const shown = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
  return { x: (event.clientX - shown.left) * view.width / shown.width,
      y: (event.clientY - shown.top) * view.height / shown.height };
}
