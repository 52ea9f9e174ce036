#include "fovea/core/study/task.hpp"

#include "fovea/core/study/set_model.hpp"

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

void LearnedTask::examine(const StudyOutcome&, Results&) const {}

}  // namespace fovea::study
