#include "fovea/core/study/predict/prediction_rows.hpp"

#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/attended_tokens.hpp"

namespace fovea::study {

namespace {

std::string time_cell(double time) { return std::isnan(time) ? "," : ',' + exact_text(time); }

/// The target of a case or token, behind everything else; empty where it is not known.
std::string target_cell(const Target& target, const Cases& cases, Index place) {
  if (cases.targets.empty()) return ",";
  const double y = cases.targets[place];
  if (std::isnan(y)) return ",";
  return ',' + (target.rule().named() ? csv_text(target.classes[static_cast<std::size_t>(y)]) : exact_text(y));
}

std::string side_cells(const Predictions& predictions, Index row) {
  std::string text;
  for (Index k = 0; k < predictions.sides.cols(); ++k) text += ',' + exact_text(predictions.sides(row, k));
  return text;
}

/// The places of the tokens that are attended to most, and their shares.
std::string attended_cells(const Cases& cases, Index item, Index attended, std::span<const double> attention) {
  const auto mine = attention.subspan(cases.offsets[item], cases.size(item));
  const std::vector<Index> places = largest_weights(mine, attended);
  std::string text;
  for (Index k = 0; k < attended; ++k)
    text += k < std::ssize(places) ? concat(',', places[k], ',', exact_text(mine[places[k]])) : std::string(",,");
  return text;
}

}  // namespace

std::string time_column(const std::string& unit) {
  static const std::map<std::string, std::string> names{{"s", "seconds"}, {"min", "minutes"}, {"h", "hours"},
                                                        {"d", "days"},    {"yr", "years"},    {"a", "years"}};
  if (unit.empty() || unit == "1" || has_origin(unit)) return "time";
  const auto found = names.find(unit);
  return "time_" + (found == names.end() ? unit : found->second);
}

bool has_target_column(const Target& target, const Cases& cases) {
  return target.rule().legible() && !cases.targets.empty();
}

std::string prediction_header(const Target& target, bool decided, const std::string& time, const std::string& id,
                              bool known, const std::vector<std::string>& sides, Index attended) {
  std::string line_end;
  for (const std::string& side : sides) line_end += ',' + csv_text(side);
  for (Index k = 1; k <= attended; ++k) line_end += concat(",attended_", k, ",attention_", k);
  line_end += known ? ',' + csv_text(target.name) + '\n' : "\n";
  std::string text = csv_text(id) + (target.level == TargetLevel::per_token ? ",token," : ",");
  if (!time.empty()) text += csv_text(time) + ',';
  return text + target.rule().header(target, decided) + line_end;
}

std::string prediction_rows(const Target& target, const Cases& cases, const Predictions& predictions,
                            const AskedTimes* asked, bool known, Index attended, std::span<const double> attention) {
  const bool tokens = target.level == TargetLevel::per_token;
  const auto rows_of_case = [&](Index item) { return tokens ? cases.size(item) : asked ? asked->rows_of(item) : 1; };
  Index rows = 0;
  for (Index item = 0; item < cases.count(); ++item) rows += rows_of_case(item);
  require(predictions.mean.rows() == rows, "predictions: there are ", predictions.mean.rows(), " rows for ", rows,
          tokens  ? " tokens"
          : asked ? " cases and times"
                  : " cases",
          "; each needs one.");
  const TargetRule& rule = target.rule();
  if (rule.binary())
    require(std::ssize(predictions.low) == rows && std::ssize(predictions.high) == rows, "predictions: there are ",
            predictions.low.size(), " and ", predictions.high.size(), " ends of ranges for ", rows,
            " rows; each needs two.");
  require(attended == 0 || (!tokens && !asked && std::ssize(attention) == cases.tokens()),
          "predictions: attended tokens are for a target a case without times, and each token needs a share.");
  std::string text;
  for (Index item = 0, row = 0; item < cases.count(); ++item) {
    const std::string id = csv_text(cases.ids[item]);
    for (Index k = 0; k < rows_of_case(item); ++k, ++row)
      text += id +
              (tokens  ? ',' + exact_text(k)
               : asked ? time_cell(asked->time(item, k))
                       : "") +
              rule.cells(target, predictions, row) + side_cells(predictions, row) +
              (attended > 0 ? attended_cells(cases, item, attended, attention) : "") +
              (known ? target_cell(target, cases, tokens ? row : item) : "") + '\n';
  }
  return text;
}

}  // namespace fovea::study
