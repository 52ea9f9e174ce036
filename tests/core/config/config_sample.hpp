#pragma once
/// A schema with every type of parameter, and a scratch folder, for the tests of the config reader.

#include <filesystem>
#include <fstream>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/tests/support/folders.hpp"

namespace fovea::test {

inline const std::string kHead = "experiment = \"opinion.sample\"\n";  ///< the first line of every config

inline Schema sample_schema() {
  Range shares = Range::between(0, 1);
  shares.high_open = true;
  return Schema()
      .integer("agents", 4000, Range::between(2, 1e9), "", "how many agents there are.")
      .real("temperature", 0.5, Range::positive(), "", "how evenly agents listen")
      .text("label", "none", "shown in the legend")
      .flag("noise", false, "whether opinions jitter")
      .real("shift", 0, Range::any(), "", "added to each opinion")
      .choice("network.kind", "complete", {"complete", "lattice", "karate_club"}, "who hears whom")
      .file("network.edges", "list of edges")
      .integers("network.rewire.sizes", {3, 4}, Range::at_least(1), "agents", "size of each camp")
      .reals("network.rewire.shares", {0.25}, shares, "", "share of links")
      .texts("network.names", {"left", "right"}, "names of the camps")
      .real("half_life", 2, Range::at_least(0.5), "days", "time after which half is forgotten");
}

inline FindSchema sample_finder() {
  return [](std::string_view name) -> const Schema* {
    static const Schema schema = sample_schema();
    return name == "opinion.sample" ? &schema : nullptr;
  };
}

inline Config parse_sample(const std::string& toml, const Overrides& overrides = {}, const std::string& folder = ".") {
  return parse_config(toml, "x.toml", folder, sample_finder(), {"opinion.sample", "lag.cross"}, overrides);
}

/// What the ConfigError says, or "" if there is none.
inline std::string complaint_of(const std::string& toml, const Overrides& overrides = {},
                                const std::string& folder = ".") {
  return support::refusal_of<ConfigError>([&] { parse_sample(toml, overrides, folder); });
}

/// A folder that goes away with the object.
class ScratchFolder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string path() const { return folder_.path(); }
  std::string path(const std::string& name) const { return folder_.file(name); }

 private:
  support::TemporaryFolder folder_{std::filesystem::canonical(std::filesystem::temp_directory_path())};
};

}  // namespace fovea::test
