#include "fovea/core/data/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea {
namespace {

std::vector<double> numbers_of(const Variable& variable) {
  return std::visit(
      [&](const auto& values) -> std::vector<double> {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>)
          throw ArgumentError(concat("view: '", variable.name, "' is text; a view has numbers."));
        else
          return {values.begin(), values.end()};
      },
      variable.values);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace

View::View(const Dataset& data, const std::string& name)
    : name_(name),
      dimensions_(data.at(name).dimensions),
      shape_(data.shape(data.at(name))),
      values_(numbers_of(data.at(name))) {}

View::View(const View& whole, std::size_t axis, std::size_t index)
    : name_(whole.name_), dimensions_(whole.dimensions_), shape_(whole.shape_) {
  const std::size_t step = whole.inner(axis), block = step * shape_[axis];
  for (std::size_t start = index * step; start < whole.size(); start += block)
    values_.insert(values_.end(), whole.values_.begin() + static_cast<std::ptrdiff_t>(start),
                   whole.values_.begin() + static_cast<std::ptrdiff_t>(start + step));
  dimensions_.erase(dimensions_.begin() + static_cast<std::ptrdiff_t>(axis));
  shape_.erase(shape_.begin() + static_cast<std::ptrdiff_t>(axis));
}

std::size_t View::axis_of(std::string_view dimension) const {
  auto found = std::find(dimensions_.begin(), dimensions_.end(), dimension);
  if (found == dimensions_.end())
    found = std::find(dimensions_.begin(), dimensions_.end(), concat(dimension, kPlaceInGrid));
  require(found != dimensions_.end(), "view: '", name_, "' has no dimension '", dimension,
          "' here; the remaining dimensions are: ", listed(dimensions_), ".");
  return (found - dimensions_.begin());
}

std::size_t View::inner(std::size_t axis) const {
  std::size_t distance = 1;
  for (std::size_t i = axis + 1; i < shape_.size(); ++i) distance *= shape_[i];
  return distance;
}

bool View::has(std::string_view dimension) const {
  return std::find(dimensions_.begin(), dimensions_.end(), dimension) != dimensions_.end();
}

View View::at(std::initializer_list<Place> places) const {
  View part = *this;
  for (const auto& [dimension, place] : places) {
    const std::size_t axis = part.axis_of(dimension), count = part.shape_[axis];
    const std::size_t index = place == kLast ? count - 1 : place;
    require(count > 0 && index < count, "view: index ", place, " along '", dimension, "' of '", name_,
            "', but there are ", count, ".");
    part = View(part, axis, index);
  }
  return part;
}

std::vector<View> View::along(std::string_view dimension) const {
  const std::size_t axis = axis_of(dimension);
  std::vector<View> parts;
  for (std::size_t index = 0; index < shape_[axis]; ++index) parts.push_back({*this, axis, index});
  return parts;
}

std::vector<std::vector<double>> View::series(std::string_view dimension) const {
  const std::size_t axis = axis_of(dimension), step = inner(axis), count = shape_[axis];
  std::vector<std::vector<double>> all;
  for (std::size_t start = 0; start < size(); start += step * count)
    for (std::size_t i = 0; i < step; ++i) {
      all.emplace_back();
      for (std::size_t k = 0; k < count; ++k) all.back().push_back(values_[start + k * step + i]);
    }
  return all;
}

std::vector<double> View::means(const std::vector<std::string>& dimensions) const {
  std::vector<View> parts{*this};
  for (const std::string& dimension : dimensions) {
    std::vector<View> finer;
    for (const View& part : parts)
      for (View& one : part.along(dimension)) finer.push_back(std::move(one));
    parts = std::move(finer);
  }
  std::vector<double> means;
  for (const View& part : parts) means.push_back(part.mean().mean);
  return means;
}

double View::first() const {
  require(!values_.empty(), "view: '", name_, "' has no values here.");
  return values_.front();
}

double View::largest() const {
  double largest = values_.empty() ? kNan : values_.front();
  for (const double value : values_)
    if (std::isnan(value) || value > largest) largest = value;
  return largest;
}

std::pair<double, double> View::range() const {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values_) {
    if (std::isnan(value)) continue;
    range.first = std::min(range.first, value);
    range.second = std::max(range.second, value);
  }
  return range;
}

}  // namespace fovea
