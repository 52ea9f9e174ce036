#include "fovea/datasets/cases/case_rows.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::cases {

namespace {

constexpr Index kMostTokens = 1'000'000;  // of a case: a longer one is refused before memory is asked for

}  // namespace

CaseRows::CaseRows(std::unique_ptr<text::CsvReader> csv, Places places, Cells cells, bool scattered)
    : csv_(std::move(csv)), at_(std::move(places)), cells_(std::move(cells)), scattered_(scattered) {
  waiting_ = next_row();
}

study::Cases CaseRows::read(Index most) {
  study::Cases cases;
  cases.features = at_.features;
  cases.time_unit = at_.time ? at_.time_unit : "";
  values_.clear();
  while (waiting_ && cases.count() < most) read_case(cases);
  cases.values =
      Eigen::Map<const Matrix<float>>(values_.data(), cases.tokens(), static_cast<Index>(at_.features.size()));
  return cases;
}

bool CaseRows::next_row() {
  for (Index before = rows_;; before = rows_) try {
      bool there = csv_->next();
      if (there && csv_->row() == cells_.units_line) there = csv_->next();
      rows_ += there ? 1 : 0;
      if (!there) return false;
      row_.common = common();
      read_token();
      return true;
    } catch (const text::RowFault& fault) {
      leave_out(fault);
      rows_ = before + 1;  // rows are called by their numbers in the file
    }
}

void CaseRows::leave_out(const text::RowFault& fault) const {
  if (!cells_.bad) throw text::RowFault(fault);
  cells_.bad(fault);
}

CaseRows::Common CaseRows::common() const {
  Common row;
  row.id = at_.id ? std::string(text::trimmed(csv_->text(*at_.id))) : std::to_string(rows_);
  if (row.id.empty()) csv_->refuse(*at_.id, "the id is empty; every row belongs to a case.");
  if (at_.group) row.group = std::string(text::trimmed(csv_->text(*at_.group)));
  if (at_.part) row.part = std::string(text::trimmed(csv_->text(*at_.part)));
  if (at_.target) row.target = cells_.target(*csv_, *at_.target);
  if (at_.weight) row.weight = csv_->number(*at_.weight);
  if (!(row.weight >= 0 && std::isfinite(row.weight)))
    csv_->refuse(*at_.weight, concat("the weight is ", row.weight, ", but must be finite and >= 0."));
  return row;
}

void CaseRows::check_common(const Common& first) const {
  const Common& row = row_.common;
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const auto refuse = [&](const std::optional<std::size_t>& column) {
    csv_->refuse(*column, concat("differs from the first row of case '", text::shown_text(first.id),
                                 "'; it must be the same in all rows of a case."));
  };
  if (row.group != first.group) refuse(at_.group);
  if (row.part != first.part) refuse(at_.part);
  if (!same(row.weight, first.weight)) refuse(at_.weight);
  if (!same(row.target, first.target)) refuse(at_.target);
}

void CaseRows::read_token() {
  row_.time = at_.time ? cells_.time(*csv_, *at_.time) : 0;
  row_.values.clear();
  bool any = false;
  for (std::size_t f = 0; f < at_.of_features.size(); ++f) {
    const std::size_t at = at_.of_features[f];
    const double x = cells_.feature(*csv_, at, f);
    if (std::isinf(x)) csv_->refuse(at, "is infinite; leave it empty if it is not known.");
    const auto value = static_cast<float>(x);
    if (std::isinf(value)) csv_->refuse(at, "is too large for a float; choose another unit.");
    any = any || !std::isnan(x);
    row_.values.push_back(value);
  }
  row_.has_token = any || (at_.time && !std::isnan(row_.time));
  if (row_.has_token && at_.time && !std::isfinite(row_.time))
    csv_->refuse(*at_.time, "the time must be a finite number.");
}

/// The waiting row of a case.
void CaseRows::add_row(const Common& first, Index& tokens, study::Cases& cases) {
  check_common(first);
  if (!row_.has_token) return;
  if (++tokens > kMostTokens)
    csv_->refuse(*at_.id, concat("case '", text::shown_text(first.id), "' has more than ", kMostTokens, " rows."));
  values_.insert(values_.end(), row_.values.begin(), row_.values.end());
  if (at_.time) cases.times.push_back(row_.time);
}

void CaseRows::read_case(study::Cases& cases) {
  Common first = row_.common;
  if (scattered_)
    first = seen_.emplace(first.id, first).first->second;
  else if (!hashes_.insert(std::hash<std::string>{}(first.id)).second)
    csv_->refuse(*at_.id, concat("case '", text::shown_text(first.id),
                                 "' comes again after other cases; the rows of a case must stand together."));
  Index tokens = 0;
  do {
    try {
      add_row(first, tokens, cases);
    } catch (const text::RowFault& fault) {
      leave_out(fault);
    }
    waiting_ = next_row();
  } while (waiting_ && at_.id && row_.common.id == first.id);
  finish(first, tokens, cases);
}

void CaseRows::finish(const Common& first, Index tokens, study::Cases& cases) const {
  cases.offsets.push_back(cases.tokens() + tokens);
  cases.ids.push_back(first.id);
  if (at_.group) cases.groups.push_back(first.group);
  if (at_.part) cases.parts.push_back(first.part);
  if (!at_.target) return;
  cases.targets.push_back(first.target);
  if (at_.weight) cases.weights.push_back(first.weight);
}

}  // namespace fovea::datasets::cases
