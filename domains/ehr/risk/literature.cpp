#include "fovea/domains/ehr/risk/literature.hpp"

#include <map>

#include "fovea/core/base/missing.hpp"

namespace fovea::ehr::risk {

double literature_half_life(const std::string& variable) {
  static const std::map<std::string, double> kHours{
      {"ALT", 47}, {"AST", 17}, {"Albumin", 19 * 24}, {"TroponinI", 2.2}, {"TroponinT", 4.0}};
  const auto found = kHours.find(variable);
  return found == kHours.end() ? kNan : found->second;
}

}  // namespace fovea::ehr::risk
