// The control bar: one slider or row of buttons for each dimension that figures do not draw; it moves all panels.
const state = { selection: { ...DATA.start }, listeners: [] };
const controlUpdates = {};

function make(name, attributes = {}, parent = null, text = null) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

const isControl = dim => dim in state.selection && DATA.dims[dim] && DATA.dims[dim].size > 1;

function choose(dim, index) {
  const last = DATA.dims[dim].size - 1;
  index = Math.min(last, Math.max(0, index));
  if (state.selection[dim] === index) return;
  state.selection[dim] = index;
  controlUpdates[dim]();
  for (const listener of state.listeners) listener(dim);
}

function addChoices(box, dim, words) {
  const group = make("span", { class: "choices", role: "group", "aria-label": DATA.dims[dim].label }, box);
  const buttons = words.map((word, i) => {
    const button = make("button", { type: "button", "data-dim": dim, "data-index": i }, group, word);
    button.addEventListener("click", () => choose(dim, i));
    return button;
  });
  controlUpdates[dim] = () =>
      buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(i === state.selection[dim])));
}

function addSelect(box, dim, words) {
  const select = make("select", { "aria-label": DATA.dims[dim].label, "data-dim": dim }, box);
  words.forEach((word, i) => make("option", { value: i }, select, word));
  select.addEventListener("change", () => choose(dim, Number(select.value)));
  controlUpdates[dim] = () => { select.value = state.selection[dim]; };
}

function addPlayButton(box, dim) {
  const button = make("button", { type: "button", "aria-label": "Play over " + DATA.dims[dim].label }, box, "\u25b6");
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; button.textContent = "\u25b6"; };
  button.addEventListener("click", () => {
    if (timer) return stop();
    button.textContent = "\u275a\u275a";
    if (state.selection[dim] === DATA.dims[dim].size - 1) choose(dim, 0);
    timer = setInterval(() => {
      if (state.selection[dim] >= DATA.dims[dim].size - 1) return stop();
      choose(dim, state.selection[dim] + 1);
    }, 250);
  });
}

function addSlider(box, dim) {
  box.classList.add("slider");
  const size = DATA.dims[dim].size;
  const input = make("input", { type: "range", min: 0, max: size - 1, step: 1, "aria-label": DATA.dims[dim].label,
      "data-dim": dim }, box);
  const output = make("output", {}, box);
  input.addEventListener("input", () => choose(dim, Number(input.value)));
  addPlayButton(box, dim);
  controlUpdates[dim] = () => {
    const index = state.selection[dim];
    input.value = index;
    input.setAttribute("aria-valuetext", placeText(dim, index));
    output.textContent = placeText(dim, index) + " ";
    make("small", {}, output, (index + 1) + " of " + size);
  };
}

function buildControls() {
  const bar = document.getElementById("controls");
  // Buttons first: they are short, and the sliders then share what is left of the line.
  const dims = Object.keys(state.selection).filter(isControl);
  const wordy = dim => DATA.dims[dim].words || DATA.dims[dim].size <= 3;
  for (const dim of [...dims.filter(wordy), ...dims.filter(d => !wordy(d))]) {
    const box = make("div", { class: "control" }, bar);
    make("span", { class: "name", title: DATA.dims[dim].meaning || "" }, box, DATA.dims[dim].label);
    const words = wordy(dim) ? Array.from({ length: DATA.dims[dim].size }, (_, i) => placeText(dim, i)) : null;
    if (words && words.length <= 6) addChoices(box, dim, words);
    else if (words) addSelect(box, dim, words);
    else addSlider(box, dim);
    controlUpdates[dim]();
    bar.hidden = false;
  }
}
