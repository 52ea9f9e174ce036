// Saving: the drawing as SVG or PNG on a light ground, the numbers shown as CSV.

// A text whose colours are those of the light theme, whatever the page shows now.
function inLight(text) {
  const root = document.documentElement, shown = root.dataset.theme;
  root.dataset.theme = "light";
  const style = getComputedStyle(root);
  const light = text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  root.dataset.theme = shown;
  return light;
}

// The twin of sharp_factor() in png.cpp: each pixel becomes a square of equal ones, as other programs blur what they
// enlarge.
function sharpPicture(source, length) {
  const { width, height } = source, longest = Math.max(width, height);
  const wanted = Math.max(16, Math.ceil(2 * length / longest));
  const factor = Math.max(1, Math.min(wanted, Math.floor(1600 / longest)));
  const canvas = make("canvas", { width: width * factor, height: height * factor }), context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL();
}

// Pictures that the drawing has itself, once they are decoded.
function sharpenPictures(svg) {
  for (const image of svg.querySelectorAll("image")) {
    const pixels = pixelsOf(image.getAttribute("href").replace(/^.*,/, ""));
    if (!pixels) continue;
    const canvas = make("canvas", { width: pixels.width, height: pixels.height });
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    image.setAttribute("href", sharpPicture(canvas, Math.max(image.getAttribute("width"), image.getAttribute("height"))));
  }
}

function svgText(panel) {
  const copy = drawnToSave(panel).cloneNode(true);
  copy.querySelectorAll(".hair").forEach(e => e.remove());
  for (const element of [copy, ...copy.querySelectorAll(".key")])  // there is nothing to press
    for (const name of ["role", "tabindex", "aria-pressed", "aria-keyshortcuts", "data-key"]) element.removeAttribute(name);
  copy.setAttribute("role", "img");
  copy.removeAttribute("style");
  sharpenPictures(copy);
  if (panel.picture) {
    const { canvas, box } = panel.picture;
    copy.prepend(draw("image", { x: box.left, y: box.top, width: box.width, height: box.height,
        preserveAspectRatio: "none", style: "image-rendering:pixelated",
        href: sharpPicture(canvas, Math.max(box.width, box.height)) }));
  }
  copy.prepend(draw("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  copy.prepend(copy.querySelector("desc"));
  copy.prepend(draw("title", {}, null, panel.figure.title));
  return inLight(new XMLSerializer().serializeToString(copy));
}

function csvText(rows) {
  const cell = v => {
    if (typeof v === "number") return Number.isFinite(v) ? String(v) : "";
    return /[",\r\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : String(v);
  };
  return rows.map(row => row.map(cell).join(",")).join("\n") + "\n";
}

function addTools(panel, rows) {
  const name = (panel.figure.name || "figure").replace(/[^\w.-]/g, "_");
  const add = (text, title, action) => {
    const button = make("button", { type: "button", title, "data-save": text }, panel.tools, text);
    button.addEventListener("click", () => { if (!panel.drawn) panel.draw(); action(); });
  };
  if (KINDS[panel.figure.kind].picture) {
    add("SVG", "Save this figure as SVG", () => save(name + ".svg", "image/svg+xml", svgText(panel)));
    add("PNG", "Save this figure as PNG", () => saveAsPng(name + ".png", svgText(panel)));
  }
  add("CSV", "Save the numbers of this figure as CSV", () => save(name + ".csv", "text/csv", csvText(rows())));
}
