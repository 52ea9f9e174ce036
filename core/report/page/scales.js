// Numbers as text, scales and ticks: the twin of words.cpp and scales.cpp.

const unitsText = units => (units && units !== "1" ? " " + units : "");
const axisLabel = (label, units) => label + (units && !isDateUnit(units) && units !== "1" && units !== label ? " (" + units + ")" : "");
const dropZeros = text => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const withMinus = text => text.replace(/^-/, "\u2212");
const powerText = e => "\u00d710" + (e < 0 ? "\u207b" : "") + [...String(Math.abs(e))].map(c => RAISED[c]).join("");

function formatNumber(value, digits = 4) {
  if (value === null || Number.isNaN(value)) return "no value";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return withMinus(String(value + 0));
  const rounded = Number(value.toPrecision(digits));
  const [mantissa, power] = rounded.toExponential(digits - 1).split("e");
  if (Number(power) < -4 || Number(power) >= 6) return withMinus(dropZeros(mantissa)) + powerText(Number(power));
  return withMinus(dropZeros(rounded.toFixed(Math.max(0, digits - 1 - Number(power)))));
}

function formatWithError(value, error) {
  if (!Number.isFinite(value) || !(error > 0)) return formatNumber(value);
  const larger = Math.max(Math.abs(value), error);
  const exponent = Math.floor(Math.log10(larger));
  const power = exponent < -4 || exponent >= 6 ? exponent : 0;
  const scale = 10 ** power;
  const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(error / scale))));
  const text = withMinus((value / scale).toFixed(decimals)) + " \u00b1 " + (error / scale).toFixed(decimals);
  return power ? "(" + text + ")" + powerText(power) : text;
}

function rangeOf(values, positive = false) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v) || (positive && v <= 0)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) return positive ? [1, 10] : [0, 1];
  if (low < high) return [low, high];
  if (positive) return [low / 2, low * 2];
  const room = low === 0 ? 1 : Math.abs(low) / 2;
  return [low - room, low + room];
}

// rangeOf, but values that hardly differ are shown beside 0, not blown up to a picture of their last digits.
function shownRange(values, positive = false) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v) || (positive && v <= 0)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (low > high || size === 0 || high - low >= 1e-3 * size) return rangeOf(values, positive);
  if (positive) return [low / 2, high * 2];
  return low > 0 ? [0, high * 1.05] : [low * 1.05, 0];
}

function makeScale([low, high], log = false, margin = 0) {
  if (log) {
    const factor = (high / low) ** margin;
    low /= factor;
    high *= factor;
    const span = Math.log(high / low);
    return { low, high, log, fraction: v => (v > 0 ? Math.log(v / low) / span : NaN), value: f =>
        low * Math.exp(f * span) };
  }
  const room = (high - low) * margin;
  low -= room;
  high += room;
  return { low, high, log, fraction: v => (v - low) / (high - low), value: f => low + f * (high - low) };
}

function roundStep(length, wanted) {
  const rough = length / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find(f => f * power >= rough * 0.999999) || 10);
}

// The smallest of 1, 2, 3, 5, 7.5 times a power of ten that is not below the value.
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 4, 5, 7.5].find(f => f * power >= value * 0.999999) || 10);
}

function linearTicks(low, high, wanted) {
  let step = roundStep(high - low, wanted);
  // A short axis around 0 would have a tick at 0 alone.
  for (let more = 1; more < 4 && Math.floor(high / step) - Math.ceil(low / step) < 1; ++more)
    step = roundStep(high - low, wanted + more);
  const first = Math.ceil(low / step - 1e-6), last = Math.floor(high / step + 1e-6);
  if (!(last - first < 1000)) return [low, high];
  return [...new Set(Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step))];
}

const LEAST_DECADES = 0.7;  // of a logarithmic axis; a shorter one has evenly spaced ticks

function logTicks(low, high, wanted) {
  const decades = Math.log10(high / low);
  if (decades < LEAST_DECADES) return linearTicks(low, high, wanted);
  const fine = decades * 3 <= wanted + 2, stride = Math.max(1, Math.ceil(decades / Math.max(1, wanted)));
  const out = [];
  for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); ++k) {
    if (k % stride) continue;
    for (const f of fine ? [1, 2, 5] : [1]) {
      const value = Number((f + "e" + k));
      if (value >= low * 0.999999 && value <= high * 1.000001) out.push(value);
    }
  }
  return out.length > 1 ? out : linearTicks(low, high, wanted);
}

// Ticks without labels: 1, 2, ..., 9 times powers of ten on a logarithmic scale.
function minorTicks({ low, high, log }) {
  const decades = Math.log10(high / low), out = [];
  if (!log || !(decades >= LEAST_DECADES) || decades > 6) return out;
  for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); ++k) {
    for (let f = 1; f < 10; ++f) if (f * 10 ** k >= low && f * 10 ** k <= high) out.push(f * 10 ** k);
  }
  return out;
}

// Labels with as many digits as it takes to tell neighbours apart.
function distinctTicks(values) {
  for (let digits = 3; ; ++digits) {
    const labels = values.map(value => formatNumber(value, digits));
    const twice = labels.map((text, i) => i > 0 && text === labels[i - 1]);
    if (digits === 15 || !twice.includes(true)) {
      return values.map((value, i) => ({ value, label: twice[i] ? "" : labels[i] }));
    }
  }
}

// [{value, label}] with the same number of decimals on all labels, no two of them equal.
function ticksOf(scale, wanted) {
  const values = scale.log ? logTicks(scale.low, scale.high, wanted) : linearTicks(scale.low, scale.high, wanted);
  const largest = Math.max(...values.map(Math.abs)), step = values.length > 1 ? values[1] - values[0] : largest;
  if (scale.log || largest >= 1e6 || step < 1e-4) return distinctTicks(values);
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  return values.map(value =>
      ({ value, label: withMinus((Math.abs(value) < step * 1e-6 ? 0 : value).toFixed(decimals)) }));
}
