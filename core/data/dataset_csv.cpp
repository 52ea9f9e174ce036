#include "fovea/core/data/dataset_csv.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"

namespace fovea {
namespace {

std::vector<std::string> cells(const Values& values) {
  std::vector<std::string> list;
  std::visit(
      [&](const auto& items) {
        for (const auto& item : items) list.push_back(csv_text(exact_text(item)));
      },
      values);
  return list;
}

/// "<=" at each value that is the least of its array (least_value.hpp); none where the array has no least values.
std::vector<std::string> bounds_of(const Variable& variable, const std::vector<std::size_t>& shape) {
  std::vector<std::string> list;
  const LeastValues least = least_values(variable);
  for (std::size_t flat = 0; !least.least.empty() && flat < variable.size(); ++flat)
    list.emplace_back(is_least_p(variable.reals()[flat], least.at(variable.dimensions, shape, flat)) ? "<=" : "");
  return list;
}

/// "2008-01-01"; "" where the number is no whole day of a year with four digits.
std::string date_of_days(double days) {
  using namespace std::chrono;
  if (!(std::abs(days) < 1e6) || days != std::floor(days)) return "";
  const year_month_day date{sys_days{std::chrono::days{static_cast<int>(days)}}};
  if (const int year = static_cast<int>(date.year()); year < 0 || year > 9999) return "";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

/// The dates of a coordinate in days since 1970-01-01; none where one of them is no date.
std::vector<std::string> dates_of(const Variable& coordinate) {
  const auto* const days = std::get_if<std::vector<double>>(&coordinate.values);
  std::vector<std::string> dates;
  if (days == nullptr || coordinate.units != "days since 1970-01-01") return dates;
  for (const double day : *days) {
    dates.push_back(date_of_days(day));
    if (dates.back().empty()) return {};
  }
  return dates;
}

/// What stands in the column of a dimension at each of its places.
std::vector<std::string> labels(const Dataset& data, const std::string& dimension) {
  if (data.has(dimension))
    if (std::vector<std::string> dates = dates_of(data.at(dimension)); !dates.empty()) return dates;
  if (data.has(dimension)) return cells(data.at(dimension).values);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < data.size_of(dimension); ++i) list.push_back(std::to_string(i));
  return list;
}

}  // namespace

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

std::string to_csv(const Dataset& data, const std::string& name) {
  const Variable& variable = data.at(name);
  const std::vector<std::size_t> shape = data.shape(variable);
  const bool is_coordinate = data.is_coordinate(variable);
  std::string text;
  std::vector<std::vector<std::string>> columns;
  for (std::size_t axis = 0; axis < shape.size() && !is_coordinate; ++axis) {
    columns.push_back(labels(data, variable.dimensions[axis]));
    text += csv_text(variable.dimensions[axis]) + ",";
  }
  const std::vector<std::string> bounds = bounds_of(variable, shape), values = cells(variable.values);
  text += csv_text(name) + (bounds.empty() ? "" : "," + csv_text(name + "_bound")) + "\n";
  std::vector<std::size_t> index(columns.size(), 0);
  for (std::size_t flat = 0; flat < values.size(); ++flat) {
    for (std::size_t axis = 0; axis < columns.size(); ++axis) text += columns[axis][index[axis]] + ",";
    text += values[flat] + (bounds.empty() ? "" : "," + bounds[flat]) + "\n";
    for (std::size_t axis = columns.size(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
  }
  return text;
}

std::vector<std::string> export_csv(const Dataset& data, const std::string& folder) {
  make_folder(folder);
  std::vector<std::string> paths;
  const auto save = [&](std::string name, const std::string& text) {
    std::replace(name.begin(), name.end(), '/', '_');
    paths.push_back(folder + "/" + name + ".csv");
    write_file(paths.back(), text);
  };
  std::string scalars;
  for (const Variable& variable : data.variables()) {
    if (variable.dimensions.empty())
      scalars +=
          csv_text(variable.name) + "," + cells(variable.values).front() + "," + csv_text(variable.units) + "," +
          csv_text(variable.long_name +
                   (bounds_of(variable, {}) == std::vector<std::string>{"<="} ? concat(" (", kLeastP, ')') : "")) +
          "\n";
    else if (!data.is_coordinate(variable))
      save(variable.name, to_csv(data, variable.name));
  }
  if (!scalars.empty()) save("scalars", "name,value,units,long_name\n" + scalars);
  return paths;
}

}  // namespace fovea
