#pragma once
/// Nodes and edges by their ids, as they come from a file. Internal to datasets/.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/datasets/network/network.hpp"
#include "fovea/datasets/network/node_numbers.hpp"

namespace fovea::datasets::network {

/// What was read of the files. As long as all ids are small whole numbers, ends of edges are these numbers themselves,
/// which takes no look-up; from the first other id on they are the numbers that NodeNumbers gives.
class Gathering {
 public:
  void labelled_node(std::string_view id) {
    if (!numbers_ && !small_number(id)) number_nodes();
    labelled_.push_back(end_of(id));
  }

  void add_edge(std::string_view source, std::string_view target, double weight) {
    if (!numbers_) {
      const auto from = small_number(source), to = small_number(target);
      if (from && to) {
        largest_ = std::max({largest_, *from, *to});
        edges_.push_back({*from, *to, weight});
        return;
      }
      number_nodes();
    }
    wait_for(source, target);
    edges_.push_back({0, 0, weight});
    if (waiting_.size() == kWaiting) number_waiting();
  }

  bool empty() const { return edges_.empty() && waiting_.empty(); }
  std::size_t labelled() const { return labelled_.size(); }  ///< how many nodes were handed in by labelled_node()

  /// Edges between nodes 0, 1, ..., their names, and the nodes of the node file in its order.
  struct Result {
    std::vector<NetworkEdge> edges;
    std::vector<std::string> names;
    std::vector<std::uint32_t> labelled;
  };
  Result finish() {
    number_waiting();
    // The table must not be much larger than the edges themselves.
    if (!numbers_ && largest_ >= std::max(kShortTable, 4 * edges_.size())) number_nodes();
    const std::vector<std::uint32_t> place = numbers_ ? numbers_->ranks() : places_of_small_numbers();
    for (NetworkEdge& edge : edges_) edge = {place[edge.source], place[edge.target], edge.weight};
    for (std::uint32_t& node : labelled_) node = place[node];
    return {std::move(edges_), numbers_ ? ordered_names(place) : std::move(small_names_), std::move(labelled_)};
  }

 private:
  static std::optional<std::uint32_t> small_number(std::string_view id) {
    const auto number = whole_number(id);
    return number && *number < NodeNumbers::kUnknown ? std::optional(static_cast<std::uint32_t>(*number))
                                                     : std::nullopt;
  }

  std::uint32_t end_of(std::string_view id) {
    if (numbers_) return numbers_->add(NodeNumbers::id_of(id));
    const std::uint32_t number = *small_number(id);
    largest_ = std::max(largest_, number);
    return number;
  }

  void number_nodes() {
    numbers_.emplace();
    for (std::uint32_t& node : labelled_) node = numbers_->add({node, false, {}});
    for (NetworkEdge& edge : edges_) {
      edge.source = numbers_->add({edge.source, false, {}});
      edge.target = numbers_->add({edge.target, false, {}});
    }
  }

  /// A look-up waits for memory, many at a time hardly longer: so ends wait until they are many.
  void wait_for(std::string_view source, std::string_view target) {
    for (const std::string_view text : {source, target}) {
      waiting_.push_back(NodeNumbers::id_of(text));
      numbers_->fetch_slot(waiting_.back());
      if (!waiting_.back().is_name) continue;
      waiting_names_.emplace_back(text);  // the text goes with its row
      waiting_.back().name = waiting_names_.back();
    }
  }

  void number_waiting() {
    for (const NodeNumbers::Id& id : waiting_) numbers_->fetch_name(id);
    std::size_t edge = edges_.size() - waiting_.size() / 2;
    for (std::size_t k = 0; k < waiting_.size(); k += 2, ++edge) {
      edges_[edge].source = numbers_->add(waiting_[k]);
      edges_[edge].target = numbers_->add(waiting_[k + 1]);
    }
    waiting_.clear();
    waiting_names_.clear();
  }

  std::vector<std::uint32_t> places_of_small_numbers() {
    std::vector<std::uint32_t> place(std::size_t{largest_} + 1, 0);
    for (const std::uint32_t node : labelled_) place[node] = 1;
    for (const NetworkEdge& edge : edges_) place[edge.source] = place[edge.target] = 1;
    std::uint32_t next = 0;
    for (std::size_t number = 0; number < place.size(); ++number) {
      if (place[number] != 0) small_names_.push_back(std::to_string(number));
      next += std::exchange(place[number], next);
    }
    return place;
  }

  std::vector<std::string> ordered_names(const std::vector<std::uint32_t>& place) const {
    std::vector<std::string> names = numbers_->names(), out(names.size());
    for (std::size_t node = 0; node < names.size(); ++node) out[place[node]] = std::move(names[node]);
    return out;
  }

  static constexpr std::size_t kShortTable = std::size_t{1} << 24;  // numbers below it are in a table, 4 bytes each
  static constexpr std::size_t kWaiting = 128;                      // an even number

  std::vector<NetworkEdge> edges_;
  std::vector<NodeNumbers::Id> waiting_;   // ends of the last edges
  std::deque<std::string> waiting_names_;  // stay where they are when others come
  std::vector<std::uint32_t> labelled_;
  std::uint32_t largest_ = 0;
  std::optional<NodeNumbers> numbers_;
  std::vector<std::string> small_names_;
};

}  // namespace fovea::datasets::network
