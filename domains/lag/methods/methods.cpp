#include "fovea/domains/lag/methods/methods.hpp"

#include <array>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/methods/finders.hpp"

namespace fovea::lag::methods {

namespace {

#define FOVEA_LAG_METHOD(name, title, conditional, at_rate, source, meaning) \
  MethodEntry{#name, title, meaning, source, conditional, at_rate, &find_by_##name},
constexpr std::array kMethods{
#include "fovea/domains/lag/methods/methods.inl"
};
#undef FOVEA_LAG_METHOD

}  // namespace

std::span<const MethodEntry> methods() { return kMethods; }

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : kMethods) names.emplace_back(entry.name);
  return names;
}

const SharedChoice<>& method_key() {
  static const SharedChoice<> key{"method.name", method_names(), "method by which links are searched and tested"};
  return key;
}

const MethodEntry& method_of(std::string_view name) {
  std::string names;
  for (const MethodEntry& entry : kMethods) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw ArgumentError(concat("lag: the method is '", name, "', but must be one of ", names, "."));
}

}  // namespace fovea::lag::methods
