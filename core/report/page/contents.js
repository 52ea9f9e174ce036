// Addresses of figures, #fig-NAME, that open the page there; on a page of many figures a list of contents.
const FEW_FIGURES = 6;

function addAddresses(panels) {
  for (const { figure, element, number } of panels) {
    const id = "fig-" + (figure.name || number + 1).toString().replace(/[^\w.-]/g, "_");
    element.id = document.getElementById(id) ? id + "-" + (number + 1) : id;
    make("a", { class: "address", href: "#" + element.id, "aria-label": "Address of this figure",
        title: "The address of this figure" }, element.querySelector("h3"), "#");
  }
}

function addContents(panels) {
  if (panels.length <= FEW_FIGURES) return;
  const before = document.getElementById("controls");
  const nav = make("nav", { class: "contents", "aria-label": "Contents" });
  const details = make("details", innerWidth > 640 ? { open: "" } : {}, nav);
  make("summary", {}, details, "Contents: " + panels.length + " figures");
  const list = make("ul", {}, details);
  for (const { element, figure } of panels) {
    const link = make("a", { href: "#" + element.id }, make("li", {}, list), figure.title);
    const number = element.querySelector("figcaption b");
    if (number) link.before(make("b", {}, null, number.textContent.replace(/\D/g, "")));
  }
  for (const head of document.querySelectorAll("main > section h2[id], main > .pair h2[id]"))
    make("a", { href: "#" + head.id }, make("li", {}, list), head.textContent);
  before.before(nav);
}

// Opens what is folded over the place that the page's address names, and goes there.
function goToAddress() {
  let place = null;
  try { place = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (error) { /* no such id */ }
  if (!place) return;
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  place.scrollIntoView();
}

// The control bar stays in view and must not cover what one goes to.
function keepBelowControls() {
  const bar = document.getElementById("controls");
  document.documentElement.style.scrollPaddingTop = bar.offsetHeight + 14 + "px";
}
