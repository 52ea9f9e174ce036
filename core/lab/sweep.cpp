#include "fovea/core/lab/sweep.hpp"

#include <type_traits>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr std::size_t kMostMistakes = 20;

std::string item_text(bool value) { return value ? "true" : "false"; }
std::string item_text(const std::string& value) { return '"' + value + '"'; }
std::string item_text(std::int64_t value) { return std::to_string(value); }
std::string item_text(double value) { return concat(value); }

std::string item_text(const ConfigTable& table);

template <typename Element>
std::string item_text(const std::vector<Element>& values) {
  std::string text = "[";
  for (const Element& value : values) text += (text.size() > 1 ? ", " : "") + item_text(value);
  return text + "]";
}

std::string item_text(const ConfigTable& table) {
  std::string text = "{type = " + item_text(table.type());
  for (const std::string& key : table.keys()) text += ", " + key + " = " + to_text(table.value(key));
  return text + "}";
}

}  // namespace

Sweep::Sweep(Config config) : config_(std::move(config)), axes_(config_.sweep) {
  require(config_.seed.has_value(), "sweep: the config has no seed; resolve_seed() sets it.");
  if (axes_.empty() || axes_.back().key != "seed")
    axes_.push_back({"seed", {static_cast<std::int64_t>(*config_.seed)}});
  for (const SweepAxis& axis : axes_) size_ *= axis.values.size();
  config_.sweep.clear();  // each point's config starts as a copy
  config_.title.clear();
}

std::vector<std::size_t> Sweep::index(std::size_t point) const {
  require(point < size_, "sweep: there is no point ", point, "; there are ", size_, ".");
  std::vector<std::size_t> place(axes_.size());
  for (std::size_t axis = axes_.size(); axis-- > 0;) {
    place[axis] = point % axes_[axis].values.size();
    point /= axes_[axis].values.size();
  }
  return place;
}

Config Sweep::config(std::size_t point) const {
  Config single = config_;
  move_to(point, single);
  return single;
}

void Sweep::move_to(std::size_t point, Config& config) const {
  const std::vector<std::size_t> place = index(point);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const ConfigValue& value = axes_[i].values[place[i]];
    if (axes_[i].key == "seed") {
      config.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    } else {
      config.set(axes_[i].key, value, config_.source(axes_[i].key));
    }
  }
}

std::string Sweep::label(std::size_t point) const {
  const std::vector<std::size_t> place = index(point);
  std::string text;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    text += concat(text.empty() ? "" : ", ", axes_[i].key, " = ", to_text(axes_[i].values[place[i]]));
  return text;
}

std::string to_text(const ConfigValue& value) {
  return std::visit([](const auto& held) { return item_text(held); }, value);
}

void check_points(const Experiment& experiment, const Config& config, OpenInputs& inputs) {
  Config seeded = config;
  if (!seeded.seed) resolve_seed(seeded, 1);
  const Sweep sweep(std::move(seeded));
  const std::size_t replicas = sweep.axes().back().values.size();  // rules do not depend on the seed
  Complaints complaints;
  Config single = sweep.config(0);
  for (std::size_t point = 0; point < sweep.size() && complaints.lines().size() < kMostMistakes; point += replicas) {
    sweep.move_to(point, single);
    experiment.check(single, complaints);
  }
  complaints.raise();
  for (std::size_t point = 0; point < sweep.size(); point += replicas) {
    sweep.move_to(point, single);
    if (point > 0 && inputs.knows(single)) continue;
    const Inputs opened = inputs.of(experiment, single);
    if (!opened.empty()) experiment.check_inputs(single, opened);
  }
}

}  // namespace fovea
