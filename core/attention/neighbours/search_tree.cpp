#include "fovea/core/attention/neighbours/search_tree.hpp"

#include <algorithm>
#include <numeric>

namespace fovea {
/// What nearest() carries through the tree. found: a heap, the last candidate on top.
struct NearestSearch {
  const double* point;
  Index wanted;
  Index left_out;
  std::vector<Candidate>& found;

  bool takes(const Candidate& candidate) const { return std::ssize(found) < wanted || candidate < found.front(); }

  void take(const Candidate& candidate) {
    if (std::ssize(found) == wanted) {
      std::pop_heap(found.begin(), found.end());
      found.pop_back();
    }
    found.push_back(candidate);
    std::push_heap(found.begin(), found.end());
  }
};

SearchTree::SearchTree(const CheckedCoordinates& coordinates, Index set)
    : periods_(coordinates.periods()), dimensions_(coordinates.dimensions()) {
  const Index count = coordinates.sets().keys(set);
  if (count == 0) return;
  rows_.resize(count);
  std::iota(rows_.begin(), rows_.end(), coordinates.sets().first_key(set));
  build(0, count, coordinates);
}

Index SearchTree::build(Index begin, Index end, const CheckedCoordinates& coordinates) {
  const Index index = static_cast<Index>(nodes_.size());
  const auto first = rows_.begin() + begin, last = rows_.begin() + end;
  nodes_.push_back({begin, end, 0, *std::min_element(first, last), 0});
  boxes_.insert(boxes_.end(), coordinates.key(*first), coordinates.key(*first) + dimensions_);
  boxes_.insert(boxes_.end(), coordinates.key(*first), coordinates.key(*first) + dimensions_);
  double* lower = boxes_.data() + 2 * index * dimensions_;
  for (auto each = first; each != last; ++each) widen(lower, lower + dimensions_, coordinates.key(*each), dimensions_);
  if (end - begin <= kLeafPoints) {
    keep_points(nodes_.back(), coordinates);
    return index;
  }
  const Index axis = widest_axis(index), middle = begin + (end - begin) / 2;
  // Equal coordinates are parted by row: halves of any points, and the lower rows of duplicates are found together.
  std::nth_element(first, rows_.begin() + middle, last, [&](Index a, Index b) {
    const double x = coordinates.key(a)[axis], y = coordinates.key(b)[axis];
    return x < y || (x == y && a < b);
  });
  build(begin, middle, coordinates);
  const Index right = build(middle, end, coordinates);
  nodes_[index].right = right;
  return index;
}

void SearchTree::keep_points(Node& leaf, const CheckedCoordinates& coordinates) {
  leaf.points = static_cast<Index>(points_.size());
  points_.resize(points_.size() + (kLeafPoints * dimensions_), 0);
  double* points = points_.data() + leaf.points;
  for (Index place = leaf.begin; place < leaf.end; ++place)
    for (Index a = 0; a < dimensions_; ++a)
      points[a * kLeafPoints + place - leaf.begin] = coordinates.key(rows_[place])[a];
}

/// The same bits as squared_distance(); axis by axis, which the compiler makes vectors of.
SearchTree::LeafDistances SearchTree::squared_distances(const double* query, const Node& leaf) const {
  LeafDistances sums{};
  const double* points = points_.data() + leaf.points;
  for (std::size_t a = 0; a < periods_.size(); ++a, points += kLeafPoints)
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double gap = gap_on_axis(query[a], points[j], periods_[a]);
      sums[j] += gap * gap;
    }
  return sums;
}

Index SearchTree::widest_axis(Index index) const {
  const BoxView view = box(index);
  Index widest = 0;
  for (Index a = 1; a < dimensions_; ++a)
    if (view.upper[a] - view.lower[a] > view.upper[widest] - view.lower[widest]) widest = a;
  return widest;
}

BoxView SearchTree::box(Index index) const {
  const double* lower = boxes_.data() + 2 * index * dimensions_;
  return {lower, lower + dimensions_};
}

double SearchTree::least(const double* query, Index index) const {
  return least_squared_distance({query, query}, box(index), periods_);
}

void SearchTree::nearest(const double* query, Index k, Index left_out, std::vector<Candidate>& found) const {
  found.clear();
  NearestSearch search{query, k, left_out, found};
  if (!nodes_.empty() && k > 0) visit_nearest(search, 0);
}

void SearchTree::visit_nearest(NearestSearch& search, Index index) const {
  const Node& here = node(index);
  if (here.right == 0) {
    const LeafDistances squares = squared_distances(search.point, here);
    for (std::size_t j = 0; j < here.size(); ++j) {
      const Candidate candidate{squares[j], row(here, j)};
      if (search.takes(candidate) && candidate.second != search.left_out) search.take(candidate);
    }
    return;
  }
  // The least that a node can offer: its box's distance with its lowest row. Without the row, equally distant points
  // would all have to be looked at.
  std::pair<Candidate, Index> near{{least(search.point, index + 1), node(index + 1).least_row}, index + 1};
  std::pair<Candidate, Index> far{{least(search.point, here.right), node(here.right).least_row}, here.right};
  if (far < near) std::swap(near, far);
  if (search.takes(near.first)) visit_nearest(search, near.second);
  if (search.takes(far.first)) visit_nearest(search, far.second);
}

Index SearchTree::count_within(const double* query, double limit) const {
  Index count = 0;
  std::vector<Index> open;
  if (!nodes_.empty()) open.push_back(0);
  while (!open.empty()) {
    const Index index = open.back();
    const Node& here = node(index);
    open.pop_back();
    if (least(query, index) > limit) continue;
    if (greatest_squared_distance({query, query}, box(index), periods_) <= limit) {
      count += here.end - here.begin;
    } else if (here.right != 0) {
      open.insert(open.end(), {index + 1, here.right});
    } else {
      const LeafDistances squares = squared_distances(query, here);
      count += std::count_if(squares.begin(), squares.begin() + (here.end - here.begin),
                             [&](double square) { return square <= limit; });
    }
  }
  return count;
}

void SearchTree::within(const double* query, double limit, std::vector<Index>& rows) const {
  std::vector<Index> open;
  if (!nodes_.empty()) open.push_back(0);
  while (!open.empty()) {
    const Index index = open.back();
    const Node& here = node(index);
    open.pop_back();
    if (least(query, index) > limit) continue;
    if (here.right != 0) {
      open.insert(open.end(), {index + 1, here.right});
      continue;
    }
    const LeafDistances squares = squared_distances(query, here);
    for (std::size_t j = 0; j < here.size(); ++j)
      if (squares[j] <= limit) rows.push_back(row(here, j));
  }
}

}  // namespace fovea
