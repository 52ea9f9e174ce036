#pragma once
/// State that can be saved and restored: one list of names serves both ways. All checkpoints are made of it.
///
///   class Walk {
///    public:
///     void visit(Archive archive) {
///       archive("step", step_);
///       archive("opinions", opinions_);
///       archive("points", points_);       // a list of things that have a visit(Archive) themselves
///     }
///     ...
///   bench.checkpoint([&] { return saved_state(walk); });
///   if (const auto saved = bench.restored()) restore_state(*saved, walk);

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea {

class Archive;

/// What has a state: its visit() names all of it, in the same order whether it is saved or restored.
template <typename Thing>
concept Stateful = requires(Thing& thing, const Archive& archive) {
  thing.visit(archive);
};

/// The one who is told the names: writes what they stand for down, or sets it. Copies speak to the same state.
/// In a saved state each name is one array, to which every call adds: the things of a list share the names of their
/// parts. A NaN comes back as the NaN of Dataset; every other number with its bits.
class Archive {
 public:
  bool restores() const;
  /// For what has a state of its own: names are "name.NAME".
  Archive within(const std::string& name) const;

  void operator()(const std::string& name, bool& value) const;
  void operator()(const std::string& name, std::int64_t& value) const;
  void operator()(const std::string& name, double& value) const;
  void operator()(const std::string& name, std::string& value) const;
  /// Of any length, also 0.
  void operator()(const std::string& name, std::vector<double>& values) const;
  void operator()(const std::string& name, std::vector<float>& values) const;
  /// Of the length that it has.
  void operator()(const std::string& name, std::span<double> values) const;
  void operator()(const std::string& name, std::span<float> values) const;
  /// Of any size, also 0 x D.
  void operator()(const std::string& name, Matrix<double>& matrix) const;
  /// With its attributes and documents. It comes back with the attribute "Conventions", which every file has.
  void operator()(const std::string& name, Dataset& data) const;

  template <Stateful Thing>
  void operator()(const std::string& name, Thing& thing) const {
    thing.visit(within(name));
  }
  template <Stateful Thing>
  void operator()(const std::string& name, std::vector<Thing>& things) const {
    const std::size_t count = length(things.size());
    if (restores()) things.clear();
    for (std::size_t k = 0; k < count; ++k) {
      if (restores()) things.emplace_back();
      things[k].visit(within(name));
    }
  }

  /// Throws DataError when restoring what was saved with another text: for what must not have changed meanwhile.
  void expect(const std::string& name, const std::string& text) const;

 private:
  struct State;
  friend Dataset saved_state(const std::function<void(Archive)>& visit);
  friend void restore_state(const Dataset& saved, const std::function<void(Archive)>& visit);

  Archive(State& state, std::string prefix) : state_(&state), prefix_(std::move(prefix)) {}
  std::string full(const std::string& name) const { return prefix_.empty() ? name : prefix_ + "." + name; }
  std::size_t count(std::size_t size) const;   ///< saved or restored, >= 0
  std::size_t length(std::size_t size) const;  ///< of a list: no more than there are values
  template <typename Item>
  void list(const std::string& name, std::vector<Item>& values) const;
  template <typename Item>
  void fixed_list(const std::string& name, std::span<Item> values) const;

  State* state_;
  std::string prefix_;
};

/// The state of what visit() names.
Dataset saved_state(const std::function<void(Archive)>& visit);
/// Back again, all of it. Throws DataError where a name is missing, of another type or of another length, where
/// something is left over, and for a state that another version of fovea saved in another format.
void restore_state(const Dataset& saved, const std::function<void(Archive)>& visit);

template <Stateful Thing>
Dataset saved_state(Thing& thing) {
  return saved_state([&thing](const Archive& archive) { thing.visit(archive); });
}
template <Stateful Thing>
void restore_state(const Dataset& saved, Thing& thing) {
  restore_state(saved, [&thing](const Archive& archive) { thing.visit(archive); });
}

}  // namespace fovea
