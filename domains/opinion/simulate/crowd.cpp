#include "fovea/domains/opinion/simulate/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/dynamics/activity.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::simulate {

namespace {

/// The edge of an event as a graph has it.
society::Edge tied_by(const Event& event, bool directed) {
  if (directed) return {event.agent, event.other};
  return {std::min(event.agent, event.other), std::max(event.agent, event.other)};
}

/// Edges ascending, each with its weight.
void sort_edges(society::Graph& graph) {
  std::vector<std::size_t> order(graph.edges.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return graph.edges[a] < graph.edges[b]; });
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
      size_(agents_.ranks->total(agents_.count())),
      graph_(graph) {
  if (events_.empty()) {
    for (std::size_t i = 0; i < agents_.counted.size(); ++i)
      if (agents_.counted[i] != 0) counting_.push_back(static_cast<Index>(i));
    dynamics_ = dynamics::make_dynamics(model_, std::move(agents_), graph, random_);
    first_range_ = range_of_anchors();
    opinions_ = dynamics_->first_opinions();
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
    const std::size_t k = i;
    if (is_there_[k] == 0) continue;
    there_.push_back(i);
    if (agents_.counted.empty() || agents_.counted[k] != 0) counting_.push_back(i);
  }
  opinions_ = society::some_of(opinions, there_);
}

void Crowd::build() {
  dynamics::Agents some = society::some_of(agents_, there_);
  if (first_graph_ != nullptr) {
    present_ = society::kept_part(whole_, is_there_);
    present_.directed = whole_.directed;
    present_.own = society::some_of(whole_.own, there_);
    graph_ = &present_;
  }
  if (dynamics_ != nullptr) model_ = dynamics_->settings();  // with the controls as they were turned
  dynamics_ = dynamics::make_dynamics(model_, std::move(some), graph_, random_);
}

const Matrix<double>& Crowd::everybody() const {
  if (there_.empty()) return opinions_;
  everybody_ = Matrix<double>::Constant(agents_.count(), opinions_.cols(), kNan);
  for (std::size_t k = 0; k < there_.size(); ++k) everybody_.row(there_[k]) = opinions_.row(static_cast<Index>(k));
  return everybody_;
}

std::pair<double, double> Crowd::range_of_anchors() const {
  const Matrix<double>& start = agents().start;
  const std::vector<std::uint8_t>& counted = agents().counted;
  std::pair<double, double> ends{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Index i = 0; i < start.rows(); ++i)
    if (counted.empty() || counted[i] != 0)
      ends = {std::min(ends.first, start(i, 0)), std::max(ends.second, start(i, 0))};
  return society::range_of(ranks(), ends.first, ends.second);
}

std::vector<double> Crowd::activities() const { return events_.empty() ? dynamics_->activities() : agents_.activity; }

society::Graph Crowd::network_of_those_there() const {
  require(first_graph_ != nullptr, "Crowd: there is no network.");
  const society::ChangingNetwork* changed = dynamics_->changed_network();
  society::Graph network = *first_graph_;
  network.edges.clear();
  network.weights.clear();
  const std::span<const society::Edge> edges = changed != nullptr ? changed->edges() : graph_->edges;
  const bool weighted = changed != nullptr ? changed->weighted() : !graph_->weights.empty();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    network.edges.push_back({number_of(edges[e][0]), number_of(edges[e][1])});
    if (weighted)
      network.weights.push_back(changed != nullptr ? changed->weight(static_cast<Index>(e)) : graph_->weight(e));
  }
  sort_edges(network);
  return network;
}

society::Graph Crowd::network_of_all() const {
  if (!events_.empty() && dynamics_->changed_network() == nullptr) return whole_;
  society::Graph network = network_of_those_there();
  if (events_.empty()) return network;
  const bool weighted = !whole_.weights.empty() || !network.weights.empty();
  if (weighted && network.weights.empty()) network.weights.assign(network.edges.size(), 1);
  for (std::size_t e = 0; e < whole_.edges.size(); ++e) {
    const auto [a, b] = whole_.edges[e];
    if (is_there_[a] != 0 && is_there_[b] != 0) continue;
    network.edges.push_back({a, b});
    if (weighted) network.weights.push_back(whole_.weight(e));
  }
  sort_edges(network);
  return network;
}

Crowd::EdgeCounts Crowd::edge_counts() const {
  EdgeCounts counts = counts_;
  if (const society::ChangingNetwork* changed = dynamics_->changed_network()) counts.moved += changed->moved();
  return counts;
}

void Crowd::cut(const Event& event) {
  const society::Edge edge = tied_by(event, whole_.directed);
  const auto [first, last] = std::equal_range(whole_.edges.begin(), whole_.edges.end(), edge);
  const auto from = first - whole_.edges.begin(), to = last - whole_.edges.begin();
  if (from == to) ++counts_.gone;
  counts_.cut += to - from;
  whole_.edges.erase(first, last);
  if (!whole_.weights.empty()) whole_.weights.erase(whole_.weights.begin() + from, whole_.weights.begin() + to);
}

void Crowd::tie(const Event& event) {
  const society::Edge edge = tied_by(event, whole_.directed);
  const auto [first, last] = std::equal_range(whole_.edges.begin(), whole_.edges.end(), edge);
  const auto from = first - whole_.edges.begin(), to = last - whole_.edges.begin();
  if (event.weight != 1 && whole_.weights.empty()) whole_.weights.assign(whole_.edges.size(), 1);
  if (from == to) {
    ++counts_.made;
    whole_.edges.insert(first, edge);
    if (!whole_.weights.empty()) whole_.weights.insert(whole_.weights.begin() + from, event.weight);
    return;
  }
  bool changes = false;
  for (std::size_t e = from; e < static_cast<std::size_t>(to); ++e) {
    changes = changes || whole_.weight(e) != event.weight;
    if (!whole_.weights.empty()) whole_.weights[e] = event.weight;
  }
  if (!changes) ++counts_.there;
}

void Crowd::take(const Event& event, Matrix<double>& opinions) {
  const std::size_t k = event.agent;
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
      tie(event);
      break;
    case EventKind::cut:
      cut(event);
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
  if (first_graph_ != nullptr) whole_ = network_of_all();
  counts_ = edge_counts();
  Matrix<double> all = everybody();
  std::vector<std::uint8_t> joined(is_there_.size(), 0);
  for (; next != events_.end() && next->step == step; ++next) {
    take(*next, all);
    if (next->kind == EventKind::join) joined[next->agent] = 1;
  }
  gather(all);
  build();
  for (Index k = 0; k < opinions_.rows(); ++k)  // on the sphere the start has length 1
    if (dynamics::find_model(model_.model).rule.update.space == dynamics::Space::sphere && joined[number_of(k)] != 0)
      opinions_.row(k) = dynamics_->agents().start.row(k);
  return true;
}

bool Crowd::has_events_until(std::int64_t first, std::int64_t end) const {
  return std::any_of(events_.begin(), events_.end(),
                     [&](const Event& event) { return event.step >= first && event.step < end; });
}

void Crowd::visit(Archive archive) {
  if (events_.empty()) {
    archive.expect("crowd", concat(size_, " agents with ", agents().start.cols(), " components"));
  } else {
    archive.expect("crowd", concat(agents_.count(), " agents with ", agents_.start.cols(), " components, ",
                                   events_.size(), " events"));
    if (first_graph_ != nullptr) whole_ = network_of_all();
    Matrix<double> all = everybody();
    std::vector<double> counts{static_cast<double>(counts_.moved), static_cast<double>(counts_.made),
                               static_cast<double>(counts_.cut), static_cast<double>(counts_.there),
                               static_cast<double>(counts_.gone)};
    std::vector<double> ends, there(is_there_.begin(), is_there_.end());
    for (const society::Edge& edge : whole_.edges)
      for (const Index end : edge) ends.push_back(static_cast<double>(end));
    archive("there", there);
    archive("opinions", all);
    archive("anchors", agents_.start);
    archive("ends", ends);
    archive("weights", whole_.weights);
    archive("edge_counts", counts);
    if (archive.restores()) {
      const auto count = [&](std::size_t place) { return static_cast<std::int64_t>(counts.at(place)); };
      counts_ = {count(0), count(1), count(2), count(3), count(4)};
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
