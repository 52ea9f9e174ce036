#pragma once
/// One jet as a tagger gets it, to look at what the tagger does with it.

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::model {

struct OneJet {
  Matrix<float> inputs;
  learning::Tokens tokens;
  Index count() const { return inputs.rows(); }
};

/// inputs: prepared, of all cases.
OneJet one_jet(const study::Cases& cases, const Matrix<float>& inputs, Index jet);

/// The calls of the blocks for a jet, in a new pass of the tape, which the jet must outlive.
Tagger::Calls calls_of(learning::Tape<float>& tape, const learning::Parameters<float>& parameters, const Tagger& tagger,
                       const OneJet& jet);

/// The log of how much each constituent is attended to when the jet is scored, in a new pass of the tape; nothing where
/// the model has no such weights.
std::vector<double> attended_logs(learning::Tape<float>& tape, const learning::Parameters<float>& parameters,
                                  const study::StudyModel& model, const OneJet& jet);

}  // namespace fovea::particle::model
