#include "fovea/domains/lag/network/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/methods/node_circle.hpp"
#include "fovea/domains/lag/network/bootstrap.hpp"
#include "fovea/domains/lag/network/findings.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::network {

namespace {

using LinkKey = std::tuple<Index, Index, Index>;  ///< effect, cause, lag
using PairKey = std::pair<Index, Index>;          ///< effect, cause

LinkKey key_of(const methods::Link& link) { return {link.effect, link.cause, link.lag}; }

const std::string& name_of_series(const NetworkFindings& network, Index series) { return network.table.names[series]; }

/// The links of some findings that count, by key.
std::map<LinkKey, methods::Link> counting_by_key(const methods::Findings& findings) {
  std::map<LinkKey, methods::Link> links;
  for (const methods::Link& link : findings.links)
    if (link.counts && !link.self()) links.emplace(key_of(link), link);
  return links;
}

void write_links(const NetworkFindings& network, const std::vector<methods::Link>& links, Results& results) {
  using methods::Link;
  const auto name = [&](const Link& link) {
    return concat(name_of_series(network, link.cause), " \xE2\x86\x92 ", name_of_series(network, link.effect), ", ",
                  series::lag_text(network.table, link.lag));
  };
  const std::vector<double> stability =
      network.draws.empty() ? std::vector<double>(links.size()) : shares_of_draws(links, network.draws);
  const auto stable = [&](const Link&, std::size_t place) { return stability[place]; };
  methods::add_ends(rows("link", links, name, "link").prefix("link_"))
      .integer("lag", &Link::lag, "lag", "steps")
      .number("strength", &Link::strength, "strength")
      .when(&Link::counts)
      .number("q", &Link::q_value, "q-value: smallest false discovery rate at which the link is significant")
      .when(&Link::counts)
      .number("stability", stable, "stability: share of draws in which the link is significant with this lag")
      .shown({.array = !network.draws.empty()})
      .write(results);
}

/// The pairs of the links, in their order.
std::vector<PairKey> pairs_of(const std::vector<methods::Link>& links) {
  std::vector<PairKey> pairs;
  for (const methods::Link& link : links)
    if (pairs.empty() || pairs.back() != PairKey(link.effect, link.cause)) pairs.emplace_back(link.effect, link.cause);
  return pairs;
}

/// The lag of the strongest link of each pair in each window; 0: it has none.
std::vector<std::vector<Index>> lags_in_windows(const NetworkFindings& network, const std::vector<PairKey>& pairs) {
  std::vector<std::vector<Index>> lags(pairs.size());
  for (const methods::Findings& found : network.in_window) {
    std::map<PairKey, Index> strongest;
    for (const methods::Link& link : methods::strongest_lags(found)) strongest[{link.effect, link.cause}] = link.lag;
    for (std::size_t p = 0; p < pairs.size(); ++p) lags[p].push_back(strongest[pairs[p]]);
  }
  return lags;
}

void write_strengths(const NetworkFindings& network, const std::vector<methods::Link>& links, Results& results) {
  std::vector<double> strength;
  for (const methods::Findings& in_window : network.in_window) {
    const std::map<LinkKey, methods::Link> counting = counting_by_key(in_window);
    for (const methods::Link& link : links) {
      const auto found = counting.find(key_of(link));
      strength.push_back(found == counting.end() ? kNan : found->second.strength);
    }
  }
  results.add("window_strength", {"window", "link"}, strength, "1", "strength");
}

/// What the windows say, and the changes that they show.
std::vector<LagChanges> write_windows(const NetworkFindings& network, const std::vector<methods::Link>& links,
                                      Results& results) {
  const std::vector<PairKey> pairs = pairs_of(links);
  const std::vector<std::vector<Index>> lags = lags_in_windows(network, pairs);
  std::vector<LagChanges> all;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [effect, cause] = pairs[p];
    const LagChange change = change_of(lags[p]);
    LagChanges& pair =
        all.emplace_back(LagChanges{name_of_series(network, cause), name_of_series(network, effect), 0, 0, 0});
    if (!change.found) continue;
    pair.before = change.before, pair.after = change.after;
    pair.row = row_of_change(network.table, cause, effect, change.before, change.after);
  }
  const std::string unit = network.table.time_unit.empty() ? "steps" : network.table.time_unit;
  const auto middle = [&](const Window& window) { return window.middle() * network.table.step; };
  const auto name = [](const LagChanges& pair) { return concat(pair.cause, " \xE2\x86\x92 ", pair.effect); };
  const auto time = [&](const LagChanges& pair) { return static_cast<double>(pair.row) * network.table.step; };
  rows("window", network.windows, middle, "middle of the window", unit).write(results);
  write_strengths(network, links, results);
  rows("pair", all, name, "pair")
      .number("lag_before", &LagChanges::before, "lag before the change", "steps")
      .when(&LagChanges::holds)
      .number("lag_after", &LagChanges::after, "lag after the change", "steps")
      .when(&LagChanges::holds)
      .number("change_time", time, "time of the change", unit)
      .when(&LagChanges::holds)
      .write(results);
  std::vector<double> shown;
  for (std::size_t w = 0; w < network.windows.size(); ++w)
    for (const std::vector<Index>& pair : lags) shown.push_back(pair[w] == 0 ? kNan : static_cast<double>(pair[w]));
  results.add("window_lag", {"window", "pair"}, shown, "steps", "lag of the strongest link");
  return all;
}

Figure directed_graph(const std::string& name, const std::string& title, const std::string& caption,
                      const std::string& weight) {
  return {.kind = "network",
          .name = name,
          .title = title,
          .caption = caption,
          .variables = {"links_from"},
          .x = "series",
          .position_x = "series_x",
          .position_y = "series_y",
          .edge_source = "link_cause",
          .edge_target = "link_effect",
          .labels = "link_lag",
          .directed = true,
          .edge_weight = weight};
}

void add_figures_of_network(const NetworkFindings& network, Results& results) {
  results.figure(directed_graph("network", "Which series drives which, at which lag",
                                "Arrows point from cause to effect. The number is the lag in steps, the width the "
                                "strength in the whole table. Links of a series with its own past are omitted.",
                                "link_strength"));
  if (network.windows.size() > 1) {
    results.figure(directed_graph("network_in_window", "The same in a window",
                                  "Significant links in one window of rows; the slider moves the window.",
                                  "window_strength"));
    results.figure({.kind = "lines",
                    .name = "lags_over_time",
                    .title = "Lags over time",
                    .caption = "Lag of the strongest significant link of each pair in sliding windows; a gap: none is "
                               "significant. Dotted: time of a change of the lag.",
                    .variables = {"window_lag"},
                    .x = "window",
                    .hue = "pair",
                    .marks = {"change_time"}});
  }
  Figure table;
  table.kind = "table";
  table.name = "links";
  table.title = "Significance and stability of each link";
  table.caption =
      "Stability: share of draws of the stationary bootstrap in which the link is significant with the same lag. Links "
      "without strength and q are significant in a window only, not in the whole table.";
  table.x = "link";
  table.digits = 3;
  table.variables = {"link_lag", "link_strength", "link_q"};
  if (!network.draws.empty()) table.variables.emplace_back("link_stability");
  results.figure(table);
}

constexpr std::size_t kMostNamed = 3;  // links, and changes of lags, in the verdict

void add_verdict(const NetworkFindings& network, Results& results) {
  std::int64_t count = 0;
  std::string named;
  for (const methods::Link& link : methods::counting_links(network.whole)) {
    if (link.self() || ++count > static_cast<std::int64_t>(kMostNamed)) continue;
    named += concat(named.empty() ? "" : "; ", name_of_series(network, link.cause), " drives ",
                    name_of_series(network, link.effect), " after ", series::lag_text(network.table, link.lag));
  }
  const std::string tested = methods::method_of(network.method).at_rate
                                 ? concat("FDR ", 100 * network.settings.level, " %")
                                 : "by the method's own rule";
  const auto series = static_cast<std::int64_t>(network.table.series());
  results.finding(NoSignificantLink{count, series, tested});
  results.finding(SignificantLinks{count, series, count <= static_cast<std::int64_t>(kMostNamed), tested, named});
}

}  // namespace

std::vector<methods::Link> links_of_network(const NetworkFindings& network) {
  std::map<LinkKey, methods::Link> all = counting_by_key(network.whole);
  std::map<LinkKey, methods::Link> tested;
  for (const methods::Link& link : network.whole.links) tested.emplace(key_of(link), link);
  for (const methods::Findings& findings : network.in_window)
    for (const auto& [key, link] : counting_by_key(findings)) {
      methods::Link unproven{link.cause, link.effect, link.lag};
      const auto found = tested.find(key);
      all.emplace(key, found == tested.end() ? unproven : found->second);
    }
  std::vector<methods::Link> links;
  for (const auto& [key, link] : all) links.push_back(link);
  return links;
}

void write_network(const NetworkFindings& network, Results& results) {
  const std::vector<methods::Link> links = links_of_network(network);
  for (const std::string& note : network.notes) results.note(note);
  results.note(concat("Method: ", network.method, ": ", network.meaning, "."));
  add_verdict(network, results);
  if (links.empty()) return;
  methods::write_node_circle(network.table.names, links, results);
  write_links(network, links, results);
  std::size_t changes = 0;
  for (const LagChanges& pair : write_windows(network, links, results))
    if (changes < kMostNamed) changes += results.finding(pair) ? 1 : 0;
  if (!network.draws.empty())
    results.note(concat("Stability: ", counted(std::ssize(network.draws), "draw"),
                        " of the stationary bootstrap (Politis and Romano 1994) with blocks of ",
                        std::round(10 * network.block) / 10, " steps on average (Politis and White 2004)."));
  add_figures_of_network(network, results);
}

}  // namespace fovea::lag::network
