/// The oracle on anchors (E5): consensus breaks with a jump at the fold of the Gaussian state.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kAnchored = 8000;
constexpr double kStill = 1e-7;   // near the fold a crowd creeps by the distance to it, 1e-3 s u in a step: far above
constexpr int kPatience = 20000;  // steps; at 1.0005 of the fold about 8000 are needed
constexpr double kLeft = 2;       // times the spread at the fold: beyond, the crowd is on its way to camps

double spread_of(const Matrix<double>& opinions) { return std::sqrt(measures::variance(opinions)); }

/// A crowd with anchors that is carried from one temperature to the next.
class AnchoredCrowd {
 public:
  explicit AnchoredCrowd(double stubbornness) : fold_(theory::lower_fold(stubbornness)) {
    dynamics_ = free_crowd({.stubbornness = stubbornness}, quantile_crowd(kAnchored));
    opinions = stubbornness * dynamics_->agents().start;  // the state at infinite temperature
  }
  const theory::Fold& fold() const { return fold_; }
  bool has_left() const { return spread_of(opinions) > kLeft * fold_.u; }

  /// To rest at `ratio` times the fold's temperature.
  void rest_at(double ratio, bool until_left, double still = kStill) {
    dynamics_->set(dynamics::Control::temperature, ratio * fold_.tau);
    const auto left = [&](const Matrix<double>& now) { return spread_of(now) > kLeft * fold_.u; };
    run_to_rest(*dynamics_, opinions, still, kPatience,
                until_left ? left : std::function<bool(const Matrix<double>&)>{});
  }

  Matrix<double> opinions;

 private:
  theory::Fold fold_;
  std::unique_ptr<dynamics::Dynamics> dynamics_;
};

/// Cools from 1.1 of the fold, by bisection from the last state that rested, until the jump is known to 5e-4.
double jump_ratio(double stubbornness) {
  AnchoredCrowd crowd(stubbornness);
  double rested = 1.1, left = 0.9;
  crowd.rest_at(rested, true);
  while (rested - left > 5e-4) {
    const Matrix<double> last = crowd.opinions;
    const double middle = 0.5 * (rested + left);
    crowd.rest_at(middle, true);
    if (crowd.has_left()) {
      left = middle;
      crowd.opinions = last;
    } else {
      rested = middle;
    }
  }
  return 0.5 * (rested + left);
}

/// The Gaussian state that no crowd rests in: between the folds, u from one to the other. NaN outside.
double unstable_spread(double tau, double stubbornness) {
  const theory::Fold lower = theory::lower_fold(stubbornness), upper = theory::upper_fold(stubbornness);
  if (!(tau >= lower.tau && tau <= upper.tau)) return kNan;
  double low = lower.u, high = upper.u;  // tau rises with u between the folds
  for (int round = 0; round < 60; ++round) {
    const double middle = 0.5 * (low + high);
    (theory::gaussian_state_tau(middle, stubbornness) < tau ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

struct Spread {
  double cooling, heating, theory, unstable;
};

std::vector<Spread> loop_of(double stubbornness, const std::vector<double>& ratios) {
  std::vector<Spread> loop(ratios.size());
  AnchoredCrowd crowd(stubbornness);
  for (std::size_t k = ratios.size(); k-- > 0;) {
    crowd.rest_at(ratios[k], false);
    loop[k].cooling = spread_of(crowd.opinions);
  }
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    crowd.rest_at(ratios[k], false, 1e-6);
    loop[k].heating = spread_of(crowd.opinions);
    loop[k].theory = theory::gaussian_state_u(ratios[k] * crowd.fold().tau, stubbornness);
    loop[k].unstable = unstable_spread(ratios[k] * crowd.fold().tau, stubbornness);
  }
  return loop;
}

void draw_loops(OracleSheet& sheet, const std::vector<double>& stubbornness, const std::vector<double>& ratios) {
  std::vector<std::vector<Spread>> loops(stubbornness.size());
  side_by_side(loops.size(), [&](std::size_t k) { loops[k] = loop_of(stubbornness[k], ratios); });
  std::vector<Spread> all;
  for (const std::vector<Spread>& loop : loops) all.insert(all.end(), loop.begin(), loop.end());
  Results& results = sheet.results();
  results.coordinate("e5_ratio", ratios, "1", "temperature over that of the fold");
  results.coordinate("e5_stubbornness", stubbornness, "1", "stubbornness s");
  rows({"e5_stubbornness", "e5_ratio"}, all)
      .prefix("e5_")
      .number("cooling", &Spread::cooling, "spread u, cooling")
      .number("heating", &Spread::heating, "spread u, heating")
      .number("theory", &Spread::theory, "Gaussian state")
      .number("unstable", &Spread::unstable, "the same beyond the fold: unstable")
      .write(results);
  results.figure(
      {.name = "fold",
       .title = "E5: consensus loses stability at the fold, with hysteresis",
       .caption = "Spread of 8000 agents over that of their anchors. Dashed: the Gaussian state tau = s u^2 (1 - u) / "
                  "(u - s), which ends where it meets its unstable branch; the crowd then splits into camps.",
       .variables = {"e5_cooling", "e5_heating"},
       .references = {"e5_theory", "e5_unstable"},
       .x = "e5_ratio",
       .log_x = true});
  // research: still polarized far above
  for (std::size_t k = 0; k < stubbornness.size(); ++k)
    sheet.claim(concat("stays_polarized_s_", stubbornness[k]),
                concat("heating stays polarized at 6 times the fold's temperature, s = ", stubbornness[k]),
                loops[k].back().heating > 0.5);
}

}  // namespace

void measure_folds(OracleSheet& sheet) {
  constexpr double kJump = 0.005;    // of the fold's temperature
  constexpr double kSpread = 0.005;  // quantiles instead of a Gaussian; u is steep next to the fold
  const std::vector<double> stubbornness{0.02, 0.05, 0.08};
  std::vector<double> ratios{0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1};
  for (const double ratio : {1.2, 1.4, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0}) ratios.push_back(ratio);
  std::vector<double> jumps(stubbornness.size());
  side_by_side(jumps.size(), [&](std::size_t k) { jumps[k] = jump_ratio(stubbornness[k]); });
  sheet.progress(0.5);
  for (std::size_t k = 0; k < stubbornness.size(); ++k) {
    const double s = stubbornness[k], fold = theory::lower_fold(s).tau;
    sheet.compare(concat("jump_s_", s), concat("temperature where consensus loses stability on cooling, s = ", s), fold,
                  fold * jumps[k], relative(kJump));
  }
  draw_loops(sheet, stubbornness, ratios);
  const auto theory = view(sheet.results().data, "e5_theory").series("e5_ratio");
  const auto cooling = view(sheet.results().data, "e5_cooling").series("e5_ratio");
  for (std::size_t k = 0; k < stubbornness.size(); ++k) {
    double worst = 0;
    for (std::size_t r = 0; r < ratios.size(); ++r)
      if (ratios[r] >= 1.01) worst = std::max(worst, std::abs(cooling[k][r] / theory[k][r] - 1));
    sheet.compare(
        concat("spread_s_", stubbornness[k]),
        concat("largest relative distance of the spread from the Gaussian state, from 1.01 to 6 of the fold, s = ",
               stubbornness[k]),
        0.0, worst, absolute(kSpread));
  }
}

}  // namespace fovea::opinion::oracle
