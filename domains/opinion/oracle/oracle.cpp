/// The experiment "opinion.oracle": every answer that is known beforehand, asked of the models; one page of
/// predictions, measurements and verdicts. Each target writes its checks and the arrays of its figure; the table
/// "targets" says how many checks a target has, how many fail, and which share of its tolerance the worst one needs.

#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/core/data/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/archive.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/findings.hpp"

namespace fovea::opinion::oracle {

namespace {

#define FOVEA_ORACLE(entry, name, statement, source, measure) OracleTarget{#entry, #name, statement, source, &measure},
constexpr std::array kOracleTargets{
#include "fovea/domains/opinion/oracle/oracle.inl"
};
#undef FOVEA_ORACLE

/// Everything that the page says of the targets done so far.
void visit_page(const Archive& archive, Results& results, std::int64_t& done) {
  std::string presentation = archive.restores() ? "" : results.presentation();
  archive("done", done);
  archive("data", results.data);
  archive("presentation", presentation);
  if (archive.restores()) results.read_presentation(presentation);
}

/// |measured - predicted| in units of what is allowed; an exact 0 of 0 allowed is 0.
double share_of_tolerance(const Check& check) {
  const double off = std::abs(check.measured - check.predicted);
  const double allowed = check.tolerance.around(check.predicted);
  if (std::isnan(off)) return INFINITY;
  return off == 0 ? 0 : off / allowed;
}

bool belongs(const Check& check, const OracleTarget& target) {
  return check.name.starts_with(concat(target.entry, "_", target.name, "_"));
}

void add_target_table(Results& results, const std::vector<const OracleTarget*>& targets) {
  struct Outcome {
    std::string name;
    double checks = 0, failed = 0, worst = 0;
  };
  std::vector<Outcome> outcomes;
  for (const OracleTarget* target : targets) {
    Outcome outcome{concat(target->entry, ": ", target->statement)};
    for (const Check& check : results.checks()) {
      if (!belongs(check, *target)) continue;
      ++outcome.checks;
      outcome.failed += check.holds() ? 0 : 1;
      outcome.worst = std::max(outcome.worst, share_of_tolerance(check));
    }
    outcomes.push_back(outcome);
  }
  rows("target", outcomes, &Outcome::name, "known result")
      .prefix("target_")
      .number("checks", &Outcome::checks, "comparisons")
      .number("failed", &Outcome::failed, "failed")
      .number("worst", &Outcome::worst, "largest deviation over its tolerance")
      .when([](const Outcome& outcome) { return outcome.checks > 0; })
      .write(results);
  results.figure(
      {.kind = "table",
       .name = "targets",
       .title = "Known results compared with the models",
       .caption =
           "A ratio of deviation to tolerance up to 1 is an agreement. Each comparison is in the list of checks.",
       .variables = {"target_checks", "target_failed", "target_worst"},
       .x = "target"});
}

void give_oracle_verdict(Results& results) {
  std::size_t failed = 0;
  for (const Check& check : results.checks()) failed += check.holds() ? 0 : 1;
  results.finding(KnownResultsHold{results.data.size_of("target"), results.checks().size(), failed});
  results.finding(KnownResultsFail{results.checks().size(), failed});
}

class OracleExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.oracle"; }
  std::string_view summary() const override {
    return "the models compared with results known in closed form or from publications";
  }
  int result_version() const override { return 6; }

  Schema schema() const override {
    Schema schema;
    schema.texts("targets", {}, "entries (E5) or names (folds) of the results to compare; empty: all");
    schema.real("order.lifetimes", 100, Range::between(1, 1e6), "relaxation times",
                "E9, Binder crossing: length of each run of 3200 tokens; smaller crowds run longer");
    schema.file("senate.members", "voteview's table of members with their ideal points; empty: not compared");
    schema.file("senate.series", "published series of the Senate's polarization; empty: three Congresses only");
    schema.file("polblogs.edges", "edge list of the political blogs; empty: not compared");
    schema.file("polblogs.labels", "labels of the political blogs; empty: not compared");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    try {
      chosen_targets(config.texts("targets"));
    } catch (const ArgumentError& error) {
      complaints.add(config.source("targets"), error.what());
    }
  }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    const std::vector<const OracleTarget*> targets = chosen_targets(config.texts("targets"));
    std::int64_t done = 0;
    const auto visit = [&](const Archive& archive) { visit_page(archive, results, done); };
    if (const auto state = bench.restored()) restore_state(*state, visit);
    while (done < static_cast<std::int64_t>(targets.size())) {
      const OracleTarget& target = *targets[done];
      bench.log(concat(target.entry, " ", target.name, ": ", target.statement));
      const double all = static_cast<double>(targets.size()), before = static_cast<double>(done);
      OracleSheet sheet(target, results, config, random,
                        [&](double fraction) { bench.progress((before + fraction) / all); });
      target.measure(sheet);
      bench.progress((before + 1) / all);
      ++done;
      bench.checkpoint([&] { return saved_state(visit); });
    }
    add_target_table(results, targets);
    give_oracle_verdict(results);
  }
};

}  // namespace

std::span<const OracleTarget> oracle_targets() { return kOracleTargets; }

std::vector<const OracleTarget*> chosen_targets(const std::vector<std::string>& chosen) {
  std::vector<const OracleTarget*> targets;
  std::set<std::string> known, used;
  for (const OracleTarget& target : kOracleTargets) {
    bool wanted = chosen.empty();
    for (const std::string& word : chosen) {
      if (word != target.entry && word != target.name) continue;
      wanted = true;
      used.insert(word);
    }
    if (wanted) targets.push_back(&target);
    known.insert({std::string(target.entry), std::string(target.name)});
  }
  for (const std::string& word : chosen) {
    if (used.contains(word)) continue;
    const std::string near = nearest(word, {known.begin(), known.end()});
    throw ArgumentError(concat("targets: there is no '", word,
                               "'; it must be an entry such as E5 or a name such as folds.",
                               near.empty() ? "" : concat(" Did you mean '", near, "'?")));
  }
  return targets;
}

void OracleSheet::compare(const std::string& name, const std::string& meaning, double predicted, double measured,
                          Tolerance tolerance) {
  results_.check({concat(target_.entry, "_", target_.name, "_", name), concat(target_.entry, ": ", meaning),
                  std::string(target_.source), predicted, measured, tolerance});
}

void OracleSheet::claim(const std::string& name, const std::string& meaning, bool holds) {
  compare(name, meaning, 1.0, holds ? 1.0 : 0.0, absolute(0.0));
}

std::unique_ptr<Experiment> make_oracle() { return std::make_unique<OracleExperiment>(); }

}  // namespace fovea::opinion::oracle
