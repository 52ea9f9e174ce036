// Choosing with what is drawn: a cell, a row or an arrow moves the sliders whose places it stands for.
//
// A mark stands for places of its own dimensions, and for the pair of names that it joins: a place called "A \u2192 B", or
// "A \u2194 B" in both orders, is chosen by the cell of column A and row B, the arrow from A to B, and a row of a table with A
// before B.

// {dimension: {"A\\nB": index}} of the sliders whose places are pairs of names.
const pairPlaces = {};
for (const dim of Object.keys(DATA.start)) {
  const places = {}, words = (DATA.dims[dim] || {}).words || [];
  words.forEach((word, index) => {
    for (const { 0: arrow, 1: sign, index: at } of word.matchAll(/ ([\u2192\u2194]) /g)) {  // several where a name has one
      const ends = [word.slice(0, at), word.slice(at + arrow.length)];
      for (const name of sign === "\u2192" ? [ends.join("\n")] : [ends.join("\n"), ends.reverse().join("\n")])
        if (!(name in places)) places[name] = index;
    }
  });
  if (Object.keys(places).length) pairPlaces[dim] = places;
}

// {dimension: index} of the sliders that a mark moves. places: {dimension: index}; names: in the order in which it joins them.
function chosenBy(places, names) {
  const choice = {};
  for (const [dim, index] of Object.entries(places)) if (isControl(dim)) choice[dim] = index;
  for (const [dim, pairs] of Object.entries(pairPlaces))
    for (let i = 0; i < names.length; ++i)
      for (let j = i + 1; j < names.length && !(dim in choice); ++j) {
        const index = pairs[names[i] + "\n" + names[j]];
        if (index !== undefined) choice[dim] = index;
      }
  return Object.keys(choice).length ? choice : null;
}

const isChosen = choice => Boolean(choice) && Object.entries(choice).every(([dim, index]) => state.selection[dim] === index);
function chooseAll(choice) {
  for (const [dim, index] of Object.entries(choice || {})) choose(dim, index);
}

// Marks of a drawing, [{x, y, choice}] in its pixels; at(event): the choice of the mark below the pointer, or null. A click
// chooses it; the arrow keys go to the next mark in their direction, which page.js sees to.
function addMarks(panel, svg, marks, at) {
  panel.marks = marks.filter(mark => mark.choice);
  if (!panel.marks.length) return;
  svg.addEventListener("pointermove", event => { svg.style.cursor = at(event) ? "pointer" : ""; });
  svg.addEventListener("click", event => { if (!panel.dragged) chooseAll(at(event)); });
}

// The mark beside the chosen one in the direction of an arrow key, or null: the nearest, where what lies aside is twice as
// far. The first one where none is chosen.
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function nextMark(marks, key) {
  const from = marks.find(mark => isChosen(mark.choice));
  if (!from) return marks[0] || null;
  const [right, down] = DIRECTIONS[key];
  let best = null, least = Infinity;
  for (const mark of marks) {
    const x = mark.x - from.x, y = mark.y - from.y, ahead = x * right + y * down;
    const far = ahead + 2 * Math.abs(x * down - y * right);
    if (ahead > 1 && far < least) { least = far; best = mark; }
  }
  return best;
}
