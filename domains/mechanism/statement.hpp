#pragma once
/// An experiment of this laboratory, which knows its config as the struct that its keys fill.

#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/gathered.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/shared_keys.hpp"

namespace fovea::mechanism {

/// Says what is wrong with the value of a key, and where it was written.
using Complain = std::function<void(std::string_view key, const std::string& sentence)>;

template <typename Settings, const Keys<Settings>& (*keys)()>
class Statement : public Experiment {
 public:
  Schema schema() const final {
    Schema schema;
    keys().declare(schema);
    return schema;
  }
  void check(const Config& config, Complaints& complaints) const final {
    check_settings(keys().read(config), [&](std::string_view key, const std::string& sentence) {
      complaints.add(config.source(key), sentence);
    });
  }
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const final {
    measure(keys().read(config), random, results, bench);
  }

 private:
  /// Rules between keys that a range cannot say.
  virtual void check_settings(const Settings&, const Complain&) const {}
  /// One point.
  virtual void measure(const Settings& settings, const Random& random, Results& results, Workbench& bench) const = 0;
};

}  // namespace fovea::mechanism
