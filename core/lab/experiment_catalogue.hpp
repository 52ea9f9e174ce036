#pragma once
/// The experiments there are, by name. domains/registry.hpp fills one; tests make their own.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/lab/experiment.hpp"

namespace fovea {

class Catalogue {
 public:
  /// Throws ArgumentError if an experiment of that name is there already.
  void add(std::unique_ptr<Experiment> experiment);

  const Experiment* find(std::string_view name) const;  ///< nullptr if there is none
  /// Throws ArgumentError that names the nearest experiment, or all of them.
  const Experiment& at(std::string_view name) const;
  const Schema* find_schema(std::string_view name) const;  ///< nullptr if there is none
  std::vector<std::string> names() const;                  ///< alphabetical

  /// read_config() with the schemas of this catalogue.
  Config read(const Place& place, const Overrides& overrides) const;

 private:
  struct Entry {
    std::unique_ptr<Experiment> experiment;
    Schema schema;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace fovea
