// Tables: a click on the head of a column sorts the rows by it, a second one the other way round, a third one as they were.

// What a unit is of the smallest that a column may mix it with: times in seconds, memory in bytes.
const UNIT_SIZES = { ms: 1e-3, s: 1, second: 1, min: 60, minute: 60, h: 3600, hour: 3600, d: 86400, day: 86400,
  week: 604800, month: 2629746, year: 31556952, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20,
  GiB: 2 ** 30 };
const NOTHING = /^[-\u2013\u2014\u2212]?$|^(no value|not measured|any value|no data|nan|n\/a)$/i;
const BEFORE_NUMBER = /^(?:[pq] |about |up to |at (?:least|most) )?(?:[<>=~\u2248\u2264\u2265\u00b1] ?)?[[(]?/;

// 10 to a raised power as a number is written in programs: "1.2\u00d710\u207b\u2075" is 1.2e-5.
const plainDigits = text => text.replace(/[\u2212\u207b]/g, "-").replace(/\u221e/g, "Infinity")
  .replace(/[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]/g, c => RAISED.indexOf(c))
  .replace(/(\d)[,\u2009\u202f\u00a0](?=\d{3}(?!\d))/g, "$1");

// {number, unit} of the number that a cell begins with, of an interval its first end; number NaN: words, null: nothing.
function cellNumber(text) {
  text = text.trim();
  if (NOTHING.test(text)) return { number: null };
  const raised = text.replace(/\u00d710(?=[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079])/g, "e")
    .replace(/(^|[^\d.])10(?=[\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079])/g, "$11e");
  const plain = plainDigits(raised).replace(BEFORE_NUMBER, "");
  const date = /^\d{4}-\d\d(-\d\d)?([T ]\d\d:\d\d(:\d\d)?)?/.exec(plain);
  if (date) return { number: Date.parse(date[0].replace(" ", "T")) };
  const parts = [...plain.matchAll(/(\d+\.?\d*) ?([a-z]+)/gi)];  // "1 h 5 min"
  if (parts.length > 1 && parts.every(part => part[2] in UNIT_SIZES) && parts.map(part => part[0]).join(" ") === plain)
    return { number: parts.reduce((sum, part) => sum + part[1] * UNIT_SIZES[part[2]], 0), unit: "s" };
  const found = /^[-+]?(?:\d+\.?\d*|\.\d+|Infinity|inf(?![a-z]))(?:e[-+]?\d+)?/.exec(plain);
  if (!found) return { number: NaN };
  const rest = plain.slice(found[0].length), power = /^[^)]*\)e(-?\d+)/.exec(rest), more = /^ ?([a-z]+)/i.exec(rest);
  const unit = more && more[1].replace(/(?<=..)s$/, "");
  return { number: Number(found[0].replace("inf", "Infinity")) * 10 ** (power ? Number(power[1]) : 0), unit };
}

// What the cells of a column are compared by: numbers where all that there are begin with one, else words; null: nothing.
function columnKeys(cells) {
  const parsed = cells.map(cell => (typeof cell === "number" ? { number: Number.isNaN(cell) ? null : cell } : cellNumber(cell)));
  const there = parsed.filter(p => p.number !== null), units = new Set(there.map(p => p.unit));
  if (there.some(p => Number.isNaN(p.number))) return cells.map((cell, i) => (parsed[i].number === null ? null : String(cell).trim()));
  const mixed = units.size > 1 && [...units].every(unit => unit in UNIT_SIZES);
  return parsed.map(p => (p.number === null ? null : p.number * (mixed ? UNIT_SIZES[p.unit] : 1)));
}

// The order of rows by such keys; equal ones as they were, nothing last.
function sortedOrder(keys, down) {
  const words = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => (typeof a === "string" ? words.compare(a, b) : a < b ? -1 : a > b ? 1 : 0);
  return keys.map((_, i) => i).sort((i, j) => {
    if (keys[i] === null || keys[j] === null) return (keys[i] === null) - (keys[j] === null) || i - j;
    return (down ? -1 : 1) * compare(keys[i], keys[j]) || i - j;
  });
}

// `sort` holds what is chosen, for a table that is drawn again; values(row, column): what a cell is, where it is not its text.
function makeSortable(table, sort = { column: -1 }, values = null) {
  const rows = [...table.tBodies[0].rows], heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  if (rows.length < 3) return;
  const keys = [], value = values || ((i, k) => (rows[i].cells[k] ? rows[i].cells[k].textContent : ""));
  const show = () => {
    const { column, down } = sort;
    if (column >= 0 && !keys[column]) keys[column] = columnKeys(rows.map((_, i) => value(i, column)));
    const order = column < 0 ? rows : sortedOrder(keys[column], down).map(i => rows[i]);
    table.tBodies[0].append(...order);
    heads.forEach((head, k) => {
      if (k === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  heads.forEach((head, k) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "sort", title: head.title || "Sort by " + head.textContent });
    button.dataset.key = "sort" + k;
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      Object.assign(sort, sort.column !== k ? { column: k, down: false } : sort.down ? { column: -1 } : { down: true });
      show();
    });
  });
  if (sort.column >= 0) show();
}
