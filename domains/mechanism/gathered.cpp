#include "fovea/domains/mechanism/gathered.hpp"

#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea::mechanism {

void Gathered::append(const std::string& name, const std::vector<double>& values) {
  values_[name].insert(values_[name].end(), values.begin(), values.end());
}

const std::vector<double>& Gathered::at(const std::string& name) const {
  const auto found = values_.find(name);
  require(found != values_.end(), "Gathered: there is no variable '", name, "'; append its values first.");
  return found->second;
}

void Gathered::add_to(Results& results, const std::string& name, std::vector<std::string> dimensions,
                      const std::string& units, const std::string& long_name) const {
  results.add(name, std::move(dimensions), at(name), units, long_name);
}

void add_numbers(Results& results, const std::string& name, std::int64_t first, std::int64_t last,
                 const std::string& units, const std::string& long_name) {
  std::vector<std::int64_t> numbers(last - first + 1);
  std::iota(numbers.begin(), numbers.end(), first);
  results.coordinate(name, numbers, units, long_name);
}

void add_means(Results& merged, const std::string& from, const std::string& name, std::vector<std::string> dimensions,
               const std::string& long_name) {
  const std::vector<double> means = view(merged.data, from).means(dimensions);
  const std::string units = merged.data.at(from).units;
  merged.add(name, std::move(dimensions), means, units, long_name);
}

void show(Results& merged, Figure figure, const std::string& title, const std::string& caption) {
  if (figure.name.empty()) figure.name = figure.variables.front();
  figure.title = title;
  figure.caption = caption;
  merged.figure(figure);
}

void add_headline(Results& merged, Headline headline, const MeanWithError& found, const std::string& units,
                  const std::string& long_name, const std::string& error_name) {
  headline.half_width = headline.variable + "_error";
  merged.scalar(headline.variable, found.mean, units, long_name);
  merged.scalar(headline.half_width, found.error, units, error_name);
  merged.headline(headline);
}

double share_above(const std::vector<double>& values, double bound) {
  return share_above(values, std::vector<double>(values.size(), bound));
}

double share_above(const std::vector<double>& values, const std::vector<double>& others) {
  double above = 0;
  for (std::size_t k = 0; k < values.size(); ++k) above += values[k] > others[k] ? 1 : 0;
  return above / static_cast<double>(values.size());
}

Tolerance tolerance_of_guessing(double chance, double questions) {
  return absolute(3.29 * std::sqrt(chance * (1 - chance) / questions));
}

}  // namespace fovea::mechanism
