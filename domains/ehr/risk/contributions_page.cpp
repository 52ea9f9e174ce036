#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/domains/ehr/risk/contributions.hpp"
#include "fovea/domains/ehr/risk/sources.hpp"

namespace fovea::ehr::risk {

namespace {

double auroc_of(const std::vector<double>& logits, const std::vector<double>& outcomes) {
  std::vector<Index> classes;
  for (const double y : outcomes) classes.push_back(static_cast<Index>(y));
  return RankedOutcomes(logits, classes).auroc();
}

/// Over variable: mean size of the contributions, and the range of the members.
void write_variables(const study::StudyOutcome& outcome, const Contributions& found, Results& results) {
  struct VariableSize {
    std::string name, source;
    ValueInterval size;
  };
  std::vector<VariableSize> list;
  for (const std::string& source : sources()) {
    const auto first = std::ssize(list);
    for (Index c = 0; c < found.sizes.cols(); ++c) {
      const auto sizes = found.sizes.col(c);
      if (source_of(outcome.cases.classes[c]) == source && sizes.maxCoeff() > 0)
        list.push_back({outcome.cases.classes[c], source, {sizes.mean(), sizes.minCoeff(), sizes.maxCoeff()}});
    }
    std::stable_sort(list.begin() + first, list.end(),
                     [](const VariableSize& a, const VariableSize& b) { return a.size.value > b.size.value; });
  }
  if (list.empty()) return;
  rows("contributing", list, &VariableSize::name, "variable")
      .interval("contribution", &VariableSize::size, "mean size of a contribution to the logit")
      .ends("range of the members, its lower end", "range of the members, its upper end")
      .text("contribution_source", &VariableSize::source, "source")
      .write(results)
      .intervals(
          results, "contribution",
          {.name = "contributions",
           .title = "What the risks rest on",
           .caption = "Mean size of what the values of a variable add to the logit of a stay, compared with the "
                      "same stay with every value at its median (integrated gradients), in attention alone. Bars: "
                      "smallest to largest of the members.",
           .value_label = "contribution to the logit",
           .groups = "contribution_source"});
}

/// A number with its name.
struct Named {
  std::string name;
  double value;
};

void write_sources(const study::StudyOutcome& outcome, const Contributions& found, Results& results) {
  std::map<std::string, Vector<double>> sums;
  for (Index c = 0; c < found.by_class.cols(); ++c) {
    Vector<double>& sum = sums[source_of(outcome.cases.classes[c])];
    if (sum.size() == 0) sum = Vector<double>::Zero(found.by_class.rows());
    sum += found.by_class.col(c);
  }
  std::vector<Named> sizes;
  for (const std::string& source : sources())
    if (sums.contains(source)) sizes.push_back({source, sums[source].cwiseAbs().mean()});
  double measured = 0, mean = 0;
  for (const double logit : found.measured) mean += logit / static_cast<double>(found.measured.size());
  for (const double logit : found.measured)
    measured += std::abs(logit - mean) / static_cast<double>(found.measured.size());
  sizes.push_back({"that it was measured", measured});
  rows("from_source", sizes, &Named::name, "source")
      .number("contribution_of_source", &Named::value, "mean size of the contribution to the logit")
      .write(results)
      .table(results,
             {.name = "sources",
              .title = "Contributions by source",
              .caption = "Mean size of the contribution of all values of a source to the logit. Last row: how far "
                         "the logit moves from stay to stay when every value is at its median, so that only which "
                         "events there were, and when, is left.",
              .digits = 3});
}

std::string change_of(double auroc, double full) {
  return concat(auroc > full ? "rises by " : "falls by ", plain_text(std::abs(full - auroc), 3));
}

/// Whether an AUROC is above what orders by chance have in 97.5 % of cases (Mann & Whitney 1947, normal approximation).
bool better_than_chance(double auroc, const std::vector<double>& outcomes) {
  constexpr double kNormal = 1.96;
  const auto count = static_cast<double>(outcomes.size());
  double positive = 0;
  for (const double y : outcomes) positive += y;
  return auroc > 0.5 + kNormal * std::sqrt((count + 1) / (12 * positive * (count - positive)));
}

void write_deletion(const Contributions& found, Results& results) {
  const double full = auroc_of(found.logits, found.outcomes), top = auroc_of(found.without_top, found.outcomes),
               random = auroc_of(found.without_random, found.outcomes),
               measured = auroc_of(found.measured, found.outcomes);
  if (std::isnan(full)) return;
  const std::vector<Named> areas{{"all events", full},
                                 {"without a tenth at random", random},
                                 {"without the top tenth", top},
                                 {"every value at its median", measured}};
  rows("events_seen", areas, &Named::name, "what the models see")
      .number("auroc_of_events_seen", &Named::value, "AUROC")
      .write(results)
      .table(results,
             {.name = "deletion",
              .title = "Do the contributions say what matters?",
              .caption = concat("AUROC of the mean logit of attention's members, before calibration, over ",
                                counted(std::ssize(found.items), "stay"),
                                " that were explained, when a tenth of each stay's values is removed: those with the "
                                "largest contributions, or as many at random. Last row: only that things were "
                                "measured."),
              .digits = 4});
  results.scalar("contribution_agreement", found.agreement, "1",
                 "rank correlation of the variables' contributions between two members");
  results.scalar("contribution_remainder", found.largest_remainder, "1", "largest error of the contributions' sum");
  results.note(note_on_deletion(found));
}

}  // namespace

std::string note_on_deletion(const Contributions& found) {
  const double full = auroc_of(found.logits, found.outcomes), top = auroc_of(found.without_top, found.outcomes),
               random = auroc_of(found.without_random, found.outcomes);
  if (!better_than_chance(full, found.outcomes))
    return concat("Of ", found.items.size(), " stays: before calibration the mean logit of attention has the AUROC ",
                  plain_text(full, 3),
                  ", which is no better than chance, so there is nothing that contributions could show.");
  return concat("Of ", found.items.size(), " stays: without the tenth of the values with the largest contributions ",
                "the AUROC ", change_of(top, full), ", without a random tenth it ", change_of(random, full),
                top < random ? "." : ": the contributions do not show what the risks rest on.",
                std::isnan(found.agreement)
                    ? std::string()
                    : concat(" Two members agree on the order of the variables of a stay with a rank correlation of ",
                             plain_text(found.agreement, 2), "."));
}

void write_contributions(const study::StudyOutcome& outcome, const Contributions& found, Results& results) {
  if (found.items.empty()) return;
  write_variables(outcome, found, results);
  write_sources(outcome, found, results);
  write_deletion(found, results);
}

}  // namespace fovea::ehr::risk
