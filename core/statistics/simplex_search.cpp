#include "fovea/core/statistics/simplex_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

struct Corner {
  std::vector<double> at;
  double value = 0;
};

class Simplex {
 public:
  Simplex(const std::function<double(const std::vector<double>&)>& function, const std::vector<double>& start,
          const std::vector<double>& steps)
      : function_(function) {
    corners_.push_back(evaluated(start));
    for (std::size_t k = 0; k < start.size(); ++k) {
      std::vector<double> moved = start;
      moved[k] += steps[k];
      corners_.push_back(evaluated(moved));
    }
    sort();
  }

  bool done(double tolerance) const { return corners_.back().value - corners_.front().value < tolerance; }
  int evaluations() const { return evaluations_; }
  const Corner& best() const { return corners_.front(); }

  void step() {
    Corner& worst = corners_.back();
    const double second_worst = corners_[corners_.size() - 2].value;
    Corner reflected = along(-1);
    if (reflected.value < corners_.front().value) {
      Corner expanded = along(-2);
      worst = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < second_worst) {
      worst = reflected;
    } else {
      Corner contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < std::min(reflected.value, worst.value))
        worst = contracted;
      else
        shrink();
    }
    sort();
  }

 private:
  Corner evaluated(std::vector<double> at) {
    ++evaluations_;
    const double value = function_(at);
    return {std::move(at), value};
  }
  /// From the centre of all corners but the worst, `factor` of the way to the worst.
  Corner along(double factor) {
    const std::size_t numbers = corners_.size() - 1;
    std::vector<double> point(numbers, 0.0);
    for (std::size_t k = 0; k < numbers; ++k) {
      for (std::size_t c = 0; c < numbers; ++c) point[k] += corners_[c].at[k];
      const double centre = point[k] / static_cast<double>(numbers);
      point[k] = centre + factor * (corners_.back().at[k] - centre);
    }
    return evaluated(std::move(point));
  }
  void shrink() {
    for (std::size_t c = 1; c < corners_.size(); ++c) {
      std::vector<double> nearer = corners_[c].at;
      for (std::size_t k = 0; k < nearer.size(); ++k) nearer[k] = (nearer[k] + corners_[0].at[k]) / 2;
      corners_[c] = evaluated(std::move(nearer));
    }
  }
  void sort() {
    std::stable_sort(corners_.begin(), corners_.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
  }

  const std::function<double(const std::vector<double>&)>& function_;
  std::vector<Corner> corners_;
  int evaluations_ = 0;
};

}  // namespace

SimplexMinimum simplex_minimum(const std::function<double(const std::vector<double>&)>& function,
                               const std::vector<double>& start, const std::vector<double>& steps, double tolerance,
                               int evaluations) {
  require(!start.empty() && start.size() == steps.size(), "simplex: there are ", start.size(), " numbers and ",
          steps.size(), " steps; each number needs one step.");
  Simplex simplex(function, start, steps);
  require(std::isfinite(simplex.best().value), "simplex: the function is not finite anywhere near the start.");
  while (!simplex.done(tolerance) && simplex.evaluations() < evaluations) simplex.step();
  return {simplex.best().at, simplex.best().value, simplex.evaluations()};
}

}  // namespace fovea
