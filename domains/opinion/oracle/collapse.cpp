#include "fovea/domains/opinion/oracle/collapse.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kPolynomial = 3;
constexpr int kPlaces = 13, kRounds = 6;  // of the grid: each round a fifth of the last one's range

/// ln S and its error in each cell.
class Scaling {
 public:
  explicit Scaling(const std::vector<ScalingCell>& cells) {
    for (const ScalingCell& cell : cells) {
      const Moments shares = moments(cell.shares);
      log_size_.push_back(std::log(cell.size));
      control_.push_back(cell.control);
      log_share_.push_back(std::log(shares.mean));
      error_.push_back(std::sqrt(shares.variance / static_cast<double>(cell.shares.size())) / shares.mean);
    }
  }

  /// The best a, unless it is known, and the chi-square for these x_c and b.
  Collapse at(double critical, double power, const std::optional<double>& share_power) const {
    const auto cells = static_cast<Index>(control_.size());
    Eigen::MatrixXd columns(cells, kPolynomial + 2);
    Eigen::VectorXd target(cells), scaled(cells);
    for (Index k = 0; k < cells; ++k) {
      const std::size_t c = k;
      scaled[k] = (control_[c] - critical) * std::exp(power * log_size_[c]);
    }
    const double widest = std::max(scaled.cwiseAbs().maxCoeff(), 1e-300);
    for (Index k = 0; k < cells; ++k) {
      const std::size_t c = k;
      columns(k, 0) = share_power ? 0 : -log_size_[c] / error_[c];
      for (Index m = 0; m <= kPolynomial; ++m) columns(k, m + 1) = std::pow(scaled[k] / widest, m) / error_[c];
      target[k] = (log_share_[c] + share_power.value_or(0) * log_size_[c]) / error_[c];
    }
    const Eigen::VectorXd best = columns.colPivHouseholderQr().solve(target);
    return {critical, share_power.value_or(best[0]), power, (columns * best - target).squaredNorm()};
  }

 private:
  std::vector<double> log_size_, control_, log_share_, error_;
};

}  // namespace

Collapse collapse_of(const std::vector<ScalingCell>& cells, const CollapseSearch& search) {
  require(cells.size() >= 8, "collapse_of: there are ", cells.size(), " cells, but at least 8 are needed.");
  const Scaling scaling(cells);
  Collapse best;
  best.chi_square = std::numeric_limits<double>::infinity();
  double middle = search.critical.value_or(0.5 * (search.low + search.high));
  double half = search.critical ? 0 : 0.5 * (search.high - search.low), power = 0.75, reach = 0.75;
  for (int round = 0; round < kRounds; ++round, half /= 5, reach /= 5) {
    for (int i = 0; i < (search.critical ? 1 : kPlaces); ++i)
      for (int j = 0; j < kPlaces; ++j) {
        const auto place = [](int k) { return 2.0 * k / (kPlaces - 1) - 1; };
        const Collapse found =
            scaling.at(middle + half * place(i), std::clamp(power + reach * place(j), 0.01, 1.5), search.share_power);
        if (found.chi_square < best.chi_square) best = found;
      }
    middle = best.critical;
    power = best.control_power;
  }
  return best;
}

Collapse collapse_errors(const std::vector<ScalingCell>& cells, const CollapseSearch& search, int times,
                         const Random& random) {
  std::vector<double> critical, share_power, control_power;
  for (int time = 0; time < times; ++time) {
    std::vector<ScalingCell> again = cells;
    std::uint64_t draw = 0;
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (double& share : again[c].shares)
        share = cells[c].shares[random.below(cells[c].shares.size(), draw++, static_cast<std::uint64_t>(time))];
    const Collapse found = collapse_of(again, search);
    critical.push_back(found.critical);
    share_power.push_back(found.share_power);
    control_power.push_back(found.control_power);
  }
  const auto spread = [](const std::vector<double>& values) { return std::sqrt(moments(values).variance); };
  return {spread(critical), spread(share_power), spread(control_power), 0};
}

}  // namespace fovea::opinion::oracle
