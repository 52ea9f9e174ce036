#include "fovea/domains/opinion/simulate/records.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr std::size_t kMostOpinions = 8;  // lines that can be told apart

double active_share(const Matrix<double>& opinions, const society::Graph* graph) {
  if (graph == nullptr || graph->edges.empty()) return kNan;
  const auto active = std::count_if(graph->edges.begin(), graph->edges.end(), [&](const society::Edge& edge) {
    return opinions(edge[0], 0) != opinions(edge[1], 0);
  });
  return static_cast<double>(active) / static_cast<double>(graph->edges.size());
}

void repeat_state(std::vector<double>& rows, std::size_t width, std::size_t states) {
  while (!rows.empty() && rows.size() < width * states) rows.push_back(rows[rows.size() - width]);
}

}  // namespace

HeldOpinions::HeldOpinions(const Crowd& crowd) {
  if (!dynamics::find_model(crowd.dynamics().settings().model).rule.update.imitates) return;
  const Matrix<double>& start = crowd.agents().start;
  std::set<double> held;
  for (Index i = 0; i < start.rows() && held.size() <= kMostOpinions; ++i) held.insert(start(i, 0));
  for (const Event& event : crowd.events())
    if (!std::isnan(event.opinion) && (event.kind == EventKind::join || event.kind == EventKind::set))
      held.insert(event.opinion);
  if (held.size() <= kMostOpinions) opinions_.assign(held.begin(), held.end());
}

void HeldOpinions::record(const Matrix<double>& opinions, const society::Graph* graph) {
  if (opinions_.empty()) return;
  for (const double opinion : opinions_)
    shares_.push_back(static_cast<double>((opinions.array() == opinion).count()) /
                      static_cast<double>(opinions.rows()));
  active_.push_back(active_share(opinions, graph));
}

void HeldOpinions::fill(std::size_t states) {
  repeat_state(shares_, opinions_.size(), states);
  repeat_state(active_, 1, states);
}

void HeldOpinions::write(Results& results) const {
  if (opinions_.empty()) return;
  results.coordinate("held_opinion", opinions_, "opinion", "opinion: one of those of the start");
  results.add("opinion_share", {"step", "held_opinion"}, shares_, "1", "share of the agents");
  if (std::all_of(active_.begin(), active_.end(), [](double share) { return std::isnan(share); })) return;
  results.add("active_edges", {"step"}, active_, "1", "share of active edges: their ends hold different opinions");
}

void HeldOpinions::visit(Archive archive) {
  archive("shares", shares_);
  archive("active", active_);
}

}  // namespace fovea::opinion::simulate
