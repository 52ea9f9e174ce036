#include "fovea/domains/lag/attention/view.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace fovea::lag::attention {

namespace {

// Attention below it has no credible lags.
constexpr double kViewedWeight = 0.05;
// Of a head's weight on the source: theory.md, The attention model.
constexpr double kCredible = 0.95;

}  // namespace

AttentionView view_of(const SingleEffects& heads, const KeyProducts& products, Index source,
                      const std::vector<Index>& lags, std::size_t place) {
  const auto key_of = [&](std::size_t lag, Content content) { return products.key(source, lag, content); };
  const auto weight_on = [&](Index head, std::size_t lag) {
    double weight = 0;
    for (const Content content : kAllContents) weight += heads.weights(head, key_of(lag, content));
    return weight;
  };
  AttentionView view;
  double none = 1, largest = 0, bent_weight = 0, all_weight = 0;
  for (Index head = 0; head < heads.weights.rows(); ++head) {
    if (!heads.on(head)) continue;
    const double weight = weight_on(head, place);
    none *= 1 - std::min(weight, 1.0);
    bent_weight += heads.weights(head, key_of(place, Content::bent));
    all_weight += weight;
    for (const Content content : {Content::plain, Content::pulled})
      view.gradient += heads.weights(head, key_of(place, content)) * heads.effects(head, key_of(place, content));
    if (weight > largest) largest = weight, view.head = head;
  }
  view.weight = 1 - none;
  view.bent_share = all_weight > 0 ? bent_weight / all_weight : 0;
  if (view.weight < kViewedWeight) return view;
  std::vector<std::pair<double, Index>> by_lag;
  double sum = 0;
  for (std::size_t l = 0; l < lags.size(); ++l) {
    by_lag.emplace_back(weight_on(view.head, l), lags[l]);
    sum += by_lag.back().first;
  }
  std::sort(by_lag.begin(), by_lag.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double held = 0;
  for (std::size_t l = 0; l < by_lag.size() && held < kCredible * sum; ++l) {
    held += by_lag[l].first;
    view.credible_lags.push_back(by_lag[l].second);
  }
  std::sort(view.credible_lags.begin(), view.credible_lags.end());
  return view;
}

void sort_links(AttentionFindings& found) {
  std::vector<std::size_t> order(found.views.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& links = found.findings.links;
  const auto below = [&](std::size_t a, std::size_t b) {
    return std::tuple(links[a].effect, links[a].cause, links[a].lag) <
           std::tuple(links[b].effect, links[b].cause, links[b].lag);
  };
  if (std::is_sorted(order.begin(), order.end(), below)) return;
  std::sort(order.begin(), order.end(), below);
  std::vector<methods::Link> sorted_links;
  std::vector<AttentionView> sorted_views;
  for (const std::size_t k : order) {
    sorted_links.push_back(links[k]);
    sorted_views.push_back(std::move(found.views[k]));
  }
  found.findings.links = std::move(sorted_links);
  found.views = std::move(sorted_views);
}

}  // namespace fovea::lag::attention
