#include "fovea/core/data/dataset_compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

struct Gap {
  double absolute = 0;
  double relative = 0;
};

/// How far apart two values are; whole numbers exactly, even beyond 2^53.
template <typename Item>
Gap gap(const Item& a, const Item& b) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<Item, std::string>) {
    return a == b ? Gap{} : Gap{kInfinite, kInfinite};
  } else {
    if (a == b || (a != a && b != b)) return {};
    const long double x = a, y = b;
    const auto absolute = static_cast<double>(std::abs(x - y));
    if (!std::isfinite(absolute)) return {kInfinite, kInfinite};
    return {absolute, static_cast<double>(std::abs(x - y) / std::max(std::abs(x), std::abs(y)))};
  }
}

template <typename Item>
bool agrees(const Item& a, const Item& b, const Gap& gap, double rtol, double atol) {
  if (gap.absolute == 0) return true;
  if constexpr (std::is_floating_point_v<Item>)
    return std::isfinite(gap.absolute) &&
           gap.absolute <= atol + rtol * std::max(std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)));
  return false;
}

std::vector<std::size_t> subscripts_of(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) index[axis] = flat % shape[axis];
  return index;
}

template <typename Item>
Difference compare_values(const std::vector<Item>& a, const std::vector<Item>& b, const std::vector<std::size_t>& shape,
                          double rtol, double atol) {
  Difference found;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Gap between = gap(a[i], b[i]);
    if (agrees(a[i], b[i], between, rtol, atol)) continue;
    if (found.count++ == 0) {
      found.first_index = subscripts_of(i, shape);
      found.first_a = exact_text(a[i]);
      found.first_b = exact_text(b[i]);
    }
    if (!std::isfinite(between.absolute)) {
      if constexpr (!std::is_same_v<Item, std::string>) ++found.missing;
      continue;
    }
    found.max_absolute = std::max(found.max_absolute, between.absolute);
    found.max_relative = std::max(found.max_relative, between.relative);
  }
  return found;
}

/// The dimensions that are not the same, each with its size, such as "agent 100" of "(time 50, agent 100)"; all of them
/// where they are others.
std::string shape_text(const Dataset& data, const Variable& own, const Dataset& others, const Variable& other) {
  std::string text;
  for (const std::string& dimension : own.dimensions)
    if (own.dimensions != other.dimensions || data.size_of(dimension) != others.size_of(dimension))
      text += concat(text.empty() ? "" : " x ", dimension, " ", data.size_of(dimension));
  return text.empty() ? "one value" : text;
}

/// Nothing when they agree.
std::vector<Difference> compare(const Dataset& a, const Dataset& b, const Variable& x, double rtol, double atol) {
  const auto only = [&](Difference::Kind kind) {
    Difference difference;
    difference.variable = x.name;
    difference.kind = kind;
    return std::vector{difference};
  };
  if (!b.has(x.name)) return only(Difference::Kind::only_in_first);
  const Variable& y = b.at(x.name);
  if (x.values.index() != y.values.index()) return only(Difference::Kind::type);
  const std::vector<std::size_t> shape = a.shape(x);
  if (x.dimensions != y.dimensions || shape != b.shape(y)) {
    std::vector<Difference> other = only(Difference::Kind::shape);
    other[0].first_a = shape_text(a, x, b, y);
    other[0].first_b = shape_text(b, y, a, x);
    return other;
  }
  Difference found = std::visit(
      [&](const auto& list) {
        return compare_values(list, std::get<std::decay_t<decltype(list)>>(y.values), shape, rtol, atol);
      },
      x.values);
  found.variable = x.name;
  return found.count == 0 ? std::vector<Difference>{} : std::vector{found};
}

}  // namespace

std::string Difference::text() const {
  switch (kind) {
    case Kind::only_in_first:
      return variable + ": only in the first";
    case Kind::only_in_second:
      return variable + ": only in the second";
    case Kind::type:
      return variable + ": another type of values";
    case Kind::shape:
      return concat(variable, ": ", first_a, " and ", first_b);
    case Kind::values:
      break;
  }
  std::string place;
  for (const std::size_t index : first_index) place += (place.empty() ? "" : ", ") + std::to_string(index);
  std::string size;
  if (max_absolute > 0) size = concat(", at most by ", max_absolute, " (", max_relative, " of the larger)");
  if (missing > 0) size += concat(", ", missing, " missing or infinite on one side");
  return concat(variable, ": ", count, count == 1 ? " value differs" : " values differ", size, "; first [", place,
                "]: ", first_a, " and ", first_b);
}

std::vector<Difference> compare_datasets(const Dataset& a, const Dataset& b, double rtol, double atol) {
  require(rtol >= 0 && atol >= 0, "compare_datasets: rtol = ", rtol, " and atol = ", atol, "; both must be >= 0.");
  std::vector<Difference> differences;
  for (const Variable& variable : a.variables())
    for (Difference& difference : compare(a, b, variable, rtol, atol)) differences.push_back(std::move(difference));
  for (const Variable& variable : b.variables()) {
    if (a.has(variable.name)) continue;
    Difference difference;
    difference.variable = variable.name;
    difference.kind = Difference::Kind::only_in_second;
    differences.push_back(difference);
  }
  return differences;
}

}  // namespace fovea
