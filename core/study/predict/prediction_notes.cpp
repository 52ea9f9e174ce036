#include "fovea/core/study/predict/prediction_notes.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/predict/unfamiliar.hpp"

namespace fovea::study {

namespace {

/// Names from a file, so that no letter of theirs commands the terminal.
std::string quoted_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + json(name).text;
  return text;
}

/// Values that lie outside where nothing has changed. The limits of a class leave 1 % of its values outside; twice as
/// many are worth a word.
Index usual(const Preparation& learned, const Difference& difference, std::size_t scale) {
  return learned.classes.empty() ? 0 : difference.seen[scale / learned.features.size()] / 50;
}

Json counts_json(const Preparation& learned, const std::vector<Index>& counts) {
  JsonObject object;
  for (std::size_t s = 0; s < std::min(learned.scales.size(), counts.size()); ++s)
    if (counts[s] > 0) object.add(learned.scale_name(s), counts[s]);
  return object.done();
}

Json recalibration_json(const Recalibration& found) {
  JsonObject object;
  object.add("shift", found.shift).add("error", found.error).add("ones", found.ones).add("zeros", found.zeros);
  return object.done();
}

/// How many of the cases may have been learned from, where that is more than chance makes of others.
std::string repeated_note(const PredictionSummary& summary) {
  const double all = static_cast<double>(summary.with_content), by_chance = summary.chance * all;
  // Three standard deviations of a binomial, and none where no other case can match.
  const double limit = by_chance + 3 * std::sqrt(by_chance * (1 - summary.chance));
  const auto found = static_cast<double>(summary.learned_from);
  if (!(found > limit)) return "";
  const std::string some = concat(summary.learned_from, " of ", counted(summary.with_content, "case"));
  if (summary.chance == 0)
    return concat(some, summary.learned_from == 1 ? " has" : " have",
                  " the content of a case that the model learned from; scores of these cases may be too good");
  return concat(some, " may be cases that the model learned from, where chance alone makes about ",
                static_cast<Index>(std::lround(by_chance)), " of them look so; scores of these cases may be too good");
}

}  // namespace

std::vector<std::string> reading_notes(const PredictionSummary& summary) {
  std::vector<std::string> notes = summary.reading.notes;
  for (const LeftOut& one : summary.reading.left_out)
    notes.push_back("left out: " + left_out_text(summary.reading, one));
  for (const Finding& finding : summary.reading.findings) notes.push_back(finding.sentence);
  const UnfamiliarCases unlike{summary.reading.files.empty() ? "what is predicted" : summary.reading.files.front(),
                               summary.reading.noun, summary.unfamiliar, summary.cases, summary.fell_back};
  if (unlike.holds()) notes.push_back("warning: " + unlike.sentence());
  if (std::string repeated = repeated_note(summary); !repeated.empty()) notes.push_back(std::move(repeated));
  return notes;
}

void say_of_model(Narrator& narrator, const TrainedModel& model) {
  if (model.config.preview)
    narrator.say("the model is that of a preview (--quick), which learned from less than asked");
  if (model.calibration.line && model.calibration.slope == 0)
    narrator.say("the model gives every case one risk, the base rate: no calibration line had a slope above 0");
}

void say_differences(Narrator& narrator, const PredictionSummary& summary, const Preparation& learned) {
  const Difference& difference = summary.difference;
  for (const std::string& note : reading_notes(summary)) narrator.say(note);
  if (!difference.unused.empty())
    narrator.say("columns not used, because the model has no such feature: " + quoted_names(difference.unused));
  for (std::size_t s = 0; s < learned.scales.size(); ++s) {
    const std::string name = json(learned.scale_name(s)).text;
    if (s < difference.outside.size() && difference.outside[s] > usual(learned, difference, s))
      narrator.say(concat(counted(difference.outside[s], "value"), " of ", name, " outside the training range, ",
                          rounded_text(learned.scales[s].low), " to ", rounded_text(learned.scales[s].high)));
    if (s < difference.missing.size() && difference.missing[s] > 0)
      narrator.say(concat(counted(difference.missing[s], "value"), " of ", name,
                          " missing; the training data had no missing values of this feature"));
  }
  std::vector<std::string> absent, late;
  const std::vector<std::string>& known_late = summary.reading.late;
  for (std::size_t c = 0; c < difference.seen.size(); ++c) {
    if (difference.seen[c] > 0) continue;
    const bool is_late = std::find(known_late.begin(), known_late.end(), learned.classes[c]) != known_late.end();
    (is_late ? late : absent).push_back(learned.classes[c]);
  }
  if (!late.empty())
    narrator.say("variables of the model that occur only later than cases are asked: " + quoted_names(late));
  if (!absent.empty()) narrator.say("variables of the model that no case has: " + quoted_names(absent));
}

void say_scores(Narrator& narrator, const PredictionSummary& summary, bool timed) {
  if (summary.late > 0)
    narrator.say(counted(summary.late, "row") +
                 " asked after the end of the case, where the model has learned nothing");
  if (summary.values.empty()) return;
  narrator.say(concat(counted(summary.known, "row"), " with a known target",
                      summary.rows > summary.cases && timed ? ", the last of each case:" : ":"));
  for (std::size_t k = 0; k < summary.values.size(); ++k)
    narrator.say(concat("  ", summary.scores[k].title, "  ", rounded_text(summary.values[k].value)));
}

Json prediction_json(const PredictionSummary& summary, const Preparation& learned,
                     const std::optional<Recalibration>& recalibrated, const std::string& output) {
  JsonObject differences;
  differences.add("unused", json_texts(summary.difference.unused));
  differences.add("outside_training_range", counts_json(learned, summary.difference.outside));
  differences.add("missing", counts_json(learned, summary.difference.missing));
  JsonObject scores;
  for (std::size_t k = 0; k < summary.values.size(); ++k) scores.add(summary.scores[k].name, summary.values[k].value);
  JsonObject object;
  object.add("output", output).add("cases", summary.cases).add("rows", summary.rows).add("known", summary.known);
  object.add("late", summary.late).add("notes", json_texts(reading_notes(summary)));
  if (recalibrated) object.add("recalibration", recalibration_json(*recalibrated));
  object.add("scores", scores.done()).add("differences", differences.done());
  return object.done();
}

}  // namespace fovea::study
