#include "fovea/core/report/headline_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/report/figures/averaged.hpp"

namespace fovea {
namespace {

/// Whether it is a key of a table in a list, as formula_parameters_0_value: such a table may have a name of its own.
bool is_numbered(std::string_view dimension) {
  for (std::size_t at = dimension.find('_'); at != std::string_view::npos; at = dimension.find('_', at + 1)) {
    const std::size_t end = dimension.find_first_not_of("0123456789", at + 1);
    if (end != std::string_view::npos && end > at + 1 && dimension[end] == '_') return true;
  }
  return false;
}

/// Where each dimension of more than one place stands at a flat position.
std::vector<std::pair<std::string, std::size_t>> indices_of(const Averaged& array, std::size_t flat) {
  std::vector<std::pair<std::string, std::size_t>> indices;
  for (std::size_t i = array.dimensions.size(); i-- > 0;) {
    if (array.shape[i] > 1) indices.emplace_back(array.dimensions[i], flat % array.shape[i]);
    flat /= array.shape[i];
  }
  std::reverse(indices.begin(), indices.end());
  return indices;
}

std::vector<Averaged> coordinates_of(const Dataset& data, const Averaged& array) {
  std::vector<Averaged> coordinates;
  for (std::size_t i = 0; i < array.dimensions.size(); ++i)
    if (array.shape[i] > 1) coordinates.push_back(coordinate_of(data, array.dimensions[i]));
  return coordinates;
}

/// coordinates: coordinates_of(array), which are those of the indices.
std::string place_of(const Averaged& array, const std::vector<Averaged>& coordinates, std::size_t flat) {
  std::string place;
  const auto indices = indices_of(array, flat);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const auto& [dimension, index] = indices[k];
    const Averaged& values = coordinates[k];
    place += (place.empty() ? "" : ", ") + (is_numbered(dimension) ? values.label : dimension) + " = " +
             (values.words.empty() ? rounded_text(values.mean[index]) : values.words[index]);
  }
  return place;
}

/// The values at the places of an array of so many, which may have fewer (a prediction is often the same everywhere).
std::vector<double> values_at_places(const Dataset& data, const std::string& name, std::size_t size) {
  if (name.empty() || !data.has(name)) return std::vector<double>(size, kNan);
  const Averaged array = averaged(data, name);
  if (array.mean.size() == size) return array.mean;
  return std::vector<double>(size, array.mean.size() == 1 ? array.mean[0] : kNan);
}

/// NaN is an empty field.
std::string field(double value) { return std::isnan(value) ? "" : exact_text(value); }

}  // namespace

std::string HeadlineValue::text() const { return (least ? "<= " : "") + text_with_error(value, error); }

std::vector<HeadlineValue> headline_values(const Dataset& data, const Headline& headline) {
  std::vector<HeadlineValue> values;
  if (!data.has(headline.variable)) return values;
  const Averaged array = averaged(data, headline.variable);
  const std::vector<double> half_widths = values_at_places(data, headline.half_width, array.mean.size());
  const std::vector<double> predicted = values_at_places(data, headline.predicted, array.mean.size());
  const std::vector<Averaged> coordinates = coordinates_of(data, array);
  for (std::size_t flat = 0; flat < array.mean.size(); ++flat) {
    const double spread = array.error.empty() ? kNan : array.error[flat];
    const double error = std::isnan(spread)              ? half_widths[flat]
                         : std::isnan(half_widths[flat]) ? spread
                                                         : std::max(spread, half_widths[flat]);
    values.push_back(
        {place_of(array, coordinates, flat), array.mean[flat], error, predicted[flat], array.is_least(flat)});
  }
  return values;
}

std::string unit_text(const Dataset& data, const std::string& variable) {
  const std::string units = data.has(variable) ? data.at(variable).units : "";
  return units.empty() || units == "1" ? "" : " " + (units == "step" ? "steps" : units);
}

std::string headlines_csv(const Results& results) {
  const Dataset& data = results.data;
  std::vector<std::string> keys;
  std::vector<Averaged> arrays;
  for (const Headline& headline : results.headlines()) {
    arrays.push_back(data.has(headline.variable) ? averaged(data, headline.variable) : Averaged{});
    for (std::size_t i = 0; i < arrays.back().dimensions.size(); ++i)
      if (arrays.back().shape[i] > 1 && std::find(keys.begin(), keys.end(), arrays.back().dimensions[i]) == keys.end())
        keys.push_back(arrays.back().dimensions[i]);
  }
  std::string text = "headline";
  std::map<std::string, Averaged> coordinates;
  for (const std::string& key : keys) {
    text += "," + csv_text(key);
    coordinates[key] = coordinate_of(data, key);
  }
  const bool bound = std::any_of(arrays.begin(), arrays.end(), [](const Averaged& array) {
    for (std::size_t flat = 0; flat < array.mean.size(); ++flat)
      if (array.is_least(flat)) return true;
    return false;
  });
  text += concat(",value", bound ? ",bound" : "", ",error,predicted,unit,seeds,variable\n");
  for (std::size_t h = 0; h < arrays.size(); ++h) {
    const Headline& headline = results.headlines()[h];
    const std::vector<HeadlineValue> values = headline_values(data, headline);
    for (std::size_t flat = 0; flat < values.size(); ++flat) {
      const auto indices = indices_of(arrays[h], flat);
      text += csv_text(headline.label);
      for (const std::string& key : keys) {
        const auto at = std::find_if(indices.begin(), indices.end(), [&](const auto& one) { return one.first == key; });
        text += ',';
        if (at == indices.end()) continue;
        const Averaged& coordinate = coordinates.at(key);
        text +=
            coordinate.words.empty() ? exact_text(coordinate.mean[at->second]) : csv_text(coordinate.words[at->second]);
      }
      text += "," + field(values[flat].value) + (bound ? values[flat].least ? ",<=" : "," : "") + "," +
              field(values[flat].error) + "," + field(values[flat].predicted) + "," +
              csv_text(data.at(headline.variable).units) + "," + std::to_string(arrays[h].replicas) + "," +
              csv_text(headline.variable) + "\n";
    }
  }
  return text;
}

}  // namespace fovea
