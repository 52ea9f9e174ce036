#pragma once
/// What is written down at each temperature: one record, a flat row of numbers, so that checkpoints are simple.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/opinion/society/population.hpp"

namespace fovea::opinion::temperature {

/// A single number of a record: a measure of the table (measures/measure_table.hpp), or what this experiment alone
/// knows of a temperature.
struct RecordedNumber {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
};
/// In the order of the record: measures of the table, then
///   share_on_real_side, share_undecided   of the agents that are not known but can be reached from one that is
///   camp_lifetime                         plain averaging with the Gaussian score only
///   at_rest (1 or 0), steps
std::span<const RecordedNumber> recorded_numbers();
/// Where a number stands in a record. Throws ArgumentError for a name that is none.
std::size_t place_of(std::string_view name);

struct ObserverSettings {
  double camp_gap = 0.1;        ///< see find_camps()
  double least_share = 0.01;    ///< smallest share of the agents that counts as a camp
  double alpha = 1.3;           ///< of esteban_ray()
  double tolerance = 1e-6;      ///< below this an opinion is undecided
  double opinion_limit = 1;     ///< histogram over [-limit, limit] of the first component
  Index bins = 120;             ///< of the histogram
  Index attention_groups = 48;  ///< heat map of agents sorted by opinion; at most N
  Index agents_max = 2000;      ///< more agents than this: quantiles instead of single opinions
};

/// Cuts a record into its parts.
struct RecordView {
  std::span<const double> numbers;    ///< recorded_numbers()
  std::span<const double> density;    ///< bins; integrates to 1
  std::span<const double> attention;  ///< groups x groups, rows sum to 1
  std::span<const double> opinions;   ///< agents x components, or kQuantiles quantiles of the first component
  double operator[](std::string_view name) const { return numbers[place_of(name)]; }
};

class Observer {
 public:
  static constexpr Index kQuantiles = 101;
  /// population must outlive the observer.
  Observer(const society::Population& population, ObserverSettings settings);

  const ObserverSettings& settings() const { return settings_; }
  /// How many camps hold at least the least share.
  Index camps(const Matrix<double>& opinions) const;
  /// Whether all agents are in one camp; on a network, all agents of each connected part.
  bool consensus(const Matrix<double>& opinions) const;
  /// The part of a record that needs no attention: numbers (at_rest, steps and echo_chamber NaN) and density. With
  /// noise its mean over time is taken.
  std::vector<double> snapshot(const Matrix<double>& opinions) const;
  /// The whole record of a state of this population's crowd; `mean_snapshot` replaces its first part unless empty.
  std::vector<double> record(const dynamics::Dynamics& crowd, const Matrix<double>& opinions,
                             std::span<const double> mean_snapshot) const;
  std::size_t snapshot_size() const;
  std::size_t record_size() const;
  RecordView view(std::span<const double> record) const;
  bool keeps_agents() const { return population_.agents() <= settings_.agents_max; }

 private:
  const society::Graph* graph() const { return population_.graph ? &*population_.graph : nullptr; }
  measures::MeasureSettings measure_settings() const;
  void judge_sides(const Matrix<double>& opinions, std::vector<double>& record) const;
  const society::Population& population_;
  ObserverSettings settings_;
  std::vector<Index> part_;           ///< the connected part of each agent; empty without a network
  std::vector<std::uint8_t> judged_;  ///< not known, but can be reached from one that is
};

}  // namespace fovea::opinion::temperature
