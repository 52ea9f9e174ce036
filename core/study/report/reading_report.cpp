#include "fovea/core/study/report/reading_report.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/case_hash.hpp"

namespace fovea::study {

namespace {

/// A copy has the target of what it is a copy of, as far as both are known.
bool has_other_target(const Cases& cases, const RepeatedCase& one) {
  if (static_cast<Index>(cases.targets.size()) != cases.count()) return false;  // one a token
  const double mine = cases.targets[one.item], other = cases.targets[one.like];
  return !std::isnan(mine) && !std::isnan(other) && mine != other;
}

/// Tested cases with the content of one that their model learned from.
RepeatedCases repeated_in(const Cases& cases, const std::vector<Split>& splits) {
  const std::vector<std::uint64_t> hashes = case_hashes(cases);
  RepeatedCases found;
  for (const Split& split : splits) {
    std::vector<Index> learned = split.training;
    learned.insert(learned.end(), split.validation.begin(), split.validation.end());
    found.tested += static_cast<Index>(split.test.size());
    for (const Index item : split.test) found.untold += hashes[item] == 0 ? 1 : 0;
    for (const RepeatedCase& one : repeated_cases(hashes, split.test, learned)) {
      ++found.repeated;
      found.other_targets += has_other_target(cases, one) ? 1 : 0;
      if (found.first.empty() && cases.smallest_cell <= 1)  // else it would be somebody's id
        found.first = concat(place_of(cases, one.item), ", as ", place_of(cases, one.like));
    }
  }
  return found;
}

void record(const Finding& finding, Results& results, Workbench& bench) {
  results.record(finding);
  if (finding.role == FindingRole::warning) bench.say("warning: " + finding.sentence);
}

}  // namespace

std::string place_of(const Cases& cases, Index item) {
  return cases.reading.places.empty() ? cases.ids[item] : cases.reading.places[item];
}

void report_reading(const Cases& cases, const std::vector<Split>& splits, Results& results, Workbench& bench) {
  report_reading(cases.reading, repeated_in(cases, splits), results, bench);
}

void report_reading(const Reading& reading, const RepeatedCases& repeated, Results& results, Workbench& bench) {
  for (const std::string& sentence : sentences_of(reading)) results.read(sentence);
  results.data.documents["reading"] = reading_json(reading);
  for (const Finding& finding : reading.findings) record(finding, results, bench);
  if (repeated.repeated > 0 && repeated.repeated < reading.smallest_cell) return;  // too few to be shown
  if (const SameCases same{repeated}; same.holds()) record(finding_of(same), results, bench);
  results.finding(FewSameCases{repeated});
  results.finding(TestIsSeparate{repeated.tested, repeated.repeated, repeated.untold});
}

}  // namespace fovea::study
