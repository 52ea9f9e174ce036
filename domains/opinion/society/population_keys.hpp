#pragma once
/// The keys that say who takes part, for every experiment with a population, and the rules between them.

#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"

namespace fovea::opinion::society {

/// Opinions larger than this are refused: their fourth powers, for the kurtosis, would leave the range of a double.
inline constexpr double kLargestOpinion = 1e50;

/// Adds agents.count (agents: its default), start.*, network.*. make_population() also reads model.components,
/// model.stubbornness and record.limit, which are the experiment's own.
struct PopulationKeys {
  bool network = true;                       ///< whether the agents may stand on a network
  bool directed = false;                     ///< whether its edges may have a direction and a sign
  std::string start = "gaussian_quantiles";  ///< default of start.kind
  bool own_weight = true;                    ///< whether the weight of one's own opinion counts on it
  bool made_anew = false;  ///< by an experiment with sizes and replicas: neither agents.count nor network.seed
  bool later = false;      ///< all but start.kind and start.spread are marked as added later
};
void add_population_keys(Schema& schema, std::int64_t agents, const PopulationKeys& keys = {});

/// network.directed, false where the schema has no such key.
bool is_directed(const Config& config);

/// Complains where these keys contradict each other. count: the key with the number of agents, or with several, of
/// which the first is the smallest.
void check_population(const Config& config, Complaints& complaints, const char* count = "agents.count");

/// Keys start.* and network.* that are given but do not count with this kind of start and of network, as sentences: a
/// sweep over kinds passes through both.
std::vector<std::string> idle_population_keys(const Config& config);

/// The keys of real numbers that count with this kind of network and of start, such as "network.mean_degree".
std::vector<std::string> population_numbers(const Config& config);

/// Collects complaints at the place of a key.
class KeyRules {
 public:
  KeyRules(const Config& config, Complaints& complaints) : config_(config), complaints_(complaints) {}

  void unless(bool holds, const char* key, const std::string& sentence) {
    if (!holds) complaints_.add(config_.source(key), sentence);
  }
  bool is(const char* key, const char* value) const { return config_.text(key) == value; }
  bool given(const char* key) const { return !config_.is_default(key); }

 private:
  const Config& config_;
  Complaints& complaints_;
};

}  // namespace fovea::opinion::society
