#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/event_times.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/example_times.hpp"
#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {
namespace {

struct SubtractRatedAges {  // s - rate_j |now - t_j|
  template <typename Real>
  FOVEA_LOOP void operator()(Real* scores, const Real* times, const Real* rates, Real now, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) scores[j] -= rates[j] * std::abs(now - times[j]);
  }
};

struct AddWeightedAges {  // sums_j + g_j |now - t_j|
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* gradient, const Real* times, Real now, Real* sums, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) sums[j] += gradient[j] * std::abs(now - times[j]);
  }
};

template <typename Real>
class TimeDecayByClass final : public ScoreModifier<Real> {
 public:
  TimeDecayByClass(Vector<Real> t_query, Vector<Real> t_key, std::vector<Index> key_classes, Index classes,
                   const ClassDecayOptions& options)
      : times_("time_decay_by_class", std::move(t_query), std::move(t_key), options.past_only),
        key_classes_(std::move(key_classes)),
        classes_(classes),
        sharing_(options.sharing) {
    require(classes >= 1, "time_decay_by_class: there are ", classes, " classes, but must be at least 1.");
    for (const Index c : key_classes_)
      require(c >= 0 && c < classes, "time_decay_by_class: a key is of class ", c, ", but must be in [0, ", classes,
              ").");
  }

  Index parameter_count(Index heads) const override { return classes_ * count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override {
    times_.check(shape);
    require(static_cast<Index>(key_classes_.size()) == shape.keys, "time_decay_by_class: there are ",
            key_classes_.size(), " classes of keys for ", shape.keys, " keys; each key needs one.");
  }
  KeySpan visible(const TileRange& range) const override { return times_.visible(range); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Real age = times_.least_age(range);
    if (age > std::numeric_limits<Real>::max()) return kMasked<Real>;  // no query sees a key
    Real least = rate(range, theta, 0);
    for (Index c = 1; c < classes_; ++c) least = std::min(least, rate(range, theta, c));
    return incoming - age * least;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    struct Rates;
    struct ClassRates;
    const Real* times = times_.of_keys(tile);
    Real *const rates = row_memory<Rates, Real>(tile.key_count), *const of_class =
                                                                     row_memory<ClassRates, Real>(classes_);
    for (Index c = 0; c < classes_; ++c) of_class[c] = rate(tile, theta, c);
    for (Index j = 0; j < tile.key_count; ++j) rates[j] = of_class[class_of(tile, j)];
    for (Index i = 0; i < tile.query_count; ++i)
      run_widest<SubtractRatedAges>(tile.row(i), times, static_cast<const Real*>(rates), times_.of_query(tile.query(i)),
                                    tile.key_count);
    times_.mask_future(tile, times);
  }

  // ds'/ds = 1,  ds'/dlog half-life = rate age
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    struct KeySums;
    struct ClassSums;
    const Real* times = times_.of_keys(gradient);
    Real *const of_keys = row_memory<KeySums, Real>(gradient.key_count), *const sums =
                                                                             row_memory<ClassSums, Real>(classes_);
    std::fill_n(of_keys, gradient.key_count, Real(0));
    std::fill_n(sums, classes_, Real(0));
    for (Index i = 0; i < gradient.query_count; ++i)
      run_widest<AddWeightedAges>(static_cast<const Real*>(gradient.row(i)), times, times_.of_query(gradient.query(i)),
                                  of_keys, gradient.key_count);
    for (Index j = 0; j < gradient.key_count; ++j) sums[class_of(gradient, j)] += of_keys[j];
    for (Index c = 0; c < classes_; ++c) theta_gradient[place(gradient, c)] += rate(gradient, theta, c) * sums[c];
  }

 private:
  Index class_of(const TileRange& tile, Index j) const { return key_classes_[tile.key(j)]; }
  std::size_t place(const TileRange& range, Index c) const { return place_of(sharing_, range) * classes_ + c; }
  Real rate(const TileRange& range, std::span<const Real> theta, Index c) const {
    constexpr Real kLn2 = Real(0.693147180559945309417);
    return times_.finite_rate(kLn2 * exponential(-theta[place(range, c)]));
  }

  EventTimes<Real> times_;
  std::vector<Index> key_classes_;
  Index classes_;
  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay_by_class(Vector<Real> t_query, Vector<Real> t_key,
                                                               std::vector<Index> key_classes, Index classes,
                                                               const ClassDecayOptions& options) {
  return std::make_shared<TimeDecayByClass<Real>>(std::move(t_query), std::move(t_key), std::move(key_classes), classes,
                                                  options);
}
#define FOVEA_TIME_DECAY_BY_CLASS(Real)                                    \
  template std::shared_ptr<const ScoreModifier<Real>> time_decay_by_class( \
      Vector<Real>, Vector<Real>, std::vector<Index>, Index, const ClassDecayOptions&);
FOVEA_TIME_DECAY_BY_CLASS(float)
FOVEA_TIME_DECAY_BY_CLASS(double)

template <typename Real>
ModifierEntry<Real> time_decay_by_class_entry() {
  return {"time_decay_by_class",
          "s - ln 2 / half_life_c |t_query - t_key|, c the class of the key",
          "theta = log half_life of each class, for all heads or for each",
          "Che et al. 2018",
          [](const ExampleProblem& problem) {
            std::vector<Index> classes;
            for (Index j = 0; j < problem.key_count; ++j) classes.push_back((j + j / 5) % 3);
            return time_decay_by_class<Real>(example_query_times<Real>(problem), example_key_times<Real>(problem),
                                             std::move(classes), 3, {Sharing::per_head, true});
          },
          [](const ExampleProblem& problem) {
            std::vector<Real> theta;
            for (Index head = 0; head < problem.heads; ++head)
              for (const Real start : {Real(0.4), Real(-0.8), Real(1.1)})
                theta.push_back(start - Real(0.3) * static_cast<Real>(head));
            return theta;
          },
          not_in_configs<Real>("tokens of a config have no classes; use the type \"time_decay\"")};
}
FOVEA_MODIFIER_ENTRY(time_decay_by_class)

}  // namespace fovea
