#include "fovea/domains/lag/attention/rate/pairs_first.hpp"

#include <algorithm>

#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::lag::attention {

void discover_pairs_first(const std::vector<WeighedLink>& family, double level) {
  std::vector<std::size_t> pairs;  // of each link, then of each pair once
  std::vector<double> p;
  pairs.reserve(family.size()), p.reserve(family.size());
  for (const auto& [link, factor] : family) {
    const bool within = link->lag == 0;
    const auto [least, most] = std::minmax(link->cause, link->effect);
    const auto first = static_cast<std::size_t>(within ? least : link->cause);
    const auto second = static_cast<std::size_t>(within ? most : link->effect);
    pairs.push_back((first << 32 | second) << 1 | (within ? 1 : 0));
    p.push_back(std::min(methods::log10_p(*link) + std::log10(factor), 0.0));
  }
  std::vector<std::size_t> group = pairs;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (std::size_t& one : group) one = std::lower_bound(pairs.begin(), pairs.end(), one) - pairs.begin();
  pairs = {};
  const std::vector<double> q = log10_grouped_discovery(p, group);
  for (std::size_t k = 0; k < family.size(); ++k) {
    methods::Link& link = *family[k].link;
    link.q_value = std::pow(10, q[k]);
    link.log10_q = methods::too_small(link.q_value) ? q[k] : kNan;
    link.counts = link.q_value <= level;
  }
}

}  // namespace fovea::lag::attention
