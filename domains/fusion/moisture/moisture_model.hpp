#pragma once
/// What is learned of fuel moisture: attention over the sensors' months with an arbiter; beside it a forest, and
/// attention over the rows that taught; intervals.
///
///   prediction = (1 - f - r - c) arbiter + f forest + r rows + c (mean of the training rows)
///   [lower, upper] = prediction - q_low s, prediction + q_high s
///
/// The weights have the least squared error at sites that did not teach (trees/stacking.hpp), so that predictions fall
/// back towards the mean as far as these sites ask for it; or f and r are fixed. s is the standard deviation that the
/// arbiter's model predicts (noise and members); q_low and q_high are quantiles of the standardised errors of rows
/// whose sites did not teach (conformal prediction with normalised errors, Papadopoulos, Gammerman & Vovk 2008;
/// cross-conformal, Vovk 2015). Each site counts alike, and one more lies beyond them all, the half of it on either
/// side, so that nine tenths of the truths at a new site lie between them, however few sites there are (hierarchical
/// conformal prediction: pooled CDF, Dunn, Wasserman & Ramdas 2022). The forest (Breiman 2001) also learns each row
/// with one of the sensors lost.

#include <algorithm>
#include <optional>
#include <string>

#include "fovea/core/study/folds/cross_validation.hpp"
#include "fovea/core/study/trained/model_file.hpp"
#include "fovea/core/study/trees/bagged_trees.hpp"
#include "fovea/datasets/fields/moisture_table.hpp"
#include "fovea/domains/fusion/moisture/row_memory.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::moisture {

struct MoistureSettings {
  std::string file;
  Index sites = 60;   ///< simulated
  double noise = 12;  ///< simulated: deviation of a measurement, %
  double forest_share = 0.6, least_rows = 5;
  Index trees = 200;
  double lost = 0.5;  ///< weight of a row that the forest learns again with a sensor lost
  double rows_share = 0.3, rows_width = 0.7;
  bool leave_out_bad = false;
  bool simulated() const { return file.empty(); }
};
const DataKeys<MoistureSettings>& moisture_keys();

/// Names, keys and the attention model of the experiment.
std::unique_ptr<study::LearnedTask> moisture_task();

struct MoistureModel {
  study::TrainedModel attention;
  std::optional<study::BoostedTrees> forest;  ///< none where its share is 0
  std::optional<RowMemory> rows;              ///< none where its share is 0, or nothing is common to both sensors
  Index months = 0;                           ///< that forest and rows see
  double forest_share = 0, rows_share = 0, constant_share = 0;                                  ///< f, r, c
  double low = 0, high = 0;                                                                     ///< q_low, q_high
  double own() const { return std::max(0.0, 1 - forest_share - rows_share - constant_share); }  ///< the arbiter's
  double constant() const { return attention.preparation.target_mean; }
};

/// One entry a row, in per cent of dry mass.
struct MoistureAnswers {
  std::vector<double> mean, deviation, lower, upper;
  std::vector<double> arbiter, forest, rows;  ///< of each part alone; empty: there is no such part
  Matrix<double> trust;                       ///< rows x sensors
};

/// A model, and what was predicted of its training rows by models of other sites.
struct LearnedMoisture {
  MoistureModel model;
  MoistureAnswers out_of_fold;  ///< lower and upper with the quantiles of the model; no trust
  std::vector<learning::TrainingReport> reports;
  Index folds = 0;
};

/// Learns from all cases, whose targets and groups are there; folds by group. Throws DataError that starts with
/// `source`.
LearnedMoisture learn_moisture(const std::string& source, const study::LearnedTask& task, const study::Cases& cases,
                               const Config& config, const Random& random, learning::TrainingSeries& trainings);

/// Answers for cases that have the model's features, in its order.
MoistureAnswers answers_of(const MoistureModel& model, const study::LearnedTask& task, const study::Cases& cases);

/// The cases of a table in the form of the model: features in its order; those of a sensor that the table lacks are
/// missing. Throws DataError that starts with `source`.
study::Cases cases_for(const MoistureModel& model, const std::string& source,
                       const datasets::fields::MoistureTable& table);

/// model.h5, and back; a file that does not fit is refused by DataError.
Dataset moisture_model_dataset(const study::LearnedTask& task, const MoistureModel& model);
MoistureModel read_moisture_model(const std::string& source, const Dataset& data, const study::LearnedTask& task);

}  // namespace fovea::fusion::moisture
