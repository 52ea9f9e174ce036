#include "fovea/domains/opinion/dynamics/models.hpp"

#include <array>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"

namespace fovea::opinion::dynamics {

namespace {

#define FOVEA_MODEL(name, equation, reads, source, score, normaliser, value, update) \
  ModelEntry{#name, equation, reads, source, Rule{Score::score, Normaliser::normaliser, Value::value, Update::update}},
constexpr std::array kModels{
#include "fovea/domains/opinion/dynamics/models.inl"
};
#undef FOVEA_MODEL

}  // namespace

constinit const Update Update::replace{
    .name = "replace", .make = make_averaging, .hears = true, .moves_edges = true, .has_feed = true, .discrete = true};
constinit const Update Update::relax{
    .name = "relax", .make = make_averaging, .hears = true, .moves_edges = true, .has_feed = true};
constinit const Update Update::turn{
    .name = "turn", .make = make_circle, .space = Space::circle, .hears = true, .one_component = true};
constinit const Update Update::project{.name = "project", .make = make_sphere, .space = Space::sphere, .hears = true};
constinit const Update Update::pairs{.name = "pairs", .make = make_meetings, .mutual = true, .moves_edges = true};
constinit const Update Update::contacts{.name = "contacts", .make = make_contacting, .one_component = true};
constinit const Update Update::repel{.name = "repel",
                                     .make = make_meetings,
                                     .mutual = true,
                                     .one_component = true,
                                     .moves_edges = true,
                                     .least_agents = 2};
constinit const Update Update::adopt{.name = "adopt",
                                     .make = make_adopting,
                                     .imitates = true,
                                     .asks = true,
                                     .one_component = true,
                                     .moves_edges = true,
                                     .least_agents = 2};
constinit const Update Update::group{
    .name = "group", .make = make_grouping, .imitates = true, .mutual = true, .one_component = true, .by_panel = true};
constinit const Update Update::outflow{.name = "outflow",
                                       .make = make_outflowing,
                                       .imitates = true,
                                       .mutual = true,
                                       .one_component = true,
                                       .least_agents = 3};
constinit const Update Update::formula{.name = "formula", .make = make_formula, .hears = true, .moves_edges = true};

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
