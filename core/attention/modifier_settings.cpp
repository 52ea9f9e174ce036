#include "fovea/core/attention/modifier_settings.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea {

void ModifierValues::set(std::string_view key, std::vector<double> numbers) {
  numbers_.insert_or_assign(std::string(key), std::move(numbers));
}

double ModifierValues::real(std::string_view key) const {
  const std::vector<double>& numbers = reals(key);
  require(numbers.size() == 1, "modifier: '", key, "' holds ", numbers.size(), " numbers, but must hold one.");
  return numbers.front();
}

std::vector<Index> ModifierValues::wholes(std::string_view key) const {
  std::vector<Index> whole;
  for (const double number : reals(key)) whole.push_back(static_cast<Index>(number));
  return whole;
}

const std::vector<double>& ModifierValues::reals(std::string_view key) const {
  const auto found = numbers_.find(key);
  require(found != numbers_.end(), "modifier: there is no setting '", key, "'.");
  return found->second;
}

}  // namespace fovea
