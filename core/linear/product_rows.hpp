#pragma once
/// Matrices of products of columns, asked for row by row: what nobody asks for need not be made.

#include <memory>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// A symmetric matrix. Not for several threads at a time: a row may be made when it is first asked for.
class ProductRows {
 public:
  virtual ~ProductRows() = default;
  virtual const Vector<double>& diagonal() const = 0;
  Index size() const { return diagonal().size(); }
  /// The k-th row. It stays where it is as long as this object does.
  virtual Eigen::Map<const Vector<double>> row(Index k) const = 0;
  /// sum_k coefficients_k row(k), in the order of k; those that are 0 cost nothing.
  virtual Vector<double> combined(const Vector<double>& coefficients) const = 0;
};

/// A matrix that is there, kept by reference.
class WholeProducts : public ProductRows {
 public:
  explicit WholeProducts(const MatrixView<double>& whole) : whole_(whole), diagonal_(whole.diagonal()) {}
  const Vector<double>& diagonal() const override { return diagonal_; }
  Eigen::Map<const Vector<double>> row(Index k) const override {
    return {whole_.data() + k * whole_.outerStride(), whole_.cols()};
  }
  Vector<double> combined(const Vector<double>& coefficients) const override;

 private:
  MatrixView<double> whole_;
  Vector<double> diagonal_;
};

/// Products over n of the rows, about their means, scaled so that each diagonal entry is n (0 for a constant):
///
///   G_ab = s_a s_b (sum_t c_ta c_tb - m_a m_b / n),   m_a = sum_t c_ta,   s_a = sqrt(n / G_aa before)
///
/// with the sums over the rows that are kept, or as those over all rows less those over the rows left out. With R rows
/// and C columns a row of the matrix, or a sum of rows, costs O(R C).
class PartProducts : public ProductRows {
 public:
  /// some   (n x C) the rows that are kept, of columns with a mean near 0 and a deviation near 1
  explicit PartProducts(Matrix<double> some);
  /// whole  (C x C) sums of products of the columns over all rows, in which their means are 0; kept by reference
  /// out    (R x C) the rows left out;  n >= 1 how many are kept
  PartProducts(const Matrix<double>& whole, Matrix<double> out, Index n);

  const Vector<double>& diagonal() const override { return diagonal_; }
  Eigen::Map<const Vector<double>> row(Index k) const override;
  Vector<double> combined(const Vector<double>& coefficients) const override;

  /// One more column: its products with the others, and its own square, n or 0.
  struct Another {
    Vector<double> products;
    double square;
  };
  /// values (n or R) of it on the rows given; where those were left out, also its products over all rows and square.
  Another another(const Vector<double>& values, const Vector<double>& whole = {}, double whole_square = 0) const;

 private:
  void scale();
  Vector<double> sums_with(const Vector<double>& values, const Vector<double>& whole) const;
  double scale_of(double square) const;

  const Matrix<double>* whole_;
  std::shared_ptr<const Matrix<double>> given_;  ///< copies share it
  double rows_, sign_;                           ///< n;  1: given_ are the rows kept, -1: those left out
  Vector<double> sums_, scale_, diagonal_;
  mutable std::vector<Vector<double>> made_;
};

}  // namespace fovea
