// Pictures side by side: colours, or classes with a legend. All have one zoom: a click looks closer at the same place in
// each of them.
KINDS.image = { draw: drawImagePanel, rows: imageRows, picture: true };

const PANEL_GAP = 14, PANEL_TITLE = 22, CLOSEST = 8;  // pixels of the data along a side, at the largest zoom

// The twin of panel_grid() in image.cpp: columns of panels, and how many pixels of the page a pixel of the data takes: a
// whole number of those that the screen has.
function panelGrid(count, columns, rows, width, height, beside, above) {
  const screen = Math.max(1, Math.floor(window.devicePixelRatio || 1));
  let best = null;
  for (let across = 1; across <= count; ++across) {
    const down = Math.ceil(count / across);
    const zoom = Math.min((width / across - beside) / columns, (height / down - above) / rows);
    if (!best || zoom > best.zoom) best = { across, down, zoom };
  }
  const whole = Math.floor(best.zoom * screen) / screen;
  best.zoom = whole > 0 ? whole : Math.max(best.zoom, 0.01);
  return best;
}

// What the sliders choose: [{array, title, short, chosen, png}], one for each variable and value of the hue; chosen: the
// hue's own control stands there.
function picturesOf(figure) {
  return figure.variables.map(arrayOf).flatMap(array => {
    const split = figure.hue && array.dims.includes(figure.hue), many = figure.variables.length > 1;
    const size = [figure.y, figure.x, figure.channel].reduce((n, dim) => n * sizeOf(array, dim), 1);
    const start = { ...state.selection, [figure.y]: 0, [figure.x]: 0, [figure.channel]: 0 };
    return Array.from({ length: split ? sizeOf(array, figure.hue) : 1 }, (_, h) => {
      const place = split ? hueText(figure.hue, h) : "";
      const at = positionOf(array, split ? { ...start, [figure.hue]: h } : start);
      const title = many ? array.label + (split ? ", " + place : "") : place;
      const chosen = split && isControl(figure.hue) && state.selection[figure.hue] === h;
      return { array, title, chosen, short: split ? place : array.label, png: (array.png || [])[at / size] };
    });
  });
}

// The pixels of a picture once the browser has decoded it: {width, height, data}, or null.
const decodedPictures = new Map();
function pixelsOf(png) {
  if (decodedPictures.size > 200) decodedPictures.clear();
  if (!decodedPictures.has(png)) {
    const entry = { pixels: null }, picture = new Image();
    decodedPictures.set(png, entry);
    picture.onload = () => {
      const canvas = make("canvas", { width: picture.width, height: picture.height }), context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0);
      entry.pixels = context.getImageData(0, 0, picture.width, picture.height);
    };
    picture.src = "data:image/png;base64," + png;
  }
  return decodedPictures.get(png).pixels;
}

// What a picture shows at a pixel: {color, text, parts}; row 0 is on top.
function shownAt({ array, png }, row, column) {
  const pixels = pixelsOf(png);
  if (!pixels) return { color: "none", text: "\u2026", parts: [] };
  const at = 4 * (row * pixels.width + column), [red, green, blue, opacity] = pixels.data.slice(at, at + 4);
  if (!opacity) return { color: "none", text: "no data", parts: array.numbers ? [""] : ["", "", ""] };
  const color = "#" + [red, green, blue].map(v => v.toString(16).padStart(2, "0")).join("");
  if (array.numbers) {
    const value = numberOf(array.numbers, color);
    return { color, text: formatNumber(value, 3) + unitsText(array.units), parts: [value] };
  }
  const named = array.classes && array.classes.find(one => one.color.toLowerCase() === color);
  if (array.classes) return { color, text: named ? named.name : "", parts: [] };
  return { color, text: [red, green, blue].map(v => formatNumber(v / 255, 2)).join(" \u00b7 "),
    parts: [red, green, blue].map(v => v / 255) };
}

// The number that a colour of a map stands for, to 1 / 254 of the range: the twin of the palette in image.cpp.
const mapOf = ({ low, high }) => (low < 0 && high > 0 ? MAPS.diverging : MAPS.sequential);
function numberOf(numbers, color) {
  const hex = part => part.toString(16).padStart(2, "0"), map = mapOf(numbers);
  for (let k = 0; k <= 254; ++k)
    if ("#" + mapColor(map, k / 254).map(hex).join("") === color)
      return numbers.low + k / 254 * (numbers.high - numbers.low);
  return NaN;
}

// A colour bar for each pair of ends with the names of the arrays that have them; returns where they end.
function drawNumberBars(svg, pictures, width, top, id) {
  const bars = new Map();
  for (const { array } of pictures) {
    if (!array.numbers) continue;
    const key = JSON.stringify(array.numbers);
    if (!bars.has(key)) bars.set(key, { ...array.numbers, map: mapOf(array.numbers), names: new Set() });
    bars.get(key).names.add(axisLabel(array.label, array.units));
  }
  [...bars.values()].forEach(({ low, high, map, names }, n) => {
    const gradient = draw("linearGradient", { id: id + "-" + n }, draw("defs", {}, svg)), first = formatNumber(low, 3);
    for (let i = 0; i <= 32; ++i)
      draw("stop", { offset: short(i / 32 * 100) + "%", "stop-color": "rgb(" + mapColor(map, i / 32) + ")" }, gradient);
    const left = 10 + textWidth(first, 12.5), long = Math.min(170, width / 3), last = formatNumber(high, 3);
    const after = left + long + 18 + textWidth(last, 12.5);
    label(svg, 2, top + 14, first, { size: 12.5, anchor: "start" });
    draw("rect", { x: left, y: top + 4, width: long, height: 12, fill: "url(#" + id + "-" + n + ")",
      style: "stroke:var(--edge)" }, svg);
    label(svg, left + long + 6, top + 14, last, { size: 12.5, anchor: "start" });
    label(svg, after, top + 14, clipText([...names].join(", "), 12.5, width - after),
        { size: 12.5, anchor: "start", color: "var(--ink)" });
    top += 24;
  });
  return top;
}

// A square of each colour with its name; returns the height.
function drawClassLegend(svg, pictures, width) {
  const all = new Map();
  for (const { array } of pictures) for (const one of array.classes || []) all.set(one.name + one.color, one);
  if (!all.size) return 0;
  const entries = [...all.values()].slice(0, 40);
  if (pictures.some(p => p.array.missing)) entries.push({ name: "no data", color: "none" });
  let x = 2, y = 12;
  for (const { name, color } of entries) {
    const text = clipText(name, 12.5, width - 40), needed = 36 + textWidth(text, 12.5);
    if (x + needed > width && x > 2) { x = 2; y += 20; }
    draw("rect", { x, y: y - 10, width: 12, height: 12, fill: color, style: "stroke:var(--quiet)" }, svg);
    label(svg, x + 18, y + 0.5, text, { size: 12.5, anchor: "start", color: "var(--ink)" });
    x += needed;
  }
  if (all.size > 40) label(svg, x, y, "and " + (all.size - 40) + " more", { size: 12.5, anchor: "start" });
  return y + 12;
}

// The part of the pictures that is shown, in pixels of the data: {left, top, columns, rows}.
function windowOf(panel, columns, rows) {
  const { factor, x, y } = panel.zoom || { factor: 1, x: 0.5, y: 0.5 };
  const across = Math.ceil(columns / factor), down = Math.ceil(rows / factor);
  const inside = (centre, all, part) => Math.min(all - part, Math.max(0, Math.round(centre * all - part / 2)));
  return { left: inside(x, columns, across), top: inside(y, rows, down), columns: across, rows: down };
}

// The axis of a side that has a coordinate, `count` values of it from the left or from below; `downward`: the first value
// is the uppermost.
function sideAxis(array, dim, from, count, downward) {
  if (!DATA.dims[dim] || !DATA.dims[dim].own) return null;
  const all = coordinateOf(dim, array), places = [...all.values.keys()];
  if (downward) places.reverse();
  const shown = places.slice(from, from + count);
  return cellAxisOf({ ...all, words: all.words && shown.map(i => all.words[i]),
    values: shown.map((place, i) => (all.words ? i : all.values[place])) });
}

// Ticks whose labels do not run into each other; `room` is what one of them takes.
function sparse(ticks, length, room) {
  const step = Math.max(1, Math.ceil(ticks.length * room / length));
  return ticks.filter((_, i) => i % step === 0);
}

function drawSides(svg, boxes, x, y, grid) {
  boxes.forEach((box, i) => {
    const frame = draw("g", { class: "frame" }, svg);
    if (x && i + grid.across >= boxes.length) {
      const ticks = axisTicks(x, box.right - box.left, false);
      for (const tick of sparse(ticks, box.right - box.left, 10 + Math.max(...ticks.map(t => textWidth(t.label, 12))))) {
        const at = box.left + (box.right - box.left) * x.scale.fraction(tick.value);
        segment(frame, at, box.bottom, at, box.bottom + 4, "var(--edge)");
        label(frame, at, box.bottom + 18, tick.label);
      }
    }
    if (y && i % grid.across === 0) {
      for (const tick of sparse(axisTicks(y, box.bottom - box.top, true), box.bottom - box.top, 15)) {
        const at = box.bottom - (box.bottom - box.top) * y.scale.fraction(tick.value);
        segment(frame, box.left - 4, at, box.left, at, "var(--edge)");
        label(frame, box.left - 8, at + 4, tick.label, { anchor: "end" });
      }
    }
  });
}

function drawImagePanel(panel) {
  const figure = panel.figure, width = panel.width, pictures = picturesOf(figure), first = pictures[0].array;
  const rows = sizeOf(first, figure.y), columns = sizeOf(first, figure.x), shown = windowOf(panel, columns, rows);
  const x = sideAxis(first, figure.x, shown.left, shown.columns, false);
  const y = sideAxis(first, figure.y, rows - shown.top - shown.rows, shown.rows, !first.upward);
  const classes = drawClassLegend(draw("g", {}), pictures, width);
  const legend = drawNumberBars(draw("g", {}), pictures, width, classes, "unused"), above = pictures[0].title ? PANEL_TITLE : 4;
  const left = y ? 44 + Math.ceil(Math.max(...axisTicks(y, 300, true).map(t => textWidth(t.label, 12)), 10)) : 0;
  const most = width < 600 ? 1.5 * width : Math.min(640, 0.9 * width), room = width - left - 8;
  const grid = panelGrid(pictures.length, columns, rows, room + PANEL_GAP, most, PANEL_GAP, above + PANEL_GAP);
  const wide = grid.zoom * columns, high = grid.zoom * rows, foot = x ? 46 : 6;
  const indent = left + (room + PANEL_GAP - grid.across * (wide + PANEL_GAP)) / 2;
  const height = Math.ceil(legend + grid.down * (high + above + PANEL_GAP) - PANEL_GAP + foot);
  const svg = startSvg(panel, height);
  drawClassLegend(svg, pictures, width);
  drawNumberBars(svg, pictures, width, classes, "numbers" + panel.number);
  const boxes = pictures.map((picture, i) => {
    const boxLeft = short(indent + (i % grid.across) * (wide + PANEL_GAP));
    const top = short(legend + above + Math.floor(i / grid.across) * (high + above + PANEL_GAP));
    return { left: boxLeft, top, right: boxLeft + wide, bottom: top + high };
  });
  pictures.forEach((picture, i) =>
      drawPicture(svg, picture, boxes[i], shown, { columns, rows, id: "clip" + panel.number + "-" + i }));
  drawSides(svg, boxes, x, y, grid);
  const last = boxes[boxes.length - 1], middle = left + room / 2;
  if (x) fitLabel(svg, middle, height - 8, x.label, room, { hint: x.meaning });
  if (y) fitLabel(svg, Math.max(13, boxes[0].left - left + 13), (boxes[0].top + last.bottom) / 2, y.label,
      last.bottom - boxes[0].top, { turn: -90, hint: y.meaning });
  addImageHover(svg, panel, pictures, boxes, shown, rows);
  addZoom(svg, panel, boxes, shown, { columns, rows });
  panel.plot.replaceChildren(svg);
}

function drawPicture(svg, picture, box, shown, { columns, rows, id }) {
  const across = (box.right - box.left) / shown.columns, down = (box.bottom - box.top) / shown.rows;
  const clip = draw("clipPath", { id }, draw("defs", {}, svg)), size = { x: box.left, y: box.top,
    width: short(box.right - box.left), height: short(box.bottom - box.top) };
  draw("rect", size, clip);
  draw("image", { x: short(box.left - shown.left * across), y: short(box.top - shown.top * down),
    width: short(columns * across), height: short(rows * down), preserveAspectRatio: "none",
    href: "data:image/png;base64," + picture.png, "clip-path": "url(#" + id + ")",
    style: "image-rendering:pixelated" }, svg);
  const edge = picture.chosen ? "stroke:var(--accent);stroke-width:2.5" : "stroke:var(--edge)";
  draw("rect", { ...size, fill: "none", style: edge }, svg);
  const length = Math.max(60, box.right - box.left), needed = textWidth(picture.title, 13.5);
  const points = Math.max(11, Math.min(12.5, 12.5 * length / needed)), fits = needed * points / 12.5 <= length + 0.1;
  if (picture.title) label(svg, box.left, box.top - 7, fits ? picture.title : clipText(picture.short, 1.08 * points, length),
      { size: short(points), anchor: "start", weight: 600, color: "var(--ink)", hint: picture.title });
  pixelsOf(picture.png);  // decoded now, so that it is there when one points at it
}

// The pixel of the data below the pointer: {row, column}, counted from the top left; a little beside a panel counts.
function pixelBelow(point, boxes, shown) {
  const off = b => Math.max(b.left - point.x, point.x - b.right, b.top - point.y, point.y - b.bottom);
  const box = boxes.reduce((best, b) => (off(b) < off(best) ? b : best), boxes[0]);
  if (off(box) > PANEL_GAP) return null;
  const place = (at, from, to, count) => Math.min(count - 1, Math.max(0, Math.floor((at - from) / (to - from) * count)));
  return { column: shown.left + place(point.x, box.left, box.right, shown.columns),
    row: shown.top + place(point.y, box.top, box.bottom, shown.rows) };
}

function addImageHover(svg, panel, pictures, boxes, shown, rows) {
  const figure = panel.figure, hair = draw("g", { class: "hair", visibility: "hidden" }, svg);
  const outlines = boxes.map(box => draw("rect", { width: (box.right - box.left) / shown.columns,
    height: (box.bottom - box.top) / shown.rows, fill: "none", style: "stroke:var(--ink)", "stroke-width": 1.6 }, hair));
  const leave = () => { hair.setAttribute("visibility", "hidden"); hideTip(); };
  const where = (dim, array, i, word) => {
    const c = coordinateOf(dim, array);
    return DATA.dims[dim] && DATA.dims[dim].own ? c.label + " " + cellName(c, i) : word + " " + i;
  };
  svg.addEventListener("pointermove", event => {
    const pixel = pixelBelow(pointerIn(svg, event), boxes, shown);
    if (!pixel) return leave();
    boxes.forEach((box, i) => {
      const across = (box.right - box.left) / shown.columns, down = (box.bottom - box.top) / shown.rows;
      outlines[i].setAttribute("x", short(box.left + (pixel.column - shown.left) * across));
      outlines[i].setAttribute("y", short(box.top + (pixel.row - shown.top) * down));
    });
    hair.setAttribute("visibility", "visible");
    const first = pictures[0].array, row = first.upward ? rows - 1 - pixel.row : pixel.row;
    showTip(event, where(figure.y, first, row, "row") + ", " + where(figure.x, first, pixel.column, "column"),
        pictures.map(picture => {
          const { color, text } = shownAt(picture, pixel.row, pixel.column);
          return { color, name: picture.title || picture.array.label, value: text };
        }));
  });
  svg.addEventListener("pointerleave", leave);
}

// A click looks twice as close at the place; with Shift, or from the closest on, back. The keys + and - do the same.
function addZoom(svg, panel, boxes, shown, { columns, rows }) {
  const closest = Math.min(shown.columns, shown.rows) <= CLOSEST, factor = panel.zoom ? panel.zoom.factor : 1;
  const look = (closer, x, y) => {
    if (closer ? closest : factor <= 2) panel.zoom = null;
    else panel.zoom = { factor: closer ? 2 * factor : factor / 2, x, y };
    panel.draw();
  };
  if (closest && factor === 1) return;  // so few pixels are near enough
  svg.style.cursor = closest ? "zoom-out" : "zoom-in";
  svg.addEventListener("click", event => {
    const pixel = pixelBelow(pointerIn(svg, event), boxes, shown);
    svg.blur();  // the new drawing gets the focus of the old one, and would be framed
    if (pixel) look(!event.shiftKey, (pixel.column + 0.5) / columns, (pixel.row + 0.5) / rows);
  });
  svg.addEventListener("keydown", event => {
    if (!"+-".includes(event.key)) return;
    look(event.key === "+", (shown.left + shown.columns / 2) / columns, (shown.top + shown.rows / 2) / rows);
  });
  if (!panel.zoomButton) {
    panel.zoomButton = make("button", { type: "button", title: "Show all of the pictures again" });
    panel.tools.prepend(panel.zoomButton);
    panel.zoomButton.addEventListener("click", () => { panel.zoom = null; panel.draw(); });
  }
  panel.zoomButton.textContent = "zoom: " + factor + "\u00d7";
}

// Pixel by pixel what every picture shows: a class, or red, green and blue.
function imageRows(figure) {
  const pictures = picturesOf(figure), first = pictures[0].array;
  const rows = sizeOf(first, figure.y), columns = sizeOf(first, figure.x);
  const y = coordinateOf(figure.y, first), x = coordinateOf(figure.x, first);
  const at = (c, i) => (c.words ? c.words[i] : c.values[i]);
  const name = picture => picture.title || picture.array.label, parts = ["red", "green", "blue"];
  const out = [[axisLabel(y.label, y.units), axisLabel(x.label, x.units), ...pictures.flatMap(p =>
      (p.array.classes || p.array.numbers ? [name(p)] : parts.map(part => name(p) + ", " + part)))]];
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const shown = pictures.flatMap(p => {
        const { text, parts: numbers } = shownAt(p, first.upward ? rows - 1 - row : row, column);
        return p.array.classes ? [text] : numbers;
      });
      out.push([at(y, row), at(x, column), ...shown]);
    }
  }
  return out;
}
