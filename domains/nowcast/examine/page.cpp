#include "fovea/domains/nowcast/examine/page.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/nowcast/findings.hpp"

namespace fovea::nowcast {

namespace {

double days_of(Index month) {
  using namespace std::chrono;
  const year_month_day first(year(static_cast<int>(month / 12)),
                             std::chrono::month(static_cast<unsigned>(month % 12 + 1)), day(1));
  return static_cast<double>(sys_days(first).time_since_epoch().count());
}

/// How a predictor stands, by more than the interval of the difference.
std::string verdict_of(const Standing& standing) {
  if (std::isnan(standing.less_brier.value)) return "";
  return standing.tie ? "a tie" : standing.less_brier.value > 0 ? "worse" : "better";
}

struct MonthRow {
  double date;
  Drawn now;
  double ridge, attention, recession, peer;
  std::string story;
};

/// peer: the strongest of the simple models; nullptr: none.
std::vector<MonthRow> month_rows(const ScoredMonths& scored, const std::vector<MonthCauses>& causes,
                                 const Answer* peer) {
  const std::vector<double>&ours = scored.answers[0].values, &ridge = scored.answers[1].values;
  std::vector<MonthRow> list;
  for (Index i = 0; i < scored.count(); ++i) {
    const bool next = i > 0 && scored.months[i - 1] + 1 == scored.months[i];
    list.push_back({days_of(scored.months[i]),
                    {ours[i], scored.low[i], scored.high[i]},
                    ridge[i],
                    scored.attention_part[i],
                    static_cast<double>(scored.labels[i]),
                    peer == nullptr ? kNan : peer->values[i],
                    story_of(scored.months[i], next ? ours[i - 1] : kNan, ours[i], causes[i].causes)});
  }
  return list;
}

void write_months(const std::vector<MonthRow>& list, Results& results) {
  std::vector<double> dates;
  for (const MonthRow& row : list) dates.push_back(row.date);
  results.data.add({"date", {"date"}, dates, "days since 1970-01-01", "month, its first day", {{"axis", "T"}}});
  rows({"date"}, list)
      .number(
          "nowcast", [](const MonthRow& row) { return row.now.value; }, "probability of a recession")
      .range("nowcast", &MonthRow::now, "range of the members, 0.05 quantile", "range of the members, 0.95 quantile")
      .number("nowcast_ridge", &MonthRow::ridge, "ridge part alone")
      .number("nowcast_attention", &MonthRow::attention, "what events add to the log-odds, before calibration")
      .number("nowcast_peer", &MonthRow::peer, "strongest simple model")
      .number("recession", &MonthRow::recession, "in recession")
      .number(
          "recession_floor", [](const MonthRow&) { return 0; }, "in recession, lower edge of its area")
      .write(results);
  results.figure({.kind = "lines",
                  .name = "nowcasts",
                  .title = "The probability of a recession, as it could have been known",
                  .caption =
                      "At the end of each month, from what was released by then. Shaded: months in recession. The "
                      "strongest simple model is the one of least Brier score in the table of simpler models.",
                  .variables = {"nowcast", "nowcast_ridge", "nowcast_peer"},
                  .x = "date",
                  .band_low = "recession_floor",
                  .band_high = "recession",
                  .value_label = "probability"});
}

/// The sentence of the chosen month.
void write_stories(const std::vector<MonthRow>& list, Results& results) {
  results.coordinate("told", std::vector<std::string>{"this month"}, "", "a sentence");
  rows({"date", "told"}, list).text("story", &MonthRow::story, "what made the nowcast").write(results);
  results.figure({.kind = "table",
                  .name = "story",
                  .title = "A month in a sentence",
                  .caption =
                      "A column or an event is named only where taking it out moves the probability by .02 or more "
                      "against the change of the month.",
                  .variables = {"story"},
                  .x = "told"});
}

void write_causes(const ScoredMonths& scored, const std::vector<MonthCauses>& causes, Results& results) {
  std::vector<Cause> all;
  for (const MonthCauses& month : causes) all.insert(all.end(), month.causes.begin(), month.causes.end());
  std::vector<std::int64_t> ranks;
  for (Index rank = 1; rank <= kCausesShown; ++rank) ranks.push_back(rank);
  results.coordinate("rank", ranks, "1", "rank by the size of the deletion");
  rows({"date", "rank"}, all)
      .text("cause", &Cause::name, "column or event")
      .text("cause_released", &Cause::released, "known since")
      .number("cause_weight", &Cause::weight, "attention")
      .number("cause_gradient", &Cause::gradient, "gradient x input")
      .number("cause_deletion", &Cause::deletion, "deletion, log-odds")
      .number("cause_without", &Cause::without, "probability without it")
      .write(results);
  results.figure(
      {.kind = "table",
       .name = "causes",
       .title = "What made a month's nowcast",
       .caption = "The ten columns and events without which the log-odds of the chosen month would differ "
                  "most. Deletion: what goes with it where it is taken out; a column is then at its median. "
                  "Attention: the weight of an event, mean over heads and members; columns have none.",
       .variables = {"cause", "cause_released", "cause_weight", "cause_gradient", "cause_deletion", "cause_without"},
       .x = "rank",
       .digits = 2});
  std::vector<double> sums, logits;
  for (Index i = 0; i < scored.count(); ++i) sums.push_back(causes[i].sum_deletions), logits.push_back(causes[i].logit);
  const double agreement = scored.count() > 2 ? rank_correlation(sums, logits) : kNan;
  results.scalar("deletion_agreement", agreement, "1",
                 "rank correlation of the sum of deletions and the log-odds over months");
}

void write_standings(const std::vector<Standing>& standings, Results& results) {
  rows("model", standings, &Standing::name, "models")
      .interval("auroc_of", &Standing::auroc, "AUROC")
      .interval("average_precision_of", &Standing::average_precision, "average precision")
      .interval("brier_of", &Standing::brier, "Brier score")
      .interval("log_loss_of", &Standing::log_loss, "log loss")
      .number("calibration_error_of", &Standing::calibration_error, "calibration error, 10 bins")
      .integer("false_months", &Standing::false_months, "months called outside recessions")
      .interval("brier_more", &Standing::less_brier, "Brier score less ours")
      .text("against_ours", &verdict_of, "compared with ours")
      .write(results);
  results.figure({.kind = "table",
                  .name = "predictors",
                  .title = "Compared with simpler models of the same months",
                  .caption = "Regressions learned again each month, the others as often as ours, from what was known "
                             "by then. Intervals (in result.h5 "
                             "of all scores): 95 %, by drawing recessions with the months nearest to them. A tie: the "
                             "interval of the difference of Brier scores holds 0, or is of fewer than six recessions.",
                  .variables = {"auroc_of", "average_precision_of", "brier_of", "log_loss_of", "calibration_error_of",
                                "false_months", "brier_more", "against_ours"},
                  .x = "model",
                  .digits = 3});
}

struct EpisodeRow {
  std::string episode, first_caller;
  std::vector<double> auroc, call;
};

std::vector<EpisodeRow> episode_rows(const ScoredMonths& scored, const std::vector<AroundEpisode>& episodes) {
  std::vector<EpisodeRow> list;
  for (const AroundEpisode& episode : episodes) {
    EpisodeRow row{
        concat(datasets::panels::month_text(episode.first), " to ", datasets::panels::month_text(episode.last)), "",
        episode.auroc, episode.months_to_call};
    double earliest = INFINITY;
    for (const double call : row.call) earliest = call < earliest ? call : earliest;  // some are NaN
    const auto first = std::find(row.call.begin(), row.call.end(), earliest);
    const auto more = std::count(row.call.begin(), row.call.end(), earliest) - 1;
    if (more >= 0) row.first_caller = scored.answers[first - row.call.begin()].name;
    if (more > 0) row.first_caller += concat(" and ", more, " more");
    list.push_back(std::move(row));
  }
  return list;
}

void write_episodes(const ScoredMonths& scored, const std::vector<AroundEpisode>& episodes, Results& results) {
  const std::vector<EpisodeRow> list = episode_rows(scored, episodes);
  const auto of = [](std::vector<double> EpisodeRow::*numbers, std::size_t answer) {
    return [=](const EpisodeRow& row) { return (row.*numbers)[answer]; };
  };
  rows("episode", list, &EpisodeRow::episode, "recessions")
      .number("episode_auroc", of(&EpisodeRow::auroc, 0), "AUROC of attention")
      .number("episode_auroc_ridge", of(&EpisodeRow::auroc, 1), "AUROC of the ridge part")
      .number("episode_call", of(&EpisodeRow::call, 0), "months until .5 of attention")
      .number("episode_call_ridge", of(&EpisodeRow::call, 1), "months until .5 of the ridge part")
      .text("episode_first", &EpisodeRow::first_caller, "who was first")
      .write(results);
  std::vector<double> aurocs, calls;
  for (const EpisodeRow& row : list) {
    aurocs.insert(aurocs.end(), row.auroc.begin(), row.auroc.end());
    calls.insert(calls.end(), row.call.begin(), row.call.end());
  }
  results.add("auroc_around", {"episode", "model"}, aurocs, "1", "AUROC within 24 months of the recession");
  results.add("months_to_call", {"episode", "model"}, calls, "months", "months until it calls the recession");
  results.figure(
      {.kind = "table",
       .name = "episodes",
       .title = "Each recession by itself",
       .caption = "AUROC within 24 months on both sides. Months until .5: from the first month of the "
                  "recession until the probability is .5 or more, at most a year behind its end. Sahm's rule "
                  "calls at its half point.",
       .variables = {"episode_auroc", "episode_auroc_ridge", "episode_call", "episode_call_ridge", "episode_first"},
       .x = "episode",
       .digits = 3});
}

/// The simple model of least Brier score.
const Standing* strongest_peer(const std::vector<Standing>& standings) {
  const Standing* strongest = nullptr;
  for (std::size_t k = 2; k < standings.size(); ++k)
    if (!std::isnan(standings[k].brier.value) &&
        (strongest == nullptr || standings[k].brier.value < strongest->brier.value))
      strongest = &standings[k];
  return strongest;
}

void state(const ScoredMonths& scored, const std::vector<Standing>& standings,
           const std::vector<AroundEpisode>& episodes, Results& results) {
  const auto in = std::count(scored.labels.begin(), scored.labels.end(), Index{1});
  const Standing* const peer = strongest_peer(standings);
  if (peer != nullptr)
    results.finding(NowcastStands{scored.count(), in, std::ssize(episodes), standings[0].auroc.value,
                                  standings[0].brier.value, peer->name, peer->brier.value,
                                  peer->tie                    ? 0
                                  : peer->less_brier.value > 0 ? 1
                                                               : -1});
  results.finding(AttentionBesideRidge{standings[0].brier.value, standings[1].brier.value, standings[1].less_brier.low,
                                       standings[1].less_brier.high, std::ssize(episodes)});
  results.finding(FewRecessions{std::ssize(episodes)});
}

}  // namespace

void write_nowcasts(const ScoredMonths& scored, const std::vector<MonthCauses>& causes,
                    const std::vector<Standing>& standings, const std::vector<AroundEpisode>& episodes,
                    Results& results) {
  const Standing* const peer = strongest_peer(standings);
  const std::vector<MonthRow> list =
      month_rows(scored, causes, peer == nullptr ? nullptr : &scored.answers[peer - standings.data()]);
  write_months(list, results);
  write_stories(list, results);
  write_causes(scored, causes, results);
  write_standings(standings, results);
  write_episodes(scored, episodes, results);
  state(scored, standings, episodes, results);
}

}  // namespace fovea::nowcast
