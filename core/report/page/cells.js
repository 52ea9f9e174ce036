// Axes of what is made of cells: heat maps, images and tables.
const cellAxis = (array, dim) => cellAxisOf(coordinateOf(dim, array));
function cellAxisOf(c) {
  const n = c.values.length;
  const axis = { words: c.words, label: axisLabel(c.label, c.units), meaning: c.meaning, coordinate: c,
      scale: makeScale([-0.5, n - 0.5]) };
  if (c.words || n < 2) return axis;
  if (n <= 12) return { ...axis, words: c.values.map(v => formatNumber(v, 3)) };  // each is called by its value
  const step = evenStep(c.values), factor = Math.exp(evenStep(c.values.map(Math.log)) / 2);
  if (step > 0) axis.scale = makeScale([c.values[0] - step / 2, c.values[n - 1] + step / 2]);
  else if (factor > 1) axis.scale = makeScale([c.values[0] / factor, c.values[n - 1] * factor], true);
  else axis.words = c.values.map(v => formatNumber(v, 3));
  return axis;
}

// The step of evenly rising values, else NaN.
function evenStep(values) {
  const n = values.length, step = (values[n - 1] - values[0]) / (n - 1);
  return step > 0 && values.every((v, i) => Math.abs(v - values[0] - step * i) < 1e-5 * step * n) ? step : NaN;
}

const cellName = (c, i) => (c.words ? c.words[i] : formatNumber(c.values[i]) + unitsText(c.units));
