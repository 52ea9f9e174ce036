// Tables.
KINDS.table = {
  draw: drawTablePanel,
  rows: figure => { const t = tableRows(figure, true); return [t.head, ...t.rows]; },
  picture: false,
};

// Head and rows of a table; `exact` gives numbers instead of text.
function tableRows(figure, exact) {
  const columns = figure.variables.map(arrayOf);
  const axis = coordinateOf(figure.x, columns[0]), shown = Math.max(1, ...columns.map(c => sizeOf(c, figure.x)));
  const cell = (a, i) => {
    const p = positionOf(a, { ...state.selection, [figure.x]: i });
    if (a.words || exact) return a.words ? a.words[p] : a.mean[p];
    return a.error ? formatWithError(a.mean[p], a.error[p]) : formatNumber(a.mean[p], figure.digits);
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
  // On paper a name is not broken: a column is as wide as its longest word, up to 11 letters.
  const longest = head.map((_, k) => (numeric[k] ? 0 : Math.min(11,
      Math.max(1, ...rows.slice(0, 500).flatMap(row => String(row[k]).split(" ").map(word => word.length))))));
  rows.forEach((row, i) => {
    const tr = make("tr", isControl(dim) && state.selection[dim] === i ? { class: "chosen" } : {}, body);
    row.forEach((text, k) => make("td", numeric[k] ? { class: "number" } : { style: "--longest-word: " + longest[k] },
        tr, text));
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
