// Networks: nodes, the edges between them, and for directed ones arrows with labels.
KINDS.network = { draw: drawNetworkPanel, rows: networkRows, picture: true };

function networkOf(figure) {
  const value = arrayOf(figure.variables[0]), group = figure.variables[1] ? arrayOf(figure.variables[1]) : null,
      ringed = figure.variables[2] ? arrayOf(figure.variables[2]) : null;
  const positions = array => positionsAlong(array, figure.x, state.selection);
  const word = p => (group.words ? group.words[p] : formatNumber(group.mean[p]));
  const at = positionsAlong(value, figure.x, state.selection);
  const classes = value.words ? nodeClassesOf(value.words) : null;
  const groups = group ? positions(group).map(word) : null;
  const read = (key, onCircle) => {  // nodes without a place stand on a circle
    if (key) return positions(arrayOf(key)).map(p => arrayOf(key).mean[p]);
    return at.map((_, i) => onCircle(i * 2 * Math.PI / at.length));
  };
  const names = coordinateOf(figure.x, value), words = figure.names ? arrayOf(figure.names).words : null;
  return {
    ringed, rings: ringed ? positions(ringed).map(p => ringed.mean[p] > 0) : [],
    value, group, groups, kinds: groups ? [...new Set(groups)].sort() : [], values: at.map(p => (value.words ? value.words[p] : value.mean[p])), classes,
    x: read(figure.positionX, Math.cos), y: read(figure.positionY, Math.sin),
    edges: edgesOf(figure, at.length), called: names.words && figure.directed ? names.words : null,
    name: i => (words ? words[i] : names.words ? names.words[i] : names.label + " " + formatNumber(names.values[i])),
  };
}

const MOST_NODE_CLASSES = 7;

// Nodes whose value is a word have the colour of its class: the largest classes one each, all others a grey.
function nodeClassesOf(words) {
  const size = new Map();
  for (const word of words) size.set(word, (size.get(word) || 0) + 1);
  const unknown = size.delete("");
  const all = [...size.keys()].sort((a, b) => size.get(b) - size.get(a) || (a < b ? -1 : 1));
  const shown = all.slice(0, MOST_NODE_CLASSES), others = all.length > MOST_NODE_CLASSES;
  const color = word => (shown.includes(word) ? lineColor(shown.indexOf(word)) : "rgb(" + mapColor(null, NaN) + ")");
  const rest = others || unknown ? [["", others ? "others" : "not known"]] : [];
  return { color, legend: [...shown.map(word => [word, word]), ...rest] };
}

// Colours of the classes, in as many rows as they need; returns the height.
function drawNodeClasses(svg, net, width) {
  let x = 8, y = 13;
  label(svg, x, y, net.value.label + ":", { size: 12.5, anchor: "start", hint: net.value.meaning });
  x += textWidth(net.value.label + ":", 12.5) + 16;
  for (const [word, text] of net.classes.legend) {
    const shown = clipText(text, 12.5, 160), needed = 32 + textWidth(shown, 12.5);
    if (x + needed > width && x > 8) { x = 14; y += 19; }
    draw("circle", { cx: short(x), cy: y - 4, r: 5.5, style: "fill:" + net.classes.color(word) }, svg);
    label(svg, x + 11, y, shown, { size: 12.5, anchor: "start", color: "var(--ink)" });
    x += needed;
  }
  return y + 9;
}

// [source, target, {weight, text, rank}] of each edge between nodes that there are, without those of weight NaN.
function edgesOf(figure, nodes) {
  if (!figure.edgeSource || !figure.edgeTarget) return [];
  const ends = arrayOf(figure.edgeSource), source = ends.mean, target = arrayOf(figure.edgeTarget).mean;
  const dim = ends.dims[ends.dims.length - 1], drawn = {}, edges = [];
  const reader = key => {
    if (!key) return null;
    const array = arrayOf(key), at = positionsAlong(array, dim, state.selection);
    return { array, at: e => at[Math.min(e, at.length - 1)] };
  };
  const weight = reader(figure.edgeWeight), labels = reader(figure.labels);
  for (let e = 0; e < Math.min(source.length, target.length); ++e) {
    const heavy = weight ? weight.array.mean[weight.at(e)] : 0;
    if (!(source[e] < nodes && target[e] < nodes) || Number.isNaN(heavy)) continue;
    const ends = source[e] + " " + target[e], rank = drawn[ends] || 0;
    drawn[ends] = rank + 1;
    edges.push([source[e], target[e],
      { weight: heavy, text: labels ? labelText(labels.array, labels.at(e)) : "", rank }]);
  }
  return edges;
}

const MOST_ARROWS = 600, MOST_EDGE_LABELS = 120, MOST_NODE_NAMES = 40;
const HEAD = 9, HEAD_GAP = 2;  // length of the head of a thin arrow; between the head and the node

const plus = (a, b, factor = 1) => [a[0] + factor * b[0], a[1] + factor * b[1]];
function unitOf([x, y]) {
  const length = Math.hypot(x, y);
  return length > 0 ? [x / length, y / length] : [0, -1];
}
const turned = ([x, y], angle) =>
    [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];

// {path, tip, direction, along}: a bent line with the place of its head; along(t), t from 0 to 1, is a point of it. Each
// further edge between the same nodes is bent more; an edge to itself is a loop that points away from the centre.
function arrowBetween(nodes, [source, target, { rank }], radius, centre) {
  const from = nodes[source], to = nodes[target];
  const through = (start, after, before, tip) => {
    const direction = unitOf(plus(tip, before, -1)), end = plus(tip, direction, -0.8 * HEAD);
    const along = t => [0, 1].map(k => (1 - t) ** 3 * start[k] + 3 * (1 - t) ** 2 * t * after[k] +
        3 * (1 - t) * t ** 2 * before[k] + t ** 3 * tip[k]);
    const place = point => point.map(short).join(" ");
    const path = "M" + place(start) + "C" + [after, before, end].map(place).join(" ");
    return { path, tip, direction, along };
  };
  if (source === target) {
    const out = unitOf(plus(from, centre, -1)), left = turned(out, -0.6), right = turned(out, 0.6);
    const far = radius + 40 * (1 + 0.6 * rank);
    const arrow = through(plus(from, left, radius), plus(from, left, far), plus(from, right, far),
        plus(from, right, radius + HEAD_GAP));
    return { ...arrow, along: () => plus(from, out, 0.65 * far + 3) };
  }
  const across = plus(to, from, -1), bend = 0.13 + 0.24 * rank;
  const control = plus([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], [across[1], -across[0]], bend);
  const start = plus(from, unitOf(plus(control, from, -1)), radius);
  const tip = plus(to, unitOf(plus(to, control, -1)), -(radius + HEAD_GAP));
  const third = end => plus(end, plus(control, end, -1), 2 / 3);
  return through(start, third(start), third(tip), tip);
}

function headPath({ tip, direction }, width) {
  const length = HEAD + width, half = 0.36 * length + 0.3 * width, side = [-direction[1], direction[0]];
  const foot = plus(tip, direction, -length);
  return "M" + [tip, plus(foot, side, half), plus(foot, side, -half)].map(p => p.map(short).join(" ")).join("L") + "Z";
}

// Width and colour of the arrows by their weight.
function edgeStyle(figure) {
  const array = figure.edgeWeight ? arrayOf(figure.edgeWeight) : null;
  let heaviest = 0;
  if (array) for (const w of array.mean) if (Math.abs(w) > heaviest) heaviest = Math.abs(w);
  return { array, heaviest, width: w => (heaviest > 0 ? 1.2 + 3.8 * Math.abs(w) / heaviest : 1.4),
    color: w => (heaviest > 0 ? lineColor(w < 0 ? 1 : 0) : "var(--quiet)") };
}

const centreOf = nodes => {
  const there = nodes.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  return [0, 1].map(k => there.reduce((sum, node) => sum + node[k], 0) / Math.max(1, there.length));
};

// Draws them; returns the marks that they are.
function drawArrows(svg, net, nodes, edges, radius) {
  const centre = centreOf(nodes), group = draw("g", { class: "arrows" }, svg), texts = [], marks = [], { style } = net;
  for (const edge of edges) {
    const arrow = arrowBetween(nodes, edge, radius, centre), { weight, text } = edge[2], width = style.width(weight);
    const [x, y] = arrow.along(0.5), choice = chosenBy({}, [net.name(edge[0]), net.name(edge[1])]);
    if (isChosen(choice)) draw("path", { d: arrow.path, fill: "none", style: "stroke:var(--accent)", class: "chosen",
        "stroke-width": short(width + 9), "stroke-opacity": 0.35, "stroke-linecap": "round" }, group);
    marks.push({ x, y, choice, path: arrow.path });
    draw("path", { d: arrow.path, fill: "none", style: "stroke:" + style.color(weight), "stroke-width": short(width) },
        group);
    draw("path", { d: headPath(arrow, width), style: "fill:" + style.color(weight) }, group);
    if (text) texts.push([arrow, clipText(text, 13, 90)]);
  }
  if (texts.length > MOST_EDGE_LABELS) return marks;
  const placed = [];
  for (const [arrow, text] of texts) {  // above all lines, and not on each other
    const half = textWidth(text, 13) / 2 + 4;
    const free = ([x, y]) => placed.every(p => Math.abs(p.x - x) > p.half + half || Math.abs(p.y - y) > 16);
    const [x, y] = arrow.along([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].find(t => free(arrow.along(t))) || 0.5);
    placed.push({ x, y, half });
    draw("rect", { x: short(x - half), y: short(y - 8), width: short(2 * half), height: 16,
        style: "fill:var(--panel)" }, group);
    label(group, x, y + 4.5, text, { size: 13, weight: 650, color: "var(--ink)" });
  }
  return marks;
}

// Arrows and nodes that choose something; an arrow has an invisible broad one over it, so that it can be pointed at.
function addNetworkMarks(svg, panel, net, nodes, arrows) {
  const group = draw("g", { class: "hair" });
  arrows.forEach((arrow, e) => draw("path", { d: arrow.path, "data-edge": e, fill: "none", style: "stroke:transparent",
      "stroke-width": 16 }, group));
  svg.insertBefore(group, svg.querySelector(".nodes"));
  const own = nodes.map(([x, y], i) => ({ x, y, choice: chosenBy({ [panel.figure.x]: i }, []) }));
  addMarks(panel, svg, [...arrows, ...own], event => {
    const node = nodeBelow(nodes, pointerIn(svg, event)), edge = event.target.dataset.edge;
    return (node >= 0 && own[node].choice) || (edge && arrows[edge].choice) || null;
  });
}

// The node nearest to a point, or -1.
function nodeBelow(nodes, point, distance = 18) {
  let best = -1;
  nodes.forEach(([x, y], i) => {
    const d = Math.hypot(x - point.x, y - point.y);
    if (d < distance) { distance = d; best = i; }
  });
  return best;
}

// What width and colour of the arrows say, in as many rows as it needs; returns the height.
function drawWeightLegend(svg, style, width) {
  if (!style.array) return 0;
  let x = 8, y = 9;
  const sample = (weight, sign) => {
    const text = style.array.label + " " + sign + formatNumber(style.heaviest, 2), needed = 54 + textWidth(text, 12.5);
    if (x + needed > width && x > 8) { x = 8; y += 19; }
    segment(svg, x, y, x + 28, y, style.color(weight), { "stroke-width": style.width(weight) });
    label(svg, x + 34, y + 4, text, { size: 12.5, anchor: "start", hint: style.array.meaning });
    x += needed;
  };
  if (style.array.mean.some(w => w >= 0)) sample(style.heaviest, "");
  if (style.array.mean.some(w => w < 0)) sample(-style.heaviest, "\u2212");
  return y + 13;
}

const NAME_SIZE = 14;  // drawn a little smaller, in bold

// Names on the side away from the middle, beyond a loop where there is one: {text, x, y, anchor, left, right}.
function nodeNames(net, nodes, radius) {
  const centre = centreOf(nodes), names = [];
  nodes.forEach((node, i) => {
    if (!Number.isFinite(node[0]) || !Number.isFinite(node[1])) return;
    const away = plus(node, centre, -1), [x, y] = Math.hypot(...away) > 0 ? unitOf(away) : [0, 1];
    const off = radius + 6 + (net.edges.some(e => e[0] === i && e[1] === i) ? 40 : 0);
    const anchor = Math.abs(x) < 0.35 ? "middle" : x > 0 ? "start" : "end";
    const text = clipText(net.called[i], NAME_SIZE, net.nameWidth), width = textWidth(text, NAME_SIZE);
    const at = node[0] + off * x, left = at - { start: 0, middle: width / 2, end: width }[anchor];
    names.push({ text, x: at, y: node[1] + off * y + 4.5 + 6 * y, anchor, left, right: left + width });
  });
  return names;
}
function drawNodeNames(svg, net, nodes, radius) {
  const group = draw("g", { class: "names" }, svg);
  for (const { text, x, y, anchor } of nodeNames(net, nodes, radius))
    label(group, x, y, text, { size: 13, weight: 650, color: "var(--ink)", halo: true, anchor });
}

// The places of the nodes, so far from the sides that their names fit.
function placeNodes(net, box, radius) {
  const x = makeScale(rangeOf(net.x), false, net.named ? 0.02 : 0.05);
  const y = makeScale(rangeOf(net.y), false, net.named ? 0.14 : 0.06);
  const across = box.right - box.left, spare = Math.max(0, across - 2 * (box.bottom - box.top)) / 2;
  const most = 0.35 * across;  // for names: nodes need room too
  const place = (left, right) => net.values.map((_, i) => [short(left + (right - left) * x.fraction(net.x[i])),
      short(box.bottom - (box.bottom - box.top) * y.fraction(net.y[i]))]);
  if (!net.named) return place(box.left, box.right);
  let left = spare, right = spare, nodes = place(box.left + left, box.right - right);  // few nodes: no flat ring
  for (let again = 0; again < 8; ++again) {  // a node that moves inwards takes its name with it, but for a part
    const names = nodeNames(net, nodes, radius);
    left = Math.min(most, left + Math.max(0, box.left - Math.min(...names.map(n => n.left))));
    right = Math.min(most, right + Math.max(0, Math.max(...names.map(n => n.right)) - box.right));
    nodes = place(box.left + left, box.right - right);
  }
  return nodes;
}

const edgePath = (nodes, edges) =>
    edges.map(([a, b]) => (nodes[a] && nodes[b] ? "M" + nodes[a].join(" ") + "L" + nodes[b].join(" ") : "")).join("");

// The edges of a node in words: "-> other" with label and weight.
function arrowRows(net, touching, node) {
  const row = ([source, target, { weight, text }]) => ({
    name: source === node ? "\u2192 " + net.name(target) : "\u2190 " + net.name(source),
    value: [text, net.style.array ? formatNumber(weight, 3) : ""].filter(Boolean).join(" \u00b7 ") });
  const rows = touching.slice(0, 10).map(row);
  return touching.length > 10 ? [...rows, { name: "and more", value: String(touching.length - 10) }] : rows;
}

function showArrowTip(event, net, [source, target, { weight, text }]) {
  const { array } = net.style, { labels } = net;
  showTip(event, net.name(source) + " \u2192 " + net.name(target), [
    ...(text && labels ? [{ name: labels.label, value: text }] : []),
    ...(array ? [{ name: array.label, value: formatNumber(weight, 3) + unitsText(array.units) }] : [])]);
}

function addNodeHover(svg, net, nodes, colors, edges, front) {
  const ring = draw("g", { visibility: "hidden", class: "hair" }, svg);
  svg.addEventListener("pointermove", event => {
    const best = nodeBelow(nodes, pointerIn(svg, event)), { edge } = event.target.dataset;
    ring.setAttribute("visibility", best < 0 ? "hidden" : "visible");
    if (best < 0) return edge ? showArrowTip(event, net, edges[edge]) : hideTip();
    const touching = edges.filter(e => e[0] === best || e[1] === best);
    ring.replaceChildren();
    const path = net.arrows ? touching.map(e => arrowBetween(nodes, e, front, centreOf(nodes)).path).join("")
        : edgePath(nodes, touching);
    draw("path", { d: path, fill: "none", style: "stroke:var(--accent)", "stroke-width": 1.6 }, ring);
    draw("circle", { cx: nodes[best][0], cy: nodes[best][1], r: front + 4, fill: "none", style: "stroke:var(--accent)",
        "stroke-width": 2.5 }, ring);
    const value = net.values[best], words = net.classes ? value || "not known" : formatNumber(value, 3);
    const rows = [{ color: nodeColor(net, colors, value), name: net.value.label, value: words + unitsText(net.value.units) }];
    if (net.groups) rows.push({ name: net.group.label, value: net.groups[best] });
    if (net.rings[best]) rows.push({ name: net.ringed.label, value: "yes" });
    rows.push(...(net.arrows ? arrowRows(net, touching, best)
        : [{ name: "neighbours", value: String(touching.length) }]));
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

const nodeColor = (net, colors, value) =>
    (net.classes ? net.classes.color(value) : "rgb(" + mapColor(colors.map, colors.fraction(value)) + ")");

// Nodes of the same colour are one path: thousands of elements would take longer to make than to look at.
function nodePaths(net, nodes, colors, radius) {
  const outlines = SHAPES.map(shape => shape(short(radius))), paths = new Map();
  nodes.forEach(([x, y], i) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const fill = nodeColor(net, colors, net.values[i]);
    const shape = outlines[(net.groups ? net.kinds.indexOf(net.groups[i]) : 0) % SHAPES.length].slice(1);
    const [, dx, dy, rest] = shape.match(/^(\S+?) (-?[\d.]+)(.*)$/);
    paths.set(fill, (paths.get(fill) || "") + "M" + short(x + Number(dx)) + " " + short(y + Number(dy)) + rest);
  });
  return paths;
}

function drawNetworkPanel(panel) {
  const figure = panel.figure, width = panel.width, height = plotHeight(width);
  const net = networkOf(figure), edges = net.edges;
  net.arrows = figure.directed && edges.length <= MOST_ARROWS;
  net.style = edgeStyle(figure);
  net.labels = figure.labels ? arrayOf(figure.labels) : null;
  net.nameWidth = Math.min(140, Math.max(88, 0.2 * width));
  net.named = net.called && net.values.length <= MOST_NODE_NAMES;
  const svg = startSvg(panel, height);
  const legend = net.classes ? drawNodeClasses(svg, net, width)
      : net.arrows && !net.groups ? drawWeightLegend(svg, net.style, width) : drawGroupLegend(svg, net);
  const box = { left: 8, right: width - (net.classes ? 0 : COLOR_BAR) - 8, top: legend + 8, bottom: height - 8 };
  const colors = net.classes ? null : colorScale(shownRange(net.value.mean));
  const radius = Math.min(9.5, Math.max(1.6, 62 / Math.sqrt(net.values.length + 1))) * Math.min(1, 0.4 + width / 1000);
  const nodes = placeNodes(net, box, radius);
  const arrows = net.arrows ? drawArrows(svg, net, nodes, edges, radius) : [];
  if (!net.arrows) drawStraight(svg, nodes, edges);
  const group = draw("g", { class: "nodes", "stroke-width": radius < 4 ? 0.4 : 1, style: "stroke:var(--ink)" }, svg);
  for (const [fill, path] of nodePaths(net, nodes, colors, radius)) draw("path", { d: path, style: "fill:" + fill }, group);
  const ring = shapeOf(0)(short(radius + 4));
  nodes.forEach(([nodeX, nodeY], i) => {
    if (net.rings[i]) draw("path", { d: ring, transform: "translate(" + nodeX + " " + nodeY + ")", class: "ring",
        style: "fill:none;stroke:var(--ink)", "stroke-width": 2.4 }, svg);
  });
  if (net.named) drawNodeNames(svg, net, nodes, radius);
  if (colors)
    drawColorBar(svg, "bar" + panel.number, { ...box, top: box.top + 16, bottom: box.bottom - 16 }, colors, net.value);
  addNetworkMarks(svg, panel, net, nodes, arrows);
  addNodeHover(svg, net, nodes, colors, edges, radius);
  panel.plot.replaceChildren(svg);
}

function drawStraight(svg, nodes, edges) {
  const many = edges.length > 2000;
  draw("path", { d: edgePath(nodes, edges), fill: "none", style: "stroke:var(--edge)", "stroke-width": many ? 0.4 : 1,
      "stroke-opacity": many ? 0.5 : 0.9, class: "edges" }, svg);
}

// Directed: the edges are what one looks at, else the nodes.
function networkRows(figure) {
  const net = networkOf(figure);
  if (figure.directed) {
    const array = figure.edgeWeight ? arrayOf(figure.edgeWeight) : null;
    const named = figure.labels ? arrayOf(figure.labels) : null;
    const head = ["from", "to"].concat(named ? [axisLabel(named.label, named.units)] : [],
        array ? [axisLabel(array.label, array.units)] : []);
    return [head, ...net.edges.map(([source, target, { weight, text }]) =>
        [net.name(source), net.name(target)].concat(named ? [text] : [], array ? [weight] : []))];
  }
  const head = ["node", "x", "y", axisLabel(net.value.label, net.value.units)].concat(
      net.group ? [net.group.label] : [], net.ringed ? [net.ringed.label] : []);
  const row = i => [net.name(i), net.x[i], net.y[i], net.values[i]].concat(net.groups ? [net.groups[i]] : [],
      net.ringed ? [net.rings[i] ? 1 : 0] : []);
  return [head, ...net.values.map((_, i) => row(i))];
}
