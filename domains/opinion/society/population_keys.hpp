#pragma once
/// The keys that say who takes part, for every experiment with a population, and the rules between them.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/config.hpp"

namespace fovea::opinion::society {

enum class StartKind {
  gaussian_quantiles,
  normal,
  uniform,
  groups,
  labelled,
  file,
  two_opinions,
  even,
  two_camps,
  several_opinions
};
enum class NetworkKind { none, erdos_renyi, barabasi_albert, watts_strogatz, block_model, karate, edges };

/// The keys start.*; members have their defaults.
struct StartSettings {
  StartKind kind = StartKind::gaussian_quantiles;
  double spread = 1, separation = 1, share = 0.5;
  std::int64_t opinions = 10;
  std::string file;
  std::vector<std::int64_t> known_nodes;
  std::int64_t known_per_side = 0;
  bool known_by_degree = true;
  double known_stubbornness = 1;
  Source kind_place, nodes_place, per_side_place;  ///< of keys that may not suit a network from a file
};
/// The keys network.*.
struct NetworkSettings {
  NetworkKind kind = NetworkKind::none;
  std::string edges, labels, label_column, relation;  ///< files, a column, and a value
  std::int64_t seed = 1;
  bool use_weights = false, directed = false, refuse_parallel = false;
  double self_weight = 1, mean_degree = 10, rewiring = 0.1, within = 18, between = 2;
  Index links = 5, blocks = 4;
  bool is_read() const { return kind == NetworkKind::karate || kind == NetworkKind::edges; }
  bool is_drawn() const { return kind != NetworkKind::none && !is_read(); }
};
struct PopulationSettings {
  Index agents = 0;  ///< agents.count; 0: the experiment has sizes of its own
  StartSettings start;
  NetworkSettings network;
  Index components = 1;     ///< model.components
  double stubbornness = 0;  ///< model.stubbornness
  double limit = 0;         ///< record.limit; 0: none is given
  bool is_read() const { return network.is_read() || start.kind == StartKind::file; }
  bool is_drawn() const;  ///< whether the start or the network is drawn
};
PopulationSettings population_settings(const Config& config);
/// Of what is read from files alone, with what that needs. Asks for no other keys.
PopulationSettings population_files_settings(const Config& config);

/// Which of the keys an experiment has; model.components, model.stubbornness and record.limit it declares itself.
struct PopulationKeys {
  bool network = true;                              ///< whether the agents may stand on a network
  bool directed = false;                            ///< whether its edges may have a direction and a sign
  StartKind start = StartKind::gaussian_quantiles;  ///< default of start.kind
  bool own_weight = true;                           ///< whether the weight of one's own opinion counts on it
  bool made_anew = false;  ///< by an experiment with sizes and replicas: neither agents.count nor network.seed
  bool later = false;      ///< all but start.kind and start.spread are marked as added later
};
/// Adds agents.count (agents: its default), start.*, network.*.
void add_population_keys(Schema& schema, Index agents, const PopulationKeys& keys = {});

/// Collects complaints at the place of a key.
class KeyRules {
 public:
  KeyRules(const Config& config, Complaints& complaints) : config_(config), complaints_(complaints) {}

  template <typename... Parts>
  void unless(bool holds, std::string_view key, const Parts&... sentence) {
    if (!holds) complaints_.add(config_.source(key), concat(sentence...));
  }
  bool given(std::string_view key) const;                             ///< false where the experiment has no such key
  std::vector<std::string> given_keys(std::string_view group) const;  ///< those that begin so, as declared
  const std::string& word(std::string_view key) const { return config_.text(key); }
  std::string said(std::string_view key) const;  ///< network.kind = "edges"
  void raise() const { complaints_.raise(); }    ///< throws ConfigError if there was any

 private:
  const Config& config_;
  Complaints& complaints_;
};

/// Complains where these keys contradict each other. count: the key with the number of agents, or with several, of
/// which `least` is the smallest.
void check_population(const PopulationSettings& settings, KeyRules& rules, const char* count, std::int64_t least);

/// A sentence on keys that are given, but do nothing.
std::string without_effect(const std::string& why, const std::vector<std::string>& keys);

/// Keys start.* and network.* that are given but do not count with this kind of start and of network, as sentences: a
/// sweep over kinds passes through both.
std::vector<std::string> idle_population_keys(const KeyRules& rules);

/// The keys of real numbers that count with this kind of network and of start, such as "network.mean_degree".
std::vector<std::string> population_numbers(const PopulationSettings& settings);

}  // namespace fovea::opinion::society
