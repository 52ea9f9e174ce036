#include "fovea/core/lab/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

std::string Arguments::text(std::string_view option, const std::string& fallback) const {
  const auto found = options.find(option);
  return found == options.end() || found->second.empty() ? fallback : found->second.back();
}

std::vector<std::string> Arguments::texts(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::string> Arguments::names(std::string_view option) const {
  std::vector<std::string> names;
  for (const std::string& text : texts(option))
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t stop = std::min(text.find(',', start), text.size());
      if (stop > start) names.push_back(text.substr(start, stop - start));
      start = stop + 1;
    }
  return names;
}

long long Arguments::integer(std::string_view option, long long low, long long fallback) const {
  if (!has(option)) return fallback;
  const std::string given = text(option, "");
  long long number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error == std::errc() && end == given.data() + given.size() && number >= low) return number;
  throw UsageError(concat("--", option, " ", given, ": must be a whole number >= ", low, "."));
}

double Arguments::real(std::string_view option, double low, double fallback) const {
  if (!has(option)) return fallback;
  const std::string given = text(option, "");
  double number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error == std::errc() && end == given.data() + given.size() && std::isfinite(number) && number >= low)
    return number;
  throw UsageError(concat("--", option, " ", given, ": must be a number >= ", low, "."));
}

std::size_t Arguments::bytes(std::string_view option, const std::string& fallback) const {
  const std::string word = text(option, fallback);
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string unit(end, word.data() + word.size());
  const std::map<std::string, double> units{{"", 1}, {"K", 1024.0}, {"M", 1048576.0}, {"G", 1073741824.0}};
  const auto found = units.find(unit);
  if (error != std::errc() || found == units.end() || !(number * found->second >= 0 && number * found->second < 1e15))
    throw UsageError(concat("--", option, ' ', word, ": must be a number of bytes such as 512M or 2G."));
  return static_cast<std::size_t>(number * found->second);
}

}  // namespace fovea
