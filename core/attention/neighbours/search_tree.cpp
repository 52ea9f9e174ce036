#include "fovea/core/attention/neighbours/search_tree.hpp"

#include <algorithm>
#include <numeric>

namespace fovea {
namespace {

constexpr Index kLeafPoints = 12;  // measured: 8 to 16 make no difference

}  // namespace

/// What nearest() carries through the tree. found: a heap, the last candidate on top.
struct NearestSearch {
  const double* point;
  std::size_t wanted;
  Index left_out;
  std::vector<Candidate>& found;

  bool takes(const Candidate& candidate) const { return found.size() < wanted || candidate < found.front(); }

  void take(const Candidate& candidate) {
    if (found.size() == wanted) {
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
  rows_.resize(static_cast<std::size_t>(count));
  std::iota(rows_.begin(), rows_.end(), coordinates.sets().first_key(set));
  build(0, count, rows_, coordinates);
  points_.resize(static_cast<std::size_t>(count * dimensions_));
  for (Index place = 0; place < count; ++place)
    std::copy_n(coordinates.key(row(place)), dimensions_, points_.data() + place * dimensions_);
}

Index SearchTree::build(Index begin, Index end, std::vector<Index>& rows, const CheckedCoordinates& coordinates) {
  const Index index = static_cast<Index>(nodes_.size());
  const auto first = rows.begin() + begin, last = rows.begin() + end;
  nodes_.push_back({begin, end, 0, *std::min_element(first, last)});
  boxes_.insert(boxes_.end(), coordinates.key(*first), coordinates.key(*first) + dimensions_);
  boxes_.insert(boxes_.end(), coordinates.key(*first), coordinates.key(*first) + dimensions_);
  double* lower = boxes_.data() + 2 * index * dimensions_;
  for (auto each = first; each != last; ++each) widen(lower, lower + dimensions_, coordinates.key(*each), dimensions_);
  if (end - begin <= kLeafPoints) return index;
  const Index axis = widest_axis(index), middle = begin + (end - begin) / 2;
  // Equal coordinates are parted by row: halves of any points, and the lower rows of duplicates are found together.
  std::nth_element(first, rows.begin() + middle, last, [&](Index a, Index b) {
    const double x = coordinates.key(a)[axis], y = coordinates.key(b)[axis];
    return x < y || (x == y && a < b);
  });
  build(begin, middle, rows, coordinates);
  const Index right = build(middle, end, rows, coordinates);
  nodes_[static_cast<std::size_t>(index)].right = right;
  return index;
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
  NearestSearch search{query, static_cast<std::size_t>(k), left_out, found};
  if (!nodes_.empty() && k > 0) visit_nearest(search, 0);
}

void SearchTree::visit_nearest(NearestSearch& search, Index index) const {
  const Node& here = node(index);
  if (here.right == 0) {
    for (Index place = here.begin; place < here.end; ++place) {
      const Candidate candidate{squared_distance(search.point, point(place), periods_), row(place)};
      if (candidate.second != search.left_out && search.takes(candidate)) search.take(candidate);
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
      for (Index place = here.begin; place < here.end; ++place)
        count += squared_distance(query, point(place), periods_) <= limit;
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
    for (Index place = here.begin; place < here.end; ++place)
      if (squared_distance(query, point(place), periods_) <= limit) rows.push_back(row(place));
  }
}

}  // namespace fovea
