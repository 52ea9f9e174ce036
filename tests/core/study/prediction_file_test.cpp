#include "fovea/core/study/predict/prediction_file.hpp"

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Two members' logits of three cases with 1, 0 and 2 tokens.
struct MadePredictions {
  Target target;
  Calibration calibration;
  Cases cases;
  std::vector<Matrix<double>> outputs{Matrix<double>{{1}, {-3}, {800}}, Matrix<double>{{2}, {0}, {900}}};
  std::vector<double> attention{1, 0.25, 0.75};
  Predictions predictions;

  explicit MadePredictions(const Calibration& of) : calibration(of) {
    target.name = "label";
    cases.offsets = {0, 1, 1, 3};
    cases.ids = {"0", "-7", "12"};
    cases.targets = {1, std::nan(""), 0};
    predictions = combined(target, outputs, calibration, 0, 1);
  }
  PredictedBlock block() const { return {cases, predictions, nullptr, outputs, attention}; }
};

}  // namespace

TEST_CASE("calibrated logits are those of the predicted probabilities, also where these are 1", "[study][predict]") {
  for (const Calibration& calibration : {Calibration{2, false, 0, 1}, Calibration{1, true, 0.5, 2}}) {
    const MadePredictions made(calibration);
    const std::vector<double> logits = calibrated_logits(made.outputs, calibration);
    for (std::size_t b = 0; b < 2; ++b) {
      const double p = made.predictions.mean(static_cast<Index>(b), 0);
      CHECK(std::abs(logits[b] - std::log(p / (1 - p))) < 1e-12);
    }
    CHECK(made.predictions.mean(2, 0) == 1);
    CHECK(std::abs(logits[2] - (calibration.line ? 1700.5 : 400 + std::log(2.0))) < 1e-9);
  }
}

TEST_CASE("predictions in HDF5 are read back with logits, targets and attended tokens", "[study][predict]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("scores.h5");
  MadePredictions made({2, false, 0, 1});
  PredictionFile file(path, made.calibration, made.target, "a test", 2);
  file.add(made.block());
  file.add(made.block());
  CHECK_FALSE(std::filesystem::exists(path));
  file.finish();
  const Hdf5Rows read(path);
  const auto reals = [&](const char* name, std::uint64_t first, std::uint64_t end) {
    return read.read<double>(*read.find(name), first, end);
  };
  CHECK(read.read<std::int64_t>(*read.find("/id"), 0, 6) == std::vector<std::int64_t>{0, -7, 12, 0, -7, 12});
  CHECK(read.read<std::int64_t>(*read.find("/attended"), 0, 3) == std::vector<std::int64_t>{0, -1, -1, -1, 1, 0});
  CHECK(reals("/attention", 3, 6) == std::vector<double>{1, 0, 0, 0, 0.75, 0.25});
  CHECK(reals("/member_logits", 3, 6) == std::vector<double>{1, 2, -3, 0, 800, 900});
  CHECK(reals("/probability", 3, 4)[0] == made.predictions.mean(0, 0));
  CHECK(reals("/logit", 4, 5)[0] == calibrated_logits(made.outputs, made.calibration)[1]);
  const std::vector<double> labels = reals("/label", 0, 3);
  CHECK((labels[0] == 1 && std::isnan(labels[1]) && labels[2] == 0));
  CHECK(read.find("/decision") == nullptr);
}

TEST_CASE("ids that are texts are texts in HDF5", "[study][predict]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("scores.h5");
  MadePredictions made({});
  made.cases.ids = {"12", "a,b",
                    "\xC3\xA9"
                    "12 lines"};
  PredictionFile file(path, made.calibration, made.target, "a test", 0);
  for (int block = 0; block < 6000; ++block) file.add(made.block());  // more rows than a chunk has
  made.cases.ids = {"1", "2", "3"};
  file.add(made.block());
  file.finish();
  const Dataset read = read_dataset(path);
  const std::vector<std::string> ids = std::get<std::vector<std::string>>(read.at("id").values);
  REQUIRE(ids.size() == 18003);
  for (std::size_t row = 0; row < 18000; row += 3)
    REQUIRE((ids[row] == "12" && ids[row + 1] == "a,b" &&
             ids[row + 2] == "\xC3\xA9"
                             "12 lines"));
  CHECK((ids[18000] == "1" && ids[18002] == "3"));
}

TEST_CASE("HDF5 rows are refused for a text among ids that are numbers, and for targets of tokens",
          "[study][predict]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("scores.h5");
  MadePredictions made({});
  {
    PredictionFile file(path, made.calibration, made.target, "a test", 0);
    file.add(made.block());
    made.cases.ids[1] = "a,b";
    CHECK_THROWS_WITH(file.add(made.block()), path +
                                                  ": the id of a case is \"a,b\", but those of the first cases are "
                                                  "whole numbers; write CSV (-o FILE.csv).");
  }
  made.target.level = TargetLevel::per_token;
  CHECK_THROWS_AS(PredictionFile(path, made.calibration, made.target, "a test", 0), DataError);
  CHECK(std::filesystem::is_empty(std::filesystem::path(path).parent_path()));
}

}  // namespace fovea::study
