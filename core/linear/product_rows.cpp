#include "fovea/core/linear/product_rows.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr double kConstantColumn = 1e-12;  // of a deviation of 1: rounding

Vector<double> combined_rows(const MatrixView<double>& rows, const Vector<double>& coefficients) {
  Vector<double> sum = Vector<double>::Zero(rows.cols());
  for (Index k = 0; k < coefficients.size(); ++k)
    if (coefficients[k] != 0) sum += coefficients[k] * rows.row(k).transpose();
  return sum;
}

}  // namespace

Vector<double> WholeProducts::combined(const Vector<double>& coefficients) const {
  return combined_rows(whole_, coefficients);
}

PartProducts::PartProducts(Matrix<double> some)
    : whole_(nullptr),
      given_(std::make_shared<const Matrix<double>>(std::move(some))),
      rows_(static_cast<double>(given_->rows())),
      sign_(1) {
  scale();
}

PartProducts::PartProducts(const Matrix<double>& whole, Matrix<double> out, Index n)
    : whole_(&whole),
      given_(std::make_shared<const Matrix<double>>(std::move(out))),
      rows_(static_cast<double>(n)),
      sign_(-1) {
  require(whole.rows() == given_->cols() && whole.cols() == given_->cols() && n >= 1, "PartProducts: products are ",
          whole.rows(), " x ", whole.cols(), " for ", given_->cols(), " columns and ", n,
          " rows are kept; there must be ", "as many, and a row.");
  scale();
}

void PartProducts::scale() {
  sums_ = sign_ * given_->colwise().sum().transpose();
  Vector<double> squares = sign_ * given_->colwise().squaredNorm().transpose();
  if (whole_ != nullptr) squares += whole_->diagonal();
  if (rows_ > 0) squares -= sums_.cwiseAbs2() / rows_;
  scale_ = squares.unaryExpr([this](double square) { return scale_of(square); });
  diagonal_ = (scale_.array() > 0).select(rows_, Vector<double>::Zero(scale_.size()));
  made_.resize(scale_.size());
}

double PartProducts::scale_of(double square) const {
  return square > kConstantColumn * rows_ ? std::sqrt(rows_ / square) : 0.0;
}

Vector<double> PartProducts::sums_with(const Vector<double>& values, const Vector<double>& whole) const {
  Vector<double> sums = sign_ * (given_->transpose() * values);
  if (whole_ != nullptr) sums += whole;
  if (rows_ > 0) sums -= (sign_ * values.sum() / rows_) * sums_;
  return sums.cwiseProduct(scale_);
}

Eigen::Map<const Vector<double>> PartProducts::row(Index k) const {
  Vector<double>& made = made_[k];
  if (made.size() == 0) {
    made = scale_[k] *
           sums_with(given_->col(k), whole_ != nullptr ? Vector<double>(whole_->row(k).transpose()) : Vector<double>());
    made[k] = diagonal_[k];
  }
  return {made.data(), made.size()};
}

Vector<double> PartProducts::combined(const Vector<double>& coefficients) const {
  const Vector<double> scaled = coefficients.cwiseProduct(scale_);
  return sums_with(*given_ * scaled, whole_ != nullptr ? combined_rows(*whole_, scaled) : Vector<double>());
}

PartProducts::Another PartProducts::another(const Vector<double>& values, const Vector<double>& whole,
                                            double whole_square) const {
  const double sum = values.sum();
  const double square = whole_square + sign_ * values.squaredNorm() - (rows_ > 0 ? sum * sum / rows_ : 0.0);
  const double scale = scale_of(square);
  return {scale * sums_with(values, whole), scale > 0 ? rows_ : 0.0};
}

}  // namespace fovea
