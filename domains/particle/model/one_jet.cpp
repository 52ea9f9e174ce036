#include "fovea/domains/particle/model/one_jet.hpp"

namespace fovea::particle::model {

OneJet one_jet(const study::Cases& cases, const Matrix<float>& inputs, Index jet) {
  const Index first = cases.offsets[jet], count = cases.size(jet);
  OneJet one;
  one.inputs = inputs.middleRows(first, count);
  one.tokens.offsets = {0, count};
  one.tokens.coordinates = cases.coordinates.middleRows(first, count);
  return one;
}

Tagger::Calls calls_of(learning::Tape<float>& tape, const learning::Parameters<float>& parameters, const Tagger& tagger,
                       const OneJet& jet) {
  Tagger::Calls calls;
  tape.begin(&parameters, {});
  tagger.outputs_with_calls(tape, {tape.input(jet.inputs), &jet.tokens}, calls);
  return calls;
}

std::vector<double> attended_logs(learning::Tape<float>& tape, const learning::Parameters<float>& parameters,
                                  const study::StudyModel& model, const OneJet& jet) {
  if (!model.has_weights()) return {};
  tape.begin(&parameters, {});
  learning::Variable<float> scores = tape.constant(jet.count(), 1);
  model.outputs(tape, {tape.input(jet.inputs), &jet.tokens}, &scores);
  return {scores.data(), scores.data() + scores.size()};
}

}  // namespace fovea::particle::model
