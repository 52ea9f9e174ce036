#include "fovea/core/study/report/report_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/fold_findings.hpp"
#include "fovea/core/study/report/use_findings.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kNamed = 12;  // of a list in a cell

/// What items are filled from.
struct SheetFacts {
  const StudyOutcome& outcome;
  const Examination& examined;
  const Results& results;
  const StudySettings settings;
  const Reading& reading;
  const TargetRule& rule;

  bool in_time() const { return outcome.folds != nullptr && outcome.folds->in_time(); }
  bool given_parts() const { return !outcome.cases.parts.empty(); }
  bool grouped() const { return reading.groups > 0 && reading.groups != reading.cases; }
  std::string of_groups() const {
    return grouped() ? concat(", by ", reading.group.empty() ? "group" : reading.group) : "";
  }
  std::string without_embargo() const {
    const double embargo = outcome.folds->wanted.embargo;
    return embargo > 0 ? concat(" but not from ", reading.nouns(), " asked within ", plain_text(embargo), ' ',
                                outcome.cases.time_unit, " of its own")
                       : "";
  }
  bool has_figure(std::string_view name) const {
    const auto& all = results.figures();
    return std::any_of(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == name; });
  }
};

std::string list_of(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), kNamed); ++k) text += (k == 0 ? "" : ", ") + all[k];
  return all.size() > kNamed ? concat(text, " and ", all.size() - kNamed, " more") : text;
}

std::string objectives(const SheetFacts& f) {
  if (f.in_time())
    return concat("A model is developed, and tested on ", f.outcome.folds->folds(),
                  " blocks in time, each later than what its model learned from (internal validation).");
  if (f.outcome.folds)
    return concat("A model is developed, and tested by ", f.outcome.folds->folds(),
                  "-fold cross-validation (internal validation).");
  return f.given_parts() ? "A model is developed, and tested on the part that the data set aside for it."
                         : "A model is developed, and tested on a part of the same data, drawn at random (internal "
                           "validation).";
}

std::string data_sources(const SheetFacts& f) {
  return f.reading.files.empty() ? concat("The ", f.reading.nouns(), " are simulated.")
                                 : concat("Files: ", list_of(f.reading.files), '.');
}

std::string quality(const SheetFacts& f) {
  std::string text;
  for (const LeftOut& one : f.reading.left_out)
    if (one.count > 0) text += concat(text.empty() ? "Left out: " : "; ", left_out_text(f.reading, one));
  return text.empty() ? text : text + '.';
}

std::string outcome_of(const SheetFacts& f) {
  const Target& target = f.outcome.target;
  if (target.kind == TargetKind::hazards)
    return concat("'", target.name, "': when a ", f.reading.noun, " ends by ", list_of(target.classes), ", up to ",
                  plain_text(target.edges.back()), ' ', target.unit, '.');
  if (f.rule.real())
    return concat("'", target.name, "', a number", target.unit == "1" ? "." : " in " + target.unit + '.');
  return target.classes.empty() ? concat("'", target.name, "': 0 or 1.")
                                : concat("'", target.name, "': ", list_of(target.classes), '.');
}

std::string predictors(const SheetFacts& f) {
  std::vector<std::string> names;
  for (const ReadVariable& one : f.reading.variables)
    if (one.cases > 0) names.push_back(one.name);
  if (names.empty()) return "";
  return concat("All that is read is given to the model, without a selection by the outcome: ",
                counted(std::ssize(names), "variable"), " (", list_of(names), ").");
}

std::string units(const SheetFacts& f) {
  std::vector<std::string> names;
  for (const ReadVariable& one : f.reading.variables)
    if (!one.unit.empty() && one.unit != "1") names.push_back(concat(one.name, " [", one.unit, "]"));
  return names.empty() ? "" : concat("Units: ", list_of(names), '.');
}

std::string size_of_study(const SheetFacts& f) {
  const auto found = f.results.found<SmallestFound>();
  if (!found || std::isnan(found->value)) return "";
  return concat(counted(static_cast<std::int64_t>(found->cases), "tested " + f.reading.noun), " would show that ",
                scores_of(f.outcome.target).front().title, " is better than chance in four of five such studies from ",
                plain_text(found->value, 2), " on.");
}

std::string missing(const SheetFacts& f) {
  if (f.reading.variables.empty()) return "";
  const auto some = std::count_if(f.reading.variables.begin(), f.reading.variables.end(),
                                  [&](const ReadVariable& one) { return one.cases < f.reading.cases; });
  std::string text = some == 0 ? concat("Every ", f.reading.noun, " has a value of each variable.")
                               : concat(some, " of ", counted(std::ssize(f.reading.variables), "variable"),
                                        " have no value in some ", f.reading.noun, "s (table 'What is missing').");
  const Preparation& preparation = f.outcome.model.preparation;
  const auto& scales = preparation.scales;
  if (!preparation.classes.empty())
    return text + " What was not measured is not filled in: the model sees the measurements that there are.";
  if (std::any_of(scales.begin(), scales.end(), [](const FeatureScale& scale) { return scale.marked; }))
    text += " A missing number is set to the mean of the training part, beside a column that marks it as missing.";
  return text;
}

std::string partition(const SheetFacts& f) {
  if (f.in_time())
    return concat(f.results.found<BlocksInTime>()->sentence(), " The final model learned from all ", f.reading.nouns(),
                  " with a known target.");
  if (f.outcome.folds)
    return concat(f.outcome.folds->folds(), " folds", f.of_groups(), ": each ", f.reading.noun,
                  f.outcome.folds->tests_all() ? "" : " in a fold",
                  " is tested once, by models that learned from the other folds", f.without_embargo(),
                  ". The final model learned from all.");
  return concat(f.given_parts() ? "The data name the parts" : "Parts are drawn at random", f.of_groups(), ": ",
                f.outcome.split.training.size(), " to learn from, ", f.outcome.split.validation.size(),
                " for validation, ", f.outcome.split.test.size(), " to test.");
}

std::string handling(const SheetFacts& f) {
  const Preparation& preparation = f.outcome.model.preparation;
  const auto categories = std::count_if(preparation.features.begin(), preparation.features.end(),
                                        [](const Feature& one) { return !one.categories.empty(); });
  std::string text;
  if (categories < std::ssize(preparation.features))
    text = preparation.classes.empty()
               ? "Numbers are scaled by mean and deviation of what was learned from."
               : "Numbers become normal scores of their ranks among those of their variable that were learned from.";
  if (categories > 0) text += concat(text.empty() ? "" : " ", "Categories are columns of 0 and 1.");
  return text;
}

std::string model_type(const SheetFacts& f) {
  const FittingSettings& fitting = f.settings.fitting;
  std::string text = concat("An ensemble of ", counted(fitting.members, "neural network"), " (",
                            counted(fitting.epochs, "epoch"), fitting.patience > 0 ? " at most" : "", ")");
  if (f.settings.trees.boosting.rounds > 0)
    text += concat(", ", f.settings.trees.boosting.rounds, " rounds of boosted trees");
  if (f.settings.trees.bagging.trees > 0)
    text += concat(", a random forest of ", f.settings.trees.bagging.trees, " trees");
  return text + "; all settings stand under 'Configuration', and the run tuned none of them.";
}

std::string by_cluster(const SheetFacts& f) {
  if (!f.results.data.has("subgroup_of")) return "";
  const std::string name = f.reading.group.empty() ? "group" : f.reading.group;
  const auto& of = std::get<std::vector<std::string>>(f.results.data.at("subgroup_of").values);
  const bool there = !f.outcome.cases.groups.empty() && std::find(of.begin(), of.end(), name) != of.end();
  return there ? concat("Scores of each ", name, " with intervals, and a test of their calibration: table 'Subgroups'.")
               : "";
}

std::string measures(const SheetFacts& f) {
  std::vector<std::string> names;
  for (const Score& score : scores_of(f.outcome.target, !f.outcome.predictions.decisions.empty()))
    names.push_back(score.title);
  std::vector<std::string> plots;
  for (const char* plot : {"roc", "precision_recall", "reliability", "net_benefit", "subgroup_curves"})
    for (const Figure& figure : f.results.figures())
      if (figure.name == plot) plots.push_back(figure.title);
  return concat(list_of(names), ", beside those of a ridge model and the base rate.",
                plots.empty() ? "" : concat(" Figures: ", list_of(plots), '.'));
}

std::string no_update(const SheetFacts&) { return "None: the run updates no model."; }

std::string calculated(const SheetFacts& f) {
  if (f.in_time()) return concat("Each ", f.reading.noun, " in a block by models of what was known when it began.");
  return f.outcome.folds ? concat("Each ", f.reading.noun, f.outcome.folds->tests_all() ? "" : " in a fold",
                                  " by the models that did not learn from its fold.")
                         : "By the model that is kept in model.h5, as `fovea predict` does it.";
}

std::string imbalance(const SheetFacts& f) {
  if (f.rule.real() || !f.outcome.cases.weights.empty()) return "";
  return concat("None: no ", f.reading.noun, " is weighted or drawn again by its outcome.");
}

std::string fairness(const SheetFacts& f) {
  return f.has_figure("subgroups") ? "Subgroups are compared; nothing was done to make them alike." : "";
}

std::string output(const SheetFacts& f) {
  const Target& target = f.outcome.target;
  if (f.rule.real()) return "A mean and a standard deviation.";
  if (target.kind == TargetKind::hazards) return "The cumulative incidence of each end by each time.";
  if (!f.rule.binary()) return concat("A probability of each of ", target.classes.size(), " classes.");
  const std::string probability =
      concat("The probability of '", target.classes.size() == 2 ? target.classes[1] : "1", "'");
  if (!f.outcome.model.threshold) return probability + '.';
  return concat(probability, ", and a decision from ", plain_text(*f.outcome.model.threshold),
                " on, where as many are called as it happens to.");
}

std::string differences(const SheetFacts& f) {
  if (f.in_time()) return "What is tested is later than what was learned from, in the same data.";
  return f.outcome.folds || !f.given_parts()
             ? "None by design: what is learned from and what is tested is drawn from the same data."
             : "";
}

std::string code(const SheetFacts&) { return "Fovea; its version and commit stand under 'Provenance'."; }

std::string flow(const SheetFacts& f) {
  const std::vector<std::string> all = sentences_of(f.reading);
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), 1 + f.reading.outcomes.size()); ++k)
    text += (k == 0 ? "" : " ") + all[k];
  return f.reading.cases > 0 ? text : "";
}

std::string characteristics(const SheetFacts& f) {
  std::vector<std::string> tables;
  if (f.has_figure("missing")) tables.push_back("'What is missing'");
  if (f.has_figure("subgroups")) tables.push_back("'Subgroups'");
  return tables.empty() ? "" : concat(tables.size() > 1 ? "Tables " : "Table ", list_of(tables), '.');
}

/// Of a part: how many there are, and how many have the event, where both are shown.
std::string count_of_part(const SheetFacts& f, const char* name, const std::vector<Index>& items) {
  std::string text = concat(items.size(), ' ', name);
  if (!f.rule.binary() || f.outcome.target.level != TargetLevel::per_case || f.outcome.cases.targets.empty())
    return text;
  Index events = 0, others = 0;
  for (const Index item : items)
    if (const double y = f.outcome.cases.targets[item]; !std::isnan(y)) ++(y > 0 ? events : others);
  const Index cell = f.outcome.cases.smallest_cell;
  return std::min(events, others) < cell ? text : concat(text, " (", events, " with the outcome)");
}

std::string numbers(const SheetFacts& f) {
  const Split& split = f.outcome.split;
  if (f.outcome.folds)
    return concat(count_of_part(f, "in all", split.test),
                  f.outcome.folds->tests_all() ? ", each tested once"
                                               : concat(", ", f.outcome.folds->tested(), " of them tested once"),
                  "; the final model learned from ", split.training.size(), '.');
  return concat(count_of_part(f, "to learn from", split.training), ", ",
                count_of_part(f, "for validation", split.validation), ", ", count_of_part(f, "to test", split.test),
                '.');
}

std::string specification(const SheetFacts&) {
  return "model.h5: `fovea predict` answers for new cases, `fovea inspect` and `fovea export` show all of it.";
}

std::string performance(const SheetFacts& f) {
  const std::vector<Score> scores = scores_of(f.outcome.target, !f.outcome.predictions.decisions.empty());
  const std::vector<ScoreValue>& ours = f.examined.scores.front();
  std::string text;
  for (std::size_t s = 0; s < scores.size(); ++s)
    if (scores[s].range == ScoreRange::interval && !std::isnan(ours[s].value) && !std::isnan(ours[s].low))
      text += (text.empty() ? "" : ", ") + with_interval(scores[s].title, ours[s].value, ours[s].low, ours[s].high);
  if (text.empty()) return text;
  text += concat(", ", f.outcome.tested(), " (95 % intervals).");
  for (const char* kind : {"net_benefit", "no_net_benefit", "calibration_differs", "calibration_alike"})
    if (const Finding* finding = f.results.found(kind)) text += ' ' + finding->sentence;
  return text;
}

std::string limitations(const SheetFacts& f) {
  std::string text;
  for (const std::string& warning : f.results.warnings()) text += (text.empty() ? "" : " ") + warning;
  return text;
}

std::string poor_inputs(const SheetFacts&) {
  return "`fovea predict` counts values outside those that were learned from, missing values and variables without a "
         "match.";
}

/// fill: the whole of the item, or, with `part`, something of it; nullptr: nothing of it is in a run.
struct SheetItem {
  const char *item, *asks;
  std::string (*fill)(const SheetFacts& facts) = nullptr;
  bool part = false;
};

constexpr SheetItem kItems[] = {
    {"1", "title: development or evaluation, of what population and outcome"},
    {"2", "abstract, by the list for abstracts"},
    {"3a", "context and rationale, with existing models"},
    {"3b", "target population, purpose, and who is to use the model"},
    {"3c", "known inequalities of health between groups of people"},
    {"4", "objectives: development, validation, or both", objectives},
    {"5a", "sources of the data, why these, and whom they represent", data_sources, true},
    {"5b", "dates: start and end of accrual, end of follow-up"},
    {"6a", "setting, number and place of centres"},
    {"6b", "who was eligible"},
    {"6c", "treatments, and how they were handled"},
    {"7", "preparation of the data, and checks of their quality", quality, true},
    {"8a", "outcome and time horizon, how it was assessed, and why this one", outcome_of, true},
    {"8b", "who assessed the outcome, where that takes judgement"},
    {"8c", "blinding of the assessment of the outcome"},
    {"9a", "choice of the predictors, and any selection before the model", predictors, true},
    {"9b", "definition of all predictors, how and when they were measured", units, true},
    {"9c", "who assessed the predictors, where that takes judgement"},
    {"10", "how the size of the study was arrived at, and whether it is enough", size_of_study, true},
    {"11", "how missing data were handled", missing},
    {"12a", "how the data were parted for development and evaluation", partition},
    {"12b", "how predictors were handled: form, scale, transformation", handling},
    {"12c", "type of model, steps of its building, tuning, internal validation", model_type},
    {"12d", "differences between clusters, such as hospitals", by_cluster},
    {"12e", "measures and plots of performance, and models compared", measures},
    {"12f", "updating of the model after its evaluation", no_update},
    {"12g", "how the predictions were calculated", calculated},
    {"13", "methods for class imbalance, and recalibration after them", imbalance},
    {"14", "what was done for fairness, and why", fairness, true},
    {"15", "output of the model, and how thresholds were found", output},
    {"16", "differences between development and evaluation data", differences},
    {"17", "ethical approval and consent"},
    {"18a", "funding"},
    {"18b", "conflicts of interest"},
    {"18c", "protocol"},
    {"18d", "registration"},
    {"18e", "where the data can be had"},
    {"18f", "where the code can be had", code, true},
    {"19", "involvement of patients and the public"},
    {"20a", "flow of participants, with and without the outcome, and follow-up", flow},
    {"20b", "characteristics of the participants, and what is missing", characteristics, true},
    {"20c", "predictors and outcome of the evaluation compared with the development"},
    {"21", "participants and outcome events in each analysis", numbers},
    {"22", "the full model, so that others can predict with it", specification},
    {"23a", "performance with intervals, also of key subgroups", performance},
    {"23b", "differences of performance between clusters", by_cluster},
    {"24", "results of model updating", no_update},
    {"25", "interpretation, fairness included"},
    {"26", "limitations", limitations, true},
    {"27a", "how poor or missing inputs are to be handled in use", poor_inputs, true},
    {"27b", "what users must do, and what expertise that takes"},
    {"27c", "next steps: where else the model has to be examined"},
};

}  // namespace

void write_sheet(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const SheetFacts facts{
      outcome, examined, results, study_keys().read(outcome.config), outcome.cases.reading, outcome.target.rule()};
  std::vector<SheetLine> lines;
  for (const SheetItem& item : kItems) {
    std::string fact = item.fill == nullptr ? "" : item.fill(facts);
    if (item.part && !fact.empty()) fact += " The rest is yours to write.";
    lines.push_back({item.item, item.asks, std::move(fact)});
  }
  for (SheetLine& line : lines) results.sheet(std::move(line));
}

}  // namespace fovea::study
