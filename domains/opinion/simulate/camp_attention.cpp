#include "fovea/domains/opinion/simulate/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/measures/gap_camps.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr Index kMostCamps = 12;         // shown, the largest
constexpr Index kMostCampPairs = 20000;  // agents whose attention is summed pair by pair

/// The groups of those who are heard, and which of them each agent belongs to.
struct Groups {
  std::vector<std::string> names;
  std::vector<std::uint8_t> group;  ///< of each agent
  Index camps = 0;                  ///< the first of the groups
};

std::span<const double> opinion_span(const Matrix<double>& opinions) {
  return {opinions.data(), static_cast<std::size_t>(opinions.size())};
}

std::string camp_name(double centre, double share) {
  char text[64];
  std::snprintf(text, sizeof text, "%+.2f (%.0f %%)", centre, 100 * share);
  return text;
}

/// Camps from the lowest opinion to the highest, then the rest, then who does not count.
Groups groups_of(const Recorder& recorder, const Crowd& crowd) {
  const Matrix<double>& counted = recorder.counted(crowd.everybody());
  std::optional<measures::GapCamps> line;
  if (counted.cols() == 1)
    line.emplace(opinion_span(counted), recorder.settings().camp_gap, crowd.ranks(), crowd.part().first);
  const measures::Camps camps = line ? line->camps() : recorder.camps(counted);
  Groups groups;
  if (camps.sizes.empty()) return groups;
  const auto camp_of = [&](Index k) { return line ? line->camp_of(counted(k, 0)) : camps.camp[k]; };
  groups.camps = std::min(kMostCamps, camps.at_least(recorder.settings().least_share));
  std::vector<Index> by_opinion(groups.camps);
  for (Index c = 0; c < groups.camps; ++c) by_opinion[c] = c;
  std::sort(by_opinion.begin(), by_opinion.end(),
            [&](Index a, Index b) { return camps.centres(a, 0) < camps.centres(b, 0); });
  std::vector<Index> place(camps.sizes.size(), groups.camps);
  for (Index k = 0; k < groups.camps; ++k) {
    const Index camp = by_opinion[k];
    place[camp] = k;
    groups.names.push_back(camp_name(camps.centres(camp, 0),
                                     static_cast<double>(camps.sizes[camp]) / static_cast<double>(camps.agents())));
  }
  const std::vector<std::uint8_t>& marks = crowd.dynamics().agents().counted;
  if (groups.camps < std::ssize(camps.sizes)) groups.names.emplace_back("others");
  if (counted.rows() != crowd.opinions().rows()) groups.names.emplace_back("bots, media");
  groups.group.assign(crowd.opinions().rows(), static_cast<std::uint8_t>(groups.names.size() - 1));
  Index k = 0;  // among those who are there and count
  for (std::size_t i = 0; i < groups.group.size(); ++i)
    if (marks.empty() || marks[i] != 0) groups.group[i] = static_cast<std::uint8_t>(place[camp_of(k++)]);
  return groups;
}

/// Angles of the circle as points of the plane.
Matrix<double> points_of(const Matrix<double>& opinions) {
  Matrix<double> points(opinions.rows(), 2);
  for (Index i = 0; i < opinions.rows(); ++i) {
    points(i, 0) = std::cos(opinions(i, 0));
    points(i, 1) = std::sin(opinions(i, 0));
  }
  return points;
}

}  // namespace

void write_camp_attention(const Crowd& simulated, const Recorder& recorder, Results& results) {
  const dynamics::Dynamics& crowd = simulated.dynamics();
  const society::ChangingNetwork* changed = crowd.changed_network();
  const society::Graph last = changed != nullptr ? changed->graph() : society::Graph{};
  const society::Graph* graph = changed != nullptr ? &last : simulated.graph();
  const dynamics::ModelEntry& entry = dynamics::find_model(crowd.settings().model);
  if (!entry.rule.update.hears || entry.rule.is_written()) return;
  const auto repels = [](double weight) { return weight < 0; };
  if (graph != nullptr && std::any_of(graph->weights.begin(), graph->weights.end(), repels)) return;  // no shares
  const bool circle = entry.rule.update.space == dynamics::Space::circle;
  const Matrix<double> points = circle ? points_of(simulated.opinions()) : Matrix<double>();
  const Matrix<double>& x = circle ? points : simulated.opinions();
  dynamics::HearingRule rule = dynamics::hearing_rule_of(crowd);
  rule.normaliser = dynamics::Normaliser::softmax;
  const bool sums = graph != nullptr || (crowd.settings().fast && x.cols() == 1);
  if (!sums && x.rows() > kMostCampPairs) return;
  const Groups groups = groups_of(recorder, simulated);
  const auto count = static_cast<Index>(groups.names.size());
  if (count < 2 || groups.camps < 1) return;
  const auto hearing = dynamics::make_hearing(rule, x.cols(), graph, crowd.settings().fast);
  const Index together = graph == nullptr && sums ? 1 : count;  // on the line group by group: that takes least memory
  Matrix<double> share = Matrix<double>::Zero(groups.camps, count), said(x.rows(), together), heard;
  std::vector<std::int64_t> members(groups.camps, 0);
  for (const std::uint8_t from : groups.group)
    if (from < groups.camps) ++members[from];
  rule.ranks->sum(members);
  for (Index first = 0; first < count; first += together) {
    for (Index i = 0; i < x.rows(); ++i)
      for (Index g = 0; g < together; ++g) said(i, g) = groups.group[i] == first + g ? 1 : 0;
    hearing->hear(rule, x, said, heard);
    const std::vector<double> sums =
        society::sum_by_blocks(*rule.ranks, x.rows(), groups.camps * together, [&](Index from, Index to, double* sum) {
          for (Index i = from; i < to; ++i)
            for (Index g = 0; g < together && groups.group[i] < groups.camps; ++g)
              sum[groups.group[i] * together + g] += heard(i, g);
        });
    for (Index c = 0; c < groups.camps; ++c)
      for (Index g = 0; g < together; ++g) share(c, first + g) = sums[c * together + g];
  }
  for (Index c = 0; c < groups.camps; ++c) share.row(c) /= static_cast<double>(members[c]);
  const std::vector<std::string> camps(groups.names.begin(), groups.names.begin() + groups.camps);
  results.coordinate("from_camp", camps, "", "attending camp: its mean opinion and its share of the agents");
  results.coordinate("to_camp", groups.names, "", "group that is attended to");
  results.add("camp_attention", {"from_camp", "to_camp"},
              std::vector<double>(share.data(), share.data() + share.size()), "1",
              "share of a camp's attention given to each group");
}

std::vector<std::int64_t> camp_of_agents(const Recorder& recorder, const Crowd& crowd) {
  const Groups groups = groups_of(recorder, crowd);
  std::vector<std::int64_t> camp(crowd.agents().count(), -1);
  for (std::size_t i = 0; i < groups.group.size(); ++i)
    if (groups.group[i] < groups.camps) camp[crowd.number_of(static_cast<Index>(i))] = groups.group[i];
  return camp;
}

}  // namespace fovea::opinion::simulate
