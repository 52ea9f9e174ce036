// Saving: the drawing as SVG or PNG on a light ground, the numbers shown as CSV.
function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name }, document.body);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The light theme's colours by name, whatever the page shows now.
function lightColors() {
  const root = document.documentElement, shown = root.dataset.theme;
  root.dataset.theme = "light";
  const style = getComputedStyle(root), colors = {};
  const names = "paper panel ink quiet faint edge accent c0 c1 c2 c3 c4 c5 c6 c7";
  for (const name of names.split(" ")) colors[name] = style.getPropertyValue("--" + name).trim();
  root.dataset.theme = shown;
  return colors;
}

function svgText(panel) {
  const copy = drawnToSave(panel).cloneNode(true);
  copy.querySelectorAll(".hair").forEach(e => e.remove());
  for (const element of [copy, ...copy.querySelectorAll(".key")])  // there is nothing to press
    for (const name of ["role", "tabindex", "aria-pressed", "aria-keyshortcuts", "data-key"]) element.removeAttribute(name);
  copy.setAttribute("role", "img");
  copy.removeAttribute("style");
  if (panel.picture) {
    const { canvas, box } = panel.picture;
    copy.prepend(draw("image", { x: box.left, y: box.top, width: box.width, height: box.height,
        preserveAspectRatio: "none", style: "image-rendering:pixelated", href: canvas.toDataURL() }));
  }
  copy.prepend(draw("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  copy.prepend(draw("desc", {}, null, [panel.whereText, panel.figure.caption].filter(Boolean).join(". ")));
  copy.prepend(draw("title", {}, null, panel.figure.title));
  const colors = lightColors();
  return new XMLSerializer().serializeToString(copy).replace(/var\(--(\w+)\)/g, (whole, name) => colors[name] || whole);
}

function csvText(rows) {
  const cell = v => {
    if (typeof v === "number") return Number.isFinite(v) ? String(v) : "";
    return /[",\r\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : String(v);
  };
  return rows.map(row => row.map(cell).join(",")).join("\n") + "\n";
}

function savePng(panel, name) {
  const text = svgText(panel), picture = new Image();
  picture.onload = () => {
    const canvas = make("canvas", { width: picture.width * 2, height: picture.height * 2 });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(name, "image/png", blob));
  };
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

function addTools(panel, rows) {
  const name = (panel.figure.name || "figure").replace(/[^\w.-]/g, "_");
  const add = (text, title, action) => {
    const button = make("button", { type: "button", title, "data-save": text }, panel.tools, text);
    button.addEventListener("click", () => { if (!panel.drawn) panel.draw(); action(); });
  };
  if (KINDS[panel.figure.kind].picture) {
    add("SVG", "Save this figure as SVG", () => save(name + ".svg", "image/svg+xml", svgText(panel)));
    add("PNG", "Save this figure as PNG", () => savePng(panel, name + ".png"));
  }
  add("CSV", "Save the numbers of this figure as CSV", () => save(name + ".csv", "text/csv", csvText(rows())));
}
