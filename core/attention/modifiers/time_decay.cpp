#include <cmath>
#include <string_view>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/example.hpp"
#include "fovea/core/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class TimeDecay final : public ScoreModifier<Real> {
 public:
  TimeDecay(Vector<Real> t_query, Vector<Real> t_key) : t_query_(std::move(t_query)), t_key_(std::move(t_key)) {
    check_times("t_query", t_query_);
    check_times("t_key", t_key_);
  }

  Index parameter_count(Index) const override { return 1; }
  bool reads_scores() const override { return false; }

  void check(const AttentionShape& shape) const override {
    require(t_query_.size() == shape.queries && t_key_.size() == shape.keys, "time_decay: there are times for ",
            t_query_.size(), " queries and ", t_key_.size(), " keys, but attend() got ", shape.queries, " queries and ",
            shape.keys, " keys; each needs exactly one time.");
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real rate = exponential(theta[0]);
    const Real* times = key_times(tile);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().subtract_age(tile.row(i), times, t_query_[tile.query(i)], rate, tile.key_count);
  }

  // ds'/ds = 1,  ds'/dtheta = -rate |t_query - t_key|
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real rate = exponential(theta[0]);
    const Real* times = key_times(gradient);
    for (Index i = 0; i < gradient.query_count; ++i)
      theta_gradient[0] -=
          rate * kernels<Real>().age_dot(gradient.row(i), times, t_query_[gradient.query(i)], gradient.key_count);
  }

 private:
  static void check_times(std::string_view name, const Vector<Real>& times) {
    for (Index i = 0; i < times.size(); ++i)
      require(std::isfinite(times[i]), "time_decay: ", name, "[", i, "] is ", times[i], ", but must be finite.");
  }

  /// The times of the tile's keys, one after the other.
  const Real* key_times(const TileRange& tile) const {
    if (!tile.key_list) return t_key_.data() + tile.first_key;
    static thread_local std::vector<Real> listed;
    listed.resize(static_cast<std::size_t>(tile.key_count));
    for (Index j = 0; j < tile.key_count; ++j) listed[static_cast<std::size_t>(j)] = t_key_[tile.key(j)];
    return listed.data();
  }

  Vector<Real> t_query_, t_key_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay(Vector<Real> t_query, Vector<Real> t_key) {
  return std::make_shared<TimeDecay<Real>>(std::move(t_query), std::move(t_key));
}
template std::shared_ptr<const ScoreModifier<float>> time_decay(Vector<float>, Vector<float>);
template std::shared_ptr<const ScoreModifier<double>> time_decay(Vector<double>, Vector<double>);

namespace {

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> example_time_decay(const ExampleProblem& problem) {
  Vector<Real> t_query(problem.query_count), t_key(problem.key_count);
  for (Index i = 0; i < t_query.size(); ++i) t_query[i] = static_cast<Real>(0.37 * static_cast<double>((5 * i) % 11));
  for (Index j = 0; j < t_key.size(); ++j) t_key[j] = static_cast<Real>(0.29 * static_cast<double>((3 * j) % 13));
  return time_decay<Real>(std::move(t_query), std::move(t_key));
}

}  // namespace

template <typename Real>
ModifierEntry<Real> time_decay_entry() {
  return {"time_decay",
          "s - rate |t_query - t_key|",
          "theta = log rate",
          "Che et al. 2018",
          &example_time_decay<Real>,
          [](const ExampleProblem&) { return std::vector<Real>{Real(-0.7)}; }};
}
FOVEA_MODIFIER_ENTRY(time_decay)

}  // namespace fovea
