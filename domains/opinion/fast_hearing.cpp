#include "fovea/domains/opinion/hearing.hpp"

namespace fovea::opinion {

namespace {

/// Everybody is heard alike: one mean for all.
class MeanHearing final : public Hearing {
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

}  // namespace

std::unique_ptr<Hearing> make_hearing(const HearingRule& rule, Index, const Graph* graph, bool fast) {
  if (rule.score == Score::top_hat || (fast && graph != nullptr)) return direct_hearing(graph);
  if (fast && rule.score == Score::alike) return std::make_unique<MeanHearing>();
  return engine_hearing(rule, graph);
}

}  // namespace fovea::opinion
