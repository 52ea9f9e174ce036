#include "fovea/domains/imaging/inpaint/guesses.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::imaging::inpaint {

namespace {

constexpr Index kMostSteps = 3000;  // of conjugate gradients
constexpr double kToMean = 0.125;
constexpr double kResidual = 1e-6;   // relative, at which they end
constexpr double kStiffness = 1e-9;  // of the diagonal: keeps a hole without a rim solvable

/// sum_rows (R u + c)^2 over the unknown u.
struct SmoothRows {
  std::vector<Index> starts{0}, columns;
  std::vector<double> factors, constants;

  Index count() const { return std::ssize(constants); }
  Index begin() const { return std::ssize(columns); }
  /// Closes the row that was begun, unless it has no unknown.
  void close(double constant) {
    if (starts.back() == std::ssize(columns)) return;
    starts.push_back(std::ssize(columns)), constants.push_back(constant);
  }
  void add(Index column, double factor) { columns.push_back(column), factors.push_back(factor); }
};

/// Numbers the unknown, and builds rows.
class RowBuilder {
 public:
  explicit RowBuilder(const Patch& patch) : patch_(patch), numbers_(patch.unknown.size(), -1) {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (patch.unknown[i] != 0) numbers_[i] = count_++, voxels_.push_back(static_cast<Index>(i));
  }

  Index count() const { return count_; }
  const std::vector<Index>& voxels() const { return voxels_; }

  SmoothRows harmonic(double across) const {
    SmoothRows rows;
    for (const Index i : voxels_)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double weight = axis == 2 ? std::sqrt(across) : 1;
        if (has(i, axis, 1)) pair(i, i + step(axis), weight, rows);
        if (has(i, axis, -1) && numbers_[i - step(axis)] < 0) pair(i, i - step(axis), weight, rows);
      }
    return rows;
  }

  SmoothRows biharmonic(double across) const {
    std::vector<std::uint8_t> wanted(numbers_.size(), 0);
    for (const Index i : voxels_) {
      wanted[i] = 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const Index way : {-1, 1})
          if (has(i, axis, way)) wanted[i + way * step(axis)] = 1;
    }
    SmoothRows rows;
    for (Index i = 0; i < std::ssize(wanted); ++i)
      if (wanted[i] != 0) laplacian(i, across, rows);
    return rows;
  }

 private:
  Index step(std::size_t axis) const {
    return axis == 0 ? 1 : axis == 1 ? patch_.box.size[0] : patch_.box.size[0] * patch_.box.size[1];
  }
  bool has(Index i, std::size_t axis, Index way) const {
    const Index at = i / step(axis) % patch_.box.size[axis] + way;
    return at >= 0 && at < patch_.box.size[axis];
  }
  void term(Index i, double factor, SmoothRows& rows, double& constant) const {
    if (numbers_[i] >= 0)
      rows.add(numbers_[i], factor);
    else
      constant += factor * patch_.values[i];
  }
  void pair(Index i, Index j, double weight, SmoothRows& rows) const {
    double constant = 0;
    term(i, weight, rows, constant), term(j, -weight, rows, constant);
    rows.close(constant);
  }
  void laplacian(Index i, double across, SmoothRows& rows) const {
    double constant = 0, middle = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!has(i, axis, -1) || !has(i, axis, 1)) continue;
      const double weight = axis == 2 ? across : 1;
      term(i - step(axis), weight, rows, constant), term(i + step(axis), weight, rows, constant);
      middle -= 2 * weight;
    }
    if (middle != 0) term(i, middle, rows, constant);
    rows.close(constant);
  }

  const Patch& patch_;
  std::vector<Index> numbers_, voxels_;
  Index count_ = 0;
};

/// out = R^T R p
void apply_twice(const SmoothRows& rows, const Eigen::VectorXd& p, double stiffness, Eigen::VectorXd& out) {
  out = stiffness * p;
  for (Index r = 0; r < rows.count(); ++r) {
    double sum = 0;
    for (Index k = rows.starts[r]; k < rows.starts[r + 1]; ++k) sum += rows.factors[k] * p[rows.columns[k]];
    for (Index k = rows.starts[r]; k < rows.starts[r + 1]; ++k) out[rows.columns[k]] += rows.factors[k] * sum;
  }
}

/// -R^T (R u + c)
Eigen::VectorXd downhill(const SmoothRows& rows, const Eigen::VectorXd& u) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(u.size());
  for (Index r = 0; r < rows.count(); ++r) {
    double sum = rows.constants[r];
    for (Index k = rows.starts[r]; k < rows.starts[r + 1]; ++k) sum += rows.factors[k] * u[rows.columns[k]];
    for (Index k = rows.starts[r]; k < rows.starts[r + 1]; ++k) out[rows.columns[k]] -= rows.factors[k] * sum;
  }
  return out;
}

Eigen::VectorXd diagonal_of(const SmoothRows& rows, Index count) {
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(count);
  for (std::size_t k = 0; k < rows.columns.size(); ++k) diagonal[rows.columns[k]] += rows.factors[k] * rows.factors[k];
  return diagonal;
}

/// Conjugate gradients (Hestenes & Stiefel 1952), from the start on.
Eigen::VectorXd by_gradients(const SmoothRows& rows, Eigen::VectorXd u, const Eigen::VectorXd& diagonal) {
  const double stiffness = kStiffness * diagonal.maxCoeff();
  const Eigen::VectorXd inverse = (diagonal.array() + stiffness).inverse();
  const double scale = downhill(rows, Eigen::VectorXd::Zero(u.size())).norm();
  Eigen::VectorXd left = downhill(rows, u), softened = inverse.cwiseProduct(left), way = softened, image(u.size());
  double product = left.dot(softened);
  for (Index k = 0; k < kMostSteps && left.norm() > kResidual * scale + 1e-14; ++k) {
    apply_twice(rows, way, stiffness, image);
    const double length = product / way.dot(image);
    u += length * way, left -= length * image;
    softened = inverse.cwiseProduct(left);
    const double next = left.dot(softened);
    way = softened + next / product * way;
    product = next;
  }
  return u;
}

/// In a slice alone the systems are ill-conditioned and their factors small.
Eigen::VectorXd by_factors(const SmoothRows& rows, const Eigen::VectorXd& diagonal) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < diagonal.size(); ++i)
    entries.emplace_back(static_cast<int>(i), static_cast<int>(i), kStiffness * diagonal.maxCoeff());
  for (Index r = 0; r < rows.count(); ++r)
    for (Index a = rows.starts[r]; a < rows.starts[r + 1]; ++a)
      for (Index b = rows.starts[r]; b < rows.starts[r + 1]; ++b)
        entries.emplace_back(static_cast<int>(rows.columns[a]), static_cast<int>(rows.columns[b]),
                             rows.factors[a] * rows.factors[b]);
  Eigen::SparseMatrix<double> matrix(diagonal.size(), diagonal.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(
      downhill(rows, Eigen::VectorXd::Zero(diagonal.size())));
}

Eigen::VectorXd smoothest(const SmoothRows& rows, const Eigen::VectorXd& start, bool flat) {
  if (rows.count() == 0) return start;
  const Eigen::VectorXd diagonal = diagonal_of(rows, start.size());
  return flat ? by_factors(rows, diagonal) : by_gradients(rows, start, diagonal);
}

/// The value at 0 of the polynomial through these points.
double interpolated(std::span<const double> at, std::span<const double> values) {
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    double part = values[i];
    for (std::size_t j = 0; j < at.size(); ++j)
      if (j != i) part *= at[j] / (at[j] - at[i]);
    sum += part;
  }
  return sum;
}

/// Known places and values along z below or above a voxel, the nearest first, at most two in a row.
struct LineEnd {
  std::vector<double> at, values;
};
LineEnd line_end(const Patch& patch, Index i, Index way) {
  const Index step = patch.box.size[0] * patch.box.size[1], slices = patch.box.size[2];
  LineEnd end;
  for (Index k = 1, z = i / step + way; z >= 0 && z < slices; ++k, z += way) {
    const Index at = i + k * way * step;
    if (patch.unknown[at] != 0) {
      if (!end.at.empty()) break;
      continue;
    }
    end.at.push_back(static_cast<double>(k * way)), end.values.push_back(patch.values[at]);
    if (end.at.size() == 2) break;
  }
  return end;
}

/// Where a side shows nothing, the nearest slice of the other; where none does, otherwise.
void along_lines(const Patch& patch, const std::vector<Index>& voxels, const Eigen::VectorXd& otherwise,
                 Matrix<double>& guesses) {
  for (std::size_t n = 0; n < voxels.size(); ++n) {
    const auto row = static_cast<Index>(n);
    const LineEnd below = line_end(patch, voxels[n], -1), above = line_end(patch, voxels[n], 1);
    double linear = otherwise[row], cubic = linear;
    if (!below.at.empty() && !above.at.empty()) {
      const std::array<double, 2> at{below.at[0], above.at[0]}, values{below.values[0], above.values[0]};
      cubic = linear = interpolated(at, values);
      if (below.at.size() == 2 && above.at.size() == 2) {
        const std::array<double, 4> all{below.at[1], below.at[0], above.at[0], above.at[1]},
            of{below.values[1], below.values[0], above.values[0], above.values[1]};
        cubic = interpolated(all, of);
      }
    } else if (!below.at.empty() || !above.at.empty()) {
      cubic = linear = below.at.empty() ? above.values[0] : below.values[0];
    }
    guesses(row, 0) = linear, guesses(row, 1) = cubic;
  }
}

}  // namespace

Matrix<double> guesses_of(const Patch& patch) {
  const RowBuilder builder(patch);
  const bool flat = patch.box.size[2] == 1;
  double mean = 0;
  Index known = 0;
  for (std::size_t i = 0; i < patch.values.size(); ++i)
    if (patch.unknown[i] == 0) mean += patch.values[i], ++known;
  require(known > 0, "inpaint: no voxel of a patch is known.");
  Eigen::VectorXd start = Eigen::VectorXd::Constant(builder.count(), mean / static_cast<double>(known));
  Matrix<double> guesses(builder.count(), kGuessCount);
  SmoothRows drawn = builder.harmonic(1);
  for (Index i = 0; i < builder.count(); ++i) drawn.add(i, kToMean), drawn.close(-kToMean * start[i]);
  guesses.col(6) = smoothest(drawn, start, flat);
  start = smoothest(builder.harmonic(1), start, flat);
  guesses.col(2) = start;
  along_lines(patch, builder.voxels(), start, guesses);
  guesses.col(5) = smoothest(builder.biharmonic(1), start, flat);
  if (flat) {
    guesses.col(3) = guesses.col(2), guesses.col(4) = guesses.col(5);
    return guesses;
  }
  guesses.col(3) = smoothest(builder.harmonic(3), start, flat);
  guesses.col(4) = smoothest(builder.biharmonic(0.3), start, flat);
  return guesses;
}

std::vector<Index> depths_of(const Patch& patch) {
  const std::array<Index, 3> steps{1, patch.box.size[0], patch.box.size[0] * patch.box.size[1]};
  std::vector<Index> depths(patch.unknown.size(), 0), front, next;
  const auto for_neighbours = [&](Index i, const auto& take) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const Index way : {-1, 1}) {
        const Index at = i / steps[axis] % patch.box.size[axis] + way;
        if (at >= 0 && at < patch.box.size[axis]) take(i + way * steps[axis]);
      }
  };
  for (Index i = 0; i < std::ssize(depths); ++i) {
    if (patch.unknown[i] == 0) continue;
    bool rim = false;
    for_neighbours(i, [&](Index j) { rim = rim || patch.unknown[j] == 0; });
    depths[i] = rim ? 1 : -1;
    if (rim) front.push_back(i);
  }
  for (Index depth = 2; !front.empty(); ++depth, front.swap(next), next.clear())
    for (const Index i : front)
      for_neighbours(i, [&](Index j) {
        if (depths[j] < 0) depths[j] = depth, next.push_back(j);
      });
  return depths;
}

}  // namespace fovea::imaging::inpaint
