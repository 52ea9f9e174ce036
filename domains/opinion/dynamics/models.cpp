#include "fovea/domains/opinion/dynamics/models.hpp"

#include <array>
#include <string>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::dynamics {

namespace {

#define FOVEA_MODEL(name, equation, reads, source, score, normaliser, value, update) \
  ModelEntry{#name, equation, reads, source, Rule{Score::score, Normaliser::normaliser, Value::value, Update::update}},
constexpr std::array kModels{
#include "fovea/domains/opinion/dynamics/models.inl"
};
#undef FOVEA_MODEL

}  // namespace

bool ModelEntry::needs(std::string_view field) const {
  for (std::string_view rest = reads; !rest.empty();) {
    const std::size_t end = rest.find(", ");
    if (rest.substr(0, end) == field) return true;
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 2);
  }
  return false;
}

std::span<const ModelEntry> models() { return kModels; }

const ModelEntry& find_model(std::string_view name) {
  std::string names;
  for (const ModelEntry& entry : kModels) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw ArgumentError(concat("make_dynamics: the model is '", name, "', but must be one of ", names, "."));
}

}  // namespace fovea::opinion::dynamics
