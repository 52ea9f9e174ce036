#include "fovea/core/study/predict/prediction_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/attended_tokens.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"

namespace fovea::study {

namespace {

/// ln sigmoid(x)
double log_sigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

/// ln of the sum of two numbers that are given by their logarithms.
double log_of_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

std::optional<std::int64_t> number_of_id(const std::string& id) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() ? std::optional(number) : std::nullopt;
}

/// The outputs of all members side by side.
Matrix<double> side_by_side(std::span<const Matrix<double>> outputs) {
  const Index width = outputs[0].cols();
  Matrix<double> all(outputs[0].rows(), width * static_cast<Index>(outputs.size()));
  for (std::size_t m = 0; m < outputs.size(); ++m) all.middleCols(static_cast<Index>(m) * width, width) = outputs[m];
  return all;
}

std::span<const double> numbers_of(const Matrix<double>& matrix) { return std::span(matrix.data(), matrix.size()); }

}  // namespace

std::vector<double> calibrated_logits(std::span<const Matrix<double>> outputs, const Calibration& calibration) {
  std::vector<double> logits;
  for (Index i = 0; i < outputs[0].rows(); ++i) {
    double sum = 0, ones = 0, zeros = 0;
    for (std::size_t m = 0; m < outputs.size(); ++m) {
      const double logit = outputs[m](i, 0), scaled = logit / calibration.scale;
      sum += logit;
      ones = m == 0 ? log_sigmoid(scaled) : log_of_sum(ones, log_sigmoid(scaled));
      zeros = m == 0 ? log_sigmoid(-scaled) : log_of_sum(zeros, log_sigmoid(-scaled));
    }
    logits.push_back(calibration.line
                         ? calibration.intercept + calibration.slope * sum / static_cast<double>(outputs.size())
                         : ones - zeros);
  }
  return logits;
}

PredictionFile::PredictionFile(const std::string& path, const Calibration& calibration, const Target& target,
                               const std::string& origin, Index attended)
    : path_(path), calibration_(calibration), target_(target), attended_(attended), file_(path) {
  if (target.level != TargetLevel::per_case)
    throw DataError(concat(path, ": HDF5 rows are one a case, but this model predicts each token; write CSV."));
  file_.attribute("kind", "fovea predictions");
  file_.attribute("origin", origin);
  file_.attribute("target", target.name);
}

std::size_t PredictionFile::array(const std::string& name, StoredNumber stored, Index width) {
  for (const auto& [known, place] : arrays_)
    if (known == name) return place;
  arrays_.emplace_back(name, file_.add(name, stored, width));
  return arrays_.back().second;
}

void PredictionFile::put(const std::string& name, Index width, std::span<const double> numbers) {
  file_.append(array(name, StoredNumber::float64, width), numbers);
}

void PredictionFile::put(const std::string& name, StoredNumber stored, Index width,
                         std::span<const std::int64_t> numbers) {
  file_.append(array(name, stored, width), numbers);
}

void PredictionFile::add_ids(const Cases& cases) {
  if (!numbers_)
    numbers_ = std::all_of(cases.ids.begin(), cases.ids.end(), [](const std::string& id) { return number_of_id(id); });
  if (!*numbers_) {
    if (arrays_.empty()) arrays_.emplace_back("id", file_.add_texts("id"));
    file_.append(arrays_.front().second, cases.ids);
    return;
  }
  std::vector<std::int64_t> numbers;
  for (const std::string& id : cases.ids) {
    const std::optional<std::int64_t> number = number_of_id(id);
    if (!number)
      throw DataError(concat(path_, ": the id of a case is ", csv_text(id),
                             ", but those of the first cases are whole numbers; write CSV (-o FILE.csv)."));
    numbers.push_back(*number);
  }
  put("id", StoredNumber::int64, 1, numbers);
}

void PredictionFile::add_attended(const PredictedBlock& block) {
  std::vector<std::int64_t> places;
  std::vector<double> shares;
  for (Index item = 0; item < block.cases.count(); ++item) {
    const auto mine = block.attention.subspan(block.cases.offsets[item], block.cases.size(item));
    const std::vector<Index> found = largest_weights(mine, attended_);
    for (Index k = 0; k < attended_; ++k) {
      places.push_back(k < std::ssize(found) ? found[k] : -1);
      shares.push_back(k < std::ssize(found) ? mine[found[k]] : 0);
    }
  }
  put("attended", StoredNumber::int64, attended_, places);
  put("attention", attended_, shares);
}

void PredictionFile::add(const PredictedBlock& block) {
  if (block.asked != nullptr)
    throw DataError(concat(path_, ": HDF5 rows are one a case, but cases are asked at times; write CSV."));
  const Predictions& found = block.predictions;
  const bool binary = target_.rule().binary();
  if (!known_) known_ = has_target_column(target_, block.cases);
  add_ids(block.cases);
  put(binary ? "probability" : "prediction", found.mean.cols(), numbers_of(found.mean));
  put("spread", found.spread.cols(), numbers_of(found.spread));
  if (!found.deviation.empty()) put("deviation", 1, found.deviation);
  if (binary) {
    put("low", 1, found.low), put("high", 1, found.high);
    put("logit", 1, calibrated_logits(block.outputs, calibration_));
  }
  if (!found.decisions.empty())
    put("decision", StoredNumber::int8, 1, std::vector<std::int64_t>(found.decisions.begin(), found.decisions.end()));
  const Matrix<double> members = side_by_side(block.outputs);
  put(binary ? "member_logits" : "member_outputs", members.cols(), numbers_of(members));
  if (*known_)
    put(target_.name, 1,
        block.cases.targets.empty() ? std::vector<double>(block.cases.count(), std::nan("")) : block.cases.targets);
  if (attended_ > 0) add_attended(block);
}

}  // namespace fovea::study
