// Heat maps: a canvas under the axes.
KINDS.heatmap = { draw: drawHeatmapPanel, rows: heatmapRows, picture: true };

// The matrix at the sliders: value(row, column), rows along y.
function matrixOf(figure) {
  const array = arrayOf(figure.variables[0]);
  const start = positionOf(array, { ...state.selection, [figure.x]: 0, [figure.y]: 0 });
  const rows = sizeOf(array, figure.y), columns = sizeOf(array, figure.x);
  const down = array.strides[figure.y], across = array.strides[figure.x];
  const at = (r, c) => start + r * down + c * across;
  return { array, rows, columns, value: (r, c) => array.mean[at(r, c)],
      error: (r, c) => (array.error ? array.error[at(r, c)] : 0) };
}

function viewRange(m) {
  const values = [];
  for (let r = 0; r < m.rows; ++r) for (let c = 0; c < m.columns; ++c) values.push(m.value(r, c));
  return shownRange(values);
}

// One colour scale for all slider positions, unless it would leave one of them without contrast.
function chooseScaleMode(panel, m) {
  if (panel.shared !== undefined) return;
  panel.all = shownRange(m.array.mean);
  panel.skewed = isSkewed(m.array.mean, panel.all);
  const cells = m.rows * m.columns;  // the axes come last: a view is one piece of the array
  let least = Infinity;
  for (let start = 0; start < m.array.size; start += cells) {
    const [low, high] = rangeOf(m.array.mean.slice(start, start + cells));
    least = Math.min(least, high - low);
  }
  panel.shared = panel.all[1] - panel.all[0] < 4 * least;
}

function addScaleButton(panel) {
  if (panel.scaleButton || !panel.dims.some(isControl)) return;
  panel.scaleButton = make("button",
      { type: "button", title: "One colour scale for all slider positions, or one for each" });
  panel.tools.prepend(panel.scaleButton);
  panel.scaleButton.addEventListener("click", () => { panel.shared = !panel.shared; panel.draw(); });
}

function paintCells(m, colors, labelled) {
  const canvas = make("canvas", { width: m.columns, height: m.rows, "aria-hidden": "true" });
  const context = canvas.getContext("2d"), image = context.createImageData(m.columns, m.rows);
  for (let r = 0, at = 0; r < m.rows; ++r) {
    for (let c = 0; c < m.columns; ++c, at += 4) {
      const value = m.value(m.rows - 1 - r, c), [red, green, blue] = mapColor(colors.map, colors.fraction(value));
      image.data.set([red, green, blue, labelled && Number.isNaN(value) ? 0 : 255], at);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// Black or white, whichever is read better on the colour: the contrast is 4.58 at least (WCAG 2.2).
function inkOn(color) {
  const [red, green, blue] = color.map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

// The text of a label at a flat position: a word, or a number; nothing for no value.
function labelText(labels, position) {
  if (labels.words) return labels.words[position];
  return Number.isFinite(labels.mean[position]) ? formatNumber(labels.mean[position], 3) : "";
}

// label(row, column), or null where the figure has none or its cells are means of several.
function cellLabels(figure, m) {
  if (!figure.labels || m.array.steps[figure.x] || m.array.steps[figure.y]) return null;
  const labels = arrayOf(figure.labels);
  return (r, c) => labelText(labels, positionOf(labels, { ...state.selection, [figure.x]: c, [figure.y]: r }));
}

const SMALLEST_CELL_TEXT = 6, CELL_OF_TEXT = 10.5;

// Numbers or words in the cells that have a value, thin lines between cells; nothing where the text has no room.
function drawCellLabels(svg, m, frame, colors, text) {
  const { box } = frame, width = box.width / m.columns, height = box.height / m.rows;
  const size = Math.min(13, 0.62 * Math.min(width, height));
  if (size < SMALLEST_CELL_TEXT) return;
  const group = draw("g", { class: "cells" }, svg);
  for (let c = 1; c < m.columns; ++c)
    segment(group, box.left + c * width, box.top, box.left + c * width, box.bottom, "var(--faint)");
  for (let r = 1; r < m.rows; ++r)
    segment(group, box.left, box.top + r * height, box.right, box.top + r * height, "var(--faint)");
  for (let r = 0; r < m.rows; ++r) {
    for (let c = 0; c < m.columns; ++c) {
      const value = m.value(r, c), shown = Number.isNaN(value) ? "" : text(r, c);
      const fitted = Math.min(size, size * (width - 2) / Math.max(1, textWidth(shown, size)));
      if (!shown || fitted < SMALLEST_CELL_TEXT) continue;
      label(group, box.left + (c + 0.5) * width, box.bottom - (r + 0.5) * height + 0.36 * fitted, shown,
          { size: fitted, weight: 600, color: inkOn(mapColor(colors.map, colors.fraction(value))) });
    }
  }
}

// Pieces [x1, y1, x2, y2] of the line on which value(row, column) is `level`, in columns and rows: marching squares.
function contourOf(value, rows, columns, level) {
  const corner = [[0, 0], [1, 0], [1, 1], [0, 1]], pieces = [];
  for (let r = 0; r + 1 < rows; ++r) {
    for (let c = 0; c + 1 < columns; ++c) {
      const v = corner.map(([x, y]) => value(r + y, c + x));
      if (!v.every(Number.isFinite)) continue;
      let edges = [0, 1, 2, 3].filter(k => (v[k] >= level) !== (v[(k + 1) % 4] >= level));
      const middle = (v[0] + v[1] + v[2] + v[3]) / 4;
      if (edges.length === 4 && (middle >= level) !== (v[0] >= level)) edges = [3, 0, 1, 2];
      const crossing = k => {
        const [a, b] = [corner[k], corner[(k + 1) % 4]], t = (level - v[k]) / (v[(k + 1) % 4] - v[k]);
        return [c + a[0] + t * (b[0] - a[0]), r + a[1] + t * (b[1] - a[1])];
      };
      for (let k = 0; k + 1 < edges.length; k += 2) pieces.push([...crossing(edges[k]), ...crossing(edges[k + 1])]);
    }
  }
  return pieces;
}

// On a line a place for its label that touches none of those taken, as near to the line's middle as can be.
function freePlace(pieces, px, py, taken, half) {
  const middle = Math.floor(pieces.length / 2), far = pieces.map((_, k) => k);
  for (const k of far.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const [x, y] = pieces[k];
    if (taken.some(t => Math.abs(t[0] - px(x)) < 2 * half + 2 && Math.abs(t[1] - py(y)) < 17)) continue;
    taken.push([px(x), py(y)]);
    return [x, y];
  }
  return null;
}

// What the grey cells are, below the colour bar.
function drawMissingName(svg, box, colors) {
  const left = box.right + 16, y = box.bottom + 8;
  draw("rect", { x: left, y, width: 12, height: 12, fill: "rgb(" + mapColor(colors.map, colors.fraction(NaN)) + ")",
      style: "stroke:var(--edge)" }, svg);
  label(svg, left + 17, y + 10.5, "no value", { anchor: "start" });
}

// Where theory has the values at the ticks of the colour bar, and crosses where points of a sweep failed.
function drawOverCells(svg, figure, m, frame, colors) {
  if (m.array.steps[figure.x] || m.array.steps[figure.y]) return;
  const { box } = frame, width = box.width / m.columns, height = box.height / m.rows;
  const px = c => box.left + (c + 0.5) * width, py = r => box.bottom - (r + 0.5) * height;
  const at = key => { const a = arrayOf(key); return (r, c) =>
    a.mean[positionOf(a, { ...state.selection, [figure.y]: r, [figure.x]: c })]; };
  const levels = ticksOf(makeScale(colors.range), Math.round((box.bottom - box.top) / 55));
  for (const key of figure.references) {
    const lines = levels.map(tick => ({ ...tick, pieces: contourOf(at(key), m.rows, m.columns, tick.value) }));
    for (const [color, size] of [["#ffffff", 3.6], ["#10151c", 1.4]])
      for (const line of lines) for (const [x1, y1, x2, y2] of line.pieces)
        segment(svg, px(x1), py(y1), px(x2), py(y2), color, { "stroke-width": size, class: "theory" });
    const taken = [];
    for (const line of lines) {
      const half = textWidth(line.label, 11) / 2 + 2, place = freePlace(line.pieces, px, py, taken, half);
      if (!place) continue;
      const [x, y] = place;
      draw("rect", { x: short(px(x) - half), y: short(py(y) - 8), width: short(2 * half), height: 15, fill: "#ffffff" },
          svg);
      label(svg, px(x), py(y) + 4, line.label, { size: 11, color: "#10151c" });
    }
  }
  if (!figure.failed) return;
  const failed = at(figure.failed);
  for (let r = 0; r < m.rows; ++r)
    for (let c = 0; c < m.columns; ++c) if (failed(r, c) > 0) drawCross(svg, px(c), py(r));
}

function addCellHover(svg, m, frame, xAxis, yAxis, figure, text) {
  const outline = draw("rect", { width: frame.box.width / m.columns, height: frame.box.height / m.rows, fill: "none",
      style: "stroke:var(--ink)", "stroke-width": 1.5, visibility: "hidden", class: "hair" }, svg);
  const leave = () => { outline.setAttribute("visibility", "hidden"); hideTip(); };
  svg.addEventListener("pointermove", event => {
    const cell = cellBelow(pointerIn(svg, event), m, frame.box);
    if (!cell) return leave();
    const [r, c] = cell;
    outline.setAttribute("x", frame.box.left + c * frame.box.width / m.columns);
    outline.setAttribute("y", frame.box.bottom - (r + 1) * frame.box.height / m.rows);
    outline.setAttribute("visibility", "visible");
    const value = m.error(r, c) > 0 ? formatWithError(m.value(r, c), m.error(r, c)) : formatNumber(m.value(r, c), 3);
    showTip(event, m.array.label + " = " + value + unitsText(m.array.units), [
      ...(text && text(r, c) ? [{ name: arrayOf(figure.labels).label, value: text(r, c) }] : []),
      ...figure.references.map(key => ({ name: arrayOf(key).label, value: formatNumber(arrayOf(key).mean[positionOf(
          arrayOf(key), { ...state.selection, [figure.x]: c, [figure.y]: r })], 3) })),
      { name: yAxis.coordinate.label, value: cellName(yAxis.coordinate, r) },
      { name: xAxis.coordinate.label, value: cellName(xAxis.coordinate, c) }]);
  });
  svg.addEventListener("pointerleave", leave);
}

// The cells that choose something: those with a value, or all where an axis is a slider's; the chosen one is framed.
function addCellMarks(svg, panel, m, frame, x, y) {
  const { figure } = panel, { box } = frame, marks = [], slider = isControl(figure.x) || isControl(figure.y);
  const wide = box.width / m.columns, high = box.height / m.rows, step = dim => m.array.steps[dim] || 1;
  const word = (axis, i) => (axis.coordinate.words ? axis.coordinate.words[i] : "");
  const choice = (r, c) => (!slider && Number.isNaN(m.value(r, c)) ? null
      : chosenBy({ [figure.x]: c * step(figure.x), [figure.y]: r * step(figure.y) }, [word(x, c), word(y, r)]));
  for (let r = 0; (slider || Object.keys(pairPlaces).length) && r < m.rows; ++r)
    for (let c = 0; c < m.columns; ++c)
      marks.push({ x: box.left + (c + 0.5) * wide, y: box.bottom - (r + 0.5) * high, choice: choice(r, c) });
  const whole = mark => isChosen(mark.choice) && (isControl(figure.x) === isControl(figure.y));
  for (const mark of marks.filter(whole))
    for (const [color, size] of [["var(--panel)", 5], ["var(--ink)", 2.4]])
      draw("rect", { x: short(mark.x - wide / 2), y: short(mark.y - high / 2), width: short(wide), height: short(high),
          fill: "none", style: "stroke:" + color, "stroke-width": size, class: "chosen" }, svg);
  addMarks(panel, svg, marks, event => {
    const cell = cellBelow(pointerIn(svg, event), m, box);
    return cell && choice(...cell);
  });
}

// [row, column] of the cell at a point, or null.
function cellBelow(point, m, box) {
  const c = Math.floor((point.x - box.left) / box.width * m.columns);
  const r = Math.floor((box.bottom - point.y) / box.height * m.rows);
  return c < 0 || r < 0 || c >= m.columns || r >= m.rows ? null : [r, c];
}

function drawHeatmapPanel(panel) {
  const figure = panel.figure, width = panel.width, m = matrixOf(figure), own = viewRange(m);
  // As high as texts in the cells ask for; a square in a narrow panel needs no more height than it has width.
  const wanted = Math.max(plotHeight(width), figure.labels ? CELL_OF_TEXT * m.rows + 70 : 0);
  const x = cellAxis(m.array, figure.x), y = cellAxis(m.array, figure.y), square = m.rows === m.columns;
  const beside = Math.max(10, ...axisTicks(y, wanted, true).map(tick => textWidth(tick.label, 12)));
  const room = Math.min(wanted, square ? width - COLOR_BAR - beside + 20 : 2 * plotHeight(width));  // see drawFrame()
  const height = room + uprightRoom(x, y, width - COLOR_BAR, room, square);
  chooseScaleMode(panel, m);
  addScaleButton(panel);
  if (panel.scaleButton) panel.scaleButton.textContent = "scale: " + (panel.shared ? "shared" : "each");
  // Cells with texts leave the others empty: their colours begin at 0, whatever the least value that is there.
  const colors = colorScale(panel.shared ? panel.all : own, panel.skewed && !figure.labels, Boolean(figure.labels));
  const svg = startSvg(panel, height);
  const frame = drawFrame(svg, width, height, x, y, { right: COLOR_BAR + 4, grid: false, square });
  drawColorBar(svg, "bar" + panel.number, frame.box, colors, m.array);
  if (!figure.labels && m.array.mean.some(Number.isNaN)) drawMissingName(svg, frame.box, colors);
  drawCursorBeside(svg, figure, frame);
  const canvas = paintCells(m, colors, Boolean(figure.labels)), text = cellLabels(figure, m);
  canvas.style.left = frame.box.left / width * 100 + "%";
  canvas.style.top = frame.box.top / height * 100 + "%";
  canvas.style.width = frame.box.width / width * 100 + "%";
  canvas.style.height = frame.box.height / height * 100 + "%";
  drawOverCells(svg, figure, m, frame, colors);
  if (text) drawCellLabels(svg, m, frame, colors, text);
  addCellMarks(svg, panel, m, frame, x, y);
  addCellHover(svg, m, frame, x, y, figure, text);
  panel.picture = { canvas, box: frame.box };
  panel.plot.replaceChildren(canvas, svg);
}

// A heat map over a slider's dimension shows where the slider stands.
function drawCursorBeside(svg, figure, frame) {
  if (!isControl(figure.x)) return;
  const x = frame.box.left + frame.box.width * (state.selection[figure.x] + 0.5) / DATA.dims[figure.x].size;
  draw("path", { d: "M" + short(x - 5) + " " + (frame.box.bottom + 9) + "h10l-5 -8z", style: "fill:var(--ink)" }, svg);
}

function heatmapRows(figure) {
  const m = matrixOf(figure), x = coordinateOf(figure.x, m.array), y = coordinateOf(figure.y, m.array);
  const text = cellLabels(figure, m), named = text ? arrayOf(figure.labels) : null;
  const rows = [[axisLabel(y.label, y.units), axisLabel(x.label, x.units), axisLabel(m.array.label, m.array.units),
    ...(m.array.error ? ["standard error (" + m.array.n + " seeds)"] : []), ...(text ? [axisLabel(named.label, named.units)] : [])]];
  const at = (c, i) => (c.words ? c.words[i] : c.values[i]);
  for (let r = 0; r < m.rows; ++r) {
    for (let c = 0; c < m.columns; ++c) {
      rows.push([at(y, r), at(x, c), Number(m.value(r, c).toPrecision(4)), ...(m.array.error ? [m.error(r, c)] : []), ...(text ? [text(r, c)] : [])]);
    }
  }
  return rows;
}
