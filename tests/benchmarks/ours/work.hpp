#pragma once
/// What fovea_bench can be asked to repeat.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

class Work {
 public:
  virtual ~Work() = default;
  /// One pass.
  virtual void run() = 0;
  /// What other programs must come to as well, one number after the other.
  virtual std::vector<float> answer() const = 0;
  /// The same in double precision, for work that is done in it.
  virtual std::vector<double> answer_in_double() const {
    const std::vector<float> numbers = answer();
    return {numbers.begin(), numbers.end()};
  }
  /// Writes the inputs for the other programs, little-endian and row-major.
  virtual void write(const std::string& folder) const = 0;
  /// Tokens of a pass.
  virtual Index rows() const = 0;
  /// Pairs of a query and a key that a pass must look at, all heads together.
  virtual double pairs() const = 0;
  /// The largest difference from what double precision gives; throws ArgumentError where nobody knows.
  virtual double largest_error() const = 0;
};

}  // namespace fovea::bench
