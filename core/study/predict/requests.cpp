#include "fovea/core/study/predict/requests.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"

namespace fovea::study {

void check_is_not_data(const Arguments& arguments, const std::string& option, const std::string& path) {
  std::error_code error;
  if (!path.empty() && std::filesystem::equivalent(path, arguments.positional[1], error))
    throw UsageError(concat(option, ' ', path, " is the file of cases itself; give another name."));
}

void check_data_is_there(const PredictRequest& request, const PredictorKind& kind) {
  if (!std::filesystem::exists(request.data()))
    throw DataError(concat(request.data(), ": there is no such file; give ", kind.wanted, "."));
}

Json told(const PredictRequest& request, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) request.narrator.say(sentence);
  JsonObject object;
  object.add("output", request.output()).add("notes", json_texts(sentences));
  return object.done();
}

}  // namespace fovea::study
