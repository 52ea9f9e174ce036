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
  rows("link", links, name, "link")
      .prefix("link_")
      .integer("cause", &Link::cause, "number of the cause among the series")
      .integer("effect", &Link::effect, "number of the effect among the series")
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

/// What the windows say, and the changes they show as sentences.
std::vector<std::string> write_windows(const NetworkFindings& network, const std::vector<methods::Link>& links,
                                       Results& results) {
  const std::vector<PairKey> pairs = pairs_of(links);
  std::vector<double> middles, strength, lags;
  std::vector<std::vector<Index>> lag_of_pair(pairs.size());
  for (std::size_t w = 0; w < network.windows.size(); ++w) {
    middles.push_back(network.windows[w].middle() * network.table.step);
    const std::map<LinkKey, methods::Link> counting = counting_by_key(network.in_window[w]);
    for (const methods::Link& link : links) {
      const auto found = counting.find(key_of(link));
      strength.push_back(found == counting.end() ? kNan : found->second.strength);
    }
    std::map<PairKey, Index> strongest;
    for (const methods::Link& link : methods::strongest_lags(network.in_window[w]))
      strongest[{link.effect, link.cause}] = link.lag;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto found = strongest.find(pairs[p]);
      lag_of_pair[p].push_back(found == strongest.end() ? 0 : found->second);
      lags.push_back(found == strongest.end() ? kNan : static_cast<double>(found->second));
    }
  }
  struct Pair {
    std::string name;
    LagChange change;
    Index row = 0;
  };
  std::vector<std::string> sentences;
  std::vector<Pair> changes;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [effect, cause] = pairs[p];
    const LagChange change = change_of(lag_of_pair[p]);
    changes.push_back(
        {concat(name_of_series(network, cause), " \xE2\x86\x92 ", name_of_series(network, effect)), change});
    if (!change.found) continue;
    Pair& pair = changes.back();
    pair.row = row_of_change(network.table, cause, effect, change.before, change.after);
    sentences.push_back(concat("the lag of ", pair.name, " changes from ", change.before, " to ",
                               counted(change.after, "step"), " at row ", pair.row));
  }
  const std::string unit = network.table.time_unit.empty() ? "steps" : network.table.time_unit;
  const auto found = [](const Pair& pair) { return pair.change.found; };
  const auto time = [&](const Pair& pair) { return static_cast<double>(pair.row) * network.table.step; };
  results.coordinate("window", middles, unit, "middle of the window");
  results.add("window_strength", {"window", "link"}, strength, "1", "strength");
  const auto before = [](const Pair& pair) { return pair.change.before; };
  const auto after = [](const Pair& pair) { return pair.change.after; };
  auto table = rows("pair", changes, &Pair::name, "pair");
  table.number("lag_before", before, "lag before the change", "steps").when(found);
  table.number("lag_after", after, "lag after the change", "steps").when(found);
  table.number("change_time", time, "time of the change", unit).when(found);
  table.write(results);
  results.add("window_lag", {"window", "pair"}, lags, "steps", "lag of the strongest link");
  return sentences;
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

/// ", the surest: mill drives town after 2 steps; ...": at most three.
std::string surest_of(const NetworkFindings& network) {
  std::string text;
  std::size_t said = 0;
  for (const methods::Link& link : methods::counting_links(network.whole)) {
    if (link.self()) continue;
    if (said == 3) break;
    text += concat(said++ == 0 ? ", the most significant: " : "; ", name_of_series(network, link.cause), " drives ",
                   name_of_series(network, link.effect), " after ", series::lag_text(network.table, link.lag));
  }
  return text;
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
  const auto count = std::count_if(links.begin(), links.end(), [](const methods::Link& link) { return link.counts; });
  std::string verdict =
      concat(counted(count, "significant link"), " among ", network.table.series(), " series (",
             methods::method_of(network.method).at_rate ? concat("FDR ", 100 * network.settings.level, " %")
                                                        : "by the method's own rule",
             ")");
  if (links.empty()) {
    results.verdict(verdict + ".");
    return;
  }
  methods::write_node_circle(network.table.names, links, results);
  write_links(network, links, results);
  const std::vector<std::string> changes = write_windows(network, links, results);
  if (!network.draws.empty())
    results.note(concat("Stability: ", counted(std::ssize(network.draws), "draw"),
                        " of the stationary bootstrap (Politis and Romano 1994) with blocks of ",
                        std::round(10 * network.block) / 10, " steps on average (Politis and White 2004)."));
  verdict += surest_of(network);
  for (std::size_t k = 0; k < std::min<std::size_t>(changes.size(), 3); ++k) verdict += "; " + changes[k];
  results.verdict(verdict + ".");
  add_figures_of_network(network, results);
}

}  // namespace fovea::lag::network
