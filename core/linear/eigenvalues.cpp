#include "fovea/core/linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

using Columns = Eigen::MatrixXd;  // column-major: a basis is used vector by vector

/// Numbers without a pattern that a map could be blind to: the fractional parts of k (sqrt(5) - 1) / 2, about 0.
Vector<double> patternless(Index n, double shift) {
  Vector<double> v(n);
  for (Index k = 0; k < n; ++k) {
    const double place = static_cast<double>(k + 1) * 0.6180339887498949 + shift;
    v[k] = place - std::floor(place) - 0.5 + 1e-3 / static_cast<double>(k + 1);
  }
  return v;
}

/// A V = V H + next b', with V orthonormal and next orthogonal to it: Arnoldi's H is upper Hessenberg and b = beta e_m;
/// after a restart H is full in front, and b too.
class KrylovSpace {
 public:
  KrylovSpace(const LinearMap& map, Index n, Index most, Vector<double> start)
      : map_(map), basis_(n, most + 1), small_(Eigen::MatrixXd::Zero(most, most)), last_(Eigen::VectorXd::Zero(most)) {
    basis_.col(0) = start / start.norm();
  }

  Index size() const { return size_; }
  int products() const { return products_; }
  Eigen::MatrixXd small() const { return small_.topLeftCorner(size_, size_); }
  Eigen::VectorXd last() const { return last_.head(size_); }
  Eigen::VectorXcd lift(const Eigen::VectorXcd& y) const {
    Eigen::VectorXcd x(basis_.rows());
    x.real() = basis_.leftCols(size_) * y.real();
    x.imag() = basis_.leftCols(size_) * y.imag();
    return x;
  }

  void grow_to(Index wanted) {
    while (size_ < wanted) grow();
  }

  /// Keeps the span of the orthonormal columns of q, which the small matrix maps into itself.
  void restart(const Eigen::MatrixXd& q) {
    Columns kept(basis_.rows(), q.cols());
    for (Index c = 0; c < q.cols(); ++c) kept.col(c) = basis_.leftCols(size_) * q.col(c);
    const Eigen::MatrixXd inner = q.transpose() * small() * q;
    const Eigen::VectorXd row = q.transpose() * last();
    basis_.col(q.cols()) = basis_.col(size_).eval();
    basis_.leftCols(q.cols()) = kept;
    small_.setZero();
    last_.setZero();
    size_ = q.cols();
    small_.topLeftCorner(size_, size_) = inner;
    last_.head(size_) = row;
  }

 private:
  void grow() {
    const Index m = size_;
    Vector<double> image = Vector<double>::Zero(basis_.rows());
    map_(basis_.col(m), image);
    ++products_;
    require(image.allFinite(), "leading_eigenvalues: the map gave a number that is not finite.");
    small_.row(m).head(m) = last_.head(m).transpose();  // what was the rest's row becomes part of H
    const double whole = image.norm();
    for (int pass = 0; pass < 2; ++pass)  // twice is enough (Kahan, in Parlett 1980)
      for (Index c = 0; c <= m; ++c) {
        const double part = basis_.col(c).dot(image);
        image -= part * basis_.col(c);
        small_(c, m) += part;
      }
    size_ = m + 1;
    last_.setZero();
    const double rest = image.norm();
    if (rest > 1e-14 * whole && rest > 0) {
      last_[m] = rest;
      basis_.col(size_) = image / rest;
    } else if (size_ < basis_.rows()) {
      begin_anew();  // an invariant space is complete: the rest of the map is reached from elsewhere
    }
  }

  void begin_anew() {
    Vector<double> fresh = patternless(basis_.rows(), 0.37 * static_cast<double>(size_));
    for (int pass = 0; pass < 2; ++pass)
      for (Index c = 0; c < size_; ++c) fresh -= basis_.col(c).dot(fresh) * basis_.col(c);
    basis_.col(size_) = fresh / fresh.norm();
  }

  const LinearMap& map_;
  Columns basis_;
  Eigen::MatrixXd small_;
  Eigen::VectorXd last_;
  Index size_ = 0;
  int products_ = 0;
};

double rank_of(std::complex<double> value, Leading leading) {
  return leading == Leading::modulus ? std::abs(value) : value.real();
}

struct RitzPairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
  std::vector<Index> order;  ///< the leading one first, conjugates side by side, the upper one before
};

RitzPairs ritz_pairs(const Eigen::MatrixXd& small, Leading leading) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(small);
  require(solver.info() == Eigen::Success, "leading_eigenvalues: the dense solver of the Krylov space failed.");
  RitzPairs ritz{solver.eigenvalues(), solver.eigenvectors(), std::vector<Index>(small.rows())};
  std::iota(ritz.order.begin(), ritz.order.end(), Index{0});
  std::stable_sort(ritz.order.begin(), ritz.order.end(), [&](Index a, Index b) {
    const auto x = ritz.values[a], y = ritz.values[b];
    const double rank_x = rank_of(x, leading), rank_y = rank_of(y, leading);
    if (x == std::conj(y)) return x.imag() > y.imag();
    return rank_x > rank_y;
  });
  return ritz;
}

/// An orthonormal basis of the first k Ritz vectors' span, or of k + 1 where k would cut a complex pair.
Eigen::MatrixXd wanted_part(const RitzPairs& ritz, Index k) {
  const Index m = ritz.values.size();
  Eigen::MatrixXd span(m, k + 1);
  Index columns = 0;
  for (std::size_t place = 0; columns < k; ++place) {
    const Index c = ritz.order[place];
    span.col(columns++) = ritz.vectors.col(c).real();
    if (ritz.values[c].imag() == 0) continue;
    span.col(columns++) = ritz.vectors.col(c).imag();
    ++place;  // its conjugate spans the same
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(span.leftCols(columns));
  return qr.householderQ() * Eigen::MatrixXd::Identity(m, columns);
}

EigenPair make_pair(const KrylovSpace& space, const RitzPairs& ritz, Index c, double tolerance) {
  EigenPair pair{ritz.values[c], space.lift(ritz.vectors.col(c)), 0, false};
  pair.residual = std::abs((space.last().transpose() * ritz.vectors.col(c)).value()) / ritz.vectors.col(c).norm();
  const double largest = ritz.values.cwiseAbs().maxCoeff();
  pair.converged = pair.residual <= tolerance * std::max(std::abs(pair.value), 1e-3 * largest) || largest == 0;
  Index top = 0;
  pair.vector.cwiseAbs().maxCoeff(&top);
  pair.vector *= std::conj(pair.vector[top]) / (std::abs(pair.vector[top]) * pair.vector.norm());
  return pair;
}

void check_request(Index dimension, const EigenSettings& settings, const Vector<double>& start) {
  require(dimension >= 1, "leading_eigenvalues: dimension = ", dimension, ", but must be >= 1.");
  require(settings.count >= 1 && settings.restarts >= 0 && settings.tolerance > 0,
          "leading_eigenvalues: count = ", settings.count, ", restarts = ", settings.restarts,
          ", tolerance = ", settings.tolerance, ", but must be >= 1, >= 0 and > 0.");
  require(settings.subspace == 0 || settings.subspace > settings.count + 2,
          "leading_eigenvalues: subspace = ", settings.subspace, ", but must be > count + 2 = ", settings.count + 2,
          ", or 0.");
  require(start.size() == 0 || (start.size() == dimension && start.norm() > 0 && start.allFinite()),
          "leading_eigenvalues: start has ", start.size(), " entries; it must have ", dimension,
          ", finite and not all 0, or none.");
}

}  // namespace

LeadingEigenvalues leading_eigenvalues(const LinearMap& map, Index dimension, const EigenSettings& settings,
                                       const Vector<double>& start) {
  check_request(dimension, settings, start);
  const Index most = std::min<Index>(dimension, settings.subspace > 0 ? settings.subspace : 3 * settings.count + 20);
  const std::size_t wanted = std::min<Index>(settings.count, dimension);
  KrylovSpace space(map, dimension, most, start.size() > 0 ? start : patternless(dimension, 0));
  LeadingEigenvalues found;
  for (int round = 0;; ++round) {
    space.grow_to(most);
    const RitzPairs ritz = ritz_pairs(space.small(), settings.leading);
    found = {{}, space.products(), true};
    for (std::size_t place = 0; place < wanted; ++place) {
      found.pairs.push_back(make_pair(space, ritz, ritz.order[place], settings.tolerance));
      found.converged = found.converged && found.pairs.back().converged;
    }
    if (found.converged || round == settings.restarts) break;
    // some more than wanted are kept: the next in line converge beside, and the wanted ones sooner
    space.restart(
        wanted_part(ritz, std::min<Index>(static_cast<Index>(wanted) + (most - settings.count) / 3, most - 2)));
  }
  // a pair that the count would cut is completed
  const EigenPair& tail = found.pairs.back();
  if (tail.value.imag() > 0) {
    EigenPair other = tail;
    other.value = std::conj(tail.value);
    other.vector = tail.vector.conjugate();
    found.pairs.push_back(std::move(other));
  }
  return found;
}

}  // namespace fovea
