#include <algorithm>
#include <span>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/attention/fast/window_sums.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// Everybody is heard alike: one mean for all.
class MeanHearing final : public HeardSums {
 public:
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    const Index n = opinions.rows(), d = values.cols();
    const std::vector<double> sums =
        society::sum_by_blocks(*rule.ranks, n, d + 1, [&](Index first, Index last, double* sum) {
          for (Index j = first; j < last; ++j) {
            const double g = rule.reach_of(j);
            sum[d] += g;
            for (Index c = 0; c < d; ++c) sum[c] += g * values(j, c);
          }
        });
    heard.resize(n, d);
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < d; ++c) heard(i, c) = sums[c] / sums[d];
  }
};

std::span<const double> column(const Matrix<double>& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

/// On the line: column after column of what is said.
class ColumnHearing : public HeardSums {
 public:
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) final {
    heard.resize(values.rows(), values.cols());
    if (values.cols() == 1) {
      hear_column(rule, opinions, values, heard);
      return;
    }
    for (Index c = 0; c < values.cols(); ++c) {
      const Matrix<double> said = values.col(c);
      hear_column(rule, opinions, said, column_);
      heard.col(c) = column_;
    }
  }

 protected:
  virtual void hear_column(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& said,
                           Matrix<double>& heard) = 0;
  static std::span<double> room(Matrix<double>& heard, Index agents) {
    heard.resize(agents, 1);
    return {heard.data(), static_cast<std::size_t>(agents)};
  }

 private:
  Matrix<double> column_;
};

/// Gaussian or dot product.
class LineHearing final : public ColumnHearing {
 public:
  explicit LineHearing(const Ranks& ranks) : line_(ranks) {}

 private:
  void hear_column(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& said,
                   Matrix<double>& heard) override {
    const Index n = opinions.rows();
    const std::span<double> out = room(heard, n);
    const std::span<const double> x = column(opinions);
    if (rule.score == Score::dot_product)
      line_.dot_product(x, x, column(said), rule.reach, rule.temperature, out);
    else
      line_.gaussian(x, x, column(said), rule.reach, rule.temperature, out);
  }

  LineAttention line_;
};

/// The top hat.
class WindowHearing final : public ColumnHearing {
  void hear_column(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& said,
                   Matrix<double>& heard) override {
    const Index n = opinions.rows();
    const std::span<const double> x = column(opinions);
    const std::span<const double> bounds =
        rule.confidences.empty() ? std::span<const double>{&rule.confidence, 1} : rule.confidences;
    window_.means(x, x, column(said), rule.reach, bounds, room(heard, n));
    if (std::find(rule.reach.begin(), rule.reach.end(), 0.0) == rule.reach.end()) return;
    // Without a reach of one's own there may be nobody within the bound: then the mean of ones is 0.
    const Matrix<double> ones = Matrix<double>::Ones(n, 1);
    Matrix<double> somebody;
    window_.means(x, x, column(ones), rule.reach, bounds, room(somebody, n));
    for (Index i = 0; i < n; ++i)
      if (somebody(i, 0) < 0.5) heard(i, 0) = said(i, 0);
  }

  WindowSums window_;
};

}  // namespace

std::unique_ptr<HeardSums> make_hearing(const HearingRule& rule, Index components, const society::Graph* graph,
                                        bool fast) {
  const auto repels = [](double weight) { return weight < 0; };
  if (graph != nullptr && std::any_of(graph->weights.begin(), graph->weights.end(), repels))
    return direct_hearing(rule, graph);  // the engine's weights are exponentials
  const bool line = fast && graph == nullptr && components == 1;
  if (line && rule.score == Score::top_hat) return std::make_unique<WindowHearing>();
  if (rule.score == Score::top_hat || (fast && graph != nullptr)) return direct_hearing(rule, graph);
  // A score of two logarithms: every pair by plain sums is ten times as fast as by the engine.
  if (fast && rule.score == Score::sigmoid) return direct_hearing(rule, graph);
  if (fast && rule.score == Score::alike) return std::make_unique<MeanHearing>();
  const bool boxes = rule.score == Score::gaussian || rule.score == Score::dot_product;
  if (line && boxes && rule.temperatures.empty() && rule.normaliser == Normaliser::softmax)
    return std::make_unique<LineHearing>(*rule.ranks);
  return engine_hearing(rule, graph);
}

/// Edges sorted by (lower, higher) node give rows in ascending order without sorting.
SpeakerRows speaker_rows(const society::Graph& graph, double self_weight) {
  SpeakerRows rows;
  const std::size_t n = graph.nodes;
  rows.offsets.assign(n + 1, 0);
  for (const society::Edge& edge : graph.edges) {
    if (!graph.directed) ++rows.offsets[edge[0] + 1];
    ++rows.offsets[edge[1] + 1];
  }
  for (std::size_t i = 0; i < n; ++i) rows.offsets[i + 1] += rows.offsets[i] + 1;
  rows.speakers.resize(rows.offsets[n]);
  if (!graph.weights.empty() || !graph.own.empty() || self_weight != 1) rows.weights.assign(rows.speakers.size(), 1.0);
  std::vector<Index> next(rows.offsets.begin(), rows.offsets.end() - 1);
  const auto put = [&](Index listener, Index speaker, double weight) {
    const std::size_t place = next[listener]++;
    rows.speakers[place] = static_cast<std::uint32_t>(speaker);
    if (!rows.weights.empty()) rows.weights[place] = weight;
  };
  for (Index i = 0; i < graph.nodes; ++i) put(i, i, graph.own.empty() ? self_weight : graph.own[i]);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!graph.directed) put(graph.edges[e][0], graph.edges[e][1], graph.weight(e));
    put(graph.edges[e][1], graph.edges[e][0], graph.weight(e));
  }
  return rows;
}

}  // namespace fovea::opinion::dynamics
