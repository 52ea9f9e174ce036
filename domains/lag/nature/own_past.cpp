#include "fovea/domains/lag/nature/own_past.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/median.hpp"
#include "fovea/core/statistics/processes/fourier.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Beside the regressors.
constexpr Index kFewestRows = 20;
// Of the autoregression; less where rows are few.
constexpr Index kMostOrder = 8;
// Of the square sum of a course beside the regression: below it the course depends on the regression's columns but for
// rounding. What an own past has nearly all of is a course all the same: a steep line or a strong wave is forecast by
// its past values, but at the price of their noise.
constexpr double kLeastLeft = 1e-11;
// Below it the sums of the regression lose digits, and a wave is as one beside a pair of unit roots at its frequency.
constexpr double kLittleLeft = 0.05;
// Of a step, whose past values are those of the level before.
constexpr double kLeastOfStep = 0.02;
// On a walk, or an oscillation that never fades, L is 1 + this times what chi squared says (chance.cpp).
constexpr double kWalk = 1.5;
// Frequencies at which the regression is made, not approximated by the transform.
constexpr int kMostExact = 100;
// Robust deviations: of normal rests 1 of 150 000 is pulled in.
constexpr double kMostSpread = 4.5;
// Of the standard deviation, where most rests are nearly 0, as those of rain.
constexpr double kLeastSpread = 0.4;

/// Gaps bridged; about the mean of what is known, in standard deviations.
Vector<double> smoothed_over(const Vector<double>& y, const std::vector<Index>& starts) {
  datasets::series::SeriesTable alone;
  alone.values = y;
  alone.recording_starts = starts;
  Vector<double> full = attention::bridged(alone).col(0);
  double sum = 0, count = 0;
  for (const double value : y)
    if (!std::isnan(value)) sum += value, count += 1;
  const double mean = count > 0 ? sum / count : 0;
  full.array() -= mean;
  const double size = std::sqrt(full.squaredNorm() / static_cast<double>(std::max<Index>(full.size(), 1)));
  if (size > 1e-12 * std::fabs(mean) && size > 0) return full / size;
  return Vector<double>::Zero(y.size());
}

/// The median size of the rests that are used, as the deviation of normal ones.
double robust_spread(const Vector<double>& e, const std::vector<char>& used) {
  std::vector<double> sizes;
  for (Index t = 0; t < e.size(); ++t)
    if (used[t] != 0) sizes.push_back(std::fabs(e[t]));
  return 1.4826 * upper_median(std::move(sizes));  // that of a normal deviate is 1
}

// Turns of a transform whose powers stay in the fastest memory from one power to the next.
constexpr Index kBlock = 512;

/// Of some turns w of a transform: straight = sum_m between[m] Re w^m, crossed = sum_{m > 0} across[m] w^m. Turn by
/// turn side by side.
struct PolynomialsOfTurns {
  PolynomialsOfTurns(const std::vector<double>& between, const std::vector<double>& across,
                     const std::complex<double>* first, Index count) {
    const Eigen::Map<const Eigen::ArrayXcd> turns(first, count);
    const Eigen::ArrayXd re = turns.real(), im = turns.imag();
    Eigen::ArrayXd power_re = Eigen::ArrayXd::Ones(count), power_im = Eigen::ArrayXd::Zero(count), next(count);
    straight = Eigen::ArrayXd::Constant(count, between.empty() ? 0 : between[0]);
    real_ = imaginary_ = Eigen::ArrayXd::Zero(count);
    for (std::size_t m = 1; m < across.size(); ++m) {
      next = power_re * re - power_im * im;
      power_im = power_re * im + power_im * re;
      power_re.swap(next);
      if (m < between.size()) straight += between[m] * power_re;
      real_ += across[m] * power_re;
      imaginary_ += across[m] * power_im;
    }
  }
  std::complex<double> crossed(Index k) const { return {real_[k], imaginary_[k]}; }

  Eigen::ArrayXd straight;

 private:
  Eigen::ArrayXd real_, imaginary_;
};

}  // namespace

OwnPast::OwnPast(const Vector<double>& y, const Matrix<double>& held, const std::vector<Index>& starts)
    : held_(held.cols()) {
  const Index steps = y.size();
  Index longest = 0, known = 0;
  for (std::size_t r = 0; r < starts.size(); ++r)
    longest = std::max(longest, (r + 1 < starts.size() ? starts[r + 1] : steps) - starts[r]);
  for (const double value : y) known += std::isnan(value) ? 0 : 1;
  // 25 rows a coefficient, and recordings four times as long as the past that each row takes from them.
  const Index most = std::max<Index>(1, std::min({kMostOrder, known / 25, longest / 4}));
  target_ = smoothed_over(y, starts);
  rest_ = Vector<double>::Zero(steps);
  used_.assign(steps, 0);
  for (std::size_t r = 0; r < starts.size(); ++r)
    for (Index t = starts[r] + most; t < (r + 1 < starts.size() ? starts[r + 1] : steps); ++t)
      if (!std::isnan(y[t])) used_[t] = 1, ++rows_;
  if (rows_ < kFewestRows + held_ + most || target_.squaredNorm() == 0) return;
  design_ = Matrix<double>::Zero(steps, 1 + held_ + most);
  for (Index t = 0; t < steps; ++t) {
    if (used_[t] == 0) continue;
    design_(t, 0) = 1;
    for (Index c = 0; c < held_; ++c) design_(t, 1 + c) = held(t, c);
    for (Index k = 1; k <= most; ++k) design_(t, held_ + k) = target_[t - k];
  }
  const Vector<double> whole = target_;
  for (Index t = 0; t < steps; ++t)
    if (used_[t] == 0) target_[t] = 0;
  choose_order(target_, most);
  fit(whole);
}

void OwnPast::choose_order(const Vector<double>& y, Index most) {
  const Eigen::MatrixXd products = design_.transpose() * design_;
  // One factorisation for all orders: the coordinates of y are what each further column takes off its square sum. A
  // little is added to the diagonal, as held columns may determine each other.
  const Eigen::LLT<Eigen::MatrixXd> factor(products +
                                           1e-10 * Eigen::MatrixXd(products.diagonal().cwiseMax(1e-12).asDiagonal()));
  const Eigen::VectorXd onto = factor.matrixL().solve(Eigen::VectorXd(design_.transpose() * y));
  const auto n = static_cast<double>(rows_);
  double left = y.squaredNorm() - onto.head(1 + held_).squaredNorm();
  double least = std::numeric_limits<double>::infinity();
  const double smallest = 1e-12 * y.squaredNorm() + 1e-300;
  for (Index p = 0; p <= most; ++p) {
    if (p > 0) left -= onto[held_ + p] * onto[held_ + p];
    // Akaike (1974): the smallest of these.
    const double criterion = n * std::log(std::max(left, smallest)) + 2 * static_cast<double>(p);
    if (criterion < least) least = criterion, order_ = p;
  }
  const Matrix<double> kept = design_.leftCols(1 + held_ + order_);
  design_ = kept;
}

void OwnPast::fit(const Vector<double>& whole) {
  const Index columns = design_.cols();
  Eigen::MatrixXd products = design_.transpose() * design_;
  products.diagonal() += 1e-10 * products.diagonal().cwiseMax(1e-12);
  inverse_ = products.llt().solve(Eigen::MatrixXd::Identity(columns, columns));
  const Vector<double> coefficients = inverse_ * (design_.transpose() * target_);
  memory_ = coefficients.tail(order_);
  const Vector<double> fitted = design_ * coefficients;
  rest_ = target_ - fitted;
  const double total = target_.squaredNorm();
  residual_ = rest_.squaredNorm();
  if (residual_ <= 1e-10 * total) {
    residual_ = 0;
    return;
  }
  const double variance = residual_ / static_cast<double>(rows_ - columns);
  if (order_ > 0) {
    const double spread = inverse_.bottomRightCorner(order_, order_).sum();
    unit_root_ = (memory_.sum() - 1) / std::sqrt(variance * spread);
  } else {
    // No past is needed: the sum of the coefficients is 0, and its error as that of white noise, 1 / sqrt(rows).
    unit_root_ = -std::sqrt(static_cast<double>(rows_));
  }
  // The tests stand on squares, so what a few outliers say alone is bounded; what is pulled in is regressed again.
  const double bound = kMostSpread * std::max(robust_spread(rest_, used_), kLeastSpread * std::sqrt(variance));
  const Vector<double> pulled = rest_.cwiseMax(-bound).cwiseMin(bound);
  rest_ = pulled - design_ * (inverse_ * (design_.transpose() * pulled));
  residual_ = rest_.squaredNorm();
  tails_ = static_cast<double>(rows_) * rest_.array().square().square().sum() / (residual_ * residual_) - 3;
  // What a transform of the lagged columns would see, without those that are held.
  Eigen::MatrixXd held_products = products.topLeftCorner(1 + held_, 1 + held_);
  const Vector<double> about =
      held_products.llt().solve(Eigen::VectorXd(design_.leftCols(1 + held_).transpose() * whole));
  beside_held_ = target_ - design_.leftCols(1 + held_) * about;
}

double OwnPast::evidence_of(double gain) const {
  const auto n = static_cast<double>(rows_);
  // n log of the residual before over that after: the likelihood ratio, where the gain is a share of the whole.
  return -n * std::log1p(-std::min(gain / n, 1 - 1e-12));
}

Vector<double> OwnPast::coordinates(const Matrix<double>& x, bool periodic) const {
  Vector<double> parts = Vector<double>::Zero(x.cols());
  if (constant()) return parts;
  Matrix<double> masked = x;
  for (Index t = 0; t < x.rows(); ++t)
    if (used_[t] == 0) masked.row(t).setZero();
  const Eigen::VectorXd squares = masked.colwise().squaredNorm();
  const Matrix<double> with = design_.transpose() * masked;
  Eigen::MatrixXd left = Eigen::MatrixXd(masked.transpose() * masked);
  left -= Eigen::MatrixXd(with.transpose() * (inverse_ * with));
  const double least_left = (left.diagonal().array() / squares.array().max(1e-300)).minCoeff();
  if (least_left < kLittleLeft) {  // the difference of two large sums: by the rests themselves
    for (int round = 0; round < 3; ++round) masked -= design_ * (inverse_ * (design_.transpose() * masked));
    left = masked.transpose() * masked;
  }
  Eigen::VectorXd product = masked.transpose() * rest_;
  for (Index k = 0; k < x.cols(); ++k) {  // Cholesky, leaving out what is determined
    if (left(k, k) < kLeastLeft * squares[k] || squares[k] <= 0) {
      left.col(k).setZero(), left.row(k).setZero();
      continue;
    }
    const double root = std::sqrt(left(k, k));
    parts[k] = product[k] / root;
    if (periodic) parts[k] /= std::sqrt(1 + kWalk * std::max(0.0, 1 - left(k, k) / (kLittleLeft * squares[k])));
    const Eigen::VectorXd column = left.col(k) / root;
    const double whole = product[k] / root;
    for (Index m = k + 1; m < x.cols(); ++m) {
      product[m] -= whole * column[m];
      for (Index q = k + 1; q < x.cols(); ++q) left(q, m) -= column[q] * column[m];
    }
  }
  return parts / spread();
}

std::vector<double> OwnPast::coordinates_of_steps(const std::vector<Index>& rows) const {
  std::vector<double> found(rows.size(), 0.0);
  if (constant()) return found;
  Vector<double> sums = Vector<double>::Zero(design_.cols());
  double count = 0, product = 0;
  Index t = design_.rows();
  for (std::size_t r = rows.size(); r-- > 0;) {
    for (; t > rows[r]; --t) {
      if (used_[t - 1] == 0) continue;
      sums += design_.row(t - 1).transpose();
      count += 1;
      product += rest_[t - 1];
    }
    const double left = count - sums.dot(inverse_ * sums);
    const double square = count * (1 - count / static_cast<double>(rows_));
    if (square > 0 && left > kLeastOfStep * square) found[r] = product / (std::sqrt(left) * spread());
  }
  return found;
}

double OwnPast::robust_coordinate_of_step(Index row) const {
  if (constant()) return 0;
  Vector<double> step = Vector<double>::Zero(design_.rows());
  for (Index t = row; t < step.size(); ++t) step[t] = used_[t] != 0 ? 1 : 0;
  const double count = step.sum();
  step -= design_ * (inverse_ * (design_.transpose() * step));
  const double left = step.squaredNorm(), product = step.dot(rest_);
  if (left <= kLeastOfStep * count * (1 - count / static_cast<double>(rows_))) return 0;
  // White's errors, each rest as a regression without its row leaves it (HC3).
  const Eigen::ArrayXd leverage = step.array().square() / left;
  const Eigen::ArrayXd error = (rest_ - product / left * step).array() / (1 - leverage).max(1e-6);
  const Eigen::ArrayXd parts = (step.array() * error).square();
  const double variance = parts.sum(), degrees = std::max(1.0, variance * variance / parts.square().sum());
  const double chance = std::max(student_two_sided(product / std::sqrt(variance), degrees), 1e-15);
  return std::copysign(normal_quantile(1 - chance / 2), product);
}

OwnPast::Waves OwnPast::coordinates_of_waves(const Fourier& fourier) const {
  constexpr double kStrong = 0.2;
  const Index grid = fourier.size();
  Waves waves{std::vector<std::complex<double>>(grid / 2 + 1, 0.0)};
  std::vector<std::complex<double>>& found = waves.coordinates;
  if (constant()) return waves;
  std::vector<std::complex<double>> both(grid);
  for (Index t = 0; t < rest_.size(); ++t) both[t] = {rest_[t], beside_held_[t]};
  fourier(both);
  // z' K z of the lagged columns, whose transforms are that of y turned by w^k: two polynomials in w.
  std::vector<double> between(order_, 0.0), across(2 * order_ + 1, 0.0);
  const Matrix<double> lagged = inverse_.bottomRightCorner(order_, order_);
  for (Index a = 0; a < order_; ++a)
    for (Index b = 0; b < order_; ++b) {
      between[std::abs(a - b)] += lagged(a, b);
      across[a + b + 2] += lagged(a, b);
    }
  const auto n = static_cast<double>(rows_);
  std::optional<PolynomialsOfTurns> sums;
  int exact = 0;
  double most = 0;
  Index strongest = 1;
  for (Index k = 1; k <= grid / 2; ++k) {
    const Index first = k - k % kBlock;
    if (k == 1 || k == first)
      sums.emplace(between, across, fourier.turns().data() + first, std::min(kBlock, grid / 2 + 1 - first));
    // Two real series in one transform: their even and odd parts.
    const std::complex<double> here = both[k], there = std::conj(both[(grid - k) % grid]);
    const std::complex<double> e = 0.5 * (here + there), y = std::complex<double>(0, -0.5) * (here - there);
    if (k < grid / 2 && std::norm(y) > most) most = std::norm(y), strongest = k;
    const double taken = 0.5 * std::norm(y) * sums->straight[k - first];
    const std::complex<double> mixed = 0.5 * y * y * sums->crossed(k - first);
    // cosine = Re e^{-iwt}, sine = Im e^{-iwt}
    const double cc = 0.5 * n - taken - mixed.real(), ss = 0.5 * n - taken + mixed.real(), cs = -mixed.imag();
    const double determinant = cc * ss - cs * cs;
    std::complex<double> parts;
    // A cosine alone at the highest frequency; where the past has nearly all of a wave, by the regression.
    if (k == grid / 2) {
      parts = e.real() / std::sqrt(n);
    } else if (determinant < kLittleLeft * 0.25 * n * n || cc <= 0 || ss <= 0) {
      if (exact++ < kMostExact) {
        const Vector<double> both_parts =
            coordinates(wave(rest_.size(), static_cast<double>(k) / static_cast<double>(grid)), true);
        found[k] = {both_parts[0], both_parts[1]};
        continue;
      }
      parts = e / std::sqrt(0.5 * n);
    } else {
      parts = {e.real() / std::sqrt(cc), (e.imag() - cs / cc * e.real()) / std::sqrt(determinant / cc)};
    }
    found[k] = parts / spread();
  }
  if (2 * most >= kStrong * n * beside_held_.squaredNorm())
    waves.strongest = static_cast<double>(strongest) / static_cast<double>(grid);
  return waves;
}

}  // namespace fovea::lag::nature
