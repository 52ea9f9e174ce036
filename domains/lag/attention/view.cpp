#include "fovea/domains/lag/attention/view.hpp"

#include <algorithm>

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
  double none = 1, largest = 0;
  Index surest = -1;
  for (Index head = 0; head < heads.weights.rows(); ++head) {
    if (!heads.on(head)) continue;
    const double weight = weight_on(head, place);
    none *= 1 - std::min(weight, 1.0);
    for (const Content content : {Content::plain, Content::pulled})
      view.gradient += heads.weights(head, key_of(place, content)) * heads.effects(head, key_of(place, content));
    if (weight > largest) largest = weight, surest = head;
  }
  view.weight = 1 - none;
  if (view.weight < kViewedWeight) return view;
  std::vector<std::pair<double, Index>> by_lag;
  double sum = 0;
  for (std::size_t l = 0; l < lags.size(); ++l) {
    by_lag.emplace_back(weight_on(surest, l), lags[l]);
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

}  // namespace fovea::lag::attention
