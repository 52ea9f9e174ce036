// Named intervals: a row for each name, its point and interval, and further marks beside them.
KINDS.intervals = { draw: drawIntervalPanel, rows: intervalRows, picture: true };

const INTERVAL_ROW = 22, GROUP_GAP = 9;  // pixels: between rows, and before a row of another group

// "95 % interval from", the head of a column of lower ends, is of both ends here.
const intervalName = low => low.label.replace(/ from$/, "");

// What the figure shows now: rows, their groups, and what the marks of a row are.
function intervalsOf(figure) {
  const point = arrayOf(figure.variables[0]), dim = figure.x;
  const optional = key => (key ? arrayOf(key) : null);
  const low = optional(figure.bandLow), high = optional(figure.bandHigh), texts = optional(figure.labels);
  const groups = optional(figure.groups);
  const marks = [...figure.variables.slice(1), ...figure.references].map(arrayOf);
  const place = (array, i) => positionOf(array, { ...state.selection, [dim]: i });
  const number = (array, i) => (array && array.mean ? array.mean[place(array, i)] : NaN);
  const word = (array, i) => {
    if (!array) return "";
    if (array.words) return array.words[place(array, i)];
    return Number.isNaN(number(array, i)) ? "" : formatNumber(number(array, i));
  };
  const names = [];
  const numberOf = name => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
  const rows = Array.from({ length: sizeOf(point, dim) }, (_, i) => {
    const row = { name: cellName({ ...coordinateOf(dim), units: "1" }, i), point: number(point, i),
        low: number(low, i), high: number(high, i), marks: marks.map(m => number(m, i)),
        group: groups ? numberOf(word(groups, i)) : 0 };
    row.text = word(texts, i) || intervalText(row, point.units);
    return row;
  });
  return { point, low, rows, marks, measured: figure.variables.length - 1, groups: names, group: groups };
}

// What stands beside a row that has no text of its own.
function intervalText({ point, low, high }, units) {
  if (low === -Infinity && high === Infinity) return "any value";
  if (high === Infinity && Number.isFinite(low)) return "> " + formatNumber(low, 3) + unitsText(units);
  if (low === -Infinity && Number.isFinite(high)) return "< " + formatNumber(high, 3) + unitsText(units);
  return [point, low, high].every(Number.isNaN) ? "not measured" : "";
}

function drawIntervalMark(parent, x, y, k, measured) {
  const style = measured ? "fill:var(--quiet);stroke:var(--panel)" : "fill:var(--panel);stroke:var(--ink)";
  draw("path", { d: shapeOf(k + 1)(4), transform: "translate(" + short(x) + " " + short(y) + ")", style,
      "stroke-width": measured ? 0.8 : 1.4 }, parent);
}

function drawIntervalPoint(parent, x, y, color) {
  draw("path", { d: SHAPES[0](4.8), transform: "translate(" + short(x) + " " + short(y) + ")",
      style: "fill:" + color + ";stroke:var(--panel)", "stroke-width": 0.9 }, parent);
}

// A stroke with a bar at an end that is known, an arrow at one that is open.
function drawInterval(parent, from, to, box, y, color) {
  const left = Number.isFinite(from) ? from : box.left + 1, right = Number.isFinite(to) ? to : box.right - 1;
  segment(parent, left, y, right, y, color, { "stroke-width": 2.6 });
  const end = (x, known, inwards) => {
    if (known) return segment(parent, x, y - 4.5, x, y + 4.5, color, { "stroke-width": 2 });
    return draw("path", { d: "M" + short(x) + " " + short(y) + "l" + 9 * inwards + " -5.5v11z", style: "fill:" + color },
        parent);
  };
  end(left, Number.isFinite(from), 1);
  end(right, Number.isFinite(to), -1);
}

// Signs and colours with their names; returns the height.
function drawIntervalLegend(svg, shown, width) {
  let x = 4, y = 12;
  const own = shown.groups.length ? "var(--quiet)" : lineColor(0);
  const entry = (whole, hint, sign) => {
    const name = clipText(whole, 12.5, width - 40), needed = 44 + textWidth(name, 12.5);
    if (x + needed > width + 18 && x > 4) { x = 4; y += 19; }
    sign(x + 9, y - 4);
    label(svg, x + 24, y, name, { size: 12.5, anchor: "start", color: "var(--ink)", hint });
    x += needed;
  };
  entry(shown.point.label, shown.point.meaning, (at, up) => drawIntervalPoint(svg, at, up, own));
  if (shown.low) entry(intervalName(shown.low), shown.low.meaning, (at, up) => drawInterval(svg, at - 9, at + 9, null, up, own));
  shown.marks.forEach((array, k) =>
      entry(array.label, array.meaning, (at, up) => drawIntervalMark(svg, at, up, k, k < shown.measured)));
  shown.groups.forEach((name, g) => entry(name, "", (at, up) =>
      draw("rect", { x: at - 8, y: up - 5, width: 16, height: 10, rx: 2, style: "fill:" + lineColor(g) }, svg)));
  return y + 12;
}

// The axis of the values below the rows.
function drawIntervalAxis(svg, box, scale, text, meaning, width) {
  const frame = draw("g", { class: "frame" }, svg), px = v => box.left + (box.right - box.left) * scale.fraction(v);
  for (const tick of ticksOf(scale, Math.max(2, Math.round((box.right - box.left) / 75)))) {
    segment(frame, px(tick.value), box.top, px(tick.value), box.bottom, "var(--faint)");
    segment(frame, px(tick.value), box.bottom, px(tick.value), box.bottom + 4, "var(--edge)");
    label(frame, px(tick.value), box.bottom + 18, tick.label);
  }
  for (const v of minorTicks(scale)) segment(frame, px(v), box.bottom, px(v), box.bottom + 3, "var(--edge)");
  segment(frame, box.left, box.bottom, box.right, box.bottom, "var(--edge)");
  const middle = (box.left + box.right) / 2;
  fitLabel(frame, middle, box.bottom + 40, text, 2 * Math.min(middle, width - middle), { hint: meaning });
  return px;
}

function addIntervalHover(svg, panel, shown, box) {
  const dim = panel.figure.x, units = unitsText(shown.point.units);
  const hair = draw("rect", { x: 0, width: panel.width, height: INTERVAL_ROW, visibility: "hidden", class: "hair",
      style: "fill:var(--accent)", "fill-opacity": 0.1 }, svg);
  const rowAt = event => {
    const { y } = pointerIn(svg, event);
    return y < box.top || y > box.bottom ? -1 : shown.rows.findIndex(row => y <= row.y + INTERVAL_ROW / 2);
  };
  const leave = () => { hair.setAttribute("visibility", "hidden"); hideTip(); };
  svg.addEventListener("pointermove", event => {
    const i = rowAt(event);
    if (i < 0) return leave();
    const row = shown.rows[i], value = v => (Number.isNaN(v) ? "not measured" : formatNumber(v, 3) + units);
    hair.setAttribute("y", short(row.y - INTERVAL_ROW / 2));
    hair.setAttribute("visibility", "visible");
    const lines = [{ color: lineColor(row.group), name: shown.point.label, value: value(row.point) }];
    if (shown.low) lines.push({ color: lineColor(row.group), name: intervalName(shown.low),
        value: formatNumber(row.low, 3) + " \u2026 " + formatNumber(row.high, 3) + units });
    shown.marks.forEach((array, k) => lines.push({ name: array.label, value: value(row.marks[k]) }));
    if (shown.group) lines.push({ name: shown.group.label, value: shown.groups[row.group] });
    if (row.text) lines.push({ name: "", value: row.text });
    showTip(event, row.name, lines);
  });
  svg.addEventListener("pointerleave", leave);
  const marks = shown.rows.map((row, i) => ({ x: box.left, y: row.y, choice: chosenBy({ [dim]: i }, []) }));
  addMarks(panel, svg, marks, event => (marks[rowAt(event)] || {}).choice);
  addDragZoom(svg, panel, box, ["x"]);
}

function drawIntervalPanel(panel) {
  const figure = panel.figure, width = panel.width, shown = intervalsOf(figure), rows = shown.rows;
  const widest = (texts, most) => Math.min(most, Math.max(0, ...texts.map(t => textWidth(t, 12))));
  const nameWidth = widest(rows.map(r => r.name), 0.34 * width);
  const said = widest(rows.map(r => r.text), 0.24 * width);
  const values = rows.flatMap(r => [r.point, r.low, r.high, ...r.marks]);
  const open = rows.some(r => r.low === -Infinity || r.high === Infinity);
  const scale = zoomed(panel, "x", makeScale(shownRange(values, figure.logY), figure.logY, open ? 0.07 : 0.04));
  const legend = drawIntervalLegend(draw("g", {}), shown, width);  // its height, drawn nowhere
  let y = legend + 4 + INTERVAL_ROW / 2;
  rows.forEach((row, i) => {
    if (i > 0 && row.group !== rows[i - 1].group) y += GROUP_GAP;
    row.y = y;
    y += INTERVAL_ROW;
  });
  const box = { left: Math.max(28, nameWidth + 14), right: width - (said > 0 ? said + 14 : 16), top: legend + 4,
      bottom: y - INTERVAL_ROW / 2 };
  const svg = startSvg(panel, Math.ceil(box.bottom + 50));
  drawIntervalLegend(svg, shown, width);
  const text = axisLabel(figure.valueLabel || shown.point.label, shown.point.units);
  const px = drawIntervalAxis(svg, box, scale, text, shown.point.meaning, width);
  const inner = panel.part ? clipTo(svg, panel, box) : svg;
  rows.forEach((row, i) => drawIntervalRow(svg, inner, box, px, row, shown, {
    name: clipText(row.name, 12, nameWidth + 1), text: clipText(row.text, 12, said + 1),
    chosen: isControl(figure.x) && state.selection[figure.x] === i }));
  addIntervalHover(svg, panel, shown, box);
  showZoomButton(panel);
  panel.plot.replaceChildren(svg);
}

function drawIntervalRow(svg, inner, box, px, row, shown, { name, text, chosen }) {
  const color = lineColor(row.group);
  segment(svg, box.left, row.y, box.right, row.y, chosen ? "var(--accent)" : "var(--faint)");
  label(svg, box.left - 8, row.y + 4, name, { anchor: "end", color: "var(--ink)", weight: chosen ? 650 : 400,
      hint: row.name });
  if (text) label(svg, box.right + 8, row.y + 4, text, { anchor: "start", hint: row.text });
  if (!Number.isNaN(row.low) && !Number.isNaN(row.high)) drawInterval(inner, px(row.low), px(row.high), box, row.y, color);
  row.marks.forEach((mark, k) => {
    if (Number.isFinite(px(mark))) drawIntervalMark(inner, px(mark), row.y, k, k < shown.measured);
  });
  if (Number.isFinite(px(row.point))) drawIntervalPoint(inner, px(row.point), row.y, color);
}

function intervalRows(figure) {
  const shown = intervalsOf(figure), units = shown.point.units, axis = coordinateOf(figure.x);
  const cell = v => (Math.abs(v) === Infinity ? (v > 0 ? "inf" : "-inf") : v);
  const head = [axisLabel(axis.label, axis.units)].concat(shown.group ? [shown.group.label] : [],
      [axisLabel(shown.point.label, units)],
      shown.low ? [axisLabel(intervalName(shown.low) + ", from", units), axisLabel(intervalName(shown.low) + ", to", units)] : [],
      shown.marks.map(m => axisLabel(m.label, m.units)), ["text"]);
  const line = row => [row.name].concat(shown.group ? [shown.groups[row.group]] : [], [cell(row.point)],
      shown.low ? [cell(row.low), cell(row.high)] : [], row.marks.map(cell), [row.text]);
  return [head, ...shown.rows.map(line)];
}
