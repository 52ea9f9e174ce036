/// Plain sums over rows of speakers. This is the path of networks, so it is compiled with full optimisation
/// (CMakeLists.txt).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fovea/core/kernels/kernels.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr double kHighestExponent = 700;  // e^700 is finite, as is the sum of 1e3 of them

/// Gathers opinions, scores and weighs them, and sums what is heard: one listener at a time.
class RowSums {
 public:
  RowSums(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values)
      : rule_(rule), opinions_(opinions), values_(values), d_(opinions.cols()) {}

  /// speakers: nullptr for all agents. weights: nullptr for 1. heard: V numbers.
  void operator()(Index i, Index count, const std::uint32_t* speakers, const double* weights, double* heard) {
    if (rule_.score == Score::alike && rule_.reach.empty() && speakers != nullptr)
      return mean_of_all(i, count, speakers, weights, heard);
    const std::size_t size = count;
    if (row_.size() < size) row_.resize(size);
    compare(i, count, speakers);
    weigh(i, count);
    double audible = 0;
    if (weights != nullptr)
      for (Index k = 0; k < count; ++k) row_[k] *= weights[k];
    if (!rule_.reach.empty())
      for (Index k = 0; k < count; ++k) row_[k] *= rule_.reach_of(speaker(speakers, k));
    if (rule_.normaliser == Normaliser::crowd) {
      for (Index k = 0; k < count; ++k)
        audible += (weights != nullptr ? weights[k] : 1.0) * rule_.reach_of(speaker(speakers, k));
    }
    add_up(i, count, speakers, audible, heard);
  }

 private:
  /// Where everybody is heard alike no row is needed. sum_j W_ij v_j / sum_j |W_ij|: a negative weight repels
  /// (Altafini 2013); who hears nobody keeps its own value.
  void mean_of_all(Index i, Index count, const std::uint32_t* speakers, const double* weights, double* heard) const {
    const Index width = values_.cols();
    double total = weights == nullptr ? static_cast<double>(count) : 0;
    if (weights != nullptr)
      for (Index k = 0; k < count; ++k) total += std::abs(weights[k]);
    if (!(total > 0)) {
      std::copy_n(values_.data() + i * width, width, heard);
      return;
    }
    for (Index c = 0; c < width; ++c) {
      const double* v = values_.data() + c;
      double sum = 0;
      if (weights == nullptr)
        for (Index k = 0; k < count; ++k) sum += v[static_cast<Index>(speakers[k]) * width];
      else
        for (Index k = 0; k < count; ++k) sum += weights[k] * v[static_cast<Index>(speakers[k]) * width];
      heard[c] = sum / total;
    }
  }

  static Index speaker(const std::uint32_t* speakers, Index k) {
    return speakers == nullptr ? k : static_cast<Index>(speakers[k]);
  }

  bool by_distance() const {
    return rule_.score != Score::dot_product && rule_.score != Score::cosine && rule_.score != Score::alike;
  }

  /// row = d^2 or x_i . x_j
  void compare(Index i, Index count, const std::uint32_t* speakers) {
    double* row = row_.data();
    const double* x = opinions_.data();
    if (rule_.score == Score::alike) {
      std::fill(row, row + count, 0.0);
    } else if (d_ == 1 && by_distance()) {
      const double own = x[i];
      for (Index k = 0; k < count; ++k) {
        const double difference = x[speaker(speakers, k)] - own;
        row[k] = difference * difference;
      }
    } else {
      for (Index k = 0; k < count; ++k) row[k] = compare_pair(x + i * d_, x + speaker(speakers, k) * d_);
    }
  }

  double compare_pair(const double* a, const double* b) const {
    double sum = 0, a2 = 0, b2 = 0;
    for (Index c = 0; c < d_; ++c) {
      sum += by_distance() ? (a[c] - b[c]) * (a[c] - b[c]) : a[c] * b[c];
      a2 += a[c] * a[c];
      b2 += b[c] * b[c];
    }
    if (rule_.score != Score::cosine) return sum;
    return a2 > 0 && b2 > 0 ? std::clamp(sum / std::sqrt(a2) / std::sqrt(b2), -1.0, 1.0) : 0.0;
  }

  /// From the comparison to exp(score / T), relative to the largest of the row for a softmax.
  void weigh(Index i, Index count) {
    double* row = row_.data();
    const Kernels<double>& loops = kernels<double>();
    const double inverse = 1 / rule_.temperature_of(i), eps = rule_.confidence_of(i);
    switch (rule_.score) {
      case Score::alike:
        std::fill(row, row + count, 1.0);
        return;
      case Score::top_hat:
        weigh_top_hat(count, eps);
        return;
      case Score::sigmoid:
        for (Index k = 0; k < count; ++k)
          row[k] = std::clamp(rule_.sharpness * (row[k] - eps * eps), -kHighestExponent, kHighestExponent);
        loops.exponentials(row, count, 0, row);
        for (Index k = 0; k < count; ++k) row[k] = 1 / (1 + row[k]);
        return;
      case Score::log_distance:
        for (Index k = 0; k < count; ++k) row[k] = std::max(row[k], rule_.distance_floor * rule_.distance_floor);
        loops.logarithms(row, count);
        [[fallthrough]];
      case Score::gaussian:
        for (Index k = 0; k < count; ++k) row[k] *= -0.5 * inverse;
        break;
      default:
        for (Index k = 0; k < count; ++k) row[k] *= inverse;
    }
    const bool softmax = rule_.normaliser == Normaliser::softmax;
    if (!softmax)
      for (Index k = 0; k < count; ++k) row[k] = std::min(row[k], kHighestExponent);
    loops.exponentials(row, count, softmax ? loops.maximum(row, count) : 0.0, row);
  }

  // |d| <= eps as it stands: the square of a distance that is eps to rounding may fall on either side.
  void weigh_top_hat(Index count, double eps) {
    for (Index k = 0; k < count; ++k) {
      double& entry = row_[k];
      entry = std::sqrt(entry) <= eps ? 1.0 : 0.0;
    }
  }

  void add_up(Index i, Index count, const std::uint32_t* speakers, double audible, double* heard) const {
    const Index width = values_.cols();
    const double* row = row_.data();
    const double* v = values_.data();
    double total = 0;
    for (Index k = 0; k < count; ++k) total += std::abs(row[k]);  // a negative weight repels
    const double norm = rule_.normaliser == Normaliser::crowd ? audible : total;
    if (!(norm > 0)) {
      const bool silent = rule_.normaliser == Normaliser::crowd;
      for (Index c = 0; c < width; ++c) heard[c] = silent ? 0.0 : v[i * width + c];
      return;
    }
    for (Index c = 0; c < width; ++c) {
      double sum = 0;
      for (Index k = 0; k < count; ++k) sum += row[k] * v[speaker(speakers, k) * width + c];
      heard[c] = sum / norm;
    }
  }

  const HearingRule& rule_;
  const Matrix<double>& opinions_;
  const Matrix<double>& values_;
  Index d_;
  std::vector<double> row_;
};

/// Every listener's row by one thread.
template <typename Row>
void hear_all(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
              Matrix<double>& heard, const Row& row) {
  heard.resize(opinions.rows(), values.cols());
#pragma omp parallel
  {
    RowSums sums(rule, opinions, values);
#pragma omp for schedule(dynamic, 256)
    for (Index i = 0; i < opinions.rows(); ++i) row(sums, i, heard.data() + i * values.cols());
  }
}

class DirectHearing final : public HeardSums {
 public:
  DirectHearing(double self_weight, const society::Graph* graph) : on_network_(graph != nullptr) {
    if (graph != nullptr) rows_ = speaker_rows(*graph, self_weight);
  }

  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    if (on_network_) return hear_rows(rule, rows_, opinions, values, heard);
    hear_all(rule, opinions, values, heard,
             [n = opinions.rows()](RowSums& sums, Index i, double* out) { sums(i, n, nullptr, nullptr, out); });
  }

 private:
  bool on_network_;
  SpeakerRows rows_;
};

}  // namespace

void hear_rows(const HearingRule& rule, const SpeakerRows& rows, const Matrix<double>& opinions,
               const Matrix<double>& values, Matrix<double>& heard) {
  hear_all(rule, opinions, values, heard, [&](RowSums& sums, Index i, double* out) {
    const Index first = rows.offsets[i], end = rows.offsets[i + 1];
    const double* weights = rows.weights.empty() ? nullptr : rows.weights.data() + first;
    sums(i, end - first, rows.speakers.data() + first, weights, out);
  });
}

std::unique_ptr<HeardSums> direct_hearing(const HearingRule& rule, const society::Graph* graph) {
  return std::make_unique<DirectHearing>(rule.self_weight, graph);
}

std::vector<double> audible_reach(const HearingRule& rule, Index agents, const society::Graph* graph) {
  if (graph == nullptr) {
    double sum = 0;
    for (Index j = 0; j < agents; ++j) sum += rule.reach_of(j);
    return {sum};
  }
  std::vector<double> audible(graph->nodes);
  for (Index i = 0; i < graph->nodes; ++i) {
    const std::size_t at = i;
    audible[at] = (graph->own.empty() ? rule.self_weight : graph->own[at]) * rule.reach_of(i);
  }
  for (std::size_t e = 0; e < graph->edges.size(); ++e) {
    const auto [a, b] = graph->edges[e];
    if (!graph->directed) audible[a] += graph->weight(e) * rule.reach_of(b);
    audible[b] += graph->weight(e) * rule.reach_of(a);
  }
  return audible;
}

}  // namespace fovea::opinion::dynamics
