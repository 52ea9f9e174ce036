// Heat maps (a canvas under the axes), networks and tables.
function cellAxis(array, dim) {
  const c = coordinateOf(dim, array), n = c.values.length;
  const axis = { words: c.words, label: axisLabel(c.label, c.units), meaning: c.meaning, coordinate: c,
      scale: makeScale([-0.5, n - 0.5]) };
  if (c.words || n < 2) return axis;
  const step = evenStep(c.values), factor = Math.exp(evenStep(c.values.map(Math.log)) / 2);
  if (step > 0) axis.scale = makeScale([c.values[0] - step / 2, c.values[n - 1] + step / 2]);
  else if (factor > 1) axis.scale = makeScale([c.values[0] / factor, c.values[n - 1] * factor], true);
  else axis.words = c.values.map(v => formatNumber(v, 3));
  return axis;
}

// The step of evenly rising values, else NaN.
function evenStep(values) {
  const n = values.length, step = (values[n - 1] - values[0]) / (n - 1);
  return step > 0 && values.every((v, i) => Math.abs(v - values[0] - step * i) < 1e-5 * step * n) ? step : NaN;
}

const cellName = (c, i) => (c.words ? c.words[i] : formatNumber(c.values[i]) + unitsText(c.units));

// The matrix at the sliders: value(row, column), rows along y.
function matrixOf(figure) {
  const array = arrayOf(figure.variables[0]);
  const start = positionOf(array, { ...state.selection, [figure.x]: 0, [figure.y]: 0 });
  const rows = sizeOf(array, figure.y), columns = sizeOf(array, figure.x);
  const down = array.strides[figure.y], across = array.strides[figure.x];
  return { array, rows, columns, value: (r, c) => array.mean[start + r * down + c * across] };
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
      { type: "button", title: "One colour scale for all slider positions, or its own for each" });
  panel.tools.prepend(panel.scaleButton);
  panel.scaleButton.addEventListener("click", () => { panel.shared = !panel.shared; panel.draw(); });
}

function paintCells(m, colors) {
  const canvas = make("canvas", { width: m.columns, height: m.rows, "aria-hidden": "true" });
  const context = canvas.getContext("2d"), image = context.createImageData(m.columns, m.rows);
  for (let r = 0, at = 0; r < m.rows; ++r) {
    for (let c = 0; c < m.columns; ++c, at += 4) {
      const [red, green, blue] = mapColor(colors.map, colors.fraction(m.value(m.rows - 1 - r, c)));
      image.data.set([red, green, blue, 255], at);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function addCellHover(svg, m, frame, xAxis, yAxis) {
  const outline = draw("rect", { width: frame.box.width / m.columns, height: frame.box.height / m.rows, fill: "none",
      style: "stroke:var(--ink)", "stroke-width": 1.5, visibility: "hidden", class: "hair" }, svg);
  const leave = () => { outline.setAttribute("visibility", "hidden"); hideTip(); };
  svg.addEventListener("pointermove", event => {
    const p = pointerIn(svg, event);
    const c = Math.floor((p.x - frame.box.left) / frame.box.width * m.columns);
    const r = Math.floor((frame.box.bottom - p.y) / frame.box.height * m.rows);
    if (c < 0 || r < 0 || c >= m.columns || r >= m.rows) return leave();
    outline.setAttribute("x", frame.box.left + c * frame.box.width / m.columns);
    outline.setAttribute("y", frame.box.bottom - (r + 1) * frame.box.height / m.rows);
    outline.setAttribute("visibility", "visible");
    showTip(event, m.array.label + " = " + formatNumber(m.value(r, c), 3) + unitsText(m.array.units), [
      { name: yAxis.coordinate.label, value: cellName(yAxis.coordinate, r) },
      { name: xAxis.coordinate.label, value: cellName(xAxis.coordinate, c) }]);
  });
  svg.addEventListener("pointerleave", leave);
}

function drawHeatmapPanel(panel) {
  const figure = panel.figure, width = panel.width, m = matrixOf(figure), own = viewRange(m);
  // A square in a narrow panel needs no more height than it has width.
  const height = Math.min(plotHeight(width), m.rows === m.columns ? width - COLOR_BAR : Infinity);
  chooseScaleMode(panel, m);
  addScaleButton(panel);
  if (panel.scaleButton) panel.scaleButton.textContent = "scale: " + (panel.shared ? "shared" : "own");
  const colors = colorScale(panel.shared ? panel.all : own, panel.skewed);
  const svg = startSvg(panel, height);
  const x = cellAxis(m.array, figure.x), y = cellAxis(m.array, figure.y);
  const frame = drawFrame(svg, width, height, x, y,
      { right: COLOR_BAR + 4, grid: false, square: m.rows === m.columns });
  drawColorBar(svg, "bar" + panel.number, frame.box, colors, m.array);
  drawCursorBeside(svg, figure, frame);
  const canvas = paintCells(m, colors);
  canvas.style.left = frame.box.left / width * 100 + "%";
  canvas.style.top = frame.box.top / height * 100 + "%";
  canvas.style.width = frame.box.width / width * 100 + "%";
  canvas.style.height = frame.box.height / height * 100 + "%";
  addCellHover(svg, m, frame, x, y);
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
  const rows = [[axisLabel(y.label, y.units), axisLabel(x.label, x.units), axisLabel(m.array.label, m.array.units)]];
  const at = (c, i) => (c.words ? c.words[i] : c.values[i]);
  for (let r = 0; r < m.rows; ++r) {
    for (let c = 0; c < m.columns; ++c) rows.push([at(y, r), at(x, c), Number(m.value(r, c).toPrecision(4))]);
  }
  return rows;
}

function networkOf(figure) {
  const value = arrayOf(figure.variables[0]), group = figure.variables[1] ? arrayOf(figure.variables[1]) : null,
      ringed = figure.variables[2] ? arrayOf(figure.variables[2]) : null;
  const positions = array => positionsAlong(array, figure.x, state.selection);
  const word = p => (group.words ? group.words[p] : formatNumber(group.mean[p]));
  const at = positionsAlong(value, figure.x, state.selection);
  const groups = group ? positions(group).map(word) : null;
  const read = (key, onCircle) => {  // nodes without a place stand on a circle
    if (key) return positions(arrayOf(key)).map(p => arrayOf(key).mean[p]);
    return at.map((_, i) => onCircle(i * 2 * Math.PI / at.length));
  };
  const names = coordinateOf(figure.x, value), words = figure.names ? arrayOf(figure.names).words : null;
  return {
    ringed, rings: ringed ? positions(ringed).map(p => ringed.mean[p] > 0) : [],
    value, group, groups, kinds: groups ? [...new Set(groups)].sort() : [], values: at.map(p => value.mean[p]),
    x: read(figure.positionX, Math.cos), y: read(figure.positionY, Math.sin),
    source: figure.edgeSource ? arrayOf(figure.edgeSource).mean : [],
    target: figure.edgeTarget ? arrayOf(figure.edgeTarget).mean : [],
    name: i => (words ? words[i] : names.words ? names.words[i] : names.label + " " + formatNumber(names.values[i])),
  };
}

const edgePath = (nodes, edges) =>
    edges.map(([a, b]) => (nodes[a] && nodes[b] ? "M" + nodes[a].join(" ") + "L" + nodes[b].join(" ") : "")).join("");

function addNodeHover(svg, net, nodes, colors, edges, front) {
  const ring = draw("g", { visibility: "hidden", class: "hair" }, svg);
  svg.addEventListener("pointermove", event => {
    const p = pointerIn(svg, event);
    let best = -1, distance = 18;
    nodes.forEach(([x, y], i) => {
      const d = Math.hypot(x - p.x, y - p.y);
      if (d < distance) { distance = d; best = i; }
    });
    ring.setAttribute("visibility", best < 0 ? "hidden" : "visible");
    if (best < 0) return hideTip();
    const touching = edges.filter(e => e[0] === best || e[1] === best);
    ring.replaceChildren();
    draw("path", { d: edgePath(nodes, touching), fill: "none", style: "stroke:var(--accent)", "stroke-width": 1.6 },
        ring);
    draw("circle", { cx: nodes[best][0], cy: nodes[best][1], r: front + 4, fill: "none", style: "stroke:var(--accent)",
        "stroke-width": 2.5 }, ring);
    const rows = [{ color: "rgb(" + mapColor(colors.map, colors.fraction(net.values[best])) + ")",
        name: net.value.label, value: formatNumber(net.values[best], 3) + unitsText(net.value.units) }];
    if (net.groups) rows.push({ name: net.group.label, value: net.groups[best] });
    if (net.rings[best]) rows.push({ name: net.ringed.label, value: "yes" });
    rows.push({ name: "neighbours", value: String(touching.length) });
    showTip(event, net.name(best), rows);
  });
  svg.addEventListener("pointerleave", () => { ring.setAttribute("visibility", "hidden"); hideTip(); });
}

function drawGroupLegend(svg, net) {
  let x = 8;
  if (!net.groups || net.kinds.length > 6) return 0;
  label(svg, x, 13, net.group.label + ":", { size: 12.5, anchor: "start" });
  x += textWidth(net.group.label + ":", 12.5) + 16;
  net.kinds.forEach((kind, k) => {
    draw("path", { d: shapeOf(k)(5.5), transform: "translate(" + short(x) + " 9)",
        style: "fill:var(--faint);stroke:var(--ink)", "stroke-width": 1.2 }, svg);
    label(svg, x + 11, 13, kind, { size: 12.5, anchor: "start", color: "var(--ink)" });
    x += 32 + textWidth(kind, 12.5);
  });
  if (net.rings.includes(true)) {
    draw("path", { d: SHAPES[0](5), transform: "translate(" + short(x + 4) + " 9)", class: "ring",
        style: "fill:none;stroke:var(--ink)", "stroke-width": 2.4 }, svg);
    label(svg, x + 16, 13, net.ringed.label, { size: 12.5, anchor: "start", color: "var(--ink)" });
  }
  return 22;
}

// Nodes of the same colour are one path: thousands of elements would take longer to make than to look at.
function nodePaths(net, nodes, colors, radius) {
  const outlines = SHAPES.map(shape => shape(short(radius))), paths = new Map();
  nodes.forEach(([x, y], i) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const fill = "rgb(" + mapColor(colors.map, colors.fraction(net.values[i])) + ")";
    const shape = outlines[(net.groups ? net.kinds.indexOf(net.groups[i]) : 0) % SHAPES.length].slice(1);
    const [, dx, dy, rest] = shape.match(/^(\S+?) (-?[\d.]+)(.*)$/);
    paths.set(fill, (paths.get(fill) || "") + "M" + short(x + Number(dx)) + " " + short(y + Number(dy)) + rest);
  });
  return paths;
}

function drawNetworkPanel(panel) {
  const figure = panel.figure, width = panel.width, height = plotHeight(width);
  const net = networkOf(figure);
  const svg = startSvg(panel, height);
  const top = drawGroupLegend(svg, net) + 8;
  const box = { left: 8, right: width - COLOR_BAR - 8, top, bottom: height - 8 };
  const x = makeScale(rangeOf(net.x), false, 0.05), y = makeScale(rangeOf(net.y), false, 0.06);
  const nodes = net.values.map((_, i) => [short(box.left + (box.right - box.left) * x.fraction(net.x[i])),
      short(box.bottom - (box.bottom - box.top) * y.fraction(net.y[i]))]);
  const edges = Array.from(net.source, (s, i) => [s, net.target[i]]);
  const colors = colorScale(shownRange(net.value.mean));
  const radius = Math.min(9.5, Math.max(1.6, 62 / Math.sqrt(nodes.length + 1))) * Math.min(1, 0.4 + width / 1000);
  draw("path", { d: edgePath(nodes, edges), fill: "none", style: "stroke:var(--edge)",
      "stroke-width": edges.length > 2000 ? 0.4 : 1, "stroke-opacity": edges.length > 2000 ? 0.5 : 0.9,
      class: "edges" }, svg);
  const group = draw("g", { class: "nodes", "stroke-width": radius < 4 ? 0.4 : 1, style: "stroke:var(--ink)" }, svg);
  for (const [fill, path] of nodePaths(net, nodes, colors, radius)) draw("path", { d: path, fill }, group);
  const ring = shapeOf(0)(short(radius + 4));
  nodes.forEach(([nodeX, nodeY], i) => {
    if (net.rings[i]) draw("path", { d: ring, transform: "translate(" + nodeX + " " + nodeY + ")", class: "ring",
        style: "fill:none;stroke:var(--ink)", "stroke-width": 2.4 }, svg);
  });
  drawColorBar(svg, "bar" + panel.number, { ...box, top: box.top + 16, bottom: box.bottom - 16 }, colors,
      net.value);
  addNodeHover(svg, net, nodes, colors, edges, radius);
  panel.plot.replaceChildren(svg);
}

function networkRows(figure) {
  const net = networkOf(figure);
  const head = ["node", "x", "y", axisLabel(net.value.label, net.value.units)].concat(
      net.group ? [net.group.label] : [], net.ringed ? [net.ringed.label] : []);
  const row = i => [net.name(i), net.x[i], net.y[i], net.values[i]].concat(net.groups ? [net.groups[i]] : [],
      net.ringed ? [net.rings[i] ? 1 : 0] : []);
  return [head, ...net.values.map((_, i) => row(i))];
}

// Head and rows of a table; `exact` gives numbers instead of text.
function tableRows(figure, exact) {
  const columns = figure.variables.map(arrayOf);
  const axis = coordinateOf(figure.x, columns[0]), shown = Math.max(1, ...columns.map(c => sizeOf(c, figure.x)));
  const cell = (a, i) => {
    const p = positionOf(a, { ...state.selection, [figure.x]: i });
    if (a.words || exact) return a.words ? a.words[p] : a.mean[p];
    return a.error ? formatWithError(a.mean[p], a.error[p]) : formatNumber(a.mean[p], 5);
  };
  const head = [axisLabel(axis.label, axis.units), ...columns.map(a => axisLabel(a.label, a.units))];
  const rows = Array.from({ length: shown }, (_, i) =>
      [exact && !axis.words ? axis.values[i] : cellName({ ...axis, units: "1" }, i), ...columns.map(a => cell(a, i))]);
  return { head, rows, numeric: [!axis.words, ...columns.map(a => !a.words)],
      meanings: [axis.meaning, ...columns.map(a => a.meaning)] };
}

function drawTablePanel(panel) {
  const { head, rows, numeric, meanings } = tableRows(panel.figure, false);
  const scroll = make("div", { class: "scroll", tabindex: 0 });
  const table = make("table", { class: "data", "aria-label": panel.figure.title }, scroll);
  const old = panel.plot.querySelector(".scroll"), dim = panel.figure.x, top = old ? old.scrollTop : 0;
  const line = make("tr", {}, make("thead", {}, table)), body = make("tbody", {}, table);
  head.forEach((text, k) => make("th", { scope: "col", class: numeric[k] ? "number" : "",
      ...(meanings[k] ? { title: meanings[k] } : {}) }, line, text));
  rows.forEach((row, i) => {
    const tr = make("tr", isControl(dim) && state.selection[dim] === i ? { class: "chosen" } : {}, body);
    row.forEach((text, k) => make("td", { class: numeric[k] ? "number" : "" }, tr, text));
    if (isControl(dim)) tr.addEventListener("click", () => choose(dim, i));
  });
  panel.plot.replaceChildren(scroll);
  scroll.scrollTop = top;
  const chosen = table.querySelector(".chosen");
  if (!chosen) return;
  const above = chosen.offsetTop - line.offsetHeight;
  const below = chosen.offsetTop + chosen.offsetHeight - scroll.clientHeight;
  scroll.scrollTop = Math.min(above, Math.max(below, top));
}
