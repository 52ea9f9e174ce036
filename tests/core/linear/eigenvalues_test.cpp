#include "fovea/core/linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kResidual = 1e-10;  // what was asked for
constexpr double kAgreement = 1e-7;  // residual times the condition of an eigenvalue of a random matrix, some hundreds

Eigen::MatrixXd random_square(Index n, const char* name) {
  const Random random = Random(7).stream(name);
  Eigen::MatrixXd a(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) a(i, j) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  return a / std::sqrt(static_cast<double>(n));
}

LinearMap map_of(const Eigen::MatrixXd& a) {
  return [&a](const Vector<double>& v, Vector<double>& image) { image = a * v; };
}

/// Descending by modulus or real part.
std::vector<std::complex<double>> dense_eigenvalues(const Eigen::MatrixXd& a, Leading leading) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(a, false).eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](auto x, auto y) {
    return leading == Leading::modulus ? std::abs(x) > std::abs(y) : x.real() > y.real();
  });
  return sorted;
}

double nearest_distance(std::complex<double> value, const std::vector<std::complex<double>>& others) {
  double best = std::abs(value - others.front());
  for (const auto other : others) best = std::min(best, std::abs(value - other));
  return best;
}

}  // namespace

TEST_CASE("the leading eigenvalues of a random matrix are the dense solver's, complex pairs whole", "[linear][twin]") {
  const Eigen::MatrixXd a = random_square(150, "a");
  for (const Leading leading : {Leading::modulus, Leading::real_part})
    for (const int count : {1, 2, 5, 8}) {
      const auto dense = dense_eigenvalues(a, leading);
      EigenSettings settings;
      settings.count = count;
      settings.leading = leading;
      const LeadingEigenvalues found = leading_eigenvalues(map_of(a), 150, settings);
      CAPTURE(count, leading == Leading::modulus, found.products);
      REQUIRE(found.converged);
      REQUIRE(found.pairs.size() >= static_cast<std::size_t>(count));
      const auto rank = [&](std::complex<double> z) { return leading == Leading::modulus ? std::abs(z) : z.real(); };
      for (std::size_t k = 0; k < found.pairs.size(); ++k) {
        const EigenPair& pair = found.pairs[k];
        CHECK(std::abs(rank(pair.value) - rank(dense[k])) < kAgreement);
        CHECK(nearest_distance(pair.value, dense) < kAgreement);
        const Eigen::VectorXcd image = a * pair.vector;
        CHECK(std::abs((image - pair.value * pair.vector).norm() - pair.residual) < 1e-12);
        CHECK(pair.residual <= kResidual * std::abs(pair.value));
        CHECK(std::abs(pair.vector.norm() - 1) < 1e-12);
      }
      if (found.pairs.back().value.imag() != 0) CHECK(found.pairs.back().value.imag() < 0);  // the lower one comes last
    }
}

TEST_CASE("a small matrix is solved whole, one entry too", "[linear][limit]") {
  const Eigen::MatrixXd a = random_square(9, "small");
  EigenSettings settings;
  settings.count = 9;
  const auto dense = dense_eigenvalues(a, Leading::modulus);
  const LeadingEigenvalues found = leading_eigenvalues(map_of(a), 9, settings);
  REQUIRE(found.pairs.size() == 9);
  for (const EigenPair& pair : found.pairs) CHECK(nearest_distance(pair.value, dense) < 1e-12);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Constant(1, 1, -3.5);
  CHECK(std::abs(leading_eigenvalues(map_of(one), 1).pairs.at(0).value + 3.5) < 1e-15);
}

TEST_CASE("known spectra: the second difference, a rotation, a projection, nothing at all", "[linear]") {
  constexpr Index n = 200;
  const LinearMap second_difference = [](const Vector<double>& v, Vector<double>& image) {
    for (Index k = 0; k < n; ++k) image[k] = 2 * v[k] - (k > 0 ? v[k - 1] : 0) - (k + 1 < n ? v[k + 1] : 0);
  };
  const LeadingEigenvalues found = leading_eigenvalues(second_difference, n);
  CHECK(found.converged);
  for (int k = 0; k < 6; ++k)
    CHECK(std::abs(found.pairs[k].value - (2 + 2 * std::cos((k + 1) * M_PI / (n + 1)))) < 1e-9);

  const LinearMap rotation = [](const Vector<double>& v, Vector<double>& image) {
    image = 0.5 * v;
    image[0] = std::cos(0.3) * v[0] - std::sin(0.3) * v[1];
    image[1] = std::sin(0.3) * v[0] + std::cos(0.3) * v[1];
  };
  EigenSettings one;
  one.count = 1;
  const LeadingEigenvalues turned = leading_eigenvalues(rotation, 50, one);
  REQUIRE(turned.pairs.size() == 2);
  CHECK(std::abs(turned.pairs[0].value - std::polar(1.0, 0.3)) < 1e-12);
  CHECK(std::abs(turned.pairs[1].value - std::polar(1.0, -0.3)) < 1e-12);

  const LinearMap mean = [](const Vector<double>& v, Vector<double>& image) { image.setConstant(v.mean()); };
  const LeadingEigenvalues flat = leading_eigenvalues(mean, 300);  // its Krylov spaces end at once
  CHECK(std::abs(flat.pairs[0].value - 1.0) < 1e-12);
  for (std::size_t k = 1; k < 6; ++k) CHECK(std::abs(flat.pairs[k].value) < 1e-12);
  const LinearMap nothing = [](const Vector<double>&, Vector<double>&) {};
  CHECK(std::abs(leading_eigenvalues(nothing, 80).pairs[0].value) == 0);
}

TEST_CASE("eigenvalues: what cannot be is refused, and too few restarts are said", "[linear]") {
  const Eigen::MatrixXd a = random_square(150, "a");
  EigenSettings settings;
  settings.restarts = 0;
  CHECK_FALSE(leading_eigenvalues(map_of(a), 150, settings).converged);
  CHECK_THROWS_AS(leading_eigenvalues(map_of(a), 0), ArgumentError);
  CHECK_THROWS_AS(leading_eigenvalues(map_of(a), 150, {}, Vector<double>::Zero(150)), ArgumentError);
  CHECK_THROWS_AS(leading_eigenvalues(map_of(a), 150, {}, Vector<double>::Ones(3)), ArgumentError);
  settings.count = 0;
  CHECK_THROWS_AS(leading_eigenvalues(map_of(a), 150, settings), ArgumentError);
  settings.count = 6;
  settings.subspace = 8;
  CHECK_THROWS_AS(leading_eigenvalues(map_of(a), 150, settings), ArgumentError);
  const LinearMap broken = [](const Vector<double>&, Vector<double>& image) { image.setConstant(NAN); };
  CHECK_THROWS_AS(leading_eigenvalues(broken, 10), ArgumentError);
}
