#include "fovea/domains/lag/methods/findings.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::lag::methods {

void add_small_q_values(const std::vector<Link*>& family, double factor) {
  if (std::none_of(family.begin(), family.end(), [](const Link* link) { return too_small(link->q_value); })) return;
  std::vector<double> p;
  for (const Link* link : family) p.push_back(log10_p(*link));
  const std::vector<double> q = log10_benjamini_hochberg(p);
  for (std::size_t i = 0; i < family.size(); ++i)
    if (too_small(family[i]->q_value)) family[i]->log10_q = q[i] + std::log10(factor);
}

std::vector<Link> counting_links(const Findings& findings) {
  std::vector<Link> counting;
  std::copy_if(findings.links.begin(), findings.links.end(), std::back_inserter(counting),
               [](const Link& link) { return link.counts; });
  std::sort(counting.begin(), counting.end(), [](const Link& a, const Link& b) {
    return std::tuple(a.q_value, a.p_value, a.effect, a.cause, a.lag) <
           std::tuple(b.q_value, b.p_value, b.effect, b.cause, b.lag);
  });
  return counting;
}

std::vector<Link> strongest_lags(const Findings& findings) {
  std::vector<Link> strongest;
  std::set<std::pair<Index, Index>> seen;
  for (const Link& link : counting_links(findings))
    if (seen.emplace(link.effect, link.cause).second) strongest.push_back(link);
  return strongest;
}

}  // namespace fovea::lag::methods
