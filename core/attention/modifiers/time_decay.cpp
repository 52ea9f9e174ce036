#include <cmath>
#include <string_view>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/modifiers.hpp"
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

  Index parameter_count() const override { return 1; }

  void check(Index queries, Index keys) const override {
    require(t_query_.size() == queries && t_key_.size() == keys, "time_decay: there are times for ", t_query_.size(),
            " queries and ", t_key_.size(), " keys, but attend() got ", queries, " queries and ", keys,
            " keys; each needs exactly one time.");
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

}  // namespace fovea
