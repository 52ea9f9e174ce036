#pragma once
/// What a model of a learned question computes.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/tokens.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea::study {

/// What a model sees of the prepared cases.
struct ModelShape {
  Index inputs = 0;       ///< columns of a token: scaled features, classes as 0 and 1, marks of missing values
  Index coordinates = 0;  ///< D
  bool times = false;
  Index outputs = 0;
  TargetLevel level = TargetLevel::per_case;
  std::vector<std::string> classes;  ///< of the tokens (Cases::classes); empty: all are of one kind
  const TargetRule* rule = nullptr;  ///< of the target; nullptr: the model asks for none
};

/// Tokens of a pass. What it points to lives as long as the pass of the tape.
struct Batch {
  learning::Variable<float> x;                ///< N x inputs
  const learning::Tokens* tokens;             ///< offsets, times, coordinates
  std::span<const std::uint16_t> kinds = {};  ///< N: the class of each token; empty without classes
  std::span<const double> ends = {};          ///< one a case: when it is asked; empty: at its last token's time
  /// Times at which every case is asked, in place of its end: the outputs have a row for each case and time, the times
  /// of a case side by side; empty: each case is asked once.
  std::span<const double> at = {};
  std::span<const Index> items = {};  ///< one a case: its number among all cases, for random numbers of its own
};

/// Puts some cases on a tape, as outputs() gets them.
using BatchMaker = std::function<Batch(learning::Tape<float>&, std::span<const Index> items)>;

/// What a model may know of the training part before it learns. Rows are one a case, or one a token, case after case.
struct TrainingPart {
  std::span<const Index> items;
  std::span<const double> targets = {};  ///< one a row: codes, or numbers in standard deviations; NaN: not known
  std::span<const double> weights = {};  ///< one a row, >= 0; 0 where the target is not known
};

/// Outputs that learn beside the model's own, such as those of a part of it that must stand alone.
struct FurtherOutputs {
  learning::Variable<float> outputs;  ///< as outputs() gives them
  float weight = 1;                   ///< of its loss, compared with that of the model's own outputs
  std::span<const float> rows = {};   ///< one a row, >= 0: times the row's weight; empty: all 1
};

/// What a model computes. It owns no numbers: they are in the Parameters that it was made with.
class StudyModel {
 public:
  virtual ~StudyModel() = default;
  /// One row a case (and time of Batch::at), or one a token, ModelShape::outputs columns. scores: where to leave the
  /// log of how much each token is attended to (N x 1; their softmax over the case is the attention), if the model has
  /// such a thing; nullptr: not asked for.
  virtual learning::Variable<float> outputs(learning::Tape<float>& tape, const Batch& batch,
                                            learning::Variable<float>* scores) const = 0;
  virtual bool has_weights() const { return false; }
  /// What it learns from: outputs() of a pass that trains, and whatever else is to learn the same targets.
  virtual learning::Variable<float> outputs_to_learn(learning::Tape<float>& tape, const Batch& batch,
                                                     std::vector<FurtherOutputs>& further) const {
    static_cast<void>(further);
    return outputs(tape, batch, nullptr);
  }
  /// Whether its loss has a penalty() of whole batches, which are then computed as one shard.
  virtual bool has_penalty() const { return false; }
  /// Added to the loss of a batch: what keeps its outputs from depending on what they must not know. classes, weights:
  /// of each row of the outputs; what is not known has weight 0.
  virtual learning::Variable<float> penalty(const Batch& batch, learning::Variable<float> outputs,
                                            std::span<const Index> classes, std::span<const float> weights) const {
    static_cast<void>(batch), static_cast<void>(classes), static_cast<void>(weights);
    return outputs;
  }
  /// Names of what it tells of each row besides its outputs, such as how far it trusts each part of its inputs:
  /// columns of `fovea predict`, mean over the members.
  virtual std::vector<std::string> side_columns() const { return {}; }
  /// A row for each of outputs(), a column for each of side_columns().
  virtual learning::Variable<float> sides(learning::Tape<float>& tape, const Batch& batch) const {
    return outputs(tape, batch, nullptr);
  }
  /// Whether it looks at Batch::at, and then sees of each case only what was there at the time it is asked.
  virtual bool can_be_asked_at_times() const { return false; }
  /// Tokens of new cases that are best computed at a time: more where a token costs little memory, and each batch some
  /// time of its own.
  virtual Index handy_tokens() const { return 8192; }
  /// Before it learns: parameters that do not learn but follow from the training part, such as the scale of columns
  /// (as in Salimans & Kingma 2016, section 3) or a part that is fitted to the targets by itself. The same cases give
  /// the same bits.
  virtual void look(learning::Parameters<float>& parameters, const TrainingPart& training,
                    const BatchMaker& batch) const {
    static_cast<void>(parameters), static_cast<void>(training), static_cast<void>(batch);
  }
};

}  // namespace fovea::study
