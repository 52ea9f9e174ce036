// Axes of dates: coordinates in "days since 1970-01-01"; the twin of dates.cpp.
const MONTH = 365.2425 / 12;  // days
const DATE_STEPS = [[1 / 1440], [5 / 1440], [15 / 1440], [1 / 24], [3 / 24], [6 / 24], [12 / 24], [1], [2], [7], [14],
  ...[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].map(months => [months * MONTH, months])];

const isDateUnit = units => Boolean(units) && units.startsWith("days since 1970");

// "1990-03-14", with the time where it is not midnight.
function dateText(days) {
  const text = new Date(Math.round(days * 86400) * 1000).toISOString();
  return text.slice(0, 10) + (text.slice(11, 19) === "00:00:00" ? "" : " " + text.slice(11, 19).replace(/:00$/, ""));
}

// "0.0123 km", or a date.
const numberText = (value, units, digits) =>
  isDateUnit(units) ? dateText(value) : formatNumber(value, digits) + unitsText(units);

function dateTicks(low, high, wanted) {
  const [days, months] = DATE_STEPS.find(s => s[0] * wanted >= high - low) || DATE_STEPS[DATE_STEPS.length - 1];
  const out = [];
  if (!months) {
    for (let k = Math.ceil(low / days - 1e-6); k * days <= high; ++k) {
      const text = dateText(k * days);
      out.push({ value: k * days, label: days >= 1 ? text.slice(0, 10) : text.slice(5, 10) + " " + (text.slice(11) || "00:00") });
    }
    return out;
  }
  const first = 12 * new Date(low * 864e5).getUTCFullYear();
  for (let month = first - first % months; ; month += months) {
    const value = Date.UTC(Math.floor(month / 12), month % 12) / 864e5;
    if (value > high) return out;
    if (value >= low) out.push({ value, label: dateText(value).slice(0, months % 12 ? 7 : 4) });
  }
}
