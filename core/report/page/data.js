// The embedded data: arrays are decoded when first drawn, and read by dimension name.
const DATA = JSON.parse(document.getElementById("data").textContent);
const decodedArrays = {};

function decodeField(field) {
  if (!field) return null;
  if (Array.isArray(field)) return field.map(v => (v === null ? NaN : Number(v)));  // "Infinity" is a word there
  const text = atob(field.b), raw = new Uint8Array(text.length);
  for (let i = 0; i < raw.length; ++i) raw[i] = text.charCodeAt(i);
  const wide = field.q === "u16";
  const codes = wide ? new Uint16Array(raw.buffer) : raw;
  const missing = wide ? 65535 : 255, levels = missing - 1;
  const out = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; ++i) {
    const row = Math.floor(i / field.row);
    out[i] = codes[i] === missing ? NaN : field.low[row] + (field.high[row] - field.low[row]) * codes[i] / levels;
  }
  return out;
}

function arrayOf(key) {
  if (decodedArrays[key]) return decodedArrays[key];
  const a = DATA.arrays[key];
  const strides = {};
  let stride = 1;
  for (let i = a.dims.length - 1; i >= 0; --i) { strides[a.dims[i]] = stride; stride *= a.shape[i]; }
  const values = { mean: decodeField(a.mean), error: decodeField(a.error) };
  return decodedArrays[key] = { ...a, ...values, key, strides, size: stride, steps: a.steps || {} };
}

const sizeOf = (array, dim) => (array.dims.includes(dim) ? array.shape[array.dims.indexOf(dim)] : 1);

// Flat position of the value at a selection {dimension: index}; indices count as before thinning.
function positionOf(array, selection) {
  let position = 0;
  for (const dim of array.dims) {
    const index = Math.floor((selection[dim] || 0) / (array.steps[dim] || 1));
    position += array.strides[dim] * Math.min(index, sizeOf(array, dim) - 1);
  }
  return position;
}

// Positions of all values along a dimension (one position if the array does not have it).
function positionsAlong(array, dim, selection) {
  const start = positionOf(array, { ...selection, [dim]: 0 });
  return Array.from({ length: sizeOf(array, dim) }, (_, k) => start + k * (array.strides[dim] || 0));
}

// Where the values of an array lie along a dimension: numbers, or words with positions 0, 1, 2, ...
function coordinateOf(dim, array) {
  const d = DATA.dims[dim] || { size: array ? sizeOf(array, dim) : 1, label: dim, units: "1" };
  const own = array && array.at && array.at[dim];
  let values = own || d.words || d.values;
  if (!values) values = Array.from({ length: d.size }, (_, i) => (d.by === undefined ? i : d.from + d.by * i));
  const words = typeof values[0] === "string" ? values : null;
  const { label, meaning, units } = d;
  return { dim, label, meaning, units, words, values: words ? words.map((_, i) => i) : values };
}

// "0.0123 km" or the word at an index of a dimension; "12" of steps.
function placeText(dim, index) {
  const c = coordinateOf(dim);
  return c.words ? c.words[index] : numberText(c.values[index], c.units === c.label ? "" : c.units);
}
