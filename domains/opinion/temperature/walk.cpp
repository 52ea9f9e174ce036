#include "fovea/domains/opinion/temperature/walk.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/archive.hpp"

namespace fovea::opinion::temperature {

namespace {

constexpr std::int64_t kLookEvery = 10;  // steps between two snapshots of a time average, or looks at the camps

/// Everything the walk could go on from: what a checkpoint holds.
struct State {
  bool bisecting = false;          ///< false on the grid
  std::int64_t position = 0;       ///< temperatures done on the grid, in the order of walking
  std::int64_t step = 0;           ///< steps at the present temperature
  std::int64_t total_steps = 0;    ///< of the run, for the noise
  bool settled = false;            ///< the present temperature is done
  bool at_rest = false;            ///< because nothing moved any more
  std::int64_t rounds = 0;         ///< bisections done
  std::int64_t not_at_rest = 0;    ///< bisections whose steps ran out
  std::int64_t snapshots = 0;      ///< in snapshot_sum
  double cold = kNan, hot = kNan;  ///< bracket of the transition
  Matrix<double> opinions;
  Matrix<double> before;  ///< at rest at the grid temperature before
  Matrix<double> safe;    ///< at rest at the near end of the bracket
  std::vector<double> snapshot_sum;
  std::vector<double> records;  ///< in the order of walking

  void visit(Archive archive) {
    archive("bisecting", bisecting);
    archive("position", position);
    archive("step", step);
    archive("total_steps", total_steps);
    archive("settled", settled);
    archive("at_rest", at_rest);
    archive("rounds", rounds);
    archive("not_at_rest", not_at_rest);
    archive("snapshots", snapshots);
    archive("cold", cold);
    archive("hot", hot);
    archive("opinions", opinions);
    archive("before", before);
    archive("safe", safe);
    archive("snapshot_sum", snapshot_sum);
    archive("records", records);
  }
};

class Walker {
 public:
  Walker(dynamics::Dynamics& crowd, const Observer& observer, const WalkSettings& settings, Workbench& bench)
      : crowd_(crowd), observer_(observer), settings_(settings), bench_(bench) {
    require(!settings.temperatures.empty(), "walk: there are no temperatures; at least one is needed.");
    require(std::is_sorted(settings.temperatures.begin(), settings.temperatures.end()),
            "walk: the temperatures must ascend.");
    begin();
    if (const std::optional<Dataset> saved = bench.restored()) restore_state(*saved, *this);
  }

  void visit(Archive archive) {
    archive.expect("crowd",
                   concat(crowd_.agents().count(), " agents with ", crowd_.agents().start.cols(), " components"));
    archive("walk", state_);
  }

  WalkResult run() {
    const auto count = static_cast<std::int64_t>(settings_.temperatures.size());
    while (state_.position < count) visit_grid_temperature();
    while (wants_bisection()) bisect();
    bench_.progress(1);
    return result();
  }

 private:
  bool noisy() const { return crowd_.settings().noise > 0; }
  double stubbornness(Index i) const {
    const std::vector<double>& own = crowd_.agents().stubbornness;
    return own.empty() ? crowd_.settings().stubbornness : own[i];
  }
  bool cooling() const { return settings_.branch == Branch::cooling; }

  std::size_t grid_index() const {
    const std::size_t position = state_.position;
    return cooling() ? settings_.temperatures.size() - 1 - position : position;
  }

  void begin() {
    state_.opinions = crowd_.agents().start;
    if (cooling()) {
      const Index n = crowd_.agents().count();
      const auto mean = (state_.opinions.colwise().sum() / static_cast<double>(n)).eval();
      for (Index i = 0; i < n; ++i)
        if (stubbornness(i) < 1) state_.opinions.row(i) = mean;
    }
    state_.before = state_.safe = state_.opinions;
    state_.snapshot_sum.assign(observer_.snapshot_size(), 0.0);
  }

  /// Lets the crowd move until it is settled. has_left: looked at now and then, ends a bisection early.
  template <typename HasLeft>
  void settle(double temperature, const HasLeft& has_left) {
    crowd_.set(dynamics::Control::temperature, temperature);
    const std::int64_t last = noisy() ? settings_.burn_in + settings_.average_steps : settings_.steps_max;
    while (!state_.settled) {
      previous_ = state_.opinions;
      crowd_.step(state_.opinions, state_.total_steps);
      const double change = dynamics::largest_change(previous_, state_.opinions);
      require(std::isfinite(change), "opinion: an opinion became infinite or NaN at temperature ", temperature,
              " after ", state_.step, " steps; lower model.noise or raise temperature.low.");
      ++state_.step;
      ++state_.total_steps;
      if (noisy()) add_snapshot();
      state_.at_rest = !noisy() && change < settings_.tolerance && may_rest();
      state_.settled = state_.at_rest || state_.step >= last ||
                       (state_.step % kLookEvery == 0 && has_left(observer_, state_.opinions));
      report_progress(static_cast<double>(state_.step) / static_cast<double>(last));
      bench_.checkpoint([this] { return saved_state(*this); });
    }
  }

  /// Plain averaging rests in consensus alone: camps that seem to stand still live for a time, and are waited for.
  bool may_rest() const { return !settings_.plain_averaging || observer_.consensus(state_.opinions); }

  void add_snapshot() {
    if (state_.step <= settings_.burn_in || (state_.step - settings_.burn_in) % kLookEvery != 0) return;
    const std::vector<double> now = observer_.snapshot(state_.opinions);
    for (std::size_t k = 0; k < now.size(); ++k) state_.snapshot_sum[k] += now[k];
    ++state_.snapshots;
  }

  void visit_grid_temperature() {
    const std::size_t index = grid_index();
    settle(settings_.temperatures[index], [](const Observer&, const Matrix<double>&) { return false; });
    add_record();
    if (!noisy()) bracket(index);
    state_.before = state_.opinions;
    ++state_.position;
    if (settings_.branch == Branch::fresh) state_.opinions = crowd_.agents().start;
    start_temperature();
  }

  void start_temperature() {
    state_.step = state_.snapshots = 0;
    state_.settled = state_.at_rest = false;
    std::fill(state_.snapshot_sum.begin(), state_.snapshot_sum.end(), 0.0);
  }

  void add_record() {
    std::vector<double> mean;
    if (state_.snapshots > 0) {
      mean = state_.snapshot_sum;
      for (double& value : mean) value /= static_cast<double>(state_.snapshots);
    }
    std::vector<double> record = observer_.record(crowd_, state_.opinions, mean);
    record[place_of("at_rest")] = state_.at_rest ? 1 : 0;
    record[place_of("steps")] = static_cast<double>(state_.step);
    state_.records.insert(state_.records.end(), record.begin(), record.end());
  }

  bool one_camp(const Matrix<double>& opinions) const { return observer_.camps(opinions) == 1; }

  /// Notes the last change between one camp and several (cooling: the first).
  void bracket(std::size_t index) {
    if (state_.position == 0 || settings_.branch == Branch::fresh) return;
    if (cooling() && !std::isnan(state_.hot)) return;
    const bool near_side = one_camp(state_.before) == cooling();
    if (!near_side || one_camp(state_.opinions) == cooling()) return;
    state_.cold = settings_.temperatures[cooling() ? index : index - 1];
    state_.hot = settings_.temperatures[cooling() ? index + 1 : index];
    state_.safe = state_.before;
  }

  bool wants_bisection() const {
    if (!settings_.find_transition || std::isnan(state_.hot)) return false;
    return state_.hot - state_.cold > settings_.resolution * state_.hot;
  }

  void bisect() {
    if (!state_.bisecting) state_.opinions = state_.safe;
    state_.bisecting = true;
    const double middle = std::sqrt(state_.cold * state_.hot);
    const bool one_at_start = cooling();
    const auto has_left = [one_at_start](const Observer& observer, const Matrix<double>& opinions) {
      return (observer.camps(opinions) == 1) != one_at_start;
    };
    settle(middle, has_left);
    const bool stays = one_camp(state_.opinions) == one_at_start;
    if (stays && !state_.at_rest) ++state_.not_at_rest;
    (stays == cooling() ? state_.hot : state_.cold) = middle;
    if (stays) state_.safe = state_.opinions;
    state_.opinions = state_.safe;
    ++state_.rounds;
    bench_.log(concat("bisection ", state_.rounds, ": transition in [", state_.cold, ", ", state_.hot, "]"));
    start_temperature();
  }

  void report_progress(double share) {
    // The grid counts for six tenths where a bisection follows: near the transition the crowd is slow.
    const auto count = static_cast<double>(settings_.temperatures.size());
    const double grid = settings_.find_transition && !noisy() ? 0.6 : 1.0;
    if (!state_.bisecting) {
      bench_.progress(grid * (static_cast<double>(state_.position) + std::min(share, 1.0)) / count);
      return;
    }
    const double left = std::log2((state_.hot / state_.cold - 1) / settings_.resolution);
    const auto done = static_cast<double>(state_.rounds);
    bench_.progress(grid + (1 - grid) * done / std::max(done + left, 1.0));
  }

  WalkResult result() const {
    WalkResult result;
    const std::size_t size = observer_.record_size(), count = settings_.temperatures.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t position = cooling() ? count - 1 - k : k;
      const auto first = state_.records.begin() + static_cast<std::ptrdiff_t>(position * size);
      result.records.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
    }
    result.cold = state_.cold;
    result.hot = state_.hot;
    result.bisections_not_at_rest = state_.not_at_rest;
    return result;
  }

  dynamics::Dynamics& crowd_;
  const Observer& observer_;
  const WalkSettings& settings_;
  Workbench& bench_;
  State state_;
  Matrix<double> previous_;
};

}  // namespace

WalkResult walk(dynamics::Dynamics& crowd, const Observer& observer, const WalkSettings& settings, Workbench& bench) {
  return Walker(crowd, observer, settings, bench).run();
}

}  // namespace fovea::opinion::temperature
