// The page of a folder of runs: how old they are, in the order that is chosen.
addThemeButton();
for (const time of document.querySelectorAll("time")) {
  const s = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000);
  const [size, name] = s < 120 ? [1, "s"] : s < 7200 ? [60, "min"] : s < 172800 ? [3600, "h"] : [86400, "d"];
  if (Number.isFinite(s)) time.textContent = Math.floor(s / size) + " " + name;
}
for (const table of document.querySelectorAll("table.runs")) {
  const rows = [...table.tBodies[0].rows];
  makeSortable(table, { column: -1 }, (i, k) => {
    const { dataset: { order }, textContent } = rows[i].cells[k];
    return order === undefined ? textContent : Number.isNaN(Number(order)) ? order : Number(order);
  });
}
document.documentElement.dataset.ready = "yes";
