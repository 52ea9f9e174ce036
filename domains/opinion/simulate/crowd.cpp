#include "fovea/domains/opinion/simulate/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/dynamics/activity.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::simulate {

namespace {

bool is_less(const society::Edge& a, const society::Edge& b) { return a < b; }

/// The values of those who are there.
template <typename Value>
std::vector<Value> some_of(const std::vector<Value>& all, const std::vector<Index>& there) {
  std::vector<Value> some;
  if (all.empty()) return some;
  for (const Index i : there) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

Matrix<double> rows_of(const Matrix<double>& all, const std::vector<Index>& there) {
  Matrix<double> some(static_cast<Index>(there.size()), all.cols());
  for (std::size_t k = 0; k < there.size(); ++k) some.row(static_cast<Index>(k)) = all.row(there[k]);
  return some;
}

/// Edges ascending, each with its weight.
void sort_edges(society::Graph& graph) {
  std::vector<std::size_t> order(graph.edges.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return graph.edges[a] < graph.edges[b]; });
  society::Graph sorted = graph;
  for (std::size_t e = 0; e < order.size(); ++e) {
    sorted.edges[e] = graph.edges[order[e]];
    if (!graph.weights.empty()) sorted.weights[e] = graph.weights[order[e]];
  }
  graph = std::move(sorted);
}

}  // namespace

Crowd::Crowd(dynamics::ModelSettings model, dynamics::Agents agents, const society::Graph* graph,
             std::vector<Event> events, const Random& random)
    : model_(std::move(model)),
      agents_(std::move(agents)),
      first_graph_(graph),
      events_(std::move(events)),
      random_(random),
      graph_(graph) {
  if (events_.empty()) {
    dynamics_ = dynamics::make_dynamics(model_, agents_, graph, random_);
    opinions_ = dynamics_->agents().start;
    for (std::size_t i = 0; i < agents_.counted.size(); ++i)
      if (agents_.counted[i] != 0) counting_.push_back(static_cast<Index>(i));
    return;
  }
  if (dynamics::find_model(model_.model).rule.update == dynamics::Update::contacts && agents_.activity.empty())
    agents_.activity = dynamics::power_law_activities(agents_.count(), model_.activity_exponent, model_.activity_least,
                                                      random_.stream("activities"));
  is_there_ = there_at_start(events_, agents_.count());
  if (graph != nullptr) {
    whole_ = *graph;
    sort_edges(whole_);
  }
  gather(agents_.start);
  build();
  opinions_ = dynamics_->agents().start;  // on the sphere of length 1
}

/// Who is there by the marks, and their rows.
void Crowd::gather(const Matrix<double>& opinions) {
  there_.clear();
  counting_.clear();
  for (Index i = 0; i < agents_.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (is_there_[k] == 0) continue;
    there_.push_back(i);
    if (agents_.counted.empty() || agents_.counted[k] != 0) counting_.push_back(i);
  }
  opinions_ = rows_of(opinions, there_);
}

void Crowd::build() {
  dynamics::Agents some;
  some.start = rows_of(agents_.start, there_);
  some.stubbornness = some_of(agents_.stubbornness, there_);
  some.temperature = some_of(agents_.temperature, there_);
  some.confidence = some_of(agents_.confidence, there_);
  some.reach = some_of(agents_.reach, there_);
  some.activity = some_of(agents_.activity, there_);
  some.counted = some_of(agents_.counted, there_);
  if (first_graph_ != nullptr) {
    present_ = society::kept_part(whole_, is_there_);
    present_.directed = whole_.directed;
    present_.own = some_of(whole_.own, there_);
    graph_ = &present_;
  }
  if (dynamics_ != nullptr) model_ = dynamics_->settings();  // with the controls as they were turned
  dynamics_ = dynamics::make_dynamics(model_, std::move(some), graph_, random_);
}

Matrix<double> Crowd::everybody() const {
  if (there_.empty()) return opinions_;
  Matrix<double> all = Matrix<double>::Constant(agents_.count(), opinions_.cols(), kNan);
  for (std::size_t k = 0; k < there_.size(); ++k) all.row(there_[k]) = opinions_.row(static_cast<Index>(k));
  return all;
}

std::vector<double> Crowd::activities() const { return events_.empty() ? dynamics_->activities() : agents_.activity; }

/// What the model has made of the network goes into that of all: edges with somebody who is not there stay.
void Crowd::keep_network() {
  const society::ChangingNetwork* changed = dynamics_->changed_network();
  if (changed == nullptr) return;
  const society::Graph now = changed->graph();
  society::Graph kept = whole_;
  kept.edges.clear();
  kept.weights.clear();
  const bool weighted = !whole_.weights.empty() || !now.weights.empty();
  const auto add = [&](const society::Edge& edge, double weight) {
    kept.edges.push_back(edge);
    if (weighted) kept.weights.push_back(weight);
  };
  for (std::size_t e = 0; e < whole_.edges.size(); ++e) {
    const auto [a, b] = whole_.edges[e];
    if (is_there_[static_cast<std::size_t>(a)] == 0 || is_there_[static_cast<std::size_t>(b)] == 0)
      add({a, b}, whole_.weight(e));
  }
  for (std::size_t e = 0; e < now.edges.size(); ++e)
    add({number_of(now.edges[e][0]), number_of(now.edges[e][1])}, now.weight(e));
  sort_edges(kept);
  whole_ = std::move(kept);
}

void Crowd::tie(const Event& event) {
  const society::Edge edge =
      whole_.directed ? society::Edge{event.agent, event.other}
                      : society::Edge{std::min(event.agent, event.other), std::max(event.agent, event.other)};
  const auto at = std::lower_bound(whole_.edges.begin(), whole_.edges.end(), edge, is_less);
  const auto place = at - whole_.edges.begin();
  const bool is_tied = at != whole_.edges.end() && *at == edge;
  if (event.kind == EventKind::cut) {
    if (!is_tied) return;  // a model that moves edges has moved it away
    whole_.edges.erase(at);
    if (!whole_.weights.empty()) whole_.weights.erase(whole_.weights.begin() + place);
    return;
  }
  if (event.weight != 1 && whole_.weights.empty()) whole_.weights.assign(whole_.edges.size(), 1);
  if (!is_tied) whole_.edges.insert(at, edge);
  if (whole_.weights.empty()) return;
  if (is_tied)
    whole_.weights[static_cast<std::size_t>(place)] = event.weight;
  else
    whole_.weights.insert(whole_.weights.begin() + place, event.weight);
}

void Crowd::take(const Event& event, Matrix<double>& opinions) {
  const auto k = static_cast<std::size_t>(event.agent);
  switch (event.kind) {
    case EventKind::join:
      is_there_[k] = 1;
      if (!std::isnan(event.opinion)) agents_.start(event.agent, 0) = event.opinion;
      opinions.row(event.agent) = agents_.start.row(event.agent);
      break;
    case EventKind::leave:
      is_there_[k] = 0;
      break;
    case EventKind::edge:
    case EventKind::cut:
      tie(event);
      break;
    case EventKind::set:
      opinions(event.agent, 0) = event.opinion;
      if (!agents_.stubbornness.empty() && agents_.stubbornness[k] == 1) agents_.start(event.agent, 0) = event.opinion;
      break;
  }
}

bool Crowd::take_events(std::int64_t step) {
  const auto before = [](const Event& event, std::int64_t at) { return event.step < at; };
  auto next = std::lower_bound(events_.begin(), events_.end(), step, before);
  if (next == events_.end() || next->step != step) return false;
  keep_network();
  Matrix<double> all = everybody();
  std::vector<std::uint8_t> joined(is_there_.size(), 0);
  for (; next != events_.end() && next->step == step; ++next) {
    take(*next, all);
    if (next->kind == EventKind::join) joined[static_cast<std::size_t>(next->agent)] = 1;
  }
  gather(all);
  build();
  for (Index k = 0; k < opinions_.rows(); ++k)  // on the sphere the start has length 1
    if (dynamics::find_model(model_.model).rule.update == dynamics::Update::project &&
        joined[static_cast<std::size_t>(number_of(k))] != 0)
      opinions_.row(k) = dynamics_->agents().start.row(k);
  return true;
}

bool Crowd::has_events_until(std::int64_t first, std::int64_t end) const {
  return std::any_of(events_.begin(), events_.end(),
                     [&](const Event& event) { return event.step >= first && event.step < end; });
}

void Crowd::visit(Archive archive) {
  if (events_.empty()) {
    archive.expect("crowd", concat(agents_.count(), " agents with ", agents_.start.cols(), " components"));
    archive("opinions", opinions_);
  } else {
    archive.expect("crowd", concat(agents_.count(), " agents with ", agents_.start.cols(), " components, ",
                                   events_.size(), " events"));
    keep_network();
    Matrix<double> all = everybody();
    std::vector<double> ends, there(is_there_.begin(), is_there_.end());
    for (const society::Edge& edge : whole_.edges)
      for (const Index end : edge) ends.push_back(static_cast<double>(end));
    archive("there", there);
    archive("opinions", all);
    archive("anchors", agents_.start);
    archive("ends", ends);
    archive("weights", whole_.weights);
    if (archive.restores()) {
      whole_.edges.clear();
      for (std::size_t e = 0; e + 1 < ends.size(); e += 2)
        whole_.edges.push_back({static_cast<Index>(ends[e]), static_cast<Index>(ends[e + 1])});
      for (std::size_t i = 0; i < there.size(); ++i) is_there_[i] = there[i] != 0 ? 1 : 0;
      gather(all);
      build();
    }
  }
  if (dynamics_->changed_network() != nullptr) archive("network", *dynamics_->change_network());
}

}  // namespace fovea::opinion::simulate
