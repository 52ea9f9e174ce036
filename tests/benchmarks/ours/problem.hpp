#pragma once
/// One problem of the benchmark: inputs, and a pass of the engine over them.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/tests/benchmarks/ours/clock.hpp"
#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   pass=forward         forward, backward (alone, after an untimed forward) or both
///   score=dot_product    dot_product, or gaussian: -|q - k|^2 / 2
///   modifiers=none       none, causal_decay (causal, then learned time decay) or neighbours (the 16 nearest, found
///   anew
///                        in each pass; queries = keys = coordinates, uniform in a cube)
///   rows=                N; or sets= packed sets of 16 to 128 rows, sizes from the file data= or drawn
///   heads=1 dimension= value_dimension=dimension
/// Inputs are standard normal and depend on nothing but these fields; the times are those of N events, one a unit.
class Problem : public Work {
 public:
  explicit Problem(const Request& request);

  void run() override;
  /// What the last pass computed, one after the other: outputs and/or gradients of queries, keys, values, and the rate.
  std::vector<float> answer() const override;
  double largest_error() const override {
    throw ArgumentError("request: attention is not compared with double precision.");
  }
  /// Writes queries, keys, values, output_gradient, times as float, offsets as int64, all little-endian and row-major.
  void write(const std::string& folder) const override;
  Index rows() const override { return queries_.rows(); }
  /// Pairs of a query and a key that the pass must look at, all heads together.
  double pairs() const override;

 private:
  enum class Pass { forward, backward, both };

  void draw_inputs(const Request& request);
  void set_spec(const Request& request);
  void find_neighbours();

  Pass pass_ = Pass::forward;
  bool neighbours_ = false;
  bool keeps_shares_apart_ = true;
  Matrix<float> queries_, keys_, values_, output_gradient_;
  Vector<float> times_;
  AttentionSpec<float> spec_;
  AttentionResult<float> forward_;
  std::optional<AttentionGradients<float>> gradients_;
};

}  // namespace fovea::bench
