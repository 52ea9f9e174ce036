#include "fovea/domains/lag/door/link_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace fovea::lag::door {

namespace {

void sort_by_q(std::vector<LinkRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const LinkRow& a, const LinkRow& b) {
    return std::tie(a.q, a.p, a.log10_q, a.log10_p) < std::tie(b.q, b.p, b.log10_q, b.log10_p);
  });
}

/// An array that is stored where some p-value is too small for a double; else log10 of the other one.
double log10_at(const Dataset& data, const std::string& name, std::size_t place, double value) {
  return data.has(name) ? data.at(name).reals()[place] : std::log10(value);
}

const std::vector<std::int64_t>& lags_of(const Dataset& data) {
  return std::get<std::vector<std::int64_t>>(data.at("lag").values);
}

/// Rows in the order of the links.
void add_effects(const Dataset& data, std::vector<LinkRow>& rows) {
  if (!data.has("link_effect_size")) return;
  const std::vector<std::pair<const char*, double RowEffect::*>> parts{
      {"link_effect_size", &RowEffect::size},    {"link_effect_low", &RowEffect::low},
      {"link_effect_high", &RowEffect::high},    {"link_total_size", &RowEffect::total_size},
      {"link_total_low", &RowEffect::total_low}, {"link_total_high", &RowEffect::total_high},
      {"link_lag_low", &RowEffect::lag_low},     {"link_lag_high", &RowEffect::lag_high}};
  for (const auto& [name, part] : parts) {
    const std::vector<double>& numbers = data.at(name).reals();
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].does.*part = numbers[i];
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].does.unit = words(data, "link_unit")[i];
}

}  // namespace

const std::vector<std::string>& words(const Dataset& data, const std::string& name) {
  return std::get<std::vector<std::string>>(data.at(name).values);
}

std::vector<LinkRow> counting_rows(const Dataset& data) {
  std::vector<LinkRow> rows;
  if (!data.has("link_lag")) return rows;
  const auto &causes = words(data, "link_cause"), &effects = words(data, "link_effect");
  const auto &lags = data.at("link_lag").reals(), &strength = data.at("link_strength").reals();
  const auto &p = data.at("link_p").reals(), &q = data.at("link_q").reals();
  const auto& kinds = words(data, "link_kind");
  const auto &answers = words(data, "link_answer"), &others = words(data, "link_with");
  const auto& tests = words(data, "link_test");
  const auto& other_lags = data.at("link_with_lag").reals();
  for (std::size_t i = 0; i < lags.size(); ++i) {
    rows.push_back({causes[i], effects[i], static_cast<std::int64_t>(lags[i]), strength[i], p[i], q[i], true,
                    kinds[i] != "moves with", log10_at(data, "link_log10_p", i, p[i]),
                    log10_at(data, "link_log10_q", i, q[i])});
    rows.back().kind = answers[i];
    rows.back().with = others[i];
    rows.back().test = tests[i];
    if (!others[i].empty()) rows.back().with_lag = static_cast<std::int64_t>(other_lags[i]);
  }
  add_effects(data, rows);
  sort_by_q(rows);
  return rows;
}

std::vector<LinkRow> all_rows(const Dataset& data) {
  if (!data.has("strength")) return counting_rows(data);
  std::set<std::pair<std::string, std::string>> directed;  // within a step
  std::map<std::tuple<std::string, std::string, std::int64_t>, LinkRow> counting;
  std::vector<LinkRow> rows;
  for (const LinkRow& row : counting_rows(data)) {
    if (row.lag == 0 && row.directed) directed.emplace(row.cause, row.effect);
    if (row.kind == "steady")
      counting.emplace(std::tuple(row.cause, row.effect, row.lag), row);
    else
      rows.push_back(row);
  }
  const auto &causes = words(data, "cause"), &effects = words(data, "effect");
  const auto& lags = lags_of(data);
  const auto &strength = data.at("strength").reals(), &p = data.at("p_value").reals();
  const auto &q = data.at("q_value").reals(), &counts = data.at("counts").reals();
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if (std::isnan(strength[i])) continue;
    const std::size_t pair = i / lags.size();
    const std::string &cause = causes[pair % causes.size()], &effect = effects[pair / causes.size()];
    const std::int64_t lag = lags[i % lags.size()];
    rows.push_back({cause, effect, lag, strength[i], p[i], q[i], counts[i] > 0,
                    lag > 0 || directed.contains({cause, effect}), log10_at(data, "log10_p", i, p[i]),
                    log10_at(data, "log10_q", i, q[i])});
    if (const auto found = counting.find({cause, effect, lag}); found != counting.end()) {
      rows.back().does = found->second.does;
      rows.back().test = found->second.test;
    }
  }
  sort_by_q(rows);
  return rows;
}

std::vector<std::int64_t> tested_lags(const Dataset& data) {
  const std::vector<std::int64_t>& lags = lags_of(data);
  if (!data.has("strength")) return lags;
  const std::vector<double>& strength = data.at("strength").reals();
  std::set<std::int64_t> tested;
  for (std::size_t i = 0; i < strength.size(); ++i)
    if (!std::isnan(strength[i])) tested.insert(lags[i % lags.size()]);
  return {tested.begin(), tested.end()};
}

}  // namespace fovea::lag::door
