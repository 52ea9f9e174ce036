#pragma once
/// A learned question, declared once: where its cases come from, what is predicted, and what is special about its
/// model. Everything else is the study's (study.hpp): split, preparation, training, ensemble, calibration, scores,
/// explanation, the model file and `fovea predict`.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/tokens.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/model/study_model.hpp"

namespace fovea::study {

/// What the members of a finished ensemble say, ready for the task's own questions.
struct StudyOutcome;
struct StudySettings;  // trained/study_keys.hpp

class LearnedTask {
 public:
  virtual ~LearnedTask() = default;
  virtual std::string_view name() const = 0;     ///< "domain.question"
  virtual std::string_view summary() const = 0;  ///< one line
  virtual int result_version() const = 0;        ///< see Experiment
  /// The task's own keys; those of the study and of the standard model are added by the study.
  virtual void keys(Schema& schema) const = 0;
  /// Other defaults of the study's keys than those of its settings.
  virtual void adjust(StudySettings& defaults) const { static_cast<void>(defaults); }
  /// What a schema cannot say of the task's own keys.
  virtual void check(const Config& config, Complaints& complaints) const {
    static_cast<void>(config), static_cast<void>(complaints);
  }
  /// Why trees beside attention would break what this config asks for; "": they do not.
  virtual std::string refuses_trees(const Config& config) const { return static_cast<void>(config), ""; }
  /// A config for training with what its data alone can say, such as the names of the classes, filled in; the model
  /// file keeps it. Throws DataError.
  virtual Config resolved(Config config) const { return config; }
  /// The key that names the file of cases, or the files (Schema::files): `fovea predict MODEL DATA` sets it to DATA.
  virtual std::string data_key() const { return "data.file"; }
  /// The key that names the files of the targets, where they are not among the cases: `--outcomes FILE` sets it.
  virtual std::string targets_key() const { return ""; }
  /// What the rows of `fovea predict` call the column of cases.
  virtual std::string id_column() const { return "id"; }
  virtual Target target(const Config& config) const = 0;
  /// Opens the cases of a config. random: for cases that are simulated, which they are only where data_key() is empty;
  /// those of a file depend on the config alone. Throws DataError, ConfigError.
  virtual std::unique_ptr<CaseReader> open(const Config& config, const Random& random) const = 0;
  /// The model; by default the standard one (set_model.hpp), whose keys are then in the schema.
  virtual std::unique_ptr<StudyModel> model(const Config& config, const ModelShape& shape,
                                            learning::Parameters<float>& parameters, const Random& random) const;
  virtual bool has_own_model() const { return false; }
  /// Whether the probabilities of classes fall back towards equal ones where a new case is unlike those of the training
  /// (predict/unfamiliar.hpp).
  virtual bool falls_back() const { return false; }
  /// The names of another program, "part" for example, under which the weights of a model of this config can be
  /// written.
  virtual std::vector<std::string> weight_names(const Config& config) const;
  /// One member's weights under the names of that program, which is one of weight_names().
  virtual learning::TensorFile named_weights(const std::string& names, const Config& config,
                                             const learning::Parameters<float>& parameters) const;
  /// Arrays, figures and checks of the task's own.
  virtual void examine(const StudyOutcome& outcome, Results& results) const;
  /// How many trainings examine() takes besides those of the study, for the progress.
  virtual Index further_trainings(const Config& config) const { return static_cast<void>(config), 0; }
  /// Whether these come before those of the study: where the question is another than how good the predictions are.
  virtual bool examines_first() const { return false; }
};

/// The key that names the files of the cases. Throws ArgumentError for a task whose schema has none.
const Parameter& data_parameter(const LearnedTask& task, const Config& config);

/// The cases as the task's model may see them: the standard one has no eye for ends.
Cases seen_by_model(const LearnedTask& task, Cases cases);

}  // namespace fovea::study
