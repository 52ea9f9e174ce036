#include "fovea/domains/imaging/radiomics/references.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::imaging::radiomics {

namespace {

char separator_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.find(';') != std::string::npos ? ';' : ',';
}

}  // namespace

std::vector<Reference> read_references(const std::string& path) {
  datasets::text::CsvReader csv(path, {.separator = separator_of(path)});
  const std::size_t value = csv.column("reference value"), tolerance = csv.column("tolerance"), tag = csv.column("tag");
  std::vector<Reference> all;
  while (csv.next()) {
    Reference one{std::string(datasets::text::trimmed(csv.text(tag))), {}, 0};
    if (!csv.empty(value)) {
      one.value = csv.number(value);
      one.tolerance = csv.empty(tolerance) ? 0 : csv.number(tolerance);
      if (!(one.tolerance >= 0)) csv.refuse(tolerance, "a tolerance must be a number >= 0.");
    }
    all.push_back(std::move(one));
  }
  if (all.empty()) throw DataError(concat(path, ": has no row; a table of reference values must have at least one."));
  return all;
}

double to_three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return std::strtod(text, nullptr);
}

Comparison compared(const std::vector<Feature>& features, const std::vector<Reference>& references) {
  constexpr double kDecimalRounding = 1e-9;  // relative; 1.3 - 1.1 is not 0.2
  std::map<std::string, double, std::less<>> values;
  for (const Feature& feature : features) values.emplace(feature.tag, feature.value);
  Comparison found;
  for (const Reference& reference : references) {
    if (!reference.value) {
      ++found.without_value;
      continue;
    }
    const auto value = values.find(reference.tag);
    if (value == values.end()) {
      ++found.not_computed;
      found.failures.push_back(concat(reference.tag, ": not computed, reference ", exact_text(*reference.value)));
      continue;
    }
    ++found.compared;
    const double slack = reference.tolerance + kDecimalRounding * std::abs(*reference.value);
    if (std::abs(to_three_digits(value->second) - *reference.value) <= slack)
      ++found.agreed;
    else
      found.failures.push_back(concat(reference.tag, ": ", exact_text(value->second), ", reference ",
                                      exact_text(*reference.value), " +- ", exact_text(reference.tolerance)));
  }
  return found;
}

std::string Comparison::text() const {
  std::string lines;
  for (const std::string& failure : failures) lines += failure + '\n';
  if (without_value > 0)
    lines += concat(counted(static_cast<Index>(without_value), "row"), " without a reference value\n");
  return lines + concat(agreed, " of ", compared + not_computed, " reference values agree to 3 significant digits\n");
}

}  // namespace fovea::imaging::radiomics
