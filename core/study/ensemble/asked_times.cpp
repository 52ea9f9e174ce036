#include "fovea/core/study/ensemble/asked_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr Index kTimesAtOnce = 64;  // so that memory does not grow with the times

std::vector<double> ends_of(const Cases& cases) {
  if (!cases.ends.empty()) return cases.ends;
  std::vector<double> ends;
  for (Index b = 0; b < cases.count(); ++b) ends.push_back(end_of(cases, b));
  return ends;
}

/// Steps that end before the end; one that misses it by the rounding of decimal fractions is the end.
double steps_before(double end, double every) {
  constexpr double kRounding = 1e-9;
  return std::isnan(end) ? 0 : std::max(0.0, std::ceil(end / every - kRounding * std::max(1.0, end / every)) - 1);
}

/// step * every; of a decimal fraction the double next to the product: 0.3, where 3 * 0.1 is 0.30000000000000004.
double stepped(std::size_t step, double every) {
  constexpr double kParts = 1e6, kRounding = 1e-12;
  const double parts = std::round(every * kParts), number = static_cast<double>(step);
  return std::abs(every * kParts - parts) <= kRounding * parts ? number * parts / kParts : number * every;
}

AskedTimes asked_every(const std::string& source, const Cases& cases, double every) {
  AskedTimes asked;
  asked.ends = ends_of(cases);
  for (std::size_t b = 0; b < asked.ends.size(); ++b) {
    const double steps = steps_before(asked.ends[b], every);
    if (steps >= static_cast<double>(kMostTimes))
      throw DataError(concat(source, ": case '", cases.ids[b], "' ends at ", plain_text(asked.ends[b], 6), " ",
                             cases.time_unit, "; every ", plain_text(every, 6), " it would be asked ",
                             plain_text(steps + 1, 6), " times, but at most ", kMostTimes,
                             " are allowed; take a longer step."));
    asked.counts.push_back(static_cast<Index>(steps));
    while (static_cast<Index>(asked.times.size()) < asked.counts.back())
      asked.times.push_back(stepped(asked.times.size() + 1, every));
  }
  return asked;
}

}  // namespace

double AskedTimes::time(Index item, Index row) const { return row < counts[item] ? times[row] : ends[item]; }

std::vector<Index> AskedTimes::last_rows() const {
  std::vector<Index> rows;
  Index before = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) rows.push_back((before += rows_of(static_cast<Index>(b))) - 1);
  return rows;
}

AskedTimes asked_times(const std::string& source, const Cases& cases, const TimeQuestion& question) {
  if (question.every > 0) return asked_every(source, cases, question.every);
  const auto count = static_cast<Index>(question.at.size());
  require(count <= kMostTimes, "asked_times: ", count, " times are given, but at most ", kMostTimes, " are allowed.");
  return {question.at, std::vector<Index>(cases.count(), count), {}};
}

Index late_rows(const AskedTimes& asked, const Cases& cases) {
  Index late = 0;
  if (!asked.ends.empty()) return late;
  for (const double end : ends_of(cases))
    late += asked.times.end() - std::upper_bound(asked.times.begin(), asked.times.end(), end);
  return late;
}

void check_can_be_asked(const std::string& source, const Target& target, const Preparation& preparation,
                        const std::vector<Member>& members) {
  const auto refuse = [&](const char* why) {
    throw DataError(concat(source, ": cannot be asked at other times than the end of a case, because ", why,
                           "; leave the times out."));
  };
  if (target.level == TargetLevel::per_token) refuse("it predicts each token");
  if (preparation.time_unit.empty()) refuse("its cases have no times");
  for (const Member& member : members)
    if (!member.model->can_be_asked_at_times()) refuse("its kind of model answers once a case");
}

std::vector<Matrix<double>> outputs_when(const AskedTimes& asked, const std::vector<Member>& members,
                                         const Target& target, const Cases& cases, const Matrix<float>& inputs,
                                         Index batch_tokens) {
  const std::vector<Index> last = asked.last_rows();
  const auto row_of = [&](Index item, Index k) { return last[item] + 1 - asked.rows_of(item) + k; };
  std::vector<Matrix<double>> outputs(members.size(),
                                      Matrix<double>(last.empty() ? 0 : last.back() + 1, target.outputs()));
  std::map<Index, std::vector<Index>> items_of_count;  // cases that are asked at the same times
  for (Index b = 0; b < cases.count(); ++b) items_of_count[asked.counts[b]].push_back(b);
  for (const auto& [count, items] : items_of_count)
    for (Index first = 0; first < count; first += kTimesAtOnce) {
      const Index some = std::min(kTimesAtOnce, count - first);
      const std::span<const double> at(asked.times.data() + first, some);
      const auto answers =
          all_outputs(members, target, cases, inputs, items, std::max<Index>(1, batch_tokens / some), at);
      for (std::size_t m = 0; m < members.size(); ++m)
        for (std::size_t i = 0; i < items.size(); ++i)
          outputs[m].middleRows(row_of(items[i], first), some) =
              answers[m].middleRows(static_cast<Index>(i) * some, some);
    }
  if (asked.ends.empty()) return outputs;
  const auto answers = all_outputs(members, target, cases, inputs, first_numbers(cases.count()), batch_tokens);
  for (std::size_t m = 0; m < members.size(); ++m)
    for (Index b = 0; b < cases.count(); ++b) outputs[m].row(last[b]) = answers[m].row(b);
  return outputs;
}

}  // namespace fovea::study
