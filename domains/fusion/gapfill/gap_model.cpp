#include "fovea/domains/fusion/gapfill/gap_model.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea::fusion::gapfill {

namespace {

Matrix<float> rows_of(const Matrix<float>& all, std::span<const Index> rows) {
  Matrix<float> some(std::ssize(rows), all.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) some.row(static_cast<Index>(k)) = all.row(rows[k]);
  return some;
}

/// [columns + 1 x bands], the last row the constant; sums in the order of the rows.
Matrix<double> ridge_weights(const Matrix<float>& columns, const Matrix<float>& targets, double ridge) {
  const Index count = columns.cols() + 1;
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(count, count), with_targets(count, targets.cols());
  with_targets.setZero();
  Eigen::VectorXd row(count);
  for (Index i = 0; i < columns.rows(); ++i) {
    row << columns.row(i).cast<double>().transpose(), 1.0;
    for (Index a = 0; a < count; ++a) {
      products.col(a) += row[a] * row;
      with_targets.row(a) += row[a] * targets.row(i).cast<double>();
    }
  }
  for (Index a = 0; a + 1 < count; ++a) products(a, a) += ridge * static_cast<double>(columns.rows()) + 1e-9;
  return Eigen::LDLT<Eigen::MatrixXd>(products).solve(with_targets);
}

/// B x of each row.
Matrix<float> trend(const Matrix<float>& columns, const Matrix<double>& weights) {
  Matrix<float> values(columns.rows(), weights.cols());
  const Index last = weights.rows() - 1;
  for (Index i = 0; i < columns.rows(); ++i)
    for (Index b = 0; b < weights.cols(); ++b) {
      double sum = weights(last, b);
      for (Index c = 0; c < last; ++c) sum += static_cast<double>(columns(i, c)) * weights(c, b);
      values(i, b) = static_cast<float>(sum);
    }
  return values;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

/// Where each of the stack's bands stands among those of the model.
std::vector<std::size_t> band_places(const GapModel& model, const ImageStack& stack) {
  const std::vector<std::string>& learned = model.plan.bands;
  std::vector<std::size_t> places;
  for (const std::string& band : stack.bands) {
    const auto found = std::find(learned.begin(), learned.end(), band);
    if (found == learned.end())
      throw DataError(concat(stack.source, ": has the optical bands ", listed(stack.bands), ", but the model learned ",
                             listed(learned), "; give a stack with no other bands than these."));
    places.push_back(found - learned.begin());
  }
  if (!stack.s1_bands.empty() && !model.plan.s1_bands.empty() && stack.s1_bands != model.plan.s1_bands)
    throw DataError(concat(stack.source, ": has the S1 bands ", listed(stack.s1_bands), ", but the model learned ",
                           listed(model.plan.s1_bands), "; give a stack with these, in this order, or without S1."));
  return places;
}

template <typename Number>
std::vector<Number> at_places(const std::vector<Number>& all, const std::vector<std::size_t>& places) {
  std::vector<Number> some;
  for (const std::size_t place : places) some.push_back(all[place]);
  return some;
}

}  // namespace

GapModel for_bands_of(const GapModel& model, const ImageStack& stack) {
  const std::vector<std::size_t> places = band_places(model, stack);
  const std::size_t learned = model.plan.bands.size();
  std::vector<std::size_t> columns = places;
  for (const std::size_t place : places) columns.push_back(learned + place);
  for (Index c = 2 * learned; c < model.plan.count(); ++c) columns.push_back(c);
  GapModel own = model;
  own.plan.bands = stack.bands;
  for (GapMember& member : own.members) member.log_widths = at_places(member.log_widths, columns);
  own.scale = at_places(model.scale, places), own.floor = at_places(model.floor, places);
  own.alone = at_places(model.alone, places);
  return own;
}

std::vector<Index> known_pixels(const Frame& frame, std::span<const Index> pixels, Index most) {
  std::vector<Index> known, some;
  for (const Index i : pixels)
    if (frame.known[i] != 0) known.push_back(i);
  const Index count = std::ssize(known);
  if (count <= most) return known;
  for (Index k = 0; k < most; ++k) some.push_back(known[k * count / most]);
  return some;
}

GapTensors gap_tensors(const ImageStack& stack, const Matrix<float>& columns, double ridge, Index date,
                       const Frame& frame, std::span<const Index> visible, std::span<const Index> hidden) {
  const Matrix<float> between = frame.interpolated();
  GapTensors tensors{{rows_of(columns, hidden), rows_of(columns, visible), {}, {}}, rows_of(between, hidden)};
  auto& [queries, keys, left, wanted] = tensors.residuals;
  left = rows_of(stack.images[date], visible) - rows_of(between, visible);
  const Matrix<double> weights = ridge_weights(keys, left, ridge);
  left -= trend(keys, weights);
  tensors.base += trend(queries, weights);
  return tensors;
}

void GapMixture::add(const Matrix<float>& base, const Matrix<float>& said) {
  const Index bands = base.cols();
  const Matrix<float> values = base + said.leftCols(bands);
  if (count_ == 0) {
    first_ = values;
    sum_ = squares_ = variances_ = Matrix<float>::Zero(values.rows(), bands);
  }
  sum_ += values - first_;
  squares_ += (values - first_).cwiseAbs2();
  variances_ += said.rightCols(bands);
  ++count_;
}

Matrix<float> GapMixture::values() const { return first_ + sum_ / count_; }

Matrix<float> GapMixture::variance() const {
  return variances_ / count_ + (squares_ / count_ - (sum_ / count_).cwiseAbs2()).cwiseMax(0.0F);
}

FilledGap fill_gap(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons, Index date,
                   const Frame& frame, std::span<const Index> visible, std::span<const Index> hidden) {
  const Index bands = std::ssize(stack.bands), count = std::ssize(hidden);
  const std::vector<Index> keys = known_pixels(frame, visible, model.most_keys);
  FilledGap filled{rows_of(frame.interpolated(), hidden), Matrix<float>(count, bands)};
  for (Index b = 0; b < bands; ++b) filled.spread.col(b).setConstant(static_cast<float>(model.alone[b]));
  if (std::ssize(keys) < kFewestKeys || count == 0) return filled;
  const Matrix<float> columns = gap_columns(stack, model.plan, seasons, date, frame);
  GapMixture mixture;
  for (const GapMember& member : model.members) {
    const GapTensors tensors = gap_tensors(stack, columns, member.ridge, date, frame, keys, hidden);
    mixture.add(tensors.base, learning::attended_residuals(tensors.residuals, member.log_widths));
  }
  filled.values = mixture.values();
  const Matrix<float> variance = mixture.variance();
  for (Index b = 0; b < bands; ++b) {
    const std::size_t k = b;
    const auto scale = static_cast<float>(model.scale[k]), floor = static_cast<float>(model.floor[k]);
    filled.spread.col(b) = scale * (variance.col(b).array() + floor).sqrt();
  }
  return filled;
}

FilledDate filled_date(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons,
                       const std::vector<Flags>& usable, Index date) {
  const std::size_t d = date;
  const Frame frame = nearest_frame(stack, date, usable, 0, model.trusted);
  FilledDate filled{stack.images[d], {}, {}};
  std::vector<Index> visible;
  for (Index i = 0; i < stack.pixels(); ++i) {
    const std::size_t at = i;
    if (usable[d][at] != 0)
      visible.push_back(i);
    else if (frame.known[at] != 0)
      filled.hidden.push_back(i);
    else
      filled.image.row(i).setConstant(std::numeric_limits<float>::quiet_NaN());
  }
  if (stack.clear_share(date) < model.trusted) visible.clear();
  const FilledGap gap = fill_gap(model, stack, seasons, date, frame, visible, filled.hidden);
  for (std::size_t k = 0; k < filled.hidden.size(); ++k)
    filled.image.row(filled.hidden[k]) = gap.values.row(static_cast<Index>(k));
  filled.spread = gap.spread;
  return filled;
}

}  // namespace fovea::fusion::gapfill
