#include "fovea/tests/core/learning/operation_trial.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

TEST_CASE("every operation: its gradients agree with central differences", "[learning][gradient]") {
  for (const OperationEntry<double>& entry : operations<double>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<double> tape;
      std::vector<Matrix<double>> inputs = entry.inputs(kOperationExample);
      const Outcome<double> analytic = try_operation(tape, entry, inputs, kOperationExample);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        const double error = gradient_error(inputs[k].data(), inputs[k].size(), analytic.gradients[k].data(),
                                            [&] { return try_operation(tape, entry, inputs, kOperationExample).loss; });
        INFO("input " << k);
        CHECK(error < kGradientTolerance);
      }
    }
  }
}

TEST_CASE("every operation: a second pass on the same tape gives the same bits and takes no more memory",
          "[learning]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    DYNAMIC_SECTION(entry.name) {
      Tape<float> tape;
      const auto inputs = entry.inputs(kOperationExample);
      const Outcome<float> first = try_operation(tape, entry, inputs, kOperationExample);
      try_operation(tape, entry, inputs, kOperationExample);
      const std::size_t held = tape.capacity();
      const Outcome<float> third = try_operation(tape, entry, inputs, kOperationExample);
      CHECK(tape.capacity() == held);
      CHECK(first.result == third.result);
      for (std::size_t k = 0; k < inputs.size(); ++k) CHECK(first.gradients[k] == third.gradients[k]);
    }
  }
}

TEST_CASE("every operation: float agrees with double", "[learning][twin]") {
  constexpr double kFloatTolerance = 2e-5;  // 2^-24 = 6e-8, times sums of tens of terms and gradients of a few units
  const auto tables = std::pair(operations<float>(), operations<double>());
  for (std::size_t e = 0; e < tables.first.size(); ++e) {
    DYNAMIC_SECTION(tables.first[e].name) {
      Tape<float> tape;
      Tape<double> twin_tape;
      const auto inputs = tables.first[e].inputs(kOperationExample);
      std::vector<Matrix<double>> twin_inputs;
      for (const auto& input : inputs) twin_inputs.push_back(input.cast<double>());
      const auto outcome = try_operation(tape, tables.first[e], inputs, kOperationExample);
      const auto twin = try_operation(twin_tape, tables.second[e], twin_inputs, kOperationExample);
      CHECK((outcome.result.cast<double>() - twin.result).cwiseAbs().maxCoeff() < kFloatTolerance);
      for (std::size_t k = 0; k < inputs.size(); ++k)
        CHECK((outcome.gradients[k].cast<double>() - twin.gradients[k]).cwiseAbs().maxCoeff() < kFloatTolerance);
    }
  }
}

TEST_CASE("every operation: what comes later in the batch changes no bit of a row", "[learning][property]") {
  for (const OperationEntry<float>& entry : operations<float>()) {
    if (!entry.by_rows) continue;
    DYNAMIC_SECTION(entry.name) {
      Tape<float> tape;
      const auto inputs = entry.inputs(kOperationExample);
      std::vector<Matrix<float>> fewer;
      for (const auto& input : inputs)
        fewer.push_back(input.rows() == kOperationExample.tokens() ? Matrix<float>(input.topRows(kFirstSets.tokens()))
                                                                   : input);
      const auto all = try_operation(tape, entry, inputs, kOperationExample);
      const auto part = try_operation(tape, entry, fewer, kFirstSets);
      CHECK(part.result == all.result.topRows(part.result.rows()));
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (inputs[k].rows() == kOperationExample.tokens())
          CHECK(part.gradients[k] == all.gradients[k].topRows(kFirstSets.tokens()));
    }
  }
}

}  // namespace
}  // namespace fovea::learning::test
