#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/core/study/predict/maps_predictor.hpp"
#include "fovea/core/study/predict/requests.hpp"
#include "fovea/core/study/trained/model_text.hpp"

namespace fovea::study {

namespace {

const Option kOutput{"output", 'o', "FILE", "file or folder for the maps or images", false};
const Option kSet{"set", 's', "KEY=VALUE", "how the images are read, where DATA differs from the training files", true};
const Option kThreads{"threads", 't', "N", "number of threads (default: one per processor); does not change the result",
                      false};
const Option kSummary{"json", 0, "", "the summary as one JSON object on stdout", false};

}  // namespace

const PredictorKind& maps_kind() {
  static const PredictorKind kind{
      "write maps of images",
      "what is to be mapped",
      {kOutput,
       kSet,
       {"memory", 0, "BYTES", "of maps: the most that the process may take, such as 2G (default: 512M)", false},
       kThreads,
       kSummary}};
  return kind;
}

const PredictorKind& images_kind() {
  static const PredictorKind kind{
      "fill images",
      "the data that the model is to see",
      {kOutput,
       kSet,
       {"tif", 0, "", "of a model that fills images: also a GeoTIFF for each date beside the output", false},
       kThreads,
       kSummary}};
  return kind;
}

Json MapsPredictor::predict(const PredictRequest& request) const {
  constexpr std::size_t kLeast = std::size_t{128} << 20;
  const OpenModel opened = open_model(task_, request.model);
  const std::string memory = request.arguments.text("memory", "512M");
  const std::string output = request.output();
  check_is_not_data(request.arguments, "--output", output);
  const MapRequest wanted{request.data(),
                          output,
                          opened.file,
                          opened.hash,
                          request.arguments.texts("set"),
                          request.arguments.bytes("memory", "512M")};
  if (wanted.memory < kLeast) throw UsageError(concat("--memory ", memory, ": must be at least 128M."));
  check_data_is_there(request, kind());
  return told(request, write_(opened.model, wanted));
}

Json ImagesPredictor::predict(const PredictRequest& request) const {
  const std::string output = request.output();
  check_is_not_data(request.arguments, "--output", output);
  if (output.empty()) throw UsageError("images go into a file: add -o FILE.h5.");
  check_data_is_there(request, kind());
  return told(request, apply(request.model.path, request.model.content,
                             {request.data(), output, request.arguments.has("tif"), request.arguments.texts("set")}));
}

void ImagesPredictor::export_weights(const ModelFile& model, const std::string&, const ExportedWeights&) const {
  throw DataError(concat(model.path, ": is a model of ", experiment_of_model(model.path, model.content),
                         ", whose parameters are not exported; fovea predict and fovea inspect take it."));
}

}  // namespace fovea::study
