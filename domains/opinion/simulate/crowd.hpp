#pragma once
/// The crowd of a simulation: those of all agents who are there, on the network among them, moved by a model.

#include <memory>
#include <utility>
#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/simulate/events.hpp"

namespace fovea::opinion::simulate {

/// Between events the crowd is one of those who are there, as if there were no others: an event at a step equals a run
/// that ends there and another that begins with the changed agents and network. Without events all agents are there.
class Crowd {
 public:
  /// agents: all of them; graph: theirs, nullptr for none; it must outlive the crowd. events: as events_of() gives
  /// them.
  Crowd(dynamics::ModelSettings model, dynamics::Agents agents, const society::Graph* graph, std::vector<Event> events,
        const Random& random);

  /// Who hold the crowd together: opinions, and all that goes by places, are of our own agents.
  const Ranks& ranks() const { return *dynamics_->agents().ranks; }
  RankPart part() const { return {dynamics_->agents().first, opinions_.rows()}; }
  Index size() const { return size_; }  ///< agents of all ranks; with events all, there or not

  /// Of those who are there, whose numbers are their places.
  dynamics::Dynamics& dynamics() const { return *dynamics_; }
  Matrix<double>& opinions() { return opinions_; }
  const Matrix<double>& opinions() const { return opinions_; }
  /// As it was after the last event; nullptr without a network.
  const society::Graph* graph() const { return graph_; }
  /// As it is now, in everybody's numbers, its edges ascending, one that is there twice given twice: between those who
  /// are there, or with the edges that wait for somebody who is not. Throws ArgumentError without a network.
  society::Graph network_of_those_there() const;
  society::Graph network_of_all() const;

  /// Everybody's numbers of those who are there, ascending; empty: all are.
  const std::vector<Index>& there() const { return there_; }
  /// Of those who are there and count; empty: all agents.
  const std::vector<Index>& counting() const { return counting_; }
  Index number_of(Index place) const { return there_.empty() ? part().first + place : there_[place]; }

  /// Opinions of all agents, NaN for those who are not there; valid until the next call.
  const Matrix<double>& everybody() const;
  /// All; with events as everybody was told, else as the model has them: without their anchors where it gave these up.
  const dynamics::Agents& agents() const { return events_.empty() ? dynamics_->agents() : agents_; }
  /// The least and the largest first component of the anchors, of those who count.
  std::pair<double, double> anchor_range() const { return events_.empty() ? first_range_ : range_of_anchors(); }
  std::vector<double> activities() const;  ///< of all; empty where the model has none

  /// The events of this step; false where there is none.
  bool take_events(std::int64_t step);
  /// Whether any happens from step `first` on and before step `end`.
  bool has_events_until(std::int64_t first, std::int64_t end) const;
  const std::vector<Event>& events() const { return events_; }
  /// What has become of them and of the edges that the model moves.
  struct EdgeCounts {
    std::int64_t moved = 0;          ///< by the model
    std::int64_t made = 0, cut = 0;  ///< by events
    std::int64_t there = 0;          ///< events edge without effect: it was there, with this weight
    std::int64_t gone = 0;           ///< events cut without effect: the model had moved the edge away
  };
  EdgeCounts edge_counts() const;

  /// Who is there, their opinions and anchors where there are events, and the network. With the opinions it goes on
  /// with the same bits.
  void visit(Archive archive);

 private:
  std::pair<double, double> range_of_anchors() const;
  void take(const Event& event, Matrix<double>& opinions);
  void tie(const Event& event);
  void cut(const Event& event);
  void gather(const Matrix<double>& opinions);
  void build();

  dynamics::ModelSettings model_;
  dynamics::Agents agents_;  ///< with events: all, with the anchors they have now
  const society::Graph* first_graph_;
  std::vector<Event> events_;
  Random random_;
  Index size_;
  std::vector<std::uint8_t> is_there_;  ///< empty without events
  std::vector<Index> there_, counting_;
  society::Graph whole_, present_;  ///< with events: of all agents; of those there
  EdgeCounts counts_;               ///< moved: before the last event
  const society::Graph* graph_;
  std::unique_ptr<dynamics::Dynamics> dynamics_;
  Matrix<double> opinions_;
  mutable Matrix<double> everybody_;         ///< with events
  std::pair<double, double> first_range_{};  ///< of the anchors, before the model gave them up; without events
};

}  // namespace fovea::opinion::simulate
