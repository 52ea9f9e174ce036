// Lines with bands and histograms: everything over one axis.
const FEW_POINTS = 60;  // with markers

// Every variable and reference, once for each value of the hue.
function curvesOf(figure, selection) {
  const curves = [];
  let used = 0;
  const add = (key, index, theory) => {
    const array = arrayOf(key);
    if (!array.mean) return;
    const split = figure.hue && array.dims.includes(figure.hue);
    const axis = coordinateOf(figure.x, array.dims.includes(figure.x) ? array : null);
    const order = axis.values.map((_, i) => i).sort((a, b) => axis.values[a] - axis.values[b]);
    for (let h = 0; h < (split ? sizeOf(array, figure.hue) : 1); ++h) {
      const at = positionsAlong(array, figure.x, split ? { ...selection, [figure.hue]: h } : selection);
      const from = i => at[at.length > 1 ? i : 0];
      const matched = !figure.hue && figure.references.length === figure.variables.length;
      const paired = split ? figure.variables.length === 1 : matched;
      const place = split ? hueText(figure.hue, h) : "";
      curves.push({
        id: key + ":" + (split ? h : ""), key, theory, hue: split ? h : -1, step: array.steps[figure.x] || 1, axis, label: array.label,
        meaning: array.meaning, units: array.units, n: array.n,
        name: !split ? array.label : theory || figure.variables.length > 1 ? place + ", " + array.label : place,
        shape: theory ? -1 : used,
        color: !theory ? lineColor(used++) : paired ? lineColor(split ? h : index) : "var(--ink)",
        index: order, x: order.map(i => axis.values[i]), y: order.map(i => array.mean[from(i)]),
        error: order.map(i => (array.error ? array.error[from(i)] : 0)),
        seeds: theory ? [] : seedsOf(figure, split ? { ...selection, [figure.hue]: h } : selection, order),
      });
    }
  };
  figure.variables.forEach((key, i) => add(key, i, false));
  figure.references.forEach((key, i) => add(key, i, true));
  return curves.filter(curve => !curve.theory || curve.y.some(Number.isFinite));
}

// The values of each seed along x, where they are drawn as dots.
function seedsOf(figure, selection, order) {
  if (!figure.seeds) return [];
  const array = arrayOf(figure.seeds);
  return Array.from({ length: sizeOf(array, "seed") }, (_, seed) => {
    const at = positionsAlong(array, figure.x, { ...selection, seed });
    return order.map(i => array.mean[at[i]]);
  });
}

function hueText(dim, index) {
  const c = coordinateOf(dim);
  return c.words ? c.words[index] : c.label + " " + formatNumber(c.values[index], 3) + (c.units === c.label ? "" : unitsText(c.units));
}

function pathThrough(points) {
  let text = "", drawing = false;
  for (const [x, y] of points) {
    const there = Number.isFinite(x) && Number.isFinite(y);
    if (there) text += (drawing ? "L" : "M") + short(x) + " " + short(y);
    drawing = there;
  }
  return text;
}

// On a logarithmic axis a band that reaches 0 goes down to the axis; none leaves the plot.
function bandPath(curve, px, py, log, box) {
  const inside = y => (log && y <= 0 ? box.bottom : Math.min(box.bottom, Math.max(box.top, py(y))));
  let text = "", upper = [], lower = [];
  const flush = () => {
    if (upper.length > 1) text += pathThrough(upper.concat(lower.reverse())) + "Z";
    upper = [];
    lower = [];
  };
  curve.y.forEach((y, i) => {
    const low = y - curve.error[i];
    if (!Number.isFinite(low)) return flush();
    upper.push([px(curve.x[i]), inside(y + curve.error[i])]);
    lower.push([px(curve.x[i]), inside(low)]);
  });
  flush();
  return text;
}

function drawMarker(parent, curve, x, y, radius) {
  draw("path", { d: shapeOf(curve.shape)(radius), transform: "translate(" + short(x) + " " + short(y) + ")",
      style: "fill:" + curve.color + ";stroke:var(--panel)", "stroke-width": 0.8 }, parent);
}

function drawCurve(svg, curve, px, py, log, box) {
  const group = draw("g", { class: "curve" }, svg);
  if (!curve.theory && curve.error.some(e => e > 0)) {
    draw("path", { d: bandPath(curve, px, py, log, box), style: "fill:" + curve.color, "fill-opacity": 0.2 }, group);
  }
  for (const seed of curve.seeds) seed.forEach((y, i) => {
    if (Number.isFinite(py(y))) draw("circle", { cx: short(px(curve.x[i])), cy: short(py(y)), r: 1.9, class: "seed",
        style: "fill:" + curve.color, "fill-opacity": 0.75 }, group);
  });
  const points = curve.x.map((x, i) => [px(x), py(curve.y[i])]);
  draw("path", { d: pathThrough(points), fill: "none", "stroke-width": curve.theory ? 1.5 : 2,
      "stroke-linejoin": "round",
    style: "stroke:" + curve.color, ...dashesOf(curve) }, group);
  if (curve.theory || points.length > FEW_POINTS) return;
  for (const [x, y] of points) {
    if (Number.isFinite(y)) drawMarker(group, curve, x, y, 3.1);
  }
}

// Steps from bin edge to bin edge; the edges lie in the middle between the centres.
function binOutline(curve, px, py, floor) {
  const n = curve.x.length, points = [];
  for (let i = 0; i < n; ++i) {
    const after = n < 2 ? 0.5 : (i + 1 < n ? curve.x[i + 1] - curve.x[i] : curve.x[i] - curve.x[i - 1]) / 2;
    const before = i === 0 ? after : (curve.x[i] - curve.x[i - 1]) / 2;
    const y = py(Number.isFinite(curve.y[i]) ? curve.y[i] : floor);
    points.push([px(curve.x[i] - before), y], [px(curve.x[i] + after), y]);
  }
  return points;
}

function drawBins(svg, curve, px, py, floor) {
  const steps = binOutline(curve, px, py, floor);
  if (!steps.length) return;
  const closed = [...steps, [steps[steps.length - 1][0], py(floor)], [steps[0][0], py(floor)]];
  draw("path", { d: pathThrough(closed) + "Z", style: "fill:" + curve.color, "fill-opacity": 0.32, class: "bins" },
      svg);
  draw("path", { d: pathThrough(steps), fill: "none", style: "stroke:" + curve.color, "stroke-width": 1.6 }, svg);
}

// Areas between two variables behind the lines: [{low, high, color, label}], one for each value of the hue if they
// have it.
function bandsOf(figure, selection) {
  if (!figure.bandLow || !figure.bandHigh) return [];
  const low = arrayOf(figure.bandLow), high = arrayOf(figure.bandHigh);
  if (!low.mean || !high.mean) return [];
  const split = figure.hue && (low.dims.includes(figure.hue) || high.dims.includes(figure.hue));
  const bands = [];
  for (let h = 0; h < (split ? DATA.dims[figure.hue].size : 1); ++h) {
    const axis = coordinateOf(figure.x, low.dims.includes(figure.x) ? low : null);
    const order = axis.values.map((_, i) => i).sort((a, b) => axis.values[a] - axis.values[b]);
    const read = array => {
      const at = positionsAlong(array, figure.x, split ? { ...selection, [figure.hue]: h } : selection);
      return order.map(i => array.mean[at[Math.min(i, at.length - 1)]]);
    };
    bands.push({ label: low.label, meaning: low.meaning, units: low.units, x: order.map(i => axis.values[i]),
      low: read(low), high: read(high), color: split ? lineColor(h) : "var(--quiet)", hue: split ? h : -1 });
  }
  return bands;
}

function drawBetween(svg, band, px, py) {
  let text = "", upper = [], lower = [];
  const flush = () => {
    if (upper.length > 1) text += pathThrough(upper.concat(lower.reverse())) + "Z";
    upper = [];
    lower = [];
  };
  band.x.forEach((x, i) => {
    const low = py(band.low[i]), high = py(band.high[i]);
    if (!Number.isFinite(low) || !Number.isFinite(high)) return flush();
    upper.push([px(x), high]);
    lower.push([px(x), low]);
  });
  flush();
  draw("path", { d: text, style: "fill:" + band.color, "fill-opacity": 0.18, class: "band" }, svg);
}

// Scalars shown as vertical lines: [{value, text}], equal values once.
function marksOf(figure, selection) {
  const marks = [];
  for (const key of figure.marks) {
    const array = arrayOf(key);
    if (!array.mean) continue;
    for (const position of positionsAlong(array, figure.hue || "", selection)) {
      const value = array.mean[position];
      if (!Number.isFinite(value) || marks.some(m => m.value === value)) continue;
      marks.push({ value, text: array.label + " " + formatNumber(value, 3), meaning: array.meaning });
    }
  }
  return marks;
}

// Gives each mark inside the axis a row above the plot so that no two labels touch; returns the number of rows.
function placeMarks(marks, px, box) {
  const ends = [];
  for (const mark of marks.sort((a, b) => a.value - b.value)) {
    mark.x = px(mark.value);
    mark.inside = mark.x >= box.left && mark.x <= box.right;
    if (!mark.inside) continue;
    mark.text = clipText(mark.text, 12, box.right - box.left);
    const half = textWidth(mark.text, 12) / 2;
    mark.at = Math.min(box.right - half, Math.max(box.left + half, mark.x));
    mark.row = ends.findIndex(end => end < mark.at - half - 10);
    if (mark.row < 0) mark.row = ends.length;
    ends[mark.row] = mark.at + half;
  }
  return ends.length;
}

function drawMarks(svg, marks, box) {
  const shown = marks.filter(m => m.inside), up = mark => box.top - 6 - 15 * mark.row;
  for (const mark of shown) segment(svg, mark.x, up(mark) + 3, mark.x, box.bottom, "var(--quiet)",
      { "stroke-width": 1.3, "stroke-dasharray": "2 3" });
  for (const mark of shown) label(svg, mark.at, up(mark), mark.text, { halo: true, hint: mark.meaning });
}

// The values between the ends that the x axis is zoomed to; of all that there are where it is not.
function valueRange(panel, curves, bins, bands) {
  const { figure, part } = panel, within = part && part.x ? x => x >= part.x[0] && x <= part.x[1] : () => true;
  const seen = (one, values) => values.filter((_, i) => within(one.x[i])), all = [];
  for (const band of bands) all.push(...seen(band, band.low), ...seen(band, band.high));
  for (const c of curves) {
    c.y.forEach((y, i) => {
      const e = c.error[i] > 0 ? c.error[i] : 0, low = figure.logY && y - e < y / 10 ? y : y - e;
      if (within(c.x[i])) all.push(low, y + e);
    });
    for (const seed of c.seeds) all.push(...seed);
  }
  // A line figure with a slider keeps its axis while the slider moves, but for one with a band, which is the measure of
  // each place's own values.
  if (!bins && !figure.bandLow) all.push(...valuesOfLines(figure, curves, within));
  const range = shownRange(all, figure.logY);
  if (figure.logY) return makeScale(range, true, 0.04);
  if (bins) return makeScale([Math.min(0, range[0]), roundUp(range[1])]);
  const fromZero = range[0] >= 0 && range[0] < 0.3 * range[1];
  const scale = makeScale(range, false, 0.05);
  return fromZero ? makeScale([0, scale.high]) : scale;
}

// The values that these lines have at all places of the sliders.
function valuesOfLines(figure, curves, within) {
  const all = [];
  for (const key of figure.variables) {
    const a = arrayOf(key), lines = curves.filter(c => c.key === key);
    if (!a.mean || a.size > 20000 || !lines.length) continue;
    const index = (dim, p) => Math.floor(p / a.strides[dim]) % sizeOf(a, dim), along = a.strides[figure.x];
    const x = coordinateOf(figure.x, a).values, hues = new Set(lines.map(c => c.hue));
    a.mean.forEach((value, p) => {
      if ((hues.has(-1) || hues.has(index(figure.hue, p))) && (!along || within(x[index(figure.x, p)]))) all.push(value);
    });
  }
  return all;
}

function drawCursor(svg, panel, frame, curves) {
  const dim = panel.figure.x;
  if (!isControl(dim)) return;
  const index = state.selection[dim], c = coordinateOf(dim);
  const x = frame.px(c.values[index]);
  if (!(x >= frame.box.left - 1 && x <= frame.box.right + 1)) return;
  const cursor = draw("g", { class: "cursor" }, svg);
  segment(cursor, x, frame.box.top, x, frame.box.bottom, "var(--ink)", { "stroke-width": 1.3, "stroke-opacity": 0.6 });
  draw("path", { d: "M" + short(x - 5) + " " + (frame.box.bottom + 8) + "h10l-5 -8z", style: "fill:var(--ink)" },
      cursor);
  for (const curve of curves) {
    const k = curve.index.indexOf(Math.floor(index / curve.step));
    const y = curve.theory || k < 0 ? NaN : frame.py(curve.y[k]);
    if (!(y >= frame.box.top - 1 && y <= frame.box.bottom + 1)) continue;
    const chosen = curve.hue < 0 || !isControl(panel.figure.hue) || state.selection[panel.figure.hue] === curve.hue;
    draw("circle", { cx: short(x), cy: short(y), r: chosen ? 6 : 4, style: "stroke:" + curve.color +
        ";fill:" + (chosen ? curve.color : "var(--panel)"), "stroke-width": 2 }, cursor);
  }
}

// The place of a slider's mark can be taken hold of; elsewhere a drag looks closer, and a click moves the mark there, and
// the lines' own slider to the line that is clicked at.
const GRIP = 9, NEAR_LINE = 16;  // pixels

function addCurveHover(svg, panel, frame, curves, bands) {
  const main = curves[0], { figure } = panel, { box } = frame;
  if (!main) return;
  const hair = segment(svg, 0, box.top, 0, box.bottom, "var(--quiet)", { visibility: "hidden", class: "hair" });
  const nearest = p => {
    if (p.x < box.left - 12 || p.x > box.right + 12 || p.y < box.top - 12) return -1;  // above stand the names
    let best = -1, distance = Infinity;
    main.x.forEach((x, i) => {
      const at = frame.px(x), d = Math.abs(at - p.x);
      if (d < distance && at >= box.left - 1 && at <= box.right + 1) { distance = d; best = i; }
    });
    return best;
  };
  const leave = () => { hair.setAttribute("visibility", "hidden"); hideTip(); };
  const moves = isControl(figure.x), go = k => { if (moves) choose(figure.x, main.index[k] * main.step); };
  const grips = p => moves && Math.abs(frame.px(coordinateOf(figure.x).values[state.selection[figure.x]]) - p.x) < GRIP;
  svg.addEventListener("pointerdown", event => { panel.gripped = grips(pointerIn(svg, event)); });
  svg.addEventListener("pointermove", event => {
    const p = pointerIn(svg, event), k = nearest(p);
    if (k < 0) return leave();
    if (event.buttons === 1) { if (panel.gripped) go(k); return; }
    if (moves) svg.style.cursor = grips(p) ? "ew-resize" : "pointer";
    const x = short(frame.px(main.x[k]));
    hair.setAttribute("x1", x);
    hair.setAttribute("x2", x);
    hair.setAttribute("visibility", "visible");
    const title = main.axis.label + " = " + (main.axis.words ? main.axis.words[main.index[k]]
        : numberText(main.x[k], main.axis.units, 5));
    const between = band => formatNumber(band.low[k], 3) + " \u2026 " + formatNumber(band.high[k], 3);
    showTip(event, title, curves.filter(c => k < c.y.length && !isOff(panel, c)).map(c =>
        ({ color: c.color, name: c.name, value: formatWithError(c.y[k], c.error[k]) + unitsText(c.units) })).concat(
        bands.filter(b => k < b.low.length).map(b =>
        ({ color: b.color, name: b.label, value: between(b) + unitsText(b.units) }))));
  });
  svg.addEventListener("pointerleave", leave);
  svg.addEventListener("click", event => {
    const p = pointerIn(svg, event), k = nearest(p);
    if (k < 0 || panel.dragged) return;
    go(k);
    if (!isControl(figure.hue)) return;
    const off = c => Math.abs(frame.py(c.y[k]) - p.y), near = curves.filter(c => c.hue >= 0 && !isOff(panel, c) && off(c) < NEAR_LINE);
    if (near.length) choose(figure.hue, near.reduce((best, c) => (off(c) < off(best) ? c : best)).hue);
  });
  addDragZoom(svg, panel, box, ["x", "y"], grips);
}

// A cross, for points of a sweep that failed.
function drawCross(svg, x, y) {
  const arm = 4.5;
  for (const turn of [-1, 1]) segment(svg, x - arm, y - turn * arm, x + arm, y + turn * arm, "var(--bad)",
      { "stroke-width": 2, class: "failed" });
}

// On the floor where points failed, whichever line they would belong to.
function drawFailed(svg, figure, frame) {
  if (!figure.failed) return;
  const failed = arrayOf(figure.failed), axis = coordinateOf(figure.x);
  const lines = figure.hue && failed.dims.includes(figure.hue) ? sizeOf(failed, figure.hue) : 1;
  const hit = axis.values.map((_, i) => Array.from({ length: lines }, (_, h) => failed.mean[positionOf(failed,
      { ...state.selection, [figure.x]: i, ...(lines > 1 ? { [figure.hue]: h } : {}) })]).some(share => share > 0));
  const shown = x => x >= frame.box.left - 1 && x <= frame.box.right + 1;
  axis.values.forEach((value, i) => { if (hit[i] && shown(frame.px(value))) drawCross(svg, frame.px(value), frame.box.bottom - 8); });
}

const LEGEND_ROOM = 60;  // pixels that the names may take of a drawing's height; more make it higher

function drawCurvePanel(panel, bins) {
  const figure = panel.figure, width = panel.width;
  const all = curvesOf(figure, state.selection), every = bandsOf(figure, state.selection);
  for (const curve of all) curve.bins = bins;
  const curves = all.filter(c => !isOff(panel, c)), bands = every.filter(b => b.hue < 0 || curves.some(c => c.hue === b.hue));
  const named = drawLegend(draw("g", {}), panel, all, width, every);  // its height, drawn nowhere
  const height = plotHeight(width) + Math.max(0, named - LEGEND_ROOM), svg = startSvg(panel, height);
  const axis = all.length ? all[0].axis : coordinateOf(figure.x);
  const step = bins && axis.values.length > 1 ? 0.5 / (axis.values.length - 1) : 0.02;
  const x = { scale: zoomed(panel, "x", makeScale(rangeOf(axis.values, figure.logX), figure.logX, step)), words: axis.words,
      dates: isDateUnit(axis.units),
      label: axisLabel(axis.label, axis.units), meaning: axis.meaning };
  const y = { scale: zoomed(panel, "y", valueRange(panel, curves.length ? curves : all, bins, bands)) };
  const first = arrayOf(figure.variables[0]);
  y.label = figure.variables.length === 1 ? axisLabel(first.label, first.units) : axisLabel(figure.valueLabel, first.units);
  if (figure.variables.length === 1) y.meaning = first.meaning;
  // The rows of labels depend on the frame and the frame on the rows: a first guess is drawn nowhere.
  const marks = marksOf(figure, state.selection), top = named + 14;
  const guess = marks.length ? drawFrame(draw("g", {}), width, height, x, y, { top }) : null;
  const rows = guess ? placeMarks(marks, guess.px, guess.box) : 0;
  const frame = drawFrame(svg, width, height, x, y, { top: top + 15 * rows });
  placeMarks(marks, frame.px, frame.box);
  const inner = panel.part ? clipTo(svg, panel, frame.box) : svg;
  for (const band of bands) drawBetween(inner, band, frame.px, frame.py);
  drawMarks(svg, marks, frame.box);
  for (const curve of curves) {
    if (bins && !curve.theory && !figure.logY) drawBins(inner, curve, frame.px, frame.py, Math.max(0, y.scale.low));
    else drawCurve(inner, curve, frame.px, frame.py, figure.logY, frame.box);
  }
  drawFailed(svg, figure, frame);
  drawCursor(svg, panel, frame, curves);
  addCurveHover(svg, panel, frame, curves, bands);
  drawLegend(svg, panel, all, width, every);
  showZoomButton(panel);
  panel.plot.replaceChildren(svg);
}

function curveRows(figure) {
  const curves = curvesOf(figure, state.selection), bands = bandsOf(figure, state.selection);
  if (!curves.length) return [];
  const head = [axisLabel(curves[0].axis.label, curves[0].axis.units)];
  for (const c of curves) {
    head.push(axisLabel(c.name === c.label ? c.name : c.theory ? c.name : c.label + ", " + c.name, c.units));
    if (c.error.some(e => e > 0)) head.push("standard error (" + c.n + " seeds)");
  }
  for (const band of bands) {
    const name = band.hue < 0 ? band.label : band.label + ", " + hueText(figure.hue, band.hue);
    head.push(axisLabel(name + ", from", band.units), axisLabel(name + ", to", band.units));
  }
  const rows = curves[0].x.map((x, k) => {
    const row = [curves[0].axis.words ? curves[0].axis.words[curves[0].index[k]]
      : isDateUnit(curves[0].axis.units) ? dateText(x) : x];
    for (const c of curves) { row.push(c.y[k]); if (c.error.some(e => e > 0)) row.push(c.error[k]); }
    for (const band of bands) row.push(band.low[k], band.high[k]);
    return row;
  });
  return [head, ...rows];
}
