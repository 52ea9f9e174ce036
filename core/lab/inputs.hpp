#pragma once
/// What an experiment read from its input files: Experiment::open() gives it, and the check of a config and every point
/// that reads the same are handed it.

#include <memory>
#include <typeinfo>

#include "fovea/core/base/error.hpp"

namespace fovea {

/// A handle on an object of whatever type the experiment chose; copies share it. Empty where there is nothing to read.
class Inputs {
 public:
  Inputs() = default;
  template <typename Held>
  explicit Inputs(std::shared_ptr<const Held> held) : held_(std::move(held)), type_(&typeid(Held)) {}

  bool empty() const { return held_ == nullptr; }

  /// The object; nullptr if empty. Throws ArgumentError if it is of another type: these are another experiment's.
  template <typename Held>
  std::shared_ptr<const Held> as() const {
    require(empty() || *type_ == typeid(Held), "inputs: what was opened is not what this experiment reads; hand run() ",
            "what its own open() gave.");
    return std::static_pointer_cast<const Held>(held_);
  }

 private:
  friend class OpenInputs;
  std::shared_ptr<const void> held_;
  const std::type_info* type_ = nullptr;
};

template <typename Held>
Inputs as_inputs(Held held) {
  return Inputs(std::shared_ptr<const Held>(std::make_shared<Held>(std::move(held))));
}

}  // namespace fovea
