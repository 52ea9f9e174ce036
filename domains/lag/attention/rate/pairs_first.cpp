#include "fovea/domains/lag/attention/rate/pairs_first.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::lag::attention {

void discover_pairs_first(const std::vector<WeighedLink>& family, double level) {
  std::map<std::tuple<Index, Index, bool>, std::size_t> numbers;
  std::vector<std::size_t> group;
  std::vector<double> p;
  for (const auto& [link, factor] : family) {
    const bool within = link->lag == 0;
    const auto [first, second] = std::minmax(link->cause, link->effect);
    const auto pair = within ? std::tuple(first, second, true) : std::tuple(link->cause, link->effect, false);
    group.push_back(numbers.emplace(pair, numbers.size()).first->second);
    p.push_back(std::min(methods::log10_p(*link) + std::log10(factor), 0.0));
  }
  const std::vector<double> q = log10_grouped_discovery(p, group);
  for (std::size_t k = 0; k < family.size(); ++k) {
    methods::Link& link = *family[k].link;
    link.q_value = std::pow(10, q[k]);
    link.log10_q = methods::too_small(link.q_value) ? q[k] : kNan;
    link.counts = link.q_value <= level;
  }
}

}  // namespace fovea::lag::attention
