// Tables.
KINDS.table = {
  draw: drawTablePanel,
  rows: tableFile,
  picture: false,
};

// A p-value that is the smallest which its draws can give.
const isLeast = (a, p) => Boolean(a.least && a.least.includes(p));

// Numbers with their errors, and whether they say "at most", in columns of their own.
function tableFile(figure) {
  const { head, rows } = tableRows(figure, true), columns = figure.variables.map(arrayOf);
  const withMore = (row, error, bound) => [row[0], ...columns.flatMap((a, k) =>
    [row[k + 1], ...(a.error ? [error(a, k)] : []), ...(a.least ? [bound(a, k)] : [])])];
  const at = (a, i) => positionOf(a, { ...state.selection, [figure.x]: i });
  return [withMore(head, (a, k) => head[k + 1] + ", error", (a, k) => head[k + 1] + ", bound"),
    ...rows.map((row, i) => withMore(row, a => a.error[at(a, i)], a => (isLeast(a, at(a, i)) ? "<=" : "")))];
}

// Head and rows of a table; `exact` gives numbers instead of text.
function tableRows(figure, exact) {
  const columns = figure.variables.map(arrayOf);
  const axis = coordinateOf(figure.x, columns[0]), shown = Math.max(1, ...columns.map(c => sizeOf(c, figure.x)));
  const cell = (a, i) => {
    const p = positionOf(a, { ...state.selection, [figure.x]: i });
    if (a.words || exact) return a.words ? a.words[p] : a.mean[p];
    return (isLeast(a, p) ? "\u2264 " : "") +
        (a.error ? formatWithError(a.mean[p], a.error[p]) : formatNumber(a.mean[p], figure.digits));
  };
  const head = [axisLabel(axis.label, axis.units), ...columns.map(a => axisLabel(a.label, a.units))];
  const rows = Array.from({ length: shown }, (_, i) =>
      [exact && !axis.words ? axis.values[i] : cellName({ ...axis, units: "1" }, i), ...columns.map(a => cell(a, i))]);
  return { head, rows, numeric: [!axis.words, ...columns.map(a => !a.words)],
      meanings: [axis.meaning, ...columns.map(a => a.meaning)] };
}

// What each row chooses: its own place, or the pair of names that it holds.
function rowChoices(figure, rows, numeric) {
  return rows.map((row, i) => chosenBy({ [figure.x]: i }, row.filter((_, k) => !numeric[k])));
}

// Rows that choose something, by a click or Enter; the arrow keys go from one to the next.
function addRowChoices(panel, body, choices) {
  const lines = [...body.rows];
  panel.marks = choices.filter(Boolean).map(choice => ({ choice }));
  if (!panel.marks.length) return;
  const pick = i => { panel.lastRow = i; chooseAll(choices[i]); };
  const first = lines.find((_, i) => isChosen(choices[i])) || lines.find((_, i) => choices[i]);
  lines.forEach((tr, i) => {
    if (!choices[i]) return;
    tr.className = isChosen(choices[i]) ? "choice chosen" : "choice";
    if (isChosen(choices[i])) tr.setAttribute("aria-current", "true");
    tr.dataset.key = "row" + i;
    tr.tabIndex = tr === first ? 0 : -1;
    tr.addEventListener("click", () => pick(i));
    tr.addEventListener("keydown", event => {
      const down = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (event.key === "Enter" || event.key === " ") pick(i);
      else if (!down) return;
      event.preventDefault();
      let next = down && tr[down];
      while (next && !next.dataset.key) next = next[down];
      if (next) next.focus();
    });
  });
}

function drawTablePanel(panel) {
  const { head, rows, numeric, meanings } = tableRows(panel.figure, false), exact = tableRows(panel.figure, true).rows;
  const scroll = make("div", { class: "scroll", tabindex: 0 });
  const table = make("table", { class: "data", "aria-label": panel.figure.title }, scroll);
  const old = panel.plot.querySelector(".scroll"), top = old ? old.scrollTop : 0;
  const line = make("tr", {}, make("thead", {}, table)), body = make("tbody", {}, table);
  head.forEach((text, k) => make("th", { scope: "col", class: numeric[k] ? "number" : "",
      ...(meanings[k] ? { title: meanings[k] } : {}) }, line, text));
  // On paper a name is not broken: a column is as wide as its longest word, up to 11 letters.
  const longest = head.map((_, k) => (numeric[k] ? 0 : Math.min(11,
      Math.max(1, ...rows.slice(0, 500).flatMap(row => String(row[k]).split(" ").map(word => word.length))))));
  for (const row of rows) {
    const tr = make("tr", {}, body);
    row.forEach((text, k) => make("td", numeric[k] ? { class: "number" } : { style: "--longest-word: " + longest[k] },
        tr, text));
  }
  addRowChoices(panel, body, rowChoices(panel.figure, rows, numeric));
  panel.sort = panel.sort || { column: -1 };
  makeSortable(table, panel.sort, (i, k) => exact[i][k]);
  panel.plot.replaceChildren(scroll);
  scroll.scrollTop = top;
  const last = body.querySelector('.chosen[data-key="row' + panel.lastRow + '"]'), chosen = last || body.querySelector(".chosen");
  if (!chosen) return;
  const above = chosen.offsetTop - line.offsetHeight;
  const below = chosen.offsetTop + chosen.offsetHeight - scroll.clientHeight;
  scroll.scrollTop = Math.min(above, Math.max(below, top));
}
