#include "fovea/core/learning/hazard_loss.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/weighted_loss.hpp"

namespace fovea::learning {

namespace {

Index count_intervals(std::string_view who, Index columns, Index ends) {
  require(ends >= 1, who, ": there are ", ends, " ends, but must be at least 1.");
  require(columns >= ends + 1 && columns % (ends + 1) == 0, who, ": there are ", columns, " logits for ", ends,
          " ends; each interval needs ", ends + 1, ", one for each end and one for none.");
  return columns / (ends + 1);
}

template <typename Real>
void check_hazard_targets(const Variable<Real>& x, Index intervals, Index ends, const HazardTargets& targets) {
  const std::size_t rows = x.rows();
  require(targets.survived.size() == rows && targets.ends.size() == rows, "hazard_loss: there are targets of ",
          targets.survived.size(), " and ", targets.ends.size(), " rows for ", rows, "; each row needs one.");
  for (std::size_t i = 0; i < rows; ++i) {
    const Index survived = targets.survived[i], end = targets.ends[i];
    require(end >= 0 && end <= ends, "hazard_loss: row ", i, " has end ", end, ", but must be in [0, ", ends,
            "], 0: none seen.");
    require(survived >= 0 && survived + (end > 0 ? 1 : 0) <= intervals, "hazard_loss: row ", i, " survived ", survived,
            " of ", intervals, " intervals", end > 0 ? " and ends in the next." : ".");
  }
}

/// -log softmax(logits)[mine]; adds nothing elsewhere. slopes: the softmax less 1 at mine, where wanted.
template <typename Real>
double interval_loss(const Real* logits, Index count, Index mine, Real* slopes, Real* room) {
  Real* const weights = slopes ? slopes : room;
  const Real top = kernels<Real>().maximum(logits, count);
  const Real sum = kernels<Real>().exponentials(logits, count, top, weights);
  if (slopes) {
    learning_kernels<Real>().scale(slopes, Real(1) / sum, 0, count, slopes);
    slopes[mine] -= Real(1);
  }
  return static_cast<double>(logarithm(sum)) + (static_cast<double>(top) - static_cast<double>(logits[mine]));
}

}  // namespace

HazardTargets hazard_targets(std::span<const double> times, std::span<const Index> ends,
                             std::span<const double> edges) {
  require(times.size() == ends.size(), "hazard_targets: there are ", times.size(), " times and ", ends.size(),
          " ends; as many are needed.");
  require(edges.size() >= 2, "hazard_targets: there are ", edges.size(), " edges, but must be at least 2.");
  for (std::size_t t = 1; t < edges.size(); ++t)
    require(edges[t] > edges[t - 1], "hazard_targets: edge ", t, " is ", edges[t], ", but the one before is ",
            edges[t - 1], "; edges must rise.");
  HazardTargets targets;
  for (std::size_t i = 0; i < times.size(); ++i) {
    require(std::isfinite(times[i]), "hazard_targets: a time is ", times[i], ", but must be finite.");
    require(ends[i] >= 0, "hazard_targets: an end is ", ends[i], ", but must be >= 0.");
    const bool seen = ends[i] > 0 && times[i] <= edges.back();
    const auto inner = edges.subspan(1);
    const auto reached =
        seen ? std::lower_bound(inner.begin(), inner.end(), times[i])  // an end at an edge came before it
             : std::upper_bound(inner.begin(), inner.end(), times[i]);
    targets.survived.push_back(reached - inner.begin());
    targets.ends.push_back(seen ? ends[i] : 0);
  }
  return targets;
}

template <typename Real>
Variable<Real> hazard_loss(Variable<Real> x, Index ends, const HazardTargets& targets, std::span<const Real> weights,
                           Real total) {
  check_loss("hazard_loss", x, weights, total);
  const Index intervals = count_intervals("hazard_loss", x.columns(), ends), width = ends + 1;
  check_hazard_targets(x, intervals, ends, targets);
  Real* const room = x.tape().room(width);
  return weighted_loss(x, weights, total, [&](Index i, Real* slopes) {
    const std::size_t row = i;
    const Index survived = targets.survived[row], end = targets.ends[row], seen = survived + (end > 0 ? 1 : 0);
    double sum = 0;
    for (Index t = 0; t < seen; ++t)
      sum += interval_loss(x.data() + i * x.columns() + t * width, width, t < survived ? ends : end - 1,
                           slopes ? slopes + t * width : nullptr, room);
    if (slopes) std::fill_n(slopes + seen * width, x.columns() - seen * width, Real(0));
    return sum;
  });
}

Matrix<double> hazard_incidences(const MatrixView<double>& logits, Index ends) {
  const Index intervals = count_intervals("hazard_incidences", logits.cols(), ends), width = ends + 1;
  Matrix<double> shares(logits.rows(), logits.cols());
  for (Index i = 0; i < logits.rows(); ++i) {
    double survival = 1;
    for (Index t = 0; t < intervals; ++t) {
      const Index first = t * width;
      const double top = logits.row(i).segment(first, width).maxCoeff();
      double sum = 0;
      for (Index k = first; k < first + width; ++k) sum += shares(i, k) = exponential(logits(i, k) - top);
      for (Index k = first; k < first + ends; ++k)
        shares(i, k) = survival * (shares(i, k) / sum) + (t > 0 ? shares(i, k - width) : 0);
      survival *= shares(i, first + ends) / sum;
      shares(i, first + ends) = survival;
    }
  }
  return shares;
}

template <typename Real>
OperationEntry<Real> hazard_loss_entry() {
  return {"hazard_loss",
          "-sum over survived t of log h_t,none - log h_t,end, h_t = softmax of x_t",
          "Singer & Willett 1993",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 9, 1, -2, 2)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            Tape<Real>& tape = in[0].tape();
            const Index rows = in[0].rows();
            HazardTargets& targets = tape.template kept<HazardTargets>() = {};
            const std::span<Real> weights(tape.room(rows), rows);
            for (Index i = 0; i < rows; ++i) {  // three intervals of two ends
              targets.survived.push_back(i % 4);
              targets.ends.push_back(i % 4 == 3 ? 0 : (i / 4 + i) % 3);
              weights[i] = static_cast<Real>(i % 5) / 2;
            }
            return hazard_loss(in[0], 2, targets, std::span<const Real>(weights), Real(7));
          },
          false};
}

#define FOVEA_HAZARD_LOSS(Real) \
  template Variable<Real> hazard_loss(Variable<Real>, Index, const HazardTargets&, std::span<const Real>, Real);
FOVEA_HAZARD_LOSS(float)
FOVEA_HAZARD_LOSS(double)
FOVEA_OPERATION_ENTRY(hazard_loss)

}  // namespace fovea::learning
