#pragma once
/// Effects on the size of a series' variations.

#include <string>

#include "fovea/domains/lag/further/effects.hpp"
#include "fovea/domains/lag/further/family.hpp"
#include "fovea/domains/lag/further/sizes.hpp"

namespace fovea::lag::further {

class VarianceEffects {
 public:
  /// left: what is left of each effect, series x steps; panel is kept by reference.
  VarianceEffects(const Panel& panel, const Matrix<double>& left, const FurtherSettings& settings);

  const CommonSizes& common() const { return common_; }
  /// No candidates where the sizes of most series move together.
  Family family(const std::vector<methods::Link>& changing);
  /// Takes the cause, its values and its size out of the size of the effect.
  void remove(const methods::Link& link);
  double p_value(const methods::Link& link) const;
  /// "larger values of x are followed by larger variations" and the like, of a link that was not removed yet.
  std::string answer(const methods::Link& link, const std::vector<std::string>& names) const;

 private:
  struct Test {
    double statistic = 0;  ///< the self-normalised sum
    double strength = 0;   ///< the correlation
  };
  struct Tests {
    Test level, size;
  };
  struct Answer {
    double p = 1;
    Test test;
    bool by_size = false;  ///< of the cause, not by its level
  };
  Test test_of(const LaggedSums& sums, Index effect, double inflation = 1) const;
  Tests thorough_tests(const methods::Link& link) const;
  /// Of the surer of both, lowered by what all tests and the pair's other lags have in common.
  Answer answer_of(const Tests& tests, Index cause, Index effect) const;
  void measure(Index effect);
  void find_common_course(const std::vector<std::vector<Tests>>& all);

  const Panel& panel_;
  const FurtherSettings& settings_;
  Matrix<double> scores_, sizes_;  ///< sizes_: surprises, for the causes and the effects
  Matrix<double> left_;            ///< of sizes_, for the effects
  Vector<double> powers_;
  CommonSizes common_;
  double all_levels_ = 1, all_sizes_ = 1;  ///< inflation of squared statistics
  Matrix<double> pair_sizes_;              ///< the same of each cause and effect
};

}  // namespace fovea::lag::further
