#include "fovea/core/study/predict/explanation_rows.hpp"

#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"

namespace fovea::study {

namespace {

bool has_value(const Cases& cases, Index token) { return !cases.values.row(token).array().isNaN().all(); }

std::string hour_column(const std::string& unit) {
  static const std::map<std::string, std::string> names{{"s", "second"}, {"min", "minute"}, {"h", "hour"},
                                                        {"d", "day"},    {"yr", "year"},    {"a", "year"}};
  const auto found = names.find(unit);
  return found == names.end() ? csv_text(time_column(unit)) : found->second;
}

std::string time_cell(double time, const std::string& unit) {
  return has_origin(unit) ? time_text(time, unit) : exact_text(time);
}

}  // namespace

std::string explanation_header(const Preparation& preparation, const std::string& id) {
  return concat(csv_text(id), ',', preparation.classes.empty() ? "token" : "variable",
                preparation.time_unit.empty() ? "" : "," + hour_column(preparation.time_unit), ",contribution\n");
}

std::string explanation_rows(const Preparation& preparation, const Cases& cases,
                             const std::vector<ExplainedPrediction>& found) {
  require(static_cast<Index>(found.size()) == cases.count(), "explanation_rows: there are ", found.size(),
          " explanations of ", cases.count(), " cases; each needs one.");
  const bool timed = !preparation.time_unit.empty();
  std::string text;
  for (std::size_t b = 0; b < found.size(); ++b) {
    const std::string id = csv_text(cases.ids[b]), no_time = timed ? "," : "";
    text += concat(id, ",(base)", no_time, ',', exact_text(found[b].base), '\n');
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (!has_value(cases, i)) continue;
      const std::size_t token = i, place = i - cases.offsets[b];
      text += id + ',' + (cases.classes.empty() ? exact_text(place) : csv_text(cases.classes[cases.kinds[token]])) +
              (timed ? ',' + time_cell(cases.times[token], preparation.time_unit) : "") + ',' +
              exact_text(found[b].shares[place]) + '\n';
    }
    if (found[b].trees) text += concat(id, ",(trees)", no_time, ',', exact_text(*found[b].trees), '\n');
    text += concat(id, ",(remainder)", no_time, ',', exact_text(found[b].remainder), '\n');
  }
  return text;
}

}  // namespace fovea::study
