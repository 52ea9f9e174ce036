#include "fovea/domains/ehr/inspect/facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/study/report/one_input.hpp"
#include "fovea/domains/ehr/record/stay_reading.hpp"

namespace fovea::ehr::inspect {

namespace {

using datasets::events::Stays;

/// Of values of so many stays, a stay's own or many of each; sorts them.
Spread spread_of(std::vector<double>& values, Index stays) {
  std::sort(values.begin(), values.end());
  const auto shown = [&](double p) {
    const double beyond = std::min(p, 1 - p) * static_cast<double>(stays);
    return values.empty() || beyond < static_cast<double>(kFewestStays) ? kNan : sorted_quantile(values, p);
  };
  return {shown(0.05), shown(0.5), shown(0.95)};
}

/// What is gathered of a variable over the stays.
struct Gathered {
  std::vector<double> values, gaps;
  std::vector<std::size_t> stays;  ///< ascending
  Index events = 0, without_value = 0, timed = 0, gap_stays = 0;
  Index impossible = 0, impossible_stays = 0, coded = 0, coded_stays = 0;
  bool has_other_negative = false;
  double code = kNan;
  double last_time = kNan;  ///< in the stay at hand
};

bool is_code(double value) { return value == -1 || value == -9 || value == -99 || value == -999 || value == -9999; }

/// The values of a stay that lie outside the range, and codes of missing values.
void see_value(Gathered& one, double value, const std::optional<PhysiologicalRange>& range, bool& was_impossible,
               bool& was_coded) {
  one.values.push_back(value);
  if (range && (value < range->low || value > range->high)) {
    ++one.impossible;
    one.impossible_stays += was_impossible ? 0 : 1;
    was_impossible = true;
  }
  if (value >= 0) return;
  if (is_code(value) && (std::isnan(one.code) || one.code == value)) {
    one.code = value;
    ++one.coded;
    one.coded_stays += was_coded ? 0 : 1;
    was_coded = true;
  } else {
    one.has_other_negative = true;
  }
}

/// All variables, one stay after the other.
class Gathering {
 public:
  explicit Gathering(const Stays& stays) : stays_(stays), all_(stays.variables.size()) {
    for (const std::string& name : stays.variables) ranges_.push_back(range_of(name));
  }

  void take(std::size_t s) {
    impossible_.assign(all_.size(), false);
    coded_.assign(all_.size(), false);
    for (const std::size_t v : seen_) all_[v].last_time = kNan;
    seen_.clear();
    for (std::size_t e = stays_.static_offsets[s]; e < static_cast<std::size_t>(stays_.static_offsets[s + 1]); ++e)
      see(stays_.static_kinds[e], stays_.static_values[e], s);
    for (std::size_t e = stays_.offsets[s]; e < static_cast<std::size_t>(stays_.offsets[s + 1]); ++e) {
      Gathered& one = see(stays_.kinds[e], stays_.values[e], s);
      const double hours = stays_.hours[e];
      ++one.timed;
      if (hours > one.last_time) one.gaps.push_back(hours - one.last_time);
      one.last_time = hours;
    }
    for (const std::size_t v : seen_) all_[v].gap_stays += all_[v].gaps.size() > gaps_before(v) ? 1 : 0;
  }

  std::vector<Gathered>& all() { return all_; }
  const std::optional<PhysiologicalRange>& range(std::size_t v) const { return ranges_[v]; }

 private:
  Gathered& see(std::size_t v, float value, std::size_t s) {
    Gathered& one = all_[v];
    if (one.stays.empty() || one.stays.back() != s) {
      one.stays.push_back(s);
      seen_.push_back(v);
      gaps_before_.resize(all_.size());
      gaps_before_[v] = one.gaps.size();
    }
    ++one.events;
    bool impossible = impossible_[v], coded = coded_[v];
    if (std::isnan(value))
      ++one.without_value;
    else
      see_value(one, value, ranges_[v], impossible, coded);
    impossible_[v] = impossible;
    coded_[v] = coded;
    return one;
  }
  std::size_t gaps_before(std::size_t v) const { return gaps_before_[v]; }

  const Stays& stays_;
  std::vector<Gathered> all_;
  std::vector<std::optional<PhysiologicalRange>> ranges_;
  std::vector<bool> impossible_, coded_;
  std::vector<std::size_t> seen_, gaps_before_;
};

/// The share of stays with the outcome, unless the stays with it or those without it are too few.
double shown_share(Index with, Index all) {
  if (with < kFewestStays || all - with < kFewestStays) return kNan;
  return static_cast<double>(with) / static_cast<double>(all);
}

OutcomeShares shares_of(const std::vector<std::size_t>& having, const EventFacts& facts, const Stays& stays) {
  if (stays.outcomes.empty()) return {};
  const std::vector<double>& outcome = stays.outcomes[0].values;
  Index known = 0, with = 0;
  for (const std::size_t s : having) {
    known += std::isnan(outcome[s]) ? 0 : 1;
    with += outcome[s] == 1 ? 1 : 0;
  }
  const Index others = facts.known - known;
  const OutcomeShares shares{shown_share(with, known), shown_share(facts.with_outcome - with, others)};
  // What is shown of all stays and of one group tells the other group.
  const bool tells = (known > 0 && std::isnan(shares.with)) || (others > 0 && std::isnan(shares.without));
  return tells ? OutcomeShares{} : shares;
}

VariableFacts variable_facts(std::size_t v, Gathering& gathering, const EventFacts& facts, const Stays& stays) {
  Gathered& one = gathering.all()[v];
  VariableFacts out;
  out.name = stays.variables[v];
  out.is_static = one.timed == 0;
  out.stays = static_cast<Index>(one.stays.size());
  out.events = one.events;
  out.without_value = one.without_value;
  out.values = spread_of(one.values, out.stays);
  out.median_gap_hours = spread_of(one.gaps, one.gap_stays).median;
  out.outcome = shares_of(one.stays, facts, stays);
  out.range = gathering.range(v);
  out.impossible = one.impossible;
  out.impossible_stays = one.impossible_stays;
  if (!one.has_other_negative && one.coded > 0) {
    out.code = one.code;
    out.coded = one.coded;
    out.coded_stays = one.coded_stays;
  }
  out.missing_codes = stays.facts.missing_by_variable[v];
  return out;
}

void see_repeated(EventFacts& facts, const Stays& stays, std::size_t s) {
  const std::size_t last = stays.offsets[s + 1];
  for (std::size_t e = stays.offsets[s]; e < last;) {
    std::size_t end = e + 1;
    while (end < last && stays.hours[end] == stays.hours[e] && stays.kinds[end] == stays.kinds[e]) ++end;
    facts.repeated += end - e > 1 ? 1 : 0;
    facts.conflicting += stays.values[e] < stays.values[end - 1] ? 1 : 0;  // they ascend
    e = end;
  }
}

Index moments_of(const Stays& stays, std::size_t s) {
  Index moments = 0;
  for (std::size_t e = stays.offsets[s]; e < static_cast<std::size_t>(stays.offsets[s + 1]); ++e)
    moments += e == static_cast<std::size_t>(stays.offsets[s]) || stays.hours[e] != stays.hours[e - 1] ? 1 : 0;
  return moments;
}

void see_stays(EventFacts& facts, const Stays& stays) {
  std::vector<double> events, times, last;
  for (std::size_t s = 0; s < stays.ids.size(); ++s) {
    const Index count = stays.offsets[s + 1] - stays.offsets[s];
    events.push_back(static_cast<double>(count));
    times.push_back(static_cast<double>(moments_of(stays, s)));
    facts.without_events += count == 0 ? 1 : 0;
    if (count > 0) last.push_back(stays.hours[stays.offsets[s + 1] - 1]);
    see_repeated(facts, stays, s);
  }
  facts.events_of_stay = spread_of(events, facts.stays);
  facts.times_of_stay = spread_of(times, facts.stays);
  facts.last_hour = spread_of(last, static_cast<Index>(last.size()));
}

/// What any question would read, and whether one variable or code tells the outcome alone.
study::Reading reading_of(const Stays& stays) {
  record::CaseOptions everything;
  everything.at = std::numeric_limits<double>::infinity();
  everything.allowed = stays.variables;
  study::Cases cases = record::cases_of(stays, everything);
  const study::Target outcome{.name = stays.outcome.empty() ? "outcome" : stays.outcome, .classes = {"no", "yes"}};
  cases.reading = record::stay_reading(stays, everything, nullptr);
  count_cases(cases.reading, cases, outcome);
  if (stays.outcomes.empty()) cases.reading.outcomes.clear();  // none was given
  look_for_giveaways(cases, outcome);
  return cases.reading;
}

}  // namespace

std::optional<Index> shown_count(Index stays) {
  return stays == 0 || stays >= kFewestStays ? std::optional(stays) : std::nullopt;
}

EventFacts facts_of(const Stays& stays) {
  EventFacts facts;
  facts.stays = stays.count();
  facts.patients = stays.patients.empty()
                       ? facts.stays
                       : static_cast<Index>(std::set(stays.patients.begin(), stays.patients.end()).size());
  facts.rows = stays.facts.rows;
  facts.is_wide = stays.facts.wide_files > 0;
  facts.events = stays.events();
  facts.statics = static_cast<Index>(stays.static_values.size());
  facts.missing_codes = stays.facts.missing_codes;
  facts.reading = reading_of(stays);
  facts.folds = static_cast<Index>(std::set(stays.folds.begin(), stays.folds.end()).size());
  facts.outcome = stays.outcome;
  if (!stays.outcomes.empty())
    for (const double outcome : stays.outcomes[0].values) {
      facts.known += std::isnan(outcome) ? 0 : 1;
      facts.with_outcome += outcome == 1 ? 1 : 0;
    }
  see_stays(facts, stays);
  Gathering gathering(stays);
  for (std::size_t s = 0; s < stays.ids.size(); ++s) gathering.take(s);
  for (std::size_t v = 0; v < stays.variables.size(); ++v)
    facts.variables.push_back(variable_facts(v, gathering, facts, stays));
  std::stable_sort(facts.variables.begin(), facts.variables.end(),
                   [](const VariableFacts& a, const VariableFacts& b) { return a.stays > b.stays; });
  return facts;
}

}  // namespace fovea::ehr::inspect
