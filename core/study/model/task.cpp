#include "fovea/core/study/model/task.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/model/set_model.hpp"

namespace fovea::study {

std::unique_ptr<StudyModel> LearnedTask::model(const Config& config, const ModelShape& shape,
                                               learning::Parameters<float>& parameters, const Random& random) const {
  return make_set_model(config, shape, parameters, random);
}

std::vector<std::string> LearnedTask::weight_names(const Config&) const { return {}; }

learning::TensorFile LearnedTask::named_weights(const std::string& names, const Config&,
                                                const learning::Parameters<float>&) const {
  throw ArgumentError(concat(name(), ": has no weights under the names '", names, "'."));
}

void LearnedTask::examine(const StudyOutcome&, Results&) const {}

const Parameter& data_parameter(const LearnedTask& task, const Config& config) {
  const Parameter* const found = config.parameter(task.data_key());
  require(found != nullptr && found->names_inputs(), "study: ", task.name(), " gives data_key() = '", task.data_key(),
          "', but its schema has no such key of files.");
  return *found;
}

Cases seen_by_model(const LearnedTask& task, Cases cases) {
  return task.has_own_model() ? std::move(cases) : until_ends(std::move(cases));
}

}  // namespace fovea::study
