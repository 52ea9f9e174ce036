#include <algorithm>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/attention/fast/window_sums.hpp"
#include "fovea/domains/opinion/hearing.hpp"

namespace fovea::opinion {

namespace {

/// Everybody is heard alike: one mean for all.
class MeanHearing final : public HeardSums {
 public:
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    const Index n = opinions.rows();
    Vector<double> sum = Vector<double>::Zero(values.cols());
    double total = 0;
    for (Index j = 0; j < n; ++j) {
      const double g = rule.reach_of(j);
      total += g;
      for (Index c = 0; c < values.cols(); ++c) sum[c] += g * values(j, c);
    }
    heard.resize(n, values.cols());
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < values.cols(); ++c) heard(i, c) = sum[c] / total;
  }
};

std::span<const double> column(const Matrix<double>& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

/// Gaussian or dot product on the line.
class LineHearing final : public HeardSums {
 public:
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    const Index n = opinions.rows();
    heard.resize(n, 1);
    const std::span<double> out{heard.data(), static_cast<std::size_t>(n)};
    if (rule.score == Score::dot_product) {
      line_.dot_product(column(opinions), column(opinions), column(values), rule.reach, rule.temperature, out);
      return;
    }
    weight_.resize(static_cast<std::size_t>(n));
    line_.gaussian_sums(column(opinions), column(opinions), column(values), rule.reach, rule.temperature, weight_, out);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) heard(i, 0) /= weight_[static_cast<std::size_t>(i)];
  }

 private:
  LineAttention line_;
  std::vector<double> weight_;
};

/// The top hat on the line.
class WindowHearing final : public HeardSums {
 public:
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    const Index n = opinions.rows();
    heard.resize(n, 1);
    const std::span<double> out{heard.data(), static_cast<std::size_t>(n)};
    const std::span<const double> bounds =
        rule.confidences.empty() ? std::span<const double>{&rule.confidence, 1} : rule.confidences;
    window_.means(column(opinions), column(opinions), column(values), rule.reach, bounds, out);
    if (std::find(rule.reach.begin(), rule.reach.end(), 0.0) == rule.reach.end()) return;
    // Without a reach of one's own there may be nobody within the bound: then the mean of ones is 0.
    const Matrix<double> ones = Matrix<double>::Ones(n, 1);
    Matrix<double> somebody(n, 1);
    window_.means(column(opinions), column(opinions), column(ones), rule.reach, bounds,
                  {somebody.data(), static_cast<std::size_t>(n)});
    for (Index i = 0; i < n; ++i)
      if (somebody(i, 0) < 0.5) heard(i, 0) = values(i, 0);
  }

 private:
  WindowSums window_;
};

}  // namespace

std::unique_ptr<HeardSums> make_hearing(const HearingRule& rule, Index components, const Graph* graph, bool fast) {
  const bool line = fast && graph == nullptr && components == 1;
  if (line && rule.score == Score::top_hat) return std::make_unique<WindowHearing>();
  if (rule.score == Score::top_hat || (fast && graph != nullptr)) return direct_hearing(graph);
  if (fast && rule.score == Score::alike) return std::make_unique<MeanHearing>();
  const bool boxes = rule.score == Score::gaussian || rule.score == Score::dot_product;
  if (line && boxes && rule.temperatures.empty() && rule.normaliser == Normaliser::softmax)
    return std::make_unique<LineHearing>();
  return engine_hearing(rule, graph);
}

}  // namespace fovea::opinion
