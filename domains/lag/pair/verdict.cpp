#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/lag/pair/findings.hpp"
#include "fovea/domains/lag/pair/report.hpp"

namespace fovea::lag::pair {

namespace {

constexpr double kNominal = 0.9545;
const std::string kPairSource = "the simulated truth; domains/lag/theory.md, Irregular pairs";

/// How the intervals and false alarms of made pairs compare with what they promise.
struct Examination {
  double related = 0, unrelated = 0, within = 0, held68 = 0, held95 = 0, found = 0, false_alarms = 0;

  explicit Examination(const Results& merged) {
    const auto numbers = [&](const char* name) { return view(merged.data, name).values(); };
    const std::vector<double> lag = numbers("lag"), truth = numbers("true_lag"), is_related = numbers("related"),
                              counting = numbers("counts"), low68 = numbers("lag_low68"),
                              high68 = numbers("lag_high68"), low95 = numbers("lag_low95"),
                              high95 = numbers("lag_high95");
    for (std::size_t i = 0; i < lag.size(); ++i) {
      const bool counts = counting[i] > 0.5;
      if (is_related[i] < 0.5) {
        unrelated += 1;
        false_alarms += counts ? 1 : 0;
        continue;
      }
      related += 1;
      found += counts ? 1 : 0;
      within += std::abs(lag[i] / truth[i] - 1) <= 0.1 ? 1 : 0;
      held68 += low68[i] <= truth[i] && truth[i] <= high68[i] ? 1 : 0;
      held95 += low95[i] <= truth[i] && truth[i] <= high95[i] ? 1 : 0;
    }
  }
};

/// Two and a half binomial standard errors, and never less than one pair.
double allowance(double share, double count) {
  return std::max(2.5 * std::sqrt(share * (1 - share) / count), 1 / count);
}

void examine_pairs(Results& merged) {
  const double level = view(merged.data, "level").first();
  const Examination of(merged);
  if (of.related > 0) {
    merged.scalar("share_within_10", of.within / of.related, "1",
                  "share of related pairs whose lag is within 10 % of the true lag");
    merged.scalar("coverage68", of.held68 / of.related, "1",
                  "share of related pairs whose 68 % interval contains the true lag");
    merged.scalar("coverage95", of.held95 / of.related, "1",
                  "share of related pairs whose 95 % interval contains the true lag");
    merged.scalar("found_share", of.found / of.related, "1", "share of related pairs that are reported as related");
    merged.check({"coverage95", "share of the true lags in the 95 % interval", kPairSource, kNominal,
                  of.held95 / of.related, absolute(allowance(kNominal, of.related))});
    merged.check({"coverage68", "share of the true lags in the 68 % interval", kPairSource, 0.6827,
                  of.held68 / of.related, absolute(allowance(0.6827, of.related))});
    merged.headline({.variable = "share_within_10",
                     .label = "Share of lags within 10 % of the true lag",
                     .meaning = concat("Of ", of.related, " related pairs; lags of 5 to 80 days.")});
    merged.headline({.variable = "coverage95",
                     .label = "Share of 95 % intervals that contain the true lag",
                     .meaning = "Nominally 95 %."});
  }
  if (of.unrelated > 0) {
    merged.scalar("false_alarm_share", of.false_alarms / of.unrelated, "1",
                  "share of unrelated pairs that are reported as related");
    merged.check({"false_alarms", "share of the unrelated pairs that are reported as related", kPairSource, level,
                  of.false_alarms / of.unrelated, absolute(allowance(level, of.unrelated))});
  }
  merged.finding(LagsOfSimulatedPairs{of.related, of.found, of.within, of.held68, of.held95});
  merged.finding(FalseAlarmsOfSimulatedPairs{of.unrelated, of.false_alarms, level});
}

constexpr std::size_t kFewPairs = 4;  // whose lags fit into a verdict

/// "B follows A by 3.2 (95 %: lag from 3.1 to 3.4)".
std::string sentence_of(const Results& merged, std::size_t i) {
  const auto number = [&](const char* name) { return view(merged.data, name).values()[i]; };
  const auto word = [&](const char* name) {
    return std::get<std::vector<std::string>>(merged.data.at(name).values)[i];
  };
  return concat(word("response"), number("lag") >= 0 ? " follows " : " comes before ", word("driver"), " by ",
                plain_text(std::abs(number("lag")), 4), " (95 %: lag from ", plain_text(number("lag_low95"), 4), " to ",
                plain_text(number("lag_high95"), 4), ")");
}

void judge_one(Results& merged) {
  const auto number = [&](const char* name) { return view(merged.data, name).first(); };
  const auto word = [&](const char* name) {
    return std::get<std::vector<std::string>>(merged.data.at(name).values).front();
  };
  merged.scalar("pair_lag", number("lag"), "", "lag");
  merged.scalar("pair_lag_half_width", (number("lag_high68") - number("lag_low68")) / 2, "",
                "half of the 68 % interval");
  merged.scalar("pair_false_alarm", number("false_alarm"), "1", "false alarm");
  const double least = least_values(merged.data.at("false_alarm")).at({}, {}, 0);
  set_least(merged.data.at("pair_false_alarm"), least);
  merged.headline(
      {.variable = "pair_lag",
       .label = "Lag",
       .half_width = "pair_lag_half_width",
       .meaning = concat("Median of the posterior, with half of the 68 % interval. 95 %: ",
                         plain_text(number("lag_low95"), 4), " to ", plain_text(number("lag_high95"), 4), ".")});
  merged.headline({.variable = "pair_false_alarm",
                   .label = "False alarm",
                   .meaning = "Probability that unrelated curves, sampled like these, look as related."});
  const double level = number("level");
  merged.finding(NoSignificantLag{word("driver"), word("response"), number("false_alarm"), level});
  merged.finding(SignificantLag{word("driver"), word("response"), number("lag"), number("lag_low68"),
                                number("lag_high68"), number("lag_low95"), number("lag_high95"), number("false_alarm"),
                                level, least});
}

void judge_many(Results& merged) {
  const std::vector<double> counts = view(merged.data, "counts").values();
  const double level = view(merged.data, "level").first();
  const auto related = std::count(counts.begin(), counts.end(), 1.0);
  std::string lags;
  if (counts.size() <= kFewPairs)
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0.5) lags += concat(lags.empty() ? "" : "; ", sentence_of(merged, i));
  merged.finding(RelatedPairs{related, std::ssize(counts), level, lags});
}

void add_pair_table(Results& merged) {
  std::vector<std::string> columns{"lag",        "lag_low68",   "lag_high68",    "lag_low95",
                                   "lag_high95", "false_alarm", "attention_lag", "centroid_lag"};
  if (merged.data.has("true_lag")) columns.insert(columns.begin(), "true_lag");
  merged.figure({.kind = "table",
                 .name = "pairs",
                 .title = "Lags",
                 .caption = "In the unit of the times: median of the posterior and its shortest intervals; the "
                            "false-alarm probability; for comparison, the centroids of the attention and of the "
                            "interpolated cross-correlation (Peterson et al. 1998).",
                 .variables = columns,
                 .x = "pair",
                 .digits = 4});
}

void add_pair_figures(Results& merged, bool one) {
  merged.figure({.name = "curves",
                 .title = "Both curves, the response shifted back by its lag",
                 .caption = "Attention over time of both curves, in standard deviations of the driver. The response is "
                            "shifted by the lag and scaled to the driver where the curves overlap. Gaps are left "
                            "empty. At the true lag the curves agree, and the response is smoother.",
                 .variables = {"driver_curve", "response_curve"},
                 .x = "moment",
                 .value_label = "standard deviations of the driver"});
  Figure posterior{
      .name = "posterior",
      .title = "Posterior of the lag",
      .caption = concat("Posterior density, averaged over the response functions and the parameters of the walk, ",
                        one ? "where 99.9 % of it lies."
                            : "around its median, over the range that contains 99.9 % of it for every related pair."),
      .variables = {"posterior_near"},
      .x = "lag_near",
      .value_label = "standard deviations of the driver"};
  if (one) posterior.marks = {"pair_lag"};
  merged.figure(posterior);
  Figure profiles{
      .name = "profiles",
      .title = "Correlation of the curves at each lag",
      .caption =
          "Correlation by attention over time, by interpolation and by bins of pairs of points (Alexander "
          "1997). The band contains the attention profile of 95 % of unrelated pairs at each lag. With seasons and few "
          "points large correlations arise by chance; the false-alarm probability accounts for that.",
      .variables = {"attention", "interpolated", "discrete"},
      .x = "lag_profile",
      .marks = posterior.marks,
      .band_low = "attention_low",
      .band_high = "attention_high",
      .value_label = "correlation"};
  merged.figure(profiles);
}

}  // namespace

void conclude_pairs(Results& merged) {
  const bool one = merged.data.at("lag").size() == 1, made = merged.data.has("true_lag");
  if (one) judge_one(merged);
  if (made) examine_pairs(merged);
  if (!one && !made) judge_many(merged);
  add_pair_table(merged);
  add_pair_figures(merged, one);
}

}  // namespace fovea::lag::pair
