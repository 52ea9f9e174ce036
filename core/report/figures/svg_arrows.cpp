#include "fovea/core/report/figures/svg_arrows.hpp"

#include <cmath>

namespace fovea {
namespace {

constexpr double kBend = 0.13;       ///< of an edge: height of its control point over its length
constexpr double kMoreBend = 0.24;   ///< for each further edge between the same nodes
constexpr double kGap = 2;           ///< between the head and the node
constexpr double kHead = 9;          ///< length of the head of a thin line
constexpr double kLoop = 40;         ///< how far a loop stands off its node
constexpr double kOpening = 0.6;     ///< half the angle at which a loop leaves its node, radians
constexpr std::size_t kPieces = 20;  ///< of a bent line

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }

/// Straight up where the vector has no length.
Point unit(Point a) {
  const double length = std::hypot(a.x, a.y);
  return length > 0 ? (1 / length) * a : Point{0, -1};
}

Point turned(Point a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

/// The cubic curve through its four control points (Bezier).
Point on_curve(const Point (&p)[4], double t) {
  const double u = 1 - t;
  return u * u * u * p[0] + 3 * u * u * t * p[1] + (3 * u * t * t * p[2] + t * t * t * p[3]);
}

/// `end` is where the point of the head stands, `before` the control point that it comes from.
Arrow through(Point start, Point after, Point before, Point end) {
  Arrow arrow;
  arrow.tip = end;
  arrow.direction = unit(end - before);
  const Point control[4] = {start, after, before, end - 0.8 * kHead * arrow.direction};
  for (std::size_t k = 0; k <= kPieces; ++k)
    arrow.line.push_back(on_curve(control, static_cast<double>(k) / static_cast<double>(kPieces)));
  arrow.label = on_curve({start, after, before, end}, 0.5);
  return arrow;
}

Arrow loop(Point node, std::size_t rank, double radius, Point centre) {
  const Point out = unit(node - centre), left = turned(out, -kOpening), right = turned(out, kOpening);
  const double far = radius + kLoop * (1 + 0.6 * static_cast<double>(rank));
  Arrow arrow = through(node + radius * left, node + far * left, node + far * right, node + (radius + kGap) * right);
  arrow.label = node + (0.65 * far + 3) * out;
  return arrow;
}

}  // namespace

Arrow arrow_between(const std::vector<Point>& nodes, std::size_t source, std::size_t target, std::size_t rank,
                    double radius, Point centre) {
  const Point from = nodes[source], to = nodes[target];
  if (source == target) return loop(from, rank, radius, centre);
  const Point across = to - from;
  const double bend = kBend + kMoreBend * static_cast<double>(rank);
  const Point control = 0.5 * (from + to) + bend * Point{across.y, -across.x};
  // The control points of the cubic that is the quadratic through `control`.
  const Point start = from + radius * unit(control - from), end = to - (radius + kGap) * unit(to - control);
  return through(start, start + (2.0 / 3) * (control - start), end + (2.0 / 3) * (control - end), end);
}

std::vector<Point> arrow_head(const Arrow& arrow, double width) {
  const double length = kHead + width, half = 0.36 * length + 0.3 * width;
  const Point foot = arrow.tip - length * arrow.direction, side{-arrow.direction.y, arrow.direction.x};
  return {arrow.tip, foot + half * side, foot - half * side};
}

}  // namespace fovea
