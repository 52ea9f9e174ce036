#include "fovea/core/data/least_value.hpp"

#include <cstdlib>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {

namespace {

constexpr const char *kLeastAttribute = "least_p", *kOverAttribute = "least_p_over";

}  // namespace

void set_least(Variable& variable, double least) { set_least(variable, "", {least}); }

void set_least(Variable& variable, const std::string& over, const std::vector<double>& least) {
  std::string text;
  for (const double one : least) text += (text.empty() ? "" : " ") + exact_text(one);
  variable.attributes[kLeastAttribute] = text;
  if (!over.empty()) variable.attributes[kOverAttribute] = over;
}

double LeastValues::at(const std::vector<std::string>& dimensions, const std::vector<std::size_t>& shape,
                       std::size_t flat) const {
  if (least.empty() || over.empty()) return least.empty() ? kNan : least.front();
  for (std::size_t axis = dimensions.size(); axis-- > 0; flat /= shape[axis])
    if (dimensions[axis] == over) return least.at(flat % shape[axis]);
  return kNan;
}

LeastValues least_values(const Variable& variable) {
  LeastValues found;
  const auto text = variable.attributes.find(kLeastAttribute), over = variable.attributes.find(kOverAttribute);
  if (text == variable.attributes.end()) return found;
  if (over != variable.attributes.end()) found.over = over->second;
  const char* at = text->second.c_str();
  for (char* end = nullptr;; at = end) {
    const double one = std::strtod(at, &end);
    if (end == at) return found;
    found.least.push_back(one);
  }
}

}  // namespace fovea
