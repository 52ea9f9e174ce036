#pragma once
/// The ensemble of a study: its training and its predictions.

#include <memory>
#include <span>
#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/cases/split.hpp"
#include "fovea/core/study/ensemble/fitting_settings.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::study {

/// One member: its numbers and what it computes with them.
struct Member {
  learning::Parameters<float> parameters;
  std::unique_ptr<StudyModel> model;
};

/// fitting_keys(), in a schema.
void declare_fitting(Schema& schema);

/// Members that have not learned yet, as many as the config asks for; each starts from random numbers of its own.
std::vector<Member> make_members(const LearnedTask& task, const Config& config, const ModelShape& shape,
                                 const Random& random);
ModelShape shape_of(const Preparation& preparation, const Target& target);

/// Trains every member on the training part within a series of trainings, named NAME_1, NAME_2, ... in it, and chooses
/// the epoch with the lowest loss on the validation part. Where the split has no validation part every member learns
/// for all epochs, and keeps what it has at their end. inputs: prepared() of the cases.
std::vector<learning::TrainingReport> fit_members(std::vector<Member>& members, const std::string& name,
                                                  const Target& target, const Preparation& preparation,
                                                  const Cases& cases, const Matrix<float>& inputs, const Split& split,
                                                  const FittingSettings& fitting, const Random& random,
                                                  learning::TrainingSeries& series);

/// The outputs of one member for these cases: a row a case, or a row a token, as doubles. The bits of a row depend on
/// its case alone. batch_tokens >= 1: how many tokens are computed at a time. at: times at which every case is asked in
/// place of its end, for targets of cases: a row for each case and time, the times of a case side by side. Throws
/// ArgumentError for times where the target is one a token, or the model cannot be asked so.
Matrix<double> outputs_of(const Member& member, const Target& target, const Cases& cases, const Matrix<float>& inputs,
                          const std::vector<Index>& items, Index batch_tokens, std::span<const double> at = {});

/// What the members tell of these cases besides their outputs (StudyModel::side_columns()), their mean: a row a case,
/// or a row a token; no entries where there are no such columns. The bits of a row depend on its case alone.
Matrix<double> sides_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                        const std::vector<Index>& items, Index batch_tokens);

/// How much each token is attended to by this member, as Batch asks for it: the log of a weight a token, the cases one
/// after the other. The bits of a row depend on its case alone. Only of models that has_weights().
Matrix<double> scores_of_tokens(const Member& member, const Cases& cases, const Matrix<float>& inputs,
                                const std::vector<Index>& items, Index batch_tokens);

/// Rows of targets that belong to these cases: as many as outputs_of() has rows.
std::vector<Index> target_rows(const Cases& cases, const Target& target, const std::vector<Index>& items);

}  // namespace fovea::study
