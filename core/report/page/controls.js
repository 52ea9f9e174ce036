// The control bar: one slider or row of buttons for each dimension that figures do not draw; it moves all panels.
const state = { selection: { ...DATA.start }, listeners: [] };
const controlUpdates = {};

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

// Playing: the places of a dimension one after the other, evenly in the order in which they are stored, in about eight
// seconds; a second each for who asked for little motion. It never begins by itself.
const PLAY_MS = 8000, LEAST_PLAY_MS = 40, MOST_PLAY_MS = 400, CALM_PLAY_MS = 1000;
const players = {};

function playStepMs(size) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return CALM_PLAY_MS;
  return Math.min(MOST_PLAY_MS, Math.max(LEAST_PLAY_MS, PLAY_MS / size));
}

function addPlayButton(box, dim) {
  const { label, size } = DATA.dims[dim], last = size - 1;
  const button = make("button", { type: "button", class: "play", "data-play": dim }, box);
  let frame = 0, due = 0;
  const show = () => {
    button.textContent = frame ? "\u275a\u275a" : "\u25b6";
    button.setAttribute("aria-label", (frame ? "Pause " : "Play over ") + label);
    button.dataset.ms = playStepMs(size);
    button.title = (frame ? "Pause" : "Play over " + label) + " (space bar)";
  };
  const stop = () => { cancelAnimationFrame(frame); frame = 0; show(); };
  const advance = now => {
    frame = requestAnimationFrame(advance);
    if (now < due) return;
    due = now + playStepMs(size);
    choose(dim, state.selection[dim] + 1);
    if (state.selection[dim] >= last) stop();
  };
  const toggle = () => {
    if (frame) return stop();
    if (state.selection[dim] >= last) choose(dim, 0);
    due = performance.now() + playStepMs(size);
    frame = requestAnimationFrame(advance);
    show();
  };
  button.addEventListener("click", toggle);
  document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); });
  players[dim] = { toggle, stop };
  show();
}

function addSlider(box, dim) {
  box.classList.add("slider");
  const size = DATA.dims[dim].size;
  const input = make("input", { type: "range", min: 0, max: size - 1, step: 1, "aria-label": DATA.dims[dim].label,
      "data-dim": dim }, box);
  const output = make("output", {}, box);
  addPlayButton(box, dim);
  input.addEventListener("input", () => { players[dim].stop(); choose(dim, Number(input.value)); });
  input.addEventListener("keydown", event => {
    if (event.key !== " ") return;
    event.preventDefault();
    players[dim].toggle();
  });
  controlUpdates[dim] = () => {
    const index = state.selection[dim];
    input.value = index;
    input.setAttribute("aria-valuetext", placeText(dim, index));
    output.textContent = placeText(dim, index) + " ";
    make("small", {}, output, (index + 1) + " of " + size);
  };
}

const MOST_LETTERS = 80;  // of all choices that stand side by side

function buildControls() {
  const bar = document.getElementById("controls");
  // Buttons first: they are short, and the sliders then share what is left of the line.
  const dims = Object.keys(state.selection).filter(isControl);
  const wordy = dim => DATA.dims[dim].words || DATA.dims[dim].size <= 3;
  for (const dim of [...dims.filter(wordy), ...dims.filter(d => !wordy(d))]) {
    const box = make("div", { class: "control" }, bar);
    make("span", { class: "name", title: DATA.dims[dim].meaning || "" }, box, DATA.dims[dim].label);
    const words = wordy(dim) ? Array.from({ length: DATA.dims[dim].size }, (_, i) => placeText(dim, i)) : null;
    if (words && words.length <= 6 && words.join("").length <= MOST_LETTERS) addChoices(box, dim, words);
    else if (words) addSelect(box, dim, words);
    else addSlider(box, dim);
    controlUpdates[dim]();
    bar.hidden = false;
  }
}
