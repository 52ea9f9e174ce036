#include "fovea/domains/particle/safety/soft_weight.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/domains/particle/model/one_jet.hpp"

namespace fovea::particle::safety {

double soft_weight_bound(double share, double cap) {
  const double harder = share * std::exp(2 * cap);
  return harder / (1 + harder);
}

double largest_soft_weight(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets,
                           Index count) {
  const study::Cases cases = tagger.cases("jets with soft constituents", jets);
  const Matrix<float> inputs = study::prepared(tagger.preparation, cases);
  const Index heads = tagger.settings.heads;
  learning::Tape<float> tape;
  double largest = 0;
  for (Index b = 0; b < cases.count(); ++b) {
    const model::OneJet jet = model::one_jet(cases, inputs, b);
    std::vector<Index> queries(jet.count());
    std::iota(queries.begin(), queries.end(), Index{0});
    const auto calls = model::calls_of(tape, tagger.member.parameters, tagger.model(), jet);
    for (const auto* call : calls)
      for (Index head = 0; head < heads; ++head) {
        const Matrix<double> weights = learning::attention_weights(*call, head, queries).cast<double>();
        largest = std::max(largest, weights.rightCols(std::min(count, jet.count())).rowwise().sum().maxCoeff());
      }
  }
  return largest;
}

}  // namespace fovea::particle::safety
