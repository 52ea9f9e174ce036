#include "fovea/domains/particle/safety/soft_weight.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/core/learning/attention_operation.hpp"

namespace fovea::particle::safety {

double soft_weight_bound(double share, double cap) {
  const double harder = share * std::exp(2 * cap);
  return harder / (1 + harder);
}

double largest_soft_weight(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets,
                           Index count) {
  const study::Cases cases = tagger.cases("jets with soft constituents", jets);
  const Matrix<float> inputs = study::prepared(tagger.preparation, cases);
  const Index heads = tagger.config.integer("model.heads");
  learning::Tape<float> tape;
  double largest = 0;
  for (Index b = 0; b < cases.count(); ++b) {
    const Index first = cases.offsets[static_cast<std::size_t>(b)], size = cases.size(b);
    const Matrix<float> seen = inputs.middleRows(first, size);
    learning::Tokens tokens;
    tokens.offsets = {0, size};
    tokens.coordinates = cases.coordinates.middleRows(first, size);
    std::vector<Index> queries(static_cast<std::size_t>(size));
    std::iota(queries.begin(), queries.end(), Index{0});
    model::Tagger::Calls calls;
    tape.begin(&tagger.member.parameters, {});
    tagger.model().outputs_with_calls(tape, {tape.input(seen), &tokens}, calls);
    for (const auto* call : calls)
      for (Index head = 0; head < heads; ++head) {
        const Matrix<double> weights = learning::attention_weights(*call, head, queries).cast<double>();
        largest = std::max(largest, weights.rightCols(std::min(count, size)).rowwise().sum().maxCoeff());
      }
  }
  return largest;
}

}  // namespace fovea::particle::safety
