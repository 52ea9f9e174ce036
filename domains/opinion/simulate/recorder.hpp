#pragma once
/// What is written down of a crowd in motion: measures, a histogram and trajectories of each recorded state.

#include <span>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

/// Of those who count; definitions in measures.hpp. On the circle distances are those of angles after a cut through the
/// widest empty arc.
enum class StateMeasure {
  mean,
  sd,
  variance,
  bimodality,
  camps,
  largest_camp_share,
  camp_distance,
  esteban_ray,
  order,
  count
};

struct StateMeasureText {
  const char* name;
  const char* unit;
  const char* meaning;
};
const StateMeasureText& describe(StateMeasure measure);

class Recorder {
 public:
  Recorder(const dynamics::Dynamics& dynamics, SimulateSettings settings);

  /// Appends a state.
  void record(const Matrix<double>& opinions);
  /// Appends the last state again until there are as many as the settings say: a crowd at rest.
  void fill();

  std::size_t states() const { return states_; }
  double last(StateMeasure measure) const;
  std::vector<double> over_time(StateMeasure measure) const;
  const std::vector<float>& density() const { return density_; }            ///< states x bins, integrates to 1
  const std::vector<float>& trajectories() const { return trajectories_; }  ///< states x kept agents x D
  const std::vector<Index>& kept() const { return kept_; }                  ///< whose trajectories
  std::vector<double> bin_centres() const;
  /// The opinions of those who count, as they are measured.
  Matrix<double> counted(const Matrix<double>& opinions) const;
  const std::vector<Index>& counting() const { return counting_; }
  /// The camps of those who count; none where telling would take all pairs of many agents.
  measures::Camps camps(const Matrix<double>& counted) const;
  const SimulateSettings& settings() const { return settings_; }

  void visit(Archive archive);

 private:
  void record_density(const Matrix<double>& counted);
  void record_trajectories(const Matrix<double>& opinions);

  SimulateSettings settings_;
  bool circle_ = false, sphere_ = false;
  std::vector<Index> counting_;  ///< agents that count; empty: all
  std::vector<Index> kept_;
  std::size_t states_ = 0;
  std::vector<double> measures_;
  std::vector<float> density_, trajectories_;
};

}  // namespace fovea::opinion::simulate
