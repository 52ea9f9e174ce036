#include "fovea/domains/nowcast/made/made_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/domains/nowcast/made/made_findings.hpp"

namespace fovea::nowcast::made {

namespace {

constexpr const char* kLaw = "the law of the simulated economy";

struct Compared {
  double ours, bayes;  ///< AUROC
};

Compared compared_with_bayes(const MadeCases& made, const study::StudyOutcome& outcome) {
  std::vector<double> bayes, ours;
  std::vector<Index> labels;
  for (std::size_t k = 0; k < outcome.split.test.size(); ++k) {
    const Index item = outcome.split.test[k];
    bayes.push_back(made.economy.probability[made.months[item]]);
    ours.push_back(outcome.predictions.mean(static_cast<Index>(k), 0));
    labels.push_back(static_cast<Index>(made.cases.targets[item]));
  }
  return {auroc(ours, labels), auroc(bayes, labels)};
}

std::vector<Index> tested_recessions(const MadeCases& made, const study::StudyOutcome& outcome) {
  std::vector<Index> months;
  for (const Index item : outcome.split.test)
    if (made.cases.targets[item] == 1) months.push_back(item);
  return months;
}

void write_headlines(const Compared& compared, const Found& found, Results& results) {
  results.scalar("made_auroc", compared.ours, "1", "AUROC on the tested months");
  results.scalar("bayes_auroc", compared.bayes, "1", "AUROC of Bayes' rule on the tested months");
  results.scalar("cause_first", found.cause_first(), "1",
                 "share of tested recession months whose true cause is first by deletion");
  results.scalar("recession_months", static_cast<double>(found.months), "1", "tested recession months with a cause");
  results.headline({.variable = "made_auroc",
                    .label = "AUROC on the tested months",
                    .predicted = "bayes_auroc",
                    .meaning = "Predicted: that of Bayes' rule, which knows the law.",
                    .check = "as_bayes"});
  results.headline({.variable = "cause_first",
                    .label = "True cause first by deletion",
                    .meaning = "Share of the tested recession months in which the true cause changes the logit "
                               "most when it is removed.",
                    .check = "cause_first"});
}

void check_known(const Compared& compared, const Found& found, Results& results) {
  results.check({"as_bayes", "AUROC on the tested months, compared with Bayes' rule", kLaw, compared.bayes,
                 compared.ours, absolute(kAurocGap)});
  results.check({"cause_first", "share of tested recession months whose true cause is first by deletion", kLaw, 1,
                 found.cause_first(), absolute(kCauseMissed)});
  for (const KindFound& kind : found.kinds) {
    if (!kind.causes()) continue;
    results.check({"half_life_" + kind.known.name, "half-life of " + kind.known.name + ", months", kLaw,
                   kind.known.half_life_months, kind.learned.half_life, relative(kHalfLifeError)});
    results.check({"delay_" + kind.known.name, "delay of " + kind.known.name + ", months", kLaw,
                   static_cast<double>(kind.known.delay_months), kind.learned.delay, absolute(kDelayError)});
  }
}

KnownCauses known_causes(const Compared& compared, const Found& found) {
  KnownCauses all{found.cause_first(), 0, 0, compared.ours, compared.bayes};
  for (const KindFound& kind : found.kinds) {
    if (!kind.causes()) continue;
    all.half_life_error =
        std::max(all.half_life_error, std::abs(kind.learned.half_life / kind.known.half_life_months - 1));
    all.delay_error =
        std::max(all.delay_error, std::abs(kind.learned.delay - static_cast<double>(kind.known.delay_months)));
  }
  return all;
}

const KindFound* kind_named(const Found& found, const std::string& name) {
  for (const KindFound& kind : found.kinds)
    if (kind.known.name == name) return &kind;
  return nullptr;
}

void write_kinds(const Found& found, const Found& hidden, const std::string& cause, Results& results) {
  const auto where_hidden = [&](const KindFound& kind) {
    const KindFound* const same = kind_named(hidden, kind.known.name);
    return same == nullptr ? kNan : same->deletion;
  };
  rows(
      "kind", found.kinds, [](const KindFound& kind) { return kind.known.name; }, "kind of event")
      .number(
          "known_effect", [](const KindFound& kind) { return kind.known.effect; }, "known effect on the logit")
      .number(
          "effect", [](const KindFound& kind) { return kind.learned.effect; }, "learned effect")
      .number(
          "known_delay", [](const KindFound& kind) { return kind.known.delay_months; }, "known delay", "months")
      .when(&KindFound::causes)
      .number(
          "delay", [](const KindFound& kind) { return kind.learned.delay; }, "learned delay", "months")
      .when(&KindFound::causes)
      .number(
          "known_half_life", [](const KindFound& kind) { return kind.known.half_life_months; }, "known half-life",
          "months")
      .when(&KindFound::causes)
      .number(
          "half_life", [](const KindFound& kind) { return kind.learned.half_life; }, "learned half-life", "months")
      .when(&KindFound::causes)
      .number("event_share", &KindFound::events, "share of the events")
      .number("attention_share", &KindFound::attention, "share of attention")
      .number("deletion_share", &KindFound::deletion, "share of deletions")
      .number("hidden_share", where_hidden, concat("share of deletions with ", cause, " hidden"))
      .write(results)
      .table(results,
             {.name = "kinds",
              .title = "Each kind of event, as it is known and as it was learned",
              .caption = "Shares are of all events that the tested recession months see; of deletions: of the sizes "
                         "of the changes of the logit when an event is removed.",
              .digits = 3});
}

void write_memory(const Asked& asked, const Found& found, Index window, Results& results) {
  struct AtAge {
    double known, learned;
  };
  std::vector<double> ages(static_cast<std::size_t>(window));
  std::iota(ages.begin(), ages.end(), 0.0);
  std::vector<AtAge> list;
  for (const KindFound& kind : found.kinds)
    for (const double age : ages)
      list.push_back({datasets::simulated::contribution({0, 0, 1}, kind.known, static_cast<Index>(age)),
                      learned_effect(asked, kind.known.name, age)});
  results.coordinate("age", ages, "months", "age of an event");
  rows({"kind", "age"}, list)
      .number("known_memory", &AtAge::known, "known effect")
      .number("memory", &AtAge::learned, "learned effect")
      .write(results);
  results.lead({{.kind = "lines",
                 .name = "memory",
                 .title = "What an event adds to the logit of a recession, by its age",
                 .caption = "Events of size 1. Dashed: the law of the simulated economy.",
                 .variables = {"memory"},
                 .references = {"known_memory"},
                 .x = "age",
                 .hue = "kind",
                 .value_label = "effect on the logit"}});
}

void write_follower(const Asked& asked, const Hidden& hidden, Index window, Results& results) {
  struct AtAge {
    double known, hidden;
  };
  std::vector<AtAge> list;
  for (Index age = 0; age < window; ++age)
    list.push_back({learned_effect(asked, hidden.follower, static_cast<double>(age)),
                    learned_effect(hidden.asked, hidden.follower, static_cast<double>(age))});
  rows({"age"}, list)
      .number("follower_memory", &AtAge::known, hidden.cause + " among the events")
      .number("follower_memory_hidden", &AtAge::hidden, hidden.cause + " hidden")
      .write(results);
  results.figure({.kind = "lines",
                  .name = "follower",
                  .title = concat("What ", hidden.follower, " seems to add, by its age"),
                  .caption = concat("Its true effect is 0; it follows the same hidden cause as ", hidden.cause, "."),
                  .variables = {"follower_memory", "follower_memory_hidden"},
                  .x = "age",
                  .value_label = "effect on the logit"});
}

/// The largest share of deletions of the kinds that neither cause nor follow.
double unrelated_share(const Found& found) {
  double most = 0;
  for (const KindFound& kind : found.kinds)
    if (!kind.causes() && kind.known.follows.empty()) most = std::max(most, kind.deletion);
  return most;
}

}  // namespace

void report_made(const Asked& asked, const Hidden& hidden, Index window, const study::StudyOutcome& outcome,
                 Results& results) {
  const std::vector<Index> months = tested_recessions(asked.made, outcome);
  const Found found = found_of(asked, months, window), where_hidden = found_of(hidden.asked, months, window);
  const Compared compared = compared_with_bayes(asked.made, outcome);
  write_headlines(compared, found, results);
  write_kinds(found, where_hidden, hidden.cause, results);
  write_memory(asked, found, window, results);
  write_follower(asked, hidden, window, results);
  check_known(compared, found, results);
  results.finding(known_causes(compared, found));
  results.finding(FollowsHiddenCause{hidden.follower, hidden.cause, kind_named(where_hidden, hidden.follower)->deletion,
                                     kind_named(found, hidden.follower)->deletion, unrelated_share(where_hidden)});
}

}  // namespace fovea::nowcast::made
