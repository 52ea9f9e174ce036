#include "fovea/domains/lag/door/link_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace fovea::lag::door {

namespace {

/// What is not known of a p-value that is too small for a double stands in front.
std::vector<LinkRow> by_q(std::vector<LinkRow> rows) {
  const auto known = [](double log10) { return std::isnan(log10) ? -std::numeric_limits<double>::infinity() : log10; };
  const auto order = [&](const LinkRow& row) {
    return std::tuple(row.q, row.p, known(row.log10_q), known(row.log10_p));
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const LinkRow& a, const LinkRow& b) { return order(a) < order(b); });
  return rows;
}

const std::vector<std::int64_t>& lags_of(const Dataset& data) {
  return std::get<std::vector<std::int64_t>>(data.at("lag").values);
}

}  // namespace

std::vector<LinkRow> counting_rows(const Dataset& data) { return by_q(discover::read_links(data)); }

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
  const auto& promised = data.at("promised").reals();
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if (std::isnan(strength[i])) continue;
    const std::size_t pair = i / lags.size();
    const std::string &cause = causes[pair % causes.size()], &effect = effects[pair / causes.size()];
    const std::int64_t lag = lags[i % lags.size()];
    const auto found = counting.find({cause, effect, lag});
    LinkRow row = found == counting.end() ? LinkRow{} : found->second;
    row.cause = cause, row.effect = effect, row.lag = lag;
    row.strength = strength[i], row.p = p[i], row.q = q[i];
    row.counts = counts[i] > 0, row.promised = promised[i] > 0;
    row.directed = lag > 0 || directed.contains({cause, effect});
    row.log10_p = discover::log10_at(data, "log10_p", i, p[i]);
    row.log10_q = discover::log10_at(data, "log10_q", i, q[i]);
    rows.push_back(std::move(row));
  }
  return by_q(std::move(rows));
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
