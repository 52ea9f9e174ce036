// What every page has: raised digits, elements, the button for light and dark, saving.
const RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

function make(name, attributes = {}, parent = null, text = null) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function addThemeButton() {
  const root = document.documentElement, button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = dark => {
    root.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "\u2600 Light" : "\u263e Dark";
  };
  show(system.matches);
  system.addEventListener("change", () => show(system.matches));
  button.addEventListener("click", () => show(root.dataset.theme !== "dark"));
}

function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name }, document.body);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// A drawing, the text of an SVG file, as a picture of twice as many pixels.
function saveAsPng(name, text) {
  const picture = new Image();
  picture.onload = () => {
    const canvas = make("canvas", { width: picture.width * 2, height: picture.height * 2 });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(name, "image/png", blob));
  };
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}
