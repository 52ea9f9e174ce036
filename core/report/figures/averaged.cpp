#include "fovea/core/report/figures/averaged.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// outer x size x inner: an array seen from one of its dimensions.
struct Split {
  std::size_t outer = 1, size = 1, inner = 1;
};

Split split_at(const std::vector<std::size_t>& shape, std::size_t axis) {
  Split split;
  for (std::size_t i = 0; i < shape.size(); ++i)
    (i < axis ? split.outer : i == axis ? split.size : split.inner) *= shape[i];
  return split;
}

std::vector<std::string> meanings(const Variable& variable) {
  const auto found = variable.attributes.find("flag_meanings");
  if (found == variable.attributes.end()) return {};
  std::istringstream text(found->second);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// Flag number k of flag_values (0, 1, 2, ... if not given) is called flag_meanings[k].
std::vector<std::string> flag_words(const Variable& variable, const std::vector<double>& numbers) {
  const std::vector<std::string> names = meanings(variable);
  std::map<double, std::string> called;
  const auto listed = variable.attributes.find("flag_values");
  std::istringstream values(listed == variable.attributes.end() ? "" : listed->second);
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string value;
    values >> value;
    try {
      called[value.empty() ? static_cast<double>(k) : std::stod(value)] = names[k];
    } catch (const std::exception&) {
      called[static_cast<double>(k)] = names[k];
    }
  }
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(called.contains(number) ? called[number] : concat(number));
  return words;
}

/// All replicas, not yet averaged. named: flags are their words.
Averaged complete(const Dataset& data, const std::string& name, bool named = true) {
  const Variable& variable = data.at(name);
  Averaged out{name,
               label_text(name, variable.long_name),
               with_raised_powers(variable.units),
               variable.dimensions,
               data.shape(variable),
               {},
               {},
               {},
               1,
               variable.long_name};
  std::visit(
      [&](const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>) {
          out.words = values;
        } else {
          out.mean.reserve(values.size());
          for (const auto value : values) out.mean.push_back(static_cast<double>(value));
        }
      },
      variable.values);
  if (named && !out.mean.empty() && !meanings(variable).empty()) {
    out.words = flag_words(variable, out.mean);
    out.mean.clear();
  }
  // A list of what each value means begins with one of the values.
  if (contains(out.words, out.label)) out.label = label_text(name, "");
  return out;
}

std::size_t axis_of(const Averaged& array, std::string_view dimension) {
  return std::find(array.dimensions.begin(), array.dimensions.end(), dimension) - array.dimensions.begin();
}

void drop_dimension(Averaged& array, std::size_t axis) {
  array.dimensions.erase(array.dimensions.begin() + static_cast<std::ptrdiff_t>(axis));
  array.shape.erase(array.shape.begin() + static_cast<std::ptrdiff_t>(axis));
}

template <typename T>
void keep_first(std::vector<T>& values, const Split& split) {
  if (values.empty()) return;
  std::vector<T> first;
  for (std::size_t o = 0; o < split.outer; ++o)
    for (std::size_t i = 0; i < split.inner; ++i) first.push_back(values[o * split.size * split.inner + i]);
  values = std::move(first);
}

void take_first(Averaged& array, std::size_t axis) {
  const Split split = split_at(array.shape, axis);
  keep_first(array.mean, split);
  keep_first(array.error, split);
  keep_first(array.words, split);
  drop_dimension(array, axis);
}

template <typename T>
bool constant_along(const std::vector<T>& values, const Split& split) {
  const auto same = [](const T& a, const T& b) { return a == b || (a != a && b != b); };
  for (std::size_t o = 0; o < split.outer && !values.empty(); ++o)
    for (std::size_t k = 1; k < split.size; ++k)
      for (std::size_t i = 0; i < split.inner; ++i) {
        const std::size_t base = o * split.size * split.inner + i;
        if (!same(values[base], values[base + k * split.inner])) return false;
      }
  return true;
}

/// Mean and standard error of the finite ones among `count` values that are `stride` apart.
std::pair<double, double> mean_and_error(const double* values, std::size_t count, std::size_t stride) {
  double sum = 0, number = 0, low = kNan, high = kNan;
  for (std::size_t k = 0; k < count; ++k) {
    if (const double value = values[k * stride]; std::isfinite(value)) {
      sum += value;
      number += 1;
      low = std::isnan(low) ? value : std::min(low, value);
      high = std::isnan(high) ? value : std::max(high, value);
    }
  }
  if (number == 0) return {kNan, kNan};
  if (low == high) return {low, number > 1 ? 0 : kNan};  // to the last bit
  const double mean = sum / number;
  double squares = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (const double value = values[k * stride]; std::isfinite(value)) squares += (value - mean) * (value - mean);
  }
  return {mean, number > 1 ? std::sqrt(squares / (number - 1) / number) : kNan};
}

/// The median of those among `count` values that are numbers, `stride` apart.
double median_along(const double* values, std::size_t count, std::size_t stride) {
  std::vector<double> known;
  for (std::size_t k = 0; k < count; ++k)
    if (!std::isnan(values[k * stride])) known.push_back(values[k * stride]);
  if (known.empty()) return kNan;
  std::sort(known.begin(), known.end());
  const double low = known[(known.size() - 1) / 2], high = known[known.size() / 2];
  return low == high ? low : low + (high - low) / 2;
}

void average_over(Averaged& array, std::size_t axis) {
  const Split split = split_at(array.shape, axis);
  if (split.size == 1) {  // in place: it may be the largest array of a sweep
    for (double& value : array.mean) value = std::isfinite(value) ? value : kNan;
    return drop_dimension(array, axis);
  }
  std::vector<double> mean(split.outer * split.inner), error(mean.size());
  for (std::size_t o = 0; o < split.outer; ++o) {
    for (std::size_t i = 0; i < split.inner; ++i) {
      const std::size_t at = o * split.inner + i;
      std::tie(mean[at], error[at]) =
          mean_and_error(&array.mean[o * split.size * split.inner + i], split.size, split.inner);
    }
  }
  array.mean = std::move(mean);
  array.error = std::move(error);
  array.replicas = split.size;
  drop_dimension(array, axis);
}

Averaged averaged_over_replicas(const Dataset& data, const std::string& name) {
  Averaged array = complete(data, name);
  if (!array.has(kReplicas)) return array;
  const std::size_t axis = axis_of(array, kReplicas);
  if (array.words.empty() && !array.mean.empty()) {
    average_over(array, axis);
  } else {
    take_first(array, axis);
  }
  return array;
}

/// The value of the first mark on a dimension, NaN if there is none.
double first_mark(const Dataset& data, const std::vector<Figure>& figures, const std::string& dimension) {
  for (const Figure& figure : figures) {
    if (figure.x != dimension) continue;
    for (const std::string& mark : figure.marks) {
      const std::vector<double> values = averaged(data, mark).mean;
      const auto finite = std::find_if(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
      if (finite != values.end()) return *finite;
    }
  }
  return kNan;
}

}  // namespace

bool Averaged::has(std::string_view dimension) const { return contains(dimensions, dimension); }

std::size_t Averaged::size_of(std::string_view dimension) const {
  const std::size_t axis = axis_of(*this, dimension);
  return axis < shape.size() ? shape[axis] : 1;
}

std::size_t Averaged::position(const Selection& selection) const {
  std::size_t flat = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto found = selection.find(dimensions[i]);
    flat = flat * shape[i] + (found == selection.end() ? 0 : std::min(found->second, shape[i] - 1));
  }
  return flat;
}

std::vector<std::size_t> Averaged::along(std::string_view dimension, const Selection& selection) const {
  Selection at = selection;
  std::vector<std::size_t> positions(size_of(dimension));
  for (std::size_t k = 0; k < positions.size(); ++k) {
    at.insert_or_assign(std::string(dimension), k);
    positions[k] = position(at);
  }
  return positions;
}

Averaged all_replicas(const Dataset& data, const std::string& name) { return complete(data, name); }

Averaged first_replica(const Dataset& data, const std::string& name) {
  Averaged array = complete(data, name);
  if (array.has(kReplicas)) take_first(array, axis_of(array, kReplicas));
  return array;
}

Averaged first_numbers(const Dataset& data, const std::string& name) {
  Averaged array = complete(data, name, false);
  if (array.has(kReplicas)) take_first(array, axis_of(array, kReplicas));
  return array;
}

Averaged averaged(const Dataset& data, const std::string& name) {
  Averaged array = averaged_over_replicas(data, name);
  array.least = least_values(data.at(name));
  const auto& attributes = data.at(name).attributes;
  const auto beside = attributes.find("ancillary_variables");
  if (!array.error.empty() || beside == attributes.end() || !data.has(beside->second)) return array;
  const Averaged error = averaged_over_replicas(data, beside->second);
  if (error.shape == array.shape) array.error = error.mean;
  return array;
}

Averaged median_of_replicas(const Dataset& data, const std::string& name) {
  Averaged array = complete(data, name);
  if (!array.has(kReplicas)) return array;
  const std::size_t axis = axis_of(array, kReplicas);
  if (array.mean.empty()) {
    take_first(array, axis);
    return array;
  }
  const Split split = split_at(array.shape, axis);
  std::vector<double> medians;
  for (std::size_t o = 0; o < split.outer; ++o)
    for (std::size_t i = 0; i < split.inner; ++i)
      medians.push_back(median_along(&array.mean[o * split.size * split.inner + i], split.size, split.inner));
  array.mean = std::move(medians);
  array.replicas = split.size;
  drop_dimension(array, axis);
  return array;
}

Averaged squeezed(Averaged array, const std::vector<std::string>& keep) {
  for (std::size_t axis = array.shape.size(); axis-- > 0;) {
    if (contains(keep, array.dimensions[axis])) continue;
    const Split split = split_at(array.shape, axis);
    if (constant_along(array.mean, split) && constant_along(array.words, split)) take_first(array, axis);
  }
  return array;
}

bool differs_between_replicas(const Dataset& data, const std::string& name) {
  const Averaged array = complete(data, name);
  if (!array.has(kReplicas)) return false;
  const Split split = split_at(array.shape, axis_of(array, kReplicas));
  return !constant_along(array.mean, split) || !constant_along(array.words, split);
}

Averaged coordinate_of(const Dataset& data, const std::string& dimension) {
  if (data.has(dimension) && data.is_coordinate(data.at(dimension))) return complete(data, dimension);
  Averaged numbers{dimension, label_text(dimension, ""), "1", {dimension}, {data.size_of(dimension)}, {}, {}, {}, 1};
  for (std::size_t i = 0; i < numbers.shape[0]; ++i) numbers.mean.push_back(static_cast<double>(i));
  return numbers;
}

std::vector<std::string> marks_on_x(const Dataset& data, const Figure& figure) {
  if (!figure.x.ends_with(kPlaceInGrid)) return figure.marks;
  const std::string grid = figure.x.substr(0, figure.x.size() - kPlaceInGrid.size());
  const bool differs = data.has(grid) && contains(data.at(grid).dimensions, figure.x);
  return differs ? std::vector<std::string>() : figure.marks;
}

bool has_log_x(const Dataset& data, const Figure& figure) {
  if (!figure.log_x || figure.x.empty()) return false;
  const Averaged coordinate = coordinate_of(data, figure.x);
  return std::none_of(coordinate.mean.begin(), coordinate.mean.end(), [](double value) { return value <= 0; });
}

std::vector<std::string> sliders_of(const FigureData& figure, const std::vector<std::string>& axes) {
  std::vector<std::string> sliders;
  for (const auto& [name, array] : figure.arrays)
    for (const std::string& dimension : array.dimensions)
      if (!contains(axes, dimension) && !contains(sliders, dimension)) sliders.push_back(dimension);
  return sliders;
}

namespace {

/// The words that all of them end with; backwards: begin with.
std::vector<std::string> shared_end(std::vector<std::vector<std::string>> labels, bool backwards) {
  for (auto& words : labels)
    if (!backwards) std::reverse(words.begin(), words.end());
  std::vector<std::string> shared = labels.front();
  for (const auto& words : labels)
    shared.resize(std::mismatch(shared.begin(), shared.end(), words.begin(), words.end()).first - shared.begin());
  if (!backwards) std::reverse(shared.begin(), shared.end());
  return shared;
}

/// "mean training loss" of "mean training loss of the epoch": what a preposition begins says where or when.
std::vector<std::string> head_of(std::vector<std::string> words) {
  static const std::set<std::string> kPrepositions{"against", "at", "by", "for",  "from",
                                                   "in",      "of", "on", "over", "with"};
  const auto rest =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return kPrepositions.contains(word); });
  if (rest != words.begin()) words.erase(rest, words.end());
  return words;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

}  // namespace

std::string label_of_values(const Dataset& data, const Figure& figure) {
  const bool together = figure.kind == "lines" || figure.kind == "histogram";
  if (!together || !figure.value_label.empty() || figure.variables.size() < 2) return figure.value_label;
  std::vector<std::string> labels;
  std::vector<std::vector<std::string>> words;
  for (const std::string& name : figure.variables) {
    labels.push_back(label_text(name, data.has(name) ? data.at(name).long_name : ""));
    std::istringstream stream(labels.back());
    words.push_back(head_of({std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()}));
  }
  for (const bool backwards : {false, true})
    if (const auto shared = shared_end(words, backwards); !shared.empty()) return joined(shared, " ");
  return joined(labels, ", ");
}

bool is_time(const Dataset& data, const std::string& dimension) {
  if (!data.has(dimension)) return false;
  const auto& attributes = data.at(dimension).attributes;
  const auto axis = attributes.find("axis");
  return axis != attributes.end() && axis->second == "T";
}

Selection start_selection(const Dataset& data, const std::vector<Figure>& figures,
                          const std::vector<std::string>& sliders) {
  Selection start;
  for (const std::string& dimension : sliders) {
    const std::vector<double> values = coordinate_of(data, dimension).mean;
    if (is_time(data, dimension) && !values.empty()) {
      start[dimension] = values.size() - 1;
      continue;
    }
    std::vector<std::size_t> rising(values.size());
    std::iota(rising.begin(), rising.end(), std::size_t{0});
    std::stable_sort(rising.begin(), rising.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const double mark = first_mark(data, figures, dimension);
    const auto above =
        std::find_if(rising.begin(), rising.end(), [&](std::size_t i) { return values[i] > mark; }) - rising.begin();
    const std::size_t place = std::isnan(mark) ? (values.size() - 1) / 4 : std::max<std::size_t>(above, 1) - 1;
    start[dimension] = values.empty() ? 0 : rising[place];
  }
  return start;
}

}  // namespace fovea
