#include "fovea/core/study/task.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/model/set_model.hpp"

namespace fovea::study {

Index Target::outputs() const {
  switch (kind) {
    case TargetKind::binary:
      return 1;
    case TargetKind::classes:
      return static_cast<Index>(classes.size());
    case TargetKind::hazards:
      return (static_cast<Index>(edges.size()) - 1) * (static_cast<Index>(classes.size()) + 1);
    case TargetKind::number:
      return 2;
  }
  return 0;
}

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

}  // namespace fovea::study
