#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/listed_keys.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"
#include "fovea/core/attention/modifiers/parts/spatial_settings.hpp"
#include "fovea/core/attention/neighbours/distance.hpp"
#include "fovea/core/attention/neighbours/search.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

constexpr Index kBoxKeys = 64;
constexpr Index kLargeBoxKeys = 512;
constexpr Index kBoxQueries = 32;

/// A box in memory of its own.
struct OwnBox {
  std::array<double, kMostDimensions> lower{}, upper{};

  explicit OwnBox(const double* point, Index dimensions) {
    std::copy_n(point, dimensions, lower.data());
    std::copy_n(point, dimensions, upper.data());
  }
  void widen_to(const double* point, Index dimensions) { widen(lower.data(), upper.data(), point, dimensions); }
  BoxView view() const { return {lower.data(), upper.data()}; }
};

/// The boxes of so many rows each, counted from the start of a set.
class RowBoxes {
 public:
  RowBoxes(const Matrix<double>& points, const std::vector<Index>& offsets, Index rows_of_a_box)
      : size_(rows_of_a_box) {
    for (std::size_t set = 0; set + 1 < offsets.size(); ++set) {
      first_.push_back(static_cast<Index>(boxes_.size()));
      for (Index row = offsets[set]; row < offsets[set + 1]; ++row) {
        const double* point = points.data() + row * points.cols();
        if ((row - offsets[set]) % size_ == 0) boxes_.emplace_back(point, points.cols());
        boxes_.back().widen_to(point, points.cols());
      }
    }
  }

  Index size() const { return size_; }
  const OwnBox& box(Index set, Index place) const { return boxes_[first_[set] + place]; }

 private:
  Index size_;
  std::vector<Index> first_;  ///< of each set
  std::vector<OwnBox> boxes_;
};

/// Which keys are within the radius.
class RadiusTiles {
 public:
  RadiusTiles(CheckedCoordinates coordinates, double radius)
      : coordinates_(std::move(coordinates)),
        limit_(radius * radius),
        query_boxes_(coordinates_.queries(), sets().query_offsets, kBoxQueries),
        key_boxes_(coordinates_.keys(), sets().key_offsets, kBoxKeys),
        large_key_boxes_(coordinates_.keys(), sets().key_offsets, kLargeBoxKeys) {
    const Index keys = coordinates_.keys().rows();
    columns_.setZero(coordinates_.dimensions(), keys + kBoxKeys);  // so that 64 can be read from any key on
    columns_.leftCols(keys) = coordinates_.keys().transpose();
  }

  const PackedSets& sets() const { return coordinates_.sets(); }

  KeySpan visible(const TileRange& range) const {
    const OwnBox queries = box_of_queries(range);
    KeySpan span{range.key_count, 0};
    const auto is_near = [&](const BoxView& box) {
      return least_squared_distance(queries.view(), box, coordinates_.periods()) <= limit_;
    };
    for_each_box(large_key_boxes_, range, {0, range.key_count}, [&](const BoxView& large, KeySpan keys) {
      if (!is_near(large)) return;
      for_each_box(key_boxes_, range, keys, [&](const BoxView& box, KeySpan part) {
        if (!is_near(box)) return;
        span.begin = std::min(span.begin, part.begin);
        span.end = part.end;
      });
    });
    return span;
  }

  /// Calls forbid(begin, end) for the forbidden keys of the i-th query of the range.
  template <typename Forbid>
  void for_each_forbidden(const TileRange& range, Index i, const Forbid& forbid) const {
    const double* query = coordinates_.query(range.query(i));
    if (range.key_list) {
      for (Index j = 0; j < range.key_count; ++j)
        if (!(squared_distance(query, coordinates_.key(range.key(j)), coordinates_.periods()) <= limit_))
          forbid(j, j + 1);
      return;
    }
    for_each_box(key_boxes_, range, {0, range.key_count}, [&](const BoxView& box, KeySpan keys) {
      const auto [begin, end] = keys;
      if (least_squared_distance({query, query}, box, coordinates_.periods()) > limit_) {
        forbid(begin, end);
      } else if (greatest_squared_distance({query, query}, box, coordinates_.periods()) > limit_) {
        const std::array<double, kBoxKeys> squares = squared_distances(query, range.first_key + begin);
        for (Index j = begin; j < end; ++j)
          if (squares[j - begin] > limit_) forbid(j, j + 1);
      }
    });
  }

 private:
  /// A box that holds the queries of a range, and perhaps some more.
  OwnBox box_of_queries(const TileRange& range) const {
    const Index set = sets().set_of_query(range.first_query);
    Index place = range.query_position(0) / kBoxQueries;
    OwnBox all = query_boxes_.box(set, place);
    while (++place <= range.query_position(range.query_count - 1) / kBoxQueries) {
      const OwnBox& next = query_boxes_.box(set, place);
      all.widen_to(next.lower.data(), coordinates_.dimensions());
      all.widen_to(next.upper.data(), coordinates_.dimensions());
    }
    return all;
  }

  /// Calls visit(box, part) for the boxes that hold the keys of a span of a range, and the part of it that each holds.
  template <typename Visit>
  void for_each_box(const RowBoxes& boxes, const TileRange& range, KeySpan keys, const Visit& visit) const {
    const Index set = sets().set_of_query(range.first_query);
    for (Index begin = keys.begin; begin < keys.end;) {
      const Index place = range.key_position(begin) / boxes.size();
      const Index end = std::min(keys.end, (place + 1) * boxes.size() - range.key_position(0));
      visit(boxes.box(set, place).view(), KeySpan{begin, end});
      begin = end;
    }
  }

  /// From a query to 64 keys, the same bits as squared_distance(); axis by axis, which the compiler makes vectors of.
  std::array<double, kBoxKeys> squared_distances(const double* query, Index first_key) const {
    std::array<double, kBoxKeys> sums{};
    for (Index a = 0; a < coordinates_.dimensions(); ++a) {
      const double* keys = columns_.data() + a * columns_.cols() + first_key;
      const double period = coordinates_.periods()[a];
      for (std::size_t j = 0; j < sums.size(); ++j) {
        const double gap = gap_on_axis(query[a], keys[j], period);
        sums[j] += gap * gap;
      }
    }
    return sums;
  }

  CheckedCoordinates coordinates_;
  double limit_;
  RowBoxes query_boxes_, key_boxes_, large_key_boxes_;
  Matrix<double> columns_;  ///< D x (M + 64)
};

template <typename Real>
class Radius final : public Mask<Real> {
 public:
  explicit Radius(RadiusTiles tiles) : tiles_(std::move(tiles)) {}

  void check(const AttentionShape& shape) const override { check_same_sets("radius", tiles_.sets(), shape); }
  KeySpan visible(const TileRange& range) const override { return tiles_.visible(range); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real>) const override {
    return !range.key_list && visible(range).empty() ? kMasked<Real> : incoming;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      tiles_.for_each_forbidden(
          tile, i, [&](Index begin, Index end) { std::fill(tile.row(i) + begin, tile.row(i) + end, kMasked<Real>); });
  }

 private:
  RadiusTiles tiles_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> radius(Coordinates coordinates, double radius, PairsAs pairs) {
  require(radius > 0 && std::isfinite(radius), "radius: radius = ", radius, ", but must be > 0 and finite.");
  CheckedCoordinates checked("radius", std::move(coordinates));
  if (pairs == PairsAs::lists) return listed_keys<Real>("radius", keys_within(checked, radius), checked.sets());
  return std::make_shared<Radius<Real>>(RadiusTiles(std::move(checked), radius));
}
template std::shared_ptr<const ScoreModifier<float>> radius(Coordinates, double, PairsAs);
template std::shared_ptr<const ScoreModifier<double>> radius(Coordinates, double, PairsAs);

template <typename Real>
ModifierEntry<Real> radius_entry() {
  return {
      "radius",
      "s if |x_i - x_j| <= radius, else masked",
      "",
      "Qi et al. 2017",
      [](const ExampleProblem& problem) { return radius<Real>(example_coordinates(problem), 0.02, PairsAs::tiles); },
      &no_parameters<Real>,
      {"a token attends to the tokens of its set within a radius",
       {positive_setting("radius", 1, "that of the coordinates", "largest distance to a key"),
        flag_setting("tiles", false, "the same pairs in less memory, for radii that hold more than a hundred tokens"),
        periods_setting()},
       [](const ModifierValues& values, ModifierRows<Real> rows) {
         return radius<Real>(coordinates_of(values, std::move(rows)), values.real("radius"),
                             values.flag("tiles") ? PairsAs::tiles : PairsAs::lists);
       },
       ModifierAsks::coordinates}};
}
FOVEA_MODIFIER_ENTRY(radius)

}  // namespace fovea
