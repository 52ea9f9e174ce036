#include "fovea/domains/fusion/model/sealed_model.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::fusion::model {

Dataset new_model(std::string_view experiment, int result_version) {
  Dataset model;
  model.attributes = {{"kind", "fovea model"},
                      {"experiment", std::string(experiment)},
                      {"result_version", std::to_string(result_version)}};
  return model;
}

void seal(Dataset& model) {
  model.attributes.erase("model_hash");
  model.attributes.emplace("model_hash", content_hash(model));
}

void check_seal(const std::string& source, const Dataset& model) {
  Dataset again = model;
  seal(again);
  if (again.attributes != model.attributes)
    throw DataError(concat(source, ": its content does not match its hash, so it was damaged or changed; copy it ",
                           "again, or train the model again."));
}

void check_model(const std::string& source, const Dataset& model, const char* experiment, int result_version) {
  const auto version = model.attributes.find("result_version");
  if (version == model.attributes.end() || version->second != std::to_string(result_version))
    throw DataError(concat(source, ": was trained by another version of its experiment than ", result_version,
                           "; train it again with: fovea run ", experiment));
  check_seal(source, model);
}

void keep_model(Dataset model, Results& results) {
  results.data.add({"model_hash", {}, std::vector{content_hash(model)}, "", "content hash of model.h5", {}});
  results.keep_model(std::move(model));
}

}  // namespace fovea::fusion::model
