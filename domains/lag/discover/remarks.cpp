/// What other methods, the attention and the gradient say of each link that the test lets count.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

using LinkPlace = std::tuple<Index, Index, Index>;  ///< cause, effect, lag

/// At lag 0 both orders of a pair are one place, whichever of them the method calls the cause.
LinkPlace place_of_link(const methods::Link& link) {
  if (link.lag == 0) return {std::min(link.cause, link.effect), std::max(link.cause, link.effect), 0};
  return {link.cause, link.effect, link.lag};
}

std::set<LinkPlace> found_places(const methods::Findings& findings) {
  std::set<LinkPlace> places;
  for (const methods::Link& link : findings.links)
    if (link.counts) places.insert(place_of_link(link));
  return places;
}

std::size_t between_series_in(const std::set<LinkPlace>& places) {
  return std::count_if(places.begin(), places.end(),
                       [](const LinkPlace& place) { return std::get<0>(place) != std::get<1>(place); });
}

std::string title_of_method(const std::string& name) { return std::string(methods::method_of(name).title); }

/// "2 of 4"
std::string finders_of(const LinkPlace& place, const std::vector<std::set<LinkPlace>>& beside) {
  const auto count = std::count_if(beside.begin(), beside.end(),
                                   [&](const std::set<LinkPlace>& places) { return places.count(place) > 0; });
  return concat(count, " of ", beside.size());
}

std::string remark_on(const methods::Link& link, const attention::AttentionView* view, bool bent) {
  if (link.with >= 0) return "in a product";
  if (link.kind != methods::EffectKind::steady) return "by a test of its own";
  if (link.lag == 0) return link.directed ? "within a step" : "no direction";
  if (bent || link.bent) return "bent response";
  if (view == nullptr) return "";
  if (view->weight < kNoAttention) return link.self() ? "" : "care: attention is elsewhere";
  if (view->gradient * link.strength < 0) return "care: gradient has other sign";
  if (view->credible_lags.size() > 1) return "lag is one of " + series::lag_set_text(view->credible_lags);
  return "all three agree";
}

}  // namespace

bool is_bent(const Discovery& discovery, const methods::Link& link) {
  return discovery.effects && discovery.effects->of(link).bent;
}

std::string pair_called(const Discovery& discovery, const methods::Link& link) {
  const auto name = [&](Index series) { return discovery.table.names[series]; };
  return concat(name(link.cause), link.directed ? " \u2192 " : " \u2194 ", name(link.effect));
}

void add_remarks(const Discovery& discovery, const std::vector<methods::Link>& links, std::vector<LinkRow>& table) {
  std::vector<std::set<LinkPlace>> beside;
  for (const MethodOutcome& method : discovery.beside) beside.push_back(found_places(method.findings));
  std::set<LinkPlace> wanted;
  for (const methods::Link& link : links) wanted.insert(place_of_link(link));
  std::map<LinkPlace, const attention::AttentionView*> views;
  for (std::size_t i = 0; i < discovery.views.size(); ++i) {
    const LinkPlace place = place_of_link(discovery.ours.findings.links[i]);
    if (wanted.count(place) > 0) views[place] = &discovery.views[i];
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkPlace place = place_of_link(links[i]);
    const auto found = views.find(place);
    const attention::AttentionView* view = found == views.end() ? nullptr : found->second;
    LinkRow& row = table[i];
    row.remark = remark_on(links[i], view, is_bent(discovery, links[i]));
    if (links[i].kind != methods::EffectKind::steady) continue;  // not what the heads, or others, look for
    row.beside = finders_of(place, beside);
    if (view == nullptr) continue;
    row.attention = view->weight, row.gradient = view->gradient;
    row.lags = view->credible_lags.empty() ? "" : series::lag_set_text(view->credible_lags);
  }
}

void write_methods(const Discovery& discovery, Results& results) {
  if (discovery.beside.empty()) return;
  const std::set<LinkPlace> ours = found_places(discovery.ours.findings);
  const std::size_t own = between_series_in(ours);
  struct Method {
    std::string name;
    std::size_t links, shared;
  };
  std::vector<Method> methods{{title_of_method(discovery.ours.name) + " (this page)", own, own}};
  for (const MethodOutcome& method : discovery.beside) {
    const std::set<LinkPlace> theirs = found_places(method.findings);
    std::set<LinkPlace> both;
    std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::inserter(both, both.end()));
    methods.push_back({title_of_method(method.name), between_series_in(theirs), between_series_in(both)});
  }
  rows("method", methods, &Method::name, "method")
      .number("method_links", &Method::links, "significant links between series")
      .number("method_shared", &Method::shared, "of these also found by the main method")
      .write(results);
}

}  // namespace fovea::lag::discover
