#pragma once
/// The model that opinion.fit explains a series of samples with: a distribution that is pushed forward by attention.
/// fitting.md has its equations. The distribution is held by nodes with weights (a trapezoid rule in each normal
/// component, which converges faster than any power), and the derivatives of every node by every parameter are carried
/// along, see kernels/model.cpp. Cost a step: O(N^2) for the N = 81 or 162 nodes, whatever the number of agents is.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::fit {

/// Places of the parameters in theta. The start's follow: mean, log sd of each component, then the logit of the first
/// component's share if there are two.
enum FitPlace : Index { kLogTemperature, kLogitStubbornness, kDrift, kGrowth, kLogNoise, kStart };

/// Bounds of log T at which attention is exactly x itself (0) and exactly the mean (infinity), for opinions of order 1.
inline constexpr double kFrozenLogTemperature = -60, kUniformLogTemperature = 60;

/// The points of a scale on which answers are given. An answer is the point of the cell in which the opinion and its
/// error fall; cells meet halfway between neighbouring points, and the first and the last have no other end.
struct AnswerGrid {
  std::vector<double> points;  ///< ascending; empty: answers are continuous
  bool empty() const { return points.empty(); }
  double step() const;                       ///< the least distance of two points
  double lower_edge(std::size_t k) const;    ///< of the cell of point k; -infinity at k = 0, infinity behind the last
  std::size_t nearest(double answer) const;  ///< the point whose cell an answer is in; on an edge the lower one
};

/// What each of `count` answers counts: w n / sum w with the effective size n = (sum w)^2 / sum w^2 (Kish 1965).
/// weights: empty: 1 each.
std::vector<double> answer_counts(std::size_t count, std::span<const double> weights);

/// One period's sample, equal values merged.
struct MeasuredPeriod {
  std::vector<double> values;
  std::vector<double> counts;
  std::vector<double> low, high;  ///< edges of the cell of each value; empty: a density is measured
  double total() const;
};

/// values rounded to whole multiples of `width` > 0 and merged. Rounding adds width^2 / 12 to the variance of the
/// error. weights: see answer_counts().
MeasuredPeriod measured_period(std::span<const double> values, double width, std::span<const double> weights = {});

/// The same for answers on a grid: each counts in the cell that it falls into, and by halves in both where it is on the
/// edge. Cells without answers are left out.
MeasuredPeriod measured_cells(std::span<const double> values, const AnswerGrid& grid,
                              std::span<const double> weights = {});

struct FitModel {
  Index components = 2;                          ///< 1 or 2 normal distributions at the start
  Index nodes = 81;                              ///< of each component, on [-4.5, 4.5] standard deviations
  Index steps_per_period = 1;                    ///< >= 1
  std::vector<Index> gaps{};                     ///< from each period to the next, in units of the least; empty: 1 each
  Index steps_before(std::size_t period) const;  ///< of the model, from the period before
  Index parameters() const { return kStart + (components == 1 ? 2 : 5); }
};

/// The distribution at one period.
struct CrowdMeasure {
  std::vector<double> opinions;
  std::vector<double> weights;  ///< > 0, sum 1
};

/// From period 0 to periods - 1. Throws ArgumentError where theta has another size than model.parameters().
std::vector<CrowdMeasure> push_forward(const FitModel& model, std::span<const double> theta, Index periods);

/// Density of a measurement at each of `places`: the distribution smeared with the error.
std::vector<double> measured_density(const CrowdMeasure& crowd, double noise, std::span<const double> places);

/// Share of the answers at each point of a grid.
std::vector<double> measured_shares(const CrowdMeasure& crowd, double noise, const AnswerGrid& grid);

/// Of independent measurements, with its first derivatives.
struct FitLikelihood {
  double value = 0;            ///< sum over all of log p
  Vector<double> gradient;     ///< (parameters); empty where not asked for
  Matrix<double> information;  ///< sum of score score', the outer-product estimate of Fisher's information
};
FitLikelihood fit_likelihood(const FitModel& model, std::span<const double> theta,
                             std::span<const MeasuredPeriod> periods, bool derivatives = true);

/// Sum over persons of (sum of their scores)(sum of their scores)': what takes the place of the information where the
/// same persons are measured in several periods (cluster-robust; Liang and Zeger 1986). persons: who each value is of,
/// in periods whose values are not merged.
Matrix<double> clustered_information(const FitModel& model, std::span<const double> theta,
                                     std::span<const MeasuredPeriod> periods,
                                     std::span<const std::vector<std::int64_t>> persons);

/// log p of one period's sample alone: for what was held out.
double log_density_of(const CrowdMeasure& crowd, double noise, const MeasuredPeriod& sample);

}  // namespace fovea::opinion::fit
