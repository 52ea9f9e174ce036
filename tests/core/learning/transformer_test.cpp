#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/products.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/test.hpp"

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
    result.gradients.assign(parameters.size(), Real(0));
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

/// A block with every norm over sets of 20 tokens, without gradients.
Matrix<float> answer_of_sets(const TransformerBlock<float>& block, const Parameters<float>& parameters,
                             const Matrix<float>& x) {
  Tokens tokens;
  for (Index end = 0; end <= x.rows(); end += 20) tokens.offsets.push_back(end);
  Tape<float> tape;
  tape.begin(&parameters, {});
  return block(tape.input(x), tokens).value();
}

TEST_CASE("a block of many rows, which keeps only some at a time, has the bits of each set alone",
          "[learning][threads]") {
  constexpr Index kRows = 2000;
  for (const Index width : {12, 72}) {  // those above 64 columns go in smaller pieces
    BlockSettings<float> settings;
    settings.attention.width = width;
    settings.attention.heads = 3;
    settings.norm_of_attention = settings.norm_of_hidden = settings.gain_of_residual = true;
    Parameters<float> parameters;
    const TransformerBlock<float> block(parameters, "block", settings, Random(1));
    Matrix<float> x(kRows, width);
    for (Index k = 0; k < x.size(); ++k)
      x.data()[k] = static_cast<float>(Random(2).uniform(static_cast<std::uint64_t>(k)));
    const Matrix<float> together = answer_of_sets(block, parameters, x);
    for (Index set = 0; set < kRows; set += 460)
      CHECK(answer_of_sets(block, parameters, x.middleRows(set, 20)) == together.middleRows(set, 20));
  }
}

TEST_CASE("transposed_multiply: an entry is one chain over all terms, however many there are", "[learning][twin]") {
  constexpr double kRounding = 1e-4;  // of sums of 300 numbers below 1 in float
  constexpr Index kTerms = 300, kRows = 150;
  for (const Index columns : {40, 64}) {
    Matrix<float> a(kTerms, kRows), b(kTerms, columns), c(kRows, columns), some(kRows, columns);
    for (auto* matrix : {&a, &b})
      for (Index k = 0; k < matrix->size(); ++k)
        matrix->data()[k] = static_cast<float>(Random(3).uniform(static_cast<std::uint64_t>(k), matrix == &a) - 0.5);
    transposed_multiply(a.data(), b.data(), kTerms, kRows, columns, c.data(), false);
    CHECK((c.cast<double>() - a.cast<double>().transpose() * b.cast<double>()).cwiseAbs().maxCoeff() < kRounding);
    for (Index k = 0; k < kTerms; k += 100)  // the same chains in three parts
      transposed_multiply(a.data() + k * kRows, b.data() + k * columns, 100, kRows, columns, some.data(), k > 0);
    CHECK(some == c);
  }
}

}  // namespace
}  // namespace fovea::learning
