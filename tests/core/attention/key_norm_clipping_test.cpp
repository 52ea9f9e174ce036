// The keys that key_norm_clipping leaves, and the way back from their gradient.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// A few roundings of numbers of size 1.
constexpr double kClipRounding = 1e-15;

Matrix<double> clipped(Matrix<double> keys, Index head, const std::vector<double>& theta,
                       Sharing sharing = Sharing::all_heads) {
  key_norm_clipping<double>(sharing)->change_keys(keys, head, theta);
  return keys;
}

}  // namespace

TEST_CASE("no key is longer than the clipping norm, and shorter keys keep their bits", "[attention][modifier][limit]") {
  const Matrix<double> keys = random_matrix(40, 5, 95);
  const double longest = 1.1;
  const Matrix<double> found = clipped(keys, 0, {std::log(longest)});
  Index shortened = 0;
  for (Index j = 0; j < keys.rows(); ++j) {
    const bool is_long = keys.row(j).norm() > longest;
    shortened += is_long;
    if (!is_long) CHECK(test::same_bits<double>(found.row(j), keys.row(j)));
    if (is_long) CHECK(std::abs(found.row(j).norm() - longest) < 4 * kClipRounding);
    CHECK((found.row(j).normalized() - keys.row(j).normalized()).norm() < kClipRounding);
  }
  CHECK(shortened > 5);
  CHECK(shortened < 35);
}

TEST_CASE("clipping keeps huge keys finite, zero keys zero and a NaN where it is", "[attention][modifier][limit]") {
  Matrix<double> keys(4, 2);
  keys << 1e300, -1e300, 0, 0, 1e-300, 2e-300, std::numeric_limits<double>::quiet_NaN(), 5;
  const Matrix<double> found = clipped(keys, 0, {0});
  CHECK(std::abs(found(0, 0) - std::sqrt(0.5)) < kClipRounding);
  CHECK(std::abs(found(0, 1) + std::sqrt(0.5)) < kClipRounding);
  CHECK(test::same_bits<double>(found.middleRows(1, 2), keys.middleRows(1, 2)));
  CHECK(std::isnan(found(3, 0)));
}

TEST_CASE("key_norm_clipping agrees with its brute-force twin", "[attention][modifier][twin]") {
  const PlainModifier twin = plain_modifier("key_norm_clipping");
  const Matrix<double> keys = 2 * random_matrix(30, 3, 96);
  for (Index head = 0; head < 2; ++head) {
    const Matrix<double> found = clipped(keys, head, {-0.4, -0.2}, Sharing::per_head);
    for (Index j = 0; j < keys.rows(); ++j)
      CHECK((found.row(j) - twin.change_key(keys.row(j), head)).cwiseAbs().maxCoeff() < kClipRounding);
  }
}

TEST_CASE("the gradient of clipped keys agrees with central differences", "[attention][modifier][gradient]") {
  for (const Sharing sharing : {Sharing::all_heads, Sharing::per_head}) {
    Matrix<double> keys = random_matrix(20, 4, 97);
    const Matrix<double> output_gradient = random_matrix(20, 4, 98);
    std::vector<double> theta{0.1, 0.05};
    if (sharing == Sharing::all_heads) theta.pop_back();
    const auto loss = [&] { return (clipped(keys, 1, theta, sharing).array() * output_gradient.array()).sum(); };
    Matrix<double> gradient = output_gradient;
    std::vector<double> theta_gradient(theta.size(), 0);
    key_norm_clipping<double>(sharing)->change_keys_backward(keys, gradient, 1, theta, theta_gradient);
    CHECK(theta_gradient.back() != 0);
    CHECK(gradient_error(keys.data(), keys.size(), gradient.data(), loss) < kGradientTolerance);
    CHECK(gradient_error(theta.data(), static_cast<Index>(theta.size()), theta_gradient.data(), loss) <
          kGradientTolerance);
  }
}

TEST_CASE("key_norm_clipping says that it changes keys, and leaves scores alone", "[attention][modifier]") {
  const auto clipping = key_norm_clipping<double>(Sharing::per_head);
  CHECK(clipping->changes_keys());
  CHECK_FALSE(temperature<double>()->changes_keys());
  CHECK(clipping->parameter_count(3) == 3);
  CHECK(clipping->bound({}, 2.5, std::vector<double>{0}) == 2.5);
}
