#include "fovea/core/report/figures/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/report/figures/scales.hpp"

namespace fovea {
namespace {

/// The array with other values, and of another shape. pick: takes a list of values and gives those that are kept.
template <typename Pick>
Averaged picked(const Averaged& array, std::vector<std::size_t> shape, const Pick& pick) {
  return {array.name,        array.label,       array.units,    array.dimensions, std::move(shape), pick(array.mean),
          pick(array.error), pick(array.words), array.replicas, array.meaning,    array.least};
}

struct PlaceInArray {
  std::size_t axis, outer, size, inner;
};

PlaceInArray place_of(const Averaged& array, const std::string& dimension) {
  PlaceInArray place{0, 1, 1, 1};
  const auto found = std::find(array.dimensions.begin(), array.dimensions.end(), dimension);
  place.axis = found - array.dimensions.begin();
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    (i < place.axis ? place.outer : i == place.axis ? place.size : place.inner) *= array.shape[i];
  }
  return place;
}

Averaged taken(const Averaged& array, const PlaceInArray& place, const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> shape = array.shape;
  shape[place.axis] = kept.size();
  return picked(array, shape, [&](const auto& values) {
    std::decay_t<decltype(values)> out;
    if (values.empty()) return out;
    out.reserve(place.outer * kept.size() * place.inner);
    for (std::size_t o = 0; o < place.outer; ++o) {
      for (const std::size_t k : kept) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>((o * place.size + k) * place.inner);
        out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(place.inner));
      }
    }
    return out;
  });
}

/// Replaces each kept value by the mean of the finite values of its block.
void average_blocks(std::vector<double>& out, const std::vector<double>& in, const PlaceInArray& place,
                    std::size_t step) {
  const std::size_t blocks = (place.size + step - 1) / step;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t inner = at % place.inner;
    const std::size_t block = at / place.inner % blocks;
    const std::size_t outer = at / place.inner / blocks;
    double sum = 0, count = 0;
    for (std::size_t k = block * step; k < std::min(place.size, (block + 1) * step); ++k) {
      const double value = in[(outer * place.size + k) * place.inner + inner];
      if (std::isfinite(value)) sum += value, count += 1;
    }
    out[at] = count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

Averaged reordered(Averaged array, const std::vector<std::string>& last) {
  const auto is_last = [&](const std::string& name) { return std::find(last.begin(), last.end(), name) != last.end(); };
  std::vector<std::string> order;
  for (const std::string& name : array.dimensions) {
    if (!is_last(name)) order.push_back(name);
  }
  for (const std::string& name : last) {
    if (array.has(name)) order.push_back(name);
  }
  if (order == array.dimensions) return array;
  std::vector<std::size_t> positions{0}, shape;
  for (const std::string& name : order) {
    const PlaceInArray place = place_of(array, name);
    std::vector<std::size_t> next;
    next.reserve(positions.size() * place.size);
    for (const std::size_t base : positions) {
      for (std::size_t k = 0; k < place.size; ++k) next.push_back(base + k * place.inner);
    }
    positions = std::move(next);
    shape.push_back(place.size);
  }
  Averaged out = picked(array, shape, [&](const auto& values) {
    std::decay_t<decltype(values)> moved;
    for (std::size_t k = 0; k < positions.size() && !values.empty(); ++k) moved.push_back(values[positions[k]]);
    return moved;
  });
  out.dimensions = order;
  return out;
}

Averaged thinned(Averaged array, const std::string& dimension, std::size_t step, bool blocks) {
  if (step < 2 || !array.has(dimension)) return array;
  const PlaceInArray place = place_of(array, dimension);
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < place.size; k += step) kept.push_back(k);
  Averaged out = taken(array, place, kept);
  if (blocks && !out.mean.empty()) average_blocks(out.mean, array.mean, place, step);
  return out;
}

Averaged shortened(const Averaged& array, const std::string& dimension, std::size_t count) {
  if (array.size_of(dimension) <= count || !array.has(dimension)) return array;
  std::vector<std::size_t> kept(count);
  for (std::size_t k = 0; k < count; ++k) kept[k] = k;
  return taken(array, place_of(array, dimension), kept);
}

std::string limit_network(FigureData& data, const Figure& figure, std::size_t most_nodes, std::size_t most_edges) {
  std::string note;
  const std::size_t nodes = data.arrays.at(figure.variables[0]).size_of(figure.x);
  const std::size_t step = (nodes + most_nodes - 1) / std::max<std::size_t>(most_nodes, 1);
  for (auto& [name, array] : data.arrays) array = thinned(std::move(array), figure.x, step, false);
  if (step > 1) note = concat("One node in ", step, " of ", nodes, " is drawn. ");
  if (figure.edge_source.empty() || figure.edge_target.empty()) return note;
  Averaged &source = data.arrays.at(figure.edge_source), &target = data.arrays.at(figure.edge_target);
  const std::string edge = source.dimensions.empty() ? "edge" : source.dimensions.back();
  const std::size_t all = std::min(source.mean.size(), target.mean.size());
  const double divisor = static_cast<double>(std::max<std::size_t>(step, 1));
  const auto stays = [&](double end) {
    return end >= 0 && end < static_cast<double>(nodes) && std::fmod(end, divisor) == 0;
  };
  std::vector<std::size_t> between, kept;
  for (std::size_t e = 0; e < all; ++e)
    if (stays(source.mean[e]) && stays(target.mean[e])) between.push_back(e);
  const std::size_t edge_step = std::max<std::size_t>(1, (between.size() + most_edges - 1) / most_edges);
  for (std::size_t k = 0; k < between.size(); k += edge_step) kept.push_back(between[k]);
  if (kept.size() < all) note += concat(kept.size(), " of ", all, " edges are drawn. ");
  for (Averaged* ends : {&source, &target}) {
    std::vector<double> numbers;
    for (const std::size_t e : kept) numbers.push_back(ends->mean[e] / divisor);
    ends->mean = std::move(numbers);
    ends->shape = {kept.size()};
    ends->dimensions = {edge};
  }
  for (const std::string& name : {figure.labels, figure.edge_weight}) {
    const auto found = data.arrays.find(name);
    if (found == data.arrays.end() || !found->second.has(edge) || found->second.size_of(edge) == kept.size()) continue;
    found->second = taken(found->second, place_of(found->second, edge), kept);
  }
  return note;
}

Quantised quantised(const std::vector<double>& values, std::size_t row, std::uint16_t levels) {
  Quantised out;
  out.codes.reserve(values.size());
  for (std::size_t start = 0; start < values.size(); start += row) {
    const std::vector<double> part(values.begin() + static_cast<std::ptrdiff_t>(start),
                                   values.begin() + static_cast<std::ptrdiff_t>(std::min(start + row, values.size())));
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : part) {
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
    if (low > high) low = high = 0;
    out.low.push_back(low);
    out.high.push_back(high);
    for (const double value : part) {
      const double fraction = high > low ? (value - low) / (high - low) : 0;
      out.codes.push_back(std::isfinite(value) ? static_cast<std::uint16_t>(std::lround(fraction * levels))
                                               : static_cast<std::uint16_t>(levels + 1));
    }
  }
  return out;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = static_cast<unsigned>(bytes[i]) << 16;
    if (left > 1) group |= static_cast<unsigned>(bytes[i + 1]) << 8;
    if (left > 2) group |= bytes[i + 2];
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

}  // namespace fovea
