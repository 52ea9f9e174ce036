"""What the tests ask a page for: scripts that run in it."""

# What a panel shows now: where the sliders stand, its SVG, the pixels of its canvas, or its table.
SHOWN = """return [...document.querySelectorAll('.panel')].map(panel => {
  const canvas = panel.querySelector('.plot canvas');
  return panel.querySelector('.where').textContent + panel.querySelector('.plot').innerHTML +
    (canvas ? canvas.toDataURL() : '');
});"""
DIMENSIONS = """const data = JSON.parse(document.getElementById('data').textContent);
return data.figures.map(f => [...new Set([...f.variables, ...f.references, ...f.marks, f.positionX, f.positionY,
  f.labels, f.edgeWeight, f.bandLow, f.bandHigh].filter(Boolean).flatMap(key => data.arrays[key].dims))]);"""
FRAMING = "return [...document.querySelectorAll('.panel')].map(panel => Boolean(panel.querySelector('.chosen')));"
SETTLE = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
# Where something with a value lies in a drawing whose middle may be empty: a network's first node, the first cell of a
# heat map with a text.
FIRST_VALUE = """const nodes = arguments[0].querySelector('.nodes path'), cell = arguments[0].querySelector('.cells text');
if (nodes) return [nodes.getPointAtLength(0).x, nodes.getPointAtLength(0).y];
return cell && [Number(cell.getAttribute('x')), Number(cell.getAttribute('y'))];"""
# Panels below the fold are drawn when the browser is idle; a reader who prints or saves gets them at once.
ALL_DRAWN = """const done = arguments[0], page = document.documentElement;
const look = () => (page.dataset.drawn === 'all' ? done(true) : setTimeout(look, 10));
look();"""
# Whether the page is this wide and its drawings have followed.
FOLLOWED = """return innerWidth === arguments[0] && [...document.querySelectorAll('.panel .plot > svg')].every(svg =>
  Math.abs(svg.getBoundingClientRect().width - Math.max(260, svg.parentElement.clientWidth)) < 4);"""
VISIBLE = """return [...document.querySelectorAll('.panel')].map(panel =>
  [panel.getBoundingClientRect().top < innerHeight, panel.querySelector('.plot').children.length > 0]);"""
# Labels of the ticks along each axis of each drawing.
TICKS = """return [...document.querySelectorAll('.panel svg .frame')].map(frame => {
  const texts = [...frame.querySelectorAll('text:not([transform])')].map(t => [t.getAttribute('text-anchor'),
    t.textContent]);
  return [texts.filter(t => t[0] === 'end').map(t => t[1]), texts.filter(t => t[0] === 'middle').map(t => t[1])];
});"""
# Texts that stick out of their drawing, and texts that lie on each other.
COLLISIONS = """const found = [];
for (const svg of document.querySelectorAll('.panel svg')) {
  const room = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  boxes.forEach(([text, b], i) => {
    if (b.left < room.left - 1 || b.right > room.right + 1 || b.top < room.top - 1 || b.bottom > room.bottom + 1)
      found.push(text + ' is cut off');
    for (const [other, o] of boxes.slice(i + 1)) {
      const across = Math.min(b.right, o.right) - Math.max(b.left, o.left);
      const down = Math.min(b.bottom, o.bottom) - Math.max(b.top, o.top);
      if (across > 2 && down > 3) found.push(text + ' lies on ' + other);
    }
  });
}
return found;"""
# Names of nodes that are shown with an ellipsis though they have 12 letters at most.
CUT_NAMES = """const data = JSON.parse(document.getElementById('data').textContent);
const short = new Set(Object.values(data.dims).flatMap(d => d.words || []).filter(w => w.length <= 12));
return [...document.querySelectorAll('.panel .names text')].map(t => t.textContent).filter(t =>
  t.endsWith('\u2026') && [...short].some(name => name.startsWith(t.slice(0, -1))));"""
# To another position than the slider has: the fourth, or else the fifth.
MOVE = """const slider = arguments[0];
slider.value = slider.value === '3' ? 4 : 3;
slider.dispatchEvent(new Event('input'));"""
# How far the cells of each heat map lie from where its axes say they are, at the lower left corner.
MISPLACED = """return [...document.querySelectorAll('.plot canvas')].map(canvas => {
  const cells = canvas.getBoundingClientRect();
  const lines = [...canvas.parentElement.querySelectorAll('.frame > line')].slice(-2).map(
    line => line.getBoundingClientRect());
  return Math.abs(cells.bottom - lines[0].top) + Math.abs(cells.left - lines[1].left);
});"""
# Tables and texts wider than the sheet.
TOO_WIDE = """return [...document.querySelectorAll('table, pre, .card, .panel')].filter(e =>
  e.getBoundingClientRect().right > e.closest('section, main').getBoundingClientRect().right + 1).map(e =>
  e.className + ' ' + e.textContent.slice(0, 30));"""
# Top of each panel and of its drawing.
PLOTS = """return [...document.querySelectorAll('.panel')].map(panel => [panel.getBoundingClientRect().top,
  panel.querySelector('.plot').getBoundingClientRect().top]);"""
# Networks with a variable that marks nodes: rings drawn (one in the legend), nodes marked.
RINGS = """const data = JSON.parse(document.getElementById('data').textContent);
return data.figures.map((f, i) => [f, i]).filter(([f]) => f.kind === 'network' && f.variables.length > 2)
  .map(([f, i]) => [document.querySelectorAll('.panel')[i].querySelectorAll('.ring').length,
    data.arrays[f.variables[2]].mean.filter(v => v > 0).length]);"""
# Pictures of a panel: how wide each is drawn, and how it is scaled.
PICTURES = """return [...arguments[0].querySelectorAll('.plot image')].map(image =>
  [Number(image.getAttribute('width')), getComputedStyle(image).imageRendering]);"""
TIP = "const t = document.getElementById('tip'); return t.hidden ? '' : t.innerText;"
COLORS = """const style = e => getComputedStyle(document.querySelector(e));
return [style('body').backgroundColor, style('.panel').backgroundColor, style('.panel svg text').fill];"""
CAPTURE = """window.saved = [];
URL.createObjectURL = blob => { blob.text().then(text => window.saved.push({type: blob.type, text})); return '#'; };
HTMLAnchorElement.prototype.click = function () {};"""
