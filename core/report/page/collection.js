// A page of several runs: its drawings are there, and can be saved.
addThemeButton();
for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", () => {
    const figure = button.closest("figure"), name = figure.dataset.name, type = "image/svg+xml";
    const text = new XMLSerializer().serializeToString(figure.querySelector("svg"));
    if (button.dataset.save === "SVG") save(name + ".svg", type, text);
    else saveAsPng(name + ".png", text);
  });
}
document.documentElement.dataset.ready = "yes";
