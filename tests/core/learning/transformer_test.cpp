#include <memory>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/gradient_check.hpp"

namespace fovea::learning {
namespace {

/// Central differences in double: relative 1e-6 of the largest gradient of a parameter.
constexpr double kDifferences = 1e-6;
/// PyTorch in single precision: 2^-24 times some hundred roundings, relative to the largest gradient.
constexpr double kTorch = 1e-5;

/// The model of tests/golden/learning/transformer.py.
template <typename Real>
class Golden {
 public:
  static constexpr Index kWidth = 16, kHeads = 4;
  Parameters<Real> parameters;
  Tokens tokens;
  Matrix<Real> x, targets;

  explicit Golden(const TensorFile& file) {
    const Random random(1);
    for (int block = 0; block < 2; ++block)
      blocks_.emplace_back(parameters, concat("block.", block), settings(), random);
    head_ = std::make_unique<Linear<Real>>(parameters, "head", kWidth, 1, random);
    for (const auto& entry : parameters.entries())
      parameters.matrix(entry.place) = read(file, "parameter." + entry.name).template cast<Real>();
    x = read(file, "x").template cast<Real>();
    targets = read(file, "targets").template cast<Real>();
    const Matrix<double> times = read(file, "times");
    tokens.times.assign(times.data(), times.data() + times.size());
    tokens.offsets = {0, 5, 6, 13};
  }

  struct Answer {
    double loss;
    std::vector<Real> gradients;
    Matrix<Real> x_gradient;
  };
  Answer answer() {
    Answer result;
    result.gradients.assign(static_cast<std::size_t>(parameters.size()), Real(0));
    tape_.begin(&parameters, result.gradients, {true, Random(1), 0});
    const Variable<Real> input = tape_.variable(x);
    Variable<Real> h = input;
    for (const auto& block : blocks_) h = block(h, tokens);
    const Variable<Real> loss =
        logistic_loss<Real>((*head_)(mean_of_sets(h, Offsets(tokens.offsets))), targets, {}, Real(tokens.sets()));
    result.loss = static_cast<double>(loss.data()[0]);
    tape_.backward(loss);
    result.x_gradient = input.gradient_matrix();
    return result;
  }

  static Matrix<double> read(const TensorFile& file, const std::string& name) {
    for (const Tensor& tensor : file.tensors)
      if (tensor.name == name)
        return Eigen::Map<const Matrix<float>>(std::get<std::vector<float>>(tensor.values).data(), tensor.shape[0],
                                               tensor.shape[1])
            .cast<double>();
    throw ArgumentError("golden file: no " + name);
  }

 private:
  static BlockSettings<Real> settings() {
    BlockSettings<Real> settings;
    settings.attention.width = kWidth;
    settings.attention.heads = kHeads;
    settings.attention.modifiers = {decay_with_time<Real>(std::vector<Real>(kHeads, Real(0)), {Sharing::per_head}),
                                    same_for_all<Real>("temperature", temperature<Real>(), {Real(0)}),
                                    same_for_all<Real>("causal", causal<Real>())};
    settings.hidden = 32;
    return settings;
  }
  std::vector<TransformerBlock<Real>> blocks_;
  std::unique_ptr<Linear<Real>> head_;
  Tape<Real> tape_;
};

TensorFile golden_file() { return read_safetensors(FOVEA_SOURCE_DIR "/tests/golden/learning/transformer.safetensors"); }

TEST_CASE("a whole Transformer: every gradient agrees with central differences in double",
          "[learning][gradient][long]") {
  Golden<double> golden(golden_file());
  const auto analytic = golden.answer();
  for (const auto& entry : golden.parameters.entries()) {
    INFO(entry.name);
    double* const at = golden.parameters.values().data() + entry.place.begin;
    const double* const gradients = analytic.gradients.data() + entry.place.begin;
    const double error =
        fovea::test::gradient_error(at, entry.place.size(), gradients, [&] { return golden.answer().loss; });
    CHECK(error < kDifferences * Eigen::Map<const Vector<double>>(gradients, entry.place.size()).cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a whole Transformer: loss and every gradient agree with PyTorch in float", "[learning][twin]") {
  const auto file = golden_file();
  Golden<float> golden(file);
  const auto ours = golden.answer();
  const auto differs = [](const Matrix<double>& mine, const Matrix<double>& theirs) {
    return (mine - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
  };
  CHECK(std::abs(ours.loss - Golden<float>::read(file, "loss")(0, 0)) < kTorch);
  CHECK(differs(ours.x_gradient.cast<double>(), Golden<float>::read(file, "gradient.x")) < kTorch);
  for (const auto& entry : golden.parameters.entries()) {
    INFO(entry.name);
    const Eigen::Map<const Matrix<float>> mine(ours.gradients.data() + entry.place.begin, entry.place.rows,
                                               entry.place.columns);
    CHECK(differs(mine.cast<double>(), Golden<float>::read(file, "gradient." + entry.name)) < kTorch);
  }
}

}  // namespace
}  // namespace fovea::learning
