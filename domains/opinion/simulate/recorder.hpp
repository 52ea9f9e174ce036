#pragma once
/// What is written down of a crowd in motion: measures, a histogram and trajectories of each recorded state.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/opinion/simulate/records.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

/// A measure of the table (measures/measure_table.hpp) as it is written down: of those who count. On the circle
/// distances are those of angles after a cut through the widest empty arc.
struct RecordedMeasure {
  const measures::MeasureEntry* entry;
  std::string_view meaning;  ///< its long name in the results
};

/// What every simulation writes down; record.measures adds others.
std::span<const RecordedMeasure> standard_measures();

class Recorder {
 public:
  /// The crowd must outlive the recorder.
  Recorder(const Crowd& crowd, SimulateSettings settings);

  /// Appends a state.
  void record(const Crowd& crowd);
  /// After events: from now on those who are there.
  void begin(const Crowd& crowd);
  /// The same for a crowd that was restored: what is recorded of it goes on.
  void follow(const Crowd& crowd);
  /// Appends the last state again until there are as many as the settings say: a crowd at rest.
  void fill();

  std::size_t states() const { return states_; }
  const std::vector<RecordedMeasure>& recorded() const { return recorded_; }  ///< the standard ones first
  double last(std::string_view measure) const;
  std::vector<double> over_time(std::string_view measure) const;
  const std::vector<float>& density() const { return density_; }            ///< states x bins, integrates to 1
  const std::vector<float>& trajectories() const { return trajectories_; }  ///< states x kept agents x D
  const std::vector<Index>& kept() const { return kept_; }                  ///< whose trajectories
  std::vector<double> bin_centres() const;
  /// How many were there and counted at each state.
  const std::vector<double>& sizes() const { return sizes_; }
  /// The opinions of those who count, as they are measured; opinions: of all agents. These themselves where all count,
  /// else valid until the next call.
  const Matrix<double>& counted(const Matrix<double>& opinions) const;
  /// How many they are, of all ranks.
  Index count(const Matrix<double>& counted) const { return crowd_->ranks().total(counted.rows()); }
  const std::vector<Index>& counting() const { return counting_; }
  /// The camps of those who count; none where telling would take all pairs of many agents.
  measures::Camps camps(const Matrix<double>& counted) const;
  const SimulateSettings& settings() const { return settings_; }

  const Invariants& invariants() const { return invariants_; }
  const HeldOpinions& held() const { return held_; }
  const NetworkRecord& network() const { return network_; }

  void visit(Archive archive);

 private:
  bool on_circle() const { return measure_settings_.space == measures::Space::circle; }
  std::size_t place_of(std::string_view measure) const;
  void record_measures(const Matrix<double>& counted);
  void record_density(const Matrix<double>& counted);
  std::vector<std::int64_t> histogram(const Matrix<double>& counted, double width) const;
  void widen();
  void record_trajectories(const Matrix<double>& opinions);
  void record_network(const Matrix<double>& counted);

  const Crowd* crowd_;
  SimulateSettings settings_;
  measures::MeasureSettings measure_settings_;
  std::vector<RecordedMeasure> recorded_;
  std::vector<Index> counting_;          ///< agents that are there and count; empty: all
  std::optional<society::Graph> graph_;  ///< of those who count
  std::vector<Index> kept_;
  Invariants invariants_;
  HeldOpinions held_;
  NetworkRecord network_;  ///< of one that changes
  double limit_;           ///< of the histograms
  std::size_t states_ = 0;
  std::vector<double> values_;  ///< states x measures
  std::vector<double> sizes_;   ///< states
  std::vector<float> density_, trajectories_;
  mutable Matrix<double> counted_;
};

}  // namespace fovea::opinion::simulate
