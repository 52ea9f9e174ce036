#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::society {

namespace {

/// A sunflower spiral: even over the disc, no two nodes at one place.
Matrix<double> spiral(Index nodes) {
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  Matrix<double> place(nodes, 2);
  for (Index i = 0; i < nodes; ++i) {
    const double radius = std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(nodes));
    const double angle = golden_angle * static_cast<double>(i);
    place(i, 0) = radius * std::cos(angle);
    place(i, 1) = radius * std::sin(angle);
  }
  return place;
}

/// A square of the page, cut in four again and again until it holds few nodes (Barnes and Hut 1986). Its nodes push
/// from afar as if all were at their centre.
struct Square {
  double x = 0, y = 0;              // centre of its nodes' masses
  double size = 0, mass = 0;        // side length, sum of its nodes' masses
  std::size_t first = 0, last = 0;  // its nodes, in the order of the tree
  std::size_t next = 0;             // the square behind it and all its parts
  bool is_leaf = false;
};

class SquareTree {
 public:
  SquareTree(const Matrix<double>& place, const std::vector<double>& mass)
      : place_(place), mass_(mass), order_(mass.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    const double left = place.col(0).minCoeff(), bottom = place.col(1).minCoeff();
    const double size = std::max(place.col(0).maxCoeff() - left, place.col(1).maxCoeff() - bottom) + 1e-12;
    add(left, bottom, size, 0, order_.size(), 0);
  }

  /// The sum of mass_j (i - j) / |i - j|^2 over all nodes j.
  Eigen::RowVector2d push_on(Index i) const {
    constexpr double kNear = 0.8;      // a square is looked into if it is larger than this share of its distance
    constexpr double kSoftest = 1e-9;  // two nodes at one place do not push
    const double x = place_(i, 0), y = place_(i, 1);
    double fx = 0, fy = 0;
    const auto push = [&](double from_x, double from_y, double mass) {
      const double dx = x - from_x, dy = y - from_y, scale = mass / (dx * dx + dy * dy + kSoftest);
      fx += dx * scale;
      fy += dy * scale;
    };
    for (std::size_t s = 0; s < squares_.size();) {
      const Square& square = squares_[s];
      const double dx = x - square.x, dy = y - square.y;
      if (square.size * square.size < kNear * kNear * (dx * dx + dy * dy)) {
        push(square.x, square.y, square.mass);
        s = square.next;
      } else if (square.is_leaf) {
        for (std::size_t k = square.first; k < square.last; ++k)
          push(place_(order_[k], 0), place_(order_[k], 1), mass_of(order_[k]));
        s = square.next;
      } else {
        ++s;
      }
    }
    return {fx, fy};
  }

 private:
  void add(double left, double bottom, double size, std::size_t first, std::size_t last, int depth) {
    constexpr std::size_t kFew = 8;
    constexpr int kDeepest = 40;  // where nodes lie at one place
    const std::size_t mine = squares_.size();
    squares_.emplace_back();
    Square square;
    for (std::size_t k = first; k < last; ++k) {
      const double mass = mass_of(order_[k]);
      square.mass += mass;
      square.x += mass * place_(order_[k], 0);
      square.y += mass * place_(order_[k], 1);
    }
    square.x /= square.mass;
    square.y /= square.mass;
    square.size = size;
    square.first = first;
    square.last = last;
    square.is_leaf = last - first <= kFew || depth == kDeepest;
    if (!square.is_leaf) add_parts(left, bottom, size / 2, first, last, depth + 1);
    square.next = squares_.size();
    squares_[mine] = square;
  }

  void add_parts(double left, double bottom, double half, std::size_t first, std::size_t last, int depth) {
    const auto begin = order_.begin();
    const auto at = [&](std::size_t k) { return begin + static_cast<std::ptrdiff_t>(k); };
    const auto is_low = [&](Index i) { return place_(i, 1) < bottom + half; };
    const auto is_left = [&](Index i) { return place_(i, 0) < left + half; };
    // Stable, so that nothing depends on the library.
    const auto middle = std::stable_partition(at(first), at(last), is_low);
    const auto low_middle = std::stable_partition(at(first), middle, is_left);
    const auto high_middle = std::stable_partition(middle, at(last), is_left);
    const std::size_t cuts[5] = {first, static_cast<std::size_t>(low_middle - begin),
                                 static_cast<std::size_t>(middle - begin),
                                 static_cast<std::size_t>(high_middle - begin), last};
    for (std::size_t part = 0; part < 4; ++part)
      if (cuts[part] < cuts[part + 1])
        add(left + (part % 2 == 0 ? 0 : half), bottom + (part < 2 ? 0 : half), half, cuts[part], cuts[part + 1], depth);
  }

  double mass_of(Index i) const { return mass_[i]; }

  const Matrix<double>& place_;
  const std::vector<double>& mass_;
  std::vector<Index> order_;
  std::vector<Square> squares_;  // each followed by its parts
};

/// Repulsion of all others, distance `rest` squared over distance, and a pull to the centre.
void repel(const Matrix<double>& place, const std::vector<double>& mass, double rest, Matrix<double>& force) {
  constexpr double kCentrePull = 0.6;  // keeps unconnected parts on the page
  const SquareTree tree(place, mass);
  const Index n = place.rows();
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < n; ++i) {
    const double own = mass[i];
    force.row(i) = own * (rest * rest * tree.push_on(i) - kCentrePull * place.row(i));
  }
}

/// Whoever knows many pushes and is pushed more (Jacomy et al. 2014), so that the core of a network has room; mean 1.
std::vector<double> masses(const Graph& graph) {
  std::vector<double> mass;
  double sum = 0;
  for (const Index degree : degrees(graph)) sum += mass.emplace_back(std::sqrt(static_cast<double>(degree + 1)));
  for (double& m : mass) m *= static_cast<double>(mass.size()) / sum;
  return mass;
}

/// Turns the drawing so that it is widest from left to right, as the page is.
void turn_wide(Matrix<double>& place) {
  const Eigen::RowVector2d centre = place.colwise().mean();
  double xx = 0, xy = 0, yy = 0;
  for (Index i = 0; i < place.rows(); ++i) {
    const double x = place(i, 0) - centre[0], y = place(i, 1) - centre[1];
    xx += x * x, xy += x * y, yy += y * y;
  }
  const double angle = 0.5 * std::atan2(2 * xy, xx - yy), c = std::cos(angle), s = std::sin(angle);
  for (Index i = 0; i < place.rows(); ++i) {
    const double x = place(i, 0) - centre[0], y = place(i, 1) - centre[1];
    place.row(i) << c * x + s * y, c * y - s * x;
  }
}

/// A few that stand far outside must not make all others small: what is beyond the inner 98 % along an axis is drawn
/// nearer, in the same order.
void draw_in(Matrix<double>& place) {
  for (Index axis = 0; axis < 2; ++axis) {
    std::vector<double> sorted(place.col(axis).begin(), place.col(axis).end());
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted_quantile(sorted, 0.01), high = sorted_quantile(sorted, 0.99);
    const double scale = 0.1 * (high - low) + 1e-12;
    for (Index i = 0; i < place.rows(); ++i) {
      double& x = place(i, axis);
      if (x > high) x = high + scale * std::log1p((x - high) / scale);
      if (x < low) x = low - scale * std::log1p((low - x) / scale);
    }
  }
}

void fit_unit_square(Matrix<double>& place) {
  const double left = place.col(0).minCoeff(), bottom = place.col(1).minCoeff();
  const double width = place.col(0).maxCoeff() - left, height = place.col(1).maxCoeff() - bottom;
  const double size = std::max({width, height, 1e-12});
  for (Index i = 0; i < place.rows(); ++i) {
    place(i, 0) = 0.5 + (place(i, 0) - left - 0.5 * width) / size;
    place(i, 1) = 0.5 + (place(i, 1) - bottom - 0.5 * height) / size;
  }
}

/// Springs and repulsion, into the unit square.
Matrix<double> spring_layout(const Graph& graph, int rounds) {
  Matrix<double> place = spiral(graph.nodes);
  Matrix<double> force(graph.nodes, 2);
  const double rest = std::sqrt(std::numbers::pi / static_cast<double>(graph.nodes));
  const std::vector<double> mass = masses(graph);
  for (int round = 0; round < rounds; ++round) {
    repel(place, mass, rest, force);
    for (const Edge& edge : graph.edges) {
      const Eigen::RowVector2d between = place.row(edge[0]) - place.row(edge[1]);
      const Eigen::RowVector2d pull = between * (between.norm() / rest);
      force.row(edge[0]) -= pull;
      force.row(edge[1]) += pull;
    }
    // The permitted move shrinks to nothing, so that the drawing settles whatever the forces.
    const double longest = 0.1 * (1 - static_cast<double>(round) / rounds);
    for (Index i = 0; i < graph.nodes; ++i) {
      const double length = force.row(i).norm();
      if (length > 0) place.row(i) += force.row(i) * (std::min(length, longest) / length);
    }
  }
  turn_wide(place);
  draw_in(place);
  fit_unit_square(place);
  return place;
}

/// Nodes of parts that are not tiny beside the largest, ascending, and of the others, one part after the other.
void split_by_parts(const Graph& graph, std::vector<Index>& joined, std::vector<Index>& alone) {
  constexpr Index kTiny = 50;  // so many times smaller than the largest part
  const std::vector<Index> part = connected_parts(graph);
  std::vector<Index> size(part.size(), 0);
  for (const Index p : part) ++size[p];
  const Index largest = *std::max_element(size.begin(), size.end());
  const auto is_tiny = [&](Index p) { return kTiny * size[p] < largest; };
  for (std::size_t i = 0; i < part.size(); ++i) (is_tiny(part[i]) ? alone : joined).push_back(static_cast<Index>(i));
  std::stable_sort(alone.begin(), alone.end(), [&](Index a, Index b) { return part[a] < part[b]; });
}

/// In even rows along the lower edge, of the height `height` together.
Eigen::RowVector2d place_in_rows(std::size_t k, std::size_t count, double height) {
  const auto n = static_cast<double>(count);
  const double rows = std::ceil(std::sqrt(n * height)), per_row = std::ceil(n / rows);
  const double row = std::floor(static_cast<double>(k) / per_row);
  return {(static_cast<double>(k) - row * per_row + 0.5) / per_row, height * row / rows};
}

}  // namespace

Matrix<double> layout(const Graph& graph, int rounds) {
  require(graph.nodes > 0, "layout: the graph has no nodes; at least one is needed.");
  std::vector<Index> number(graph.nodes, -1), joined, alone;
  split_by_parts(graph, joined, alone);
  for (std::size_t k = 0; k < joined.size(); ++k) number[joined[k]] = static_cast<Index>(k);
  if (alone.empty()) return spring_layout(graph, rounds);
  // Pushed away by all and held by few, the small parts would take most of the page.
  Graph rest{static_cast<Index>(joined.size()), {}, {}};
  for (const Edge& edge : graph.edges)
    if (const Index from = number[edge[0]]; from >= 0) rest.edges.push_back({from, number[edge[1]]});
  const Matrix<double> inner = spring_layout(rest, rounds);
  const double share = static_cast<double>(alone.size()) / static_cast<double>(number.size());
  const double height = std::clamp(0.5 * share, 0.03, 0.4);
  Matrix<double> place(graph.nodes, 2);
  for (std::size_t k = 0; k < joined.size(); ++k) {
    const auto row = inner.row(static_cast<Index>(k));
    place.row(joined[k]) << row[0], height + 0.04 + (1 - height - 0.04) * row[1];
  }
  for (std::size_t k = 0; k < alone.size(); ++k) place.row(alone[k]) = place_in_rows(k, alone.size(), height);
  return place;
}

void write_places(const Graph& graph, const std::string& nodes, Results& results) {
  const Matrix<double> place = layout(graph);
  for (const Index axis : {0, 1})
    results.add(axis == 0 ? "node_x" : "node_y", {nodes},
                std::vector<double>(place.col(axis).begin(), place.col(axis).end()), "1",
                "position of the node in the drawing");
}

void write_edges(const Graph& graph, const std::string& node, Results& results) {
  results.data.dimension("edge", graph.edges.size());
  rows("edge", graph.edges)
      .integer(
          "edge_source", [](const Edge& edge) { return edge[0]; }, node + " at one end of the edge")
      .integer(
          "edge_target", [](const Edge& edge) { return edge[1]; }, node + " at the other end of the edge")
      .write(results);
}

}  // namespace fovea::opinion::society
