/// The experiment "ehr.ablation": what each part of the model and of the records adds to the risk.
///
/// The model of ehr.mortality learns on the same folds with one part changed at a time. Each member is judged alone, so
/// that members are repetitions with other random numbers. Over `part` and `measure`: changed_value, adds (whole less
/// changed, mean over members), adds_low and adds_high: the paired bootstrap over patients (Efron 1979) and the spread
/// of the members in quadrature. The intervals are simultaneous: with 95 % all of them hold (Bonferroni; Dunn
/// 1961), so that the verdicts hold together. An interval that holds 0: the part adds nothing that can be told.

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/core/study/ensemble/fitting_settings.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/model/heads_model.hpp"
#include "fovea/domains/ehr/record/interval_text.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"
#include "fovea/domains/ehr/risk/variants.hpp"

namespace fovea::ehr::risk {

namespace {

using Risks = std::vector<std::vector<double>>;  // of each member, of the cases whose outcome is known

constexpr std::size_t kRanks = 2;   // AUROC and average precision: members are not calibrated
constexpr double kAllWrong = 0.05;  // at most, that any of the intervals misses

study::Cases without_values(study::Cases cases) {
  cases.values.setConstant(std::numeric_limits<float>::quiet_NaN());
  return cases;
}

/// The values of each variable of a case in another order, at the same times.
study::Cases shuffled_in_time(study::Cases cases, const Random& random) {
  for (Index b = 0; b < cases.count(); ++b) {
    Index first = cases.offsets[b];
    const Index end = first + cases.size(b);
    while (first < end) {
      Index last = first;
      while (last + 1 < end && cases.kinds[last + 1] == cases.kinds[first]) ++last;
      for (Index i = last; i > first; --i) {  // Fisher & Yates 1938
        const auto step = random.below(static_cast<std::uint64_t>(i - first + 1), static_cast<std::uint64_t>(i));
        cases.values.row(i).swap(cases.values.row(first + static_cast<Index>(step)));
      }
      first = last + 1;
    }
  }
  return cases;
}

/// A part, and what stands in its place.
struct Part {
  std::string without;  ///< what is learned in its place, for ablation.parts
  std::string name;
  Changes changes;
  study::Cases (*change)(const study::Cases& cases, const Random& random) = nullptr;
};

const std::vector<Part>& parts() {
  const auto kernel = [](const char* name) { return Changes::value_type("model.kernel", std::string(name)); };
  static const std::vector<Part> all{
      {"one softmax",
       "attention within variables, against over all events",
       {{"model.pooling", std::string("over all events")}}},
      {"shared half-lives", "half-lives for each variable, against shared ones", {kernel("shared")}},
      {"fixed half-lives", "half-lives that learn, against fixed ones", {kernel("fixed")}},
      {"no decay", "decay, against none", {kernel("none")}},
      {"power law", "exponential decay, against a power law", {kernel("power law")}},
      {"shuffled times",
       "the times of values, against shuffled ones",
       {},
       [](const study::Cases& cases, const Random& random) { return shuffled_in_time(cases, random); }},
      {"presence alone",
       "values, against presence alone",
       {},
       [](const study::Cases& cases, const Random&) { return without_values(cases); }},
      {"values alone", "presence, against values alone", {{"model.presence", false}}},
  };
  return all;
}

/// Those that are wanted, all where none is named.
std::vector<Part> parts_of(const std::vector<std::string>& wanted) {
  std::vector<Part> found;
  for (const Part& part : parts())
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), part.without) != wanted.end()) found.push_back(part);
  return found;
}

std::string names_of_parts() {
  std::string names;
  for (const Part& part : parts()) names += (names.empty() ? "" : ", ") + part.without;
  return names;
}

struct AblationSettings {
  std::vector<std::string> parts;
};

const Keys<AblationSettings>& ablation_keys() {
  static const auto keys = Keys<AblationSettings>()
                               .key("ablation.parts", &AblationSettings::parts,
                                    "variants to compare with the model: " + names_of_parts() + "; none: all of them")
                               .added_later();
  return keys;
}

Risks risks_of(const std::vector<Matrix<double>>& outputs, const KnownCases& known) {
  Risks risks;
  for (const Matrix<double>& of_member : outputs) {
    std::vector<double>& of_one = risks.emplace_back();
    for (const Index item : known.items) of_one.push_back(of_member(item, 0));
  }
  return risks;
}

std::vector<Measure> measures_of(std::size_t which, const Risks& risks, const KnownCases& known) {
  std::vector<Measure> measures;
  for (const std::vector<double>& of_member : risks) measures.push_back(measure_of(which, of_member, known.outcomes));
  return measures;
}

double mean_of(const std::vector<Measure>& measures, std::span<const Index> rows) {
  double sum = 0;
  for (const Measure& measure : measures) sum += measure(rows);
  return sum / static_cast<double>(measures.size());
}

struct Added {
  double whole = 0, changed = 0, adds = 0, low = 0, high = 0;
};

/// How much the whole is better than the changed, with both sources of chance, in an interval of its share of
/// kAllWrong.
Added added(std::size_t which, std::size_t tried, const Risks& whole, const Risks& changed, const KnownCases& known,
            const Random& random) {
  const std::vector<Measure> first = measures_of(which, whole, known), second = measures_of(which, changed, known);
  const std::vector<Index> all = study::first_numbers(known.count());
  const double wrong = kAllWrong / static_cast<double>(tried);
  const BootstrapInterval interval = bootstrap_difference(
      known.count(), [&](std::span<const Index> rows) { return mean_of(first, rows); },
      [&](std::span<const Index> rows) { return mean_of(second, rows); }, random,
      {2000, 1 - wrong, BootstrapKind::percentile}, known.groups);
  double squares = 0;
  for (std::size_t m = 0; m < first.size(); ++m) {
    const double deviation = first[m](all) - second[m](all) - interval.estimate;
    squares += deviation * deviation;
  }
  const auto members = static_cast<double>(first.size());
  const double of_members = normal_quantile(1 - wrong / 2) * std::sqrt(squares / (members - 1) / members);
  const auto wider = [&](double end) { return std::hypot(interval.estimate - end, of_members); };
  return {mean_of(first, all), mean_of(second, all), interval.estimate, interval.estimate - wider(interval.low),
          interval.estimate + wider(interval.high)};
}

std::string size_of(const Added& one) {
  return concat(plain_text(one.adds, 2), " [", plain_text(one.low, 2), ", ", plain_text(one.high, 2), "]");
}

void write_parts(const std::vector<Part>& tried, const std::vector<std::array<Added, kRanks>>& found,
                 Results& results) {
  using OfPart = std::array<Added, kRanks>;
  auto table = rows(
      "part", found, [&](const OfPart&, std::size_t p) { return tried[p].name; },
      "part of the model or of the records");
  table
      .text(
          "part_verdict",
          [](const OfPart& part) {
            return concat(part[0].low > 0 ? "adds " : part[0].high < 0 ? "costs " : "", size_of(part[0]));
          },
          "what it adds to the AUROC")
      .shown({.table = false});
  for (std::size_t which = 0; which < kRanks; ++which) {
    const std::string name = which == 0 ? "auroc" : "average_precision";
    table
        .number(
            name + "_without", [=](const OfPart& part) { return part[which].changed; },
            kMeasures[which] + " without the part, of a member")
        .shown({.table = false})
        .interval(
            name + "_added",
            [=](const OfPart& part) {
              return ValueInterval{part[which].adds, part[which].low, part[which].high};
            },
            kMeasures[which] + " added")
        .ends("simultaneous 95 % interval, lower end", "simultaneous 95 % interval, upper end")
        .text(
            name + "_added_interval",
            [=](const OfPart& part) { return record::interval_text(part[which].low, part[which].high); },
            "simultaneous 95 % interval");
  }
  results.scalar("auroc_of_a_member", found.front()[0].whole, "1", "AUROC of a member of the whole model");
  table.write(results)
      .intervals(
          results, "auroc_added",
          {.name = "parts",
           .title = "What each part adds to the AUROC",
           .caption = "The whole model less the model with one part changed, on the same folds, mean over the "
                      "members, each alone. Simultaneous 95 % intervals: that all hold (Bonferroni), by bootstrap over "
                      "patients and the members' spread. One that includes 0 shows no effect.",
           .value_label = "AUROC added"})
      .table(results,
             {.name = "parts_table",
              .title = "What each part adds",
              .caption = "Mean over the members, each alone; an ensemble of them is better than each. The "
                         "intervals are simultaneous: with 95 % all of a measure hold (Bonferroni; Dunn 1961).",
              .digits = 3});
}

class Ablation final : public FoldedTask {
 public:
  std::string_view name() const override { return "ehr.ablation"; }
  std::string_view summary() const override { return "what decay, values and their presence add to a risk"; }
  bool examines_first() const override { return true; }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    ablation_keys().declare(schema);
  }
  std::string refuses_trees(const Config&) const override { return "ehr.ablation is about attention alone"; }
  Index further_trainings(const Config& config) const override {
    const Index each =
        trainings_of_variant(study::split_keys().read(config).folds, study::fitting_keys().read(config).members);
    return static_cast<Index>(parts_of(ablation_keys().read(config).parts).size()) * each;
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    if (outcome.folds == nullptr) return;
    const Random random = random_of(outcome, "ablation");
    const KnownCases known = known_cases(outcome);
    const Risks whole = risks_of(outcome.folds->outputs, known);
    std::vector<std::array<Added, kRanks>> found;
    const std::vector<Part> tried = parts_of(ablation_keys().read(outcome.config).parts);
    for (const Part& part : tried) {
      const Risks changed = without(part, outcome, known, random.stream(part.name));
      std::array<Added, kRanks>& of_part = found.emplace_back();
      for (std::size_t which = 0; which < kRanks; ++which)
        of_part[which] = added(which, tried.size(), whole, changed, known, random.stream("bootstrap"));
    }
    write_parts(tried, found, results);
  }

 private:
  Risks without(const Part& part, const study::StudyOutcome& outcome, const KnownCases& known,
                const Random& random) const {
    const study::Cases cases =
        part.change == nullptr ? outcome.cases : part.change(outcome.cases, random.stream("cases"));
    return risks_of(
        cross_validated_variant(part.without, *this, outcome, cases, part.changes, random.stream("training")).outputs,
        known);
  }
};

/// Its verdict is what the parts add.
class AblationStudy final : public FoldedStudy {
 public:
  AblationStudy() : FoldedStudy(std::make_unique<Ablation>()) {}
  void check(const Config& config, Complaints& complaints) const override {
    FoldedStudy::check(config, complaints);
    const model::HeadsModelSettings model = model::heads_model_keys().read(config);
    if (study::fitting_keys().read(config).members < 2)
      complaints.add(config.source("ensemble.members"),
                     "ensemble.members = 1, but ehr.ablation needs the spread of 2 or more; set it to 4.");
    if (model.kernel != model::Kernel::exponential || model.over_all || !model.presence)
      complaints.add(config.source("model.kernel"),
                     "ehr.ablation takes parts away from the whole model; leave model.kernel, model.pooling and "
                     "model.presence out.");
    for (const std::string& wanted : ablation_keys().read(config).parts)
      if (std::none_of(parts().begin(), parts().end(), [&](const Part& part) { return part.without == wanted; }))
        complaints.add(config.source("ablation.parts"),
                       concat("ablation.parts names '", wanted, "', but there are ", names_of_parts(), "."));
  }
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("part_verdict")) return;
    if (const auto whole = study::not_better(merged)) {  // then parts are compared by chance, too
      merged.finding(PartsMeanNothing{whole->low, whole->high, whole->chance});
      return;
    }
    const auto& names = std::get<std::vector<std::string>>(merged.data.at("part").values);
    const auto& verdicts = std::get<std::vector<std::string>>(merged.data.at("part_verdict").values);
    const std::vector<double>&low = merged.data.at("auroc_added_low").reals(),
          &high = merged.data.at("auroc_added_high").reals();
    std::string told, undecided;
    for (std::size_t p = 0; p < names.size(); ++p) {
      const bool clear = low[p] > 0 || high[p] < 0;
      std::string& list = clear ? told : undecided;
      list += concat(list.empty() ? "" : "; ", names[p], ": ", verdicts[p]);
    }
    merged.verdict(
        concat("AUROC of one member ", plain_text(merged.data.at("auroc_of_a_member").reals()[0], 3),
               told.empty() ? ". No effect of a part excludes 0." : ". Effects that exclude 0: " + told + ".",
               undecided.empty() ? "" : " Effects that do not: " + undecided + ".",
               " All of these intervals hold jointly with 95 % confidence."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_ablation() { return std::make_unique<AblationStudy>(); }

}  // namespace fovea::ehr::risk
