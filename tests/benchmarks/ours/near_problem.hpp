#pragma once
/// A block of a Transformer over the nearest of many tokens, with a learned bias of each listed pair.

#include <memory>
#include <optional>

#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/pairs/pair_network.hpp"
#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   tokens= nearest=16    places uniform on [-2.5, 2.5] x [-pi, pi), the second periodic; nearest=0: all see all, no
///   bias width=64 heads=4 hidden=256 pass=forward    or training: also backward, to all parameters
/// The bias is made by a network 4-16-heads of the differences of places. Lists are searched anew in each pass.
class NearProblem : public Work {
 public:
  explicit NearProblem(const Request& request);
  void run() override;
  std::vector<float> answer() const override { return {}; }
  void write(const std::string&) const override {}
  Index rows() const override { return tokens_.count(); }
  double pairs() const override;
  double largest_error() const override;

 private:
  /// The differences of a pair's places.
  learning::PairFill<float> places_of_pairs() const;

  Index nearest_, heads_;
  bool training_;
  learning::Tokens tokens_;
  Matrix<float> x_;
  learning::Parameters<float> parameters_;
  std::optional<learning::TransformerBlock<float>> block_;
  std::optional<learning::PairNetwork<float>> network_;
  std::optional<learning::Linear<float>> head_;
  Matrix<float> targets_;
  learning::Tape<float> tape_;
  std::vector<float> gradients_;
};

}  // namespace fovea::bench
