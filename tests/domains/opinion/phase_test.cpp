#include "fovea/domains/opinion/phase/phase.hpp"
#include "fovea/domains/opinion/phase/noisy.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

/// What the toys have in common: one control, one number for each agent.
class ToyCrowd : public dynamics::Dynamics {
 public:
  ToyCrowd(double control, Index size, double start, bool noisy, const Random& random)
      : random_(random), draws_(size), control_(control) {
    agents_.start = Matrix<double>::Constant(size, 1, start);
    settings_.model = "toy";
    settings_.noise = noisy ? 1 : 0;
  }
  void set(dynamics::Control, double) override {}
  Matrix<double> transposed_jacobian(const Matrix<double>&, const Matrix<double>&) const override { return {}; }
  const dynamics::Agents& agents() const override { return agents_; }
  const dynamics::ModelSettings& settings() const override { return settings_; }

 protected:
  dynamics::Agents agents_;
  dynamics::ModelSettings settings_;
  Random random_;
  std::vector<double> draws_;
  double control_;
};

/// Spins +-1 that all flip at once by the heat bath of their mean: tanh(m / T), critical at T = 1 (Curie and Weiss).
class SpinCrowd final : public ToyCrowd {
 public:
  SpinCrowd(double control, Index size, const Random& random) : ToyCrowd(control, size, 1, true, random) {}
  void step(Matrix<double>& spins, std::int64_t number) override {
    const double up = 0.5 * (1 + std::tanh(spins.sum() / static_cast<double>(spins.rows()) / control_));
    for (Index i = 0; i < spins.rows(); ++i)
      spins(i, 0) = random_.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(number)) < up ? 1 : -1;
  }
};

/// All at one place in a tilted double well, x' = h + y - y^3 with y = x - 2 and h = control - 1: two branches, which
/// end at h = +-2 / (3 sqrt 3). With noise each agent is pushed on its own, and the mean feels it by 1 / sqrt(N).
class WellCrowd final : public ToyCrowd {
 public:
  WellCrowd(double control, Index size, bool noisy, const Random& random) : ToyCrowd(control, size, 1, noisy, random) {}
  void step(Matrix<double>& x, std::int64_t number) override {
    const double y = x.sum() / static_cast<double>(x.rows()) - 2;
    const double next = 2 + y + 0.1 * (control_ - 1 + y - y * y * y);
    if (settings_.noise > 0) random_.normals(0, static_cast<std::uint64_t>(number), draws_);
    for (Index i = 0; i < x.rows(); ++i) x(i, 0) = next + (settings_.noise > 0 ? 0.5 * draws_[i] : 0);
  }
};
const double kWellFold = 2 / (3 * std::sqrt(3.0));

/// floor(control) camps, at once.
class StairCrowd final : public ToyCrowd {
 public:
  StairCrowd(double control, Index size) : ToyCrowd(control, size, 0, false, Random(1)) {}
  void step(Matrix<double>& x, std::int64_t) override {
    for (Index i = 0; i < x.rows(); ++i) x(i, 0) = std::fmod(static_cast<double>(i), std::floor(control_));
  }
};

/// All at one place that leaves 0 without a jump where the control is 1: x' = (control - 1) x - x^3.
class ForkCrowd final : public ToyCrowd {
 public:
  ForkCrowd(double control, Index size) : ToyCrowd(control, size, 1, false, Random(1)) {}
  void step(Matrix<double>& x, std::int64_t) override {
    for (Index i = 0; i < x.rows(); ++i) x(i, 0) += 0.1 * ((control_ - 1) * x(i, 0) - std::pow(x(i, 0), 3));
  }
};

phase::PhaseSettings spin_search() {
  phase::PhaseSettings settings;
  settings.noisy = true;
  settings.low = 0.5;
  settings.high = 2;
  settings.points = 7;
  settings.sizes = {32, 64, 256};
  settings.replicas = 3;
  settings.burn_in = 100;
  settings.steps = 1000;
  settings.measure_every = 2;
  settings.precision = 0.02;
  settings.rounds_max = 3;
  settings.draws = 100;
  settings.up_from = phase::Prepared::consensus;
  return settings;
}

phase::PhaseFindings search_spins(const phase::PhaseSettings& settings, std::uint64_t seed, Workbench& bench) {
  const Random random(seed);
  return phase::find_transitions(
      settings,
      [&](double control, Index size, Index replica, Index walk) {
        return std::make_shared<SpinCrowd>(control, size, random.stream(concat(size, " ", replica, " ", walk)));
      },
      random.stream("draws"), bench);
}

phase::PhaseSettings well_search() {
  phase::PhaseSettings settings;
  settings.low = 0.3;
  settings.high = 1.7;
  settings.logarithmic = false;
  settings.points = 8;
  settings.order = phase::Order::mean;
  settings.sizes = {4, 16};
  settings.up_from = settings.down_from = phase::Prepared::spread;
  settings.tolerance = 1e-6;  // coarser than the default: the jumps are wide
  settings.steps_max = 100000;
  settings.resolution = 0.002;
  settings.replicas = 8;
  return settings;
}

std::vector<double> numbers_of(const phase::PhaseFindings& findings) {
  std::vector<double> numbers{findings.crossing.control, findings.crossing.low, findings.crossing.high,
                              findings.peaks_chance, static_cast<double>(findings.steps)};
  for (const phase::PhasePoint& point : findings.points)
    numbers.insert(numbers.end(), {point.control, point.order, point.binder, point.correlation_time});
  numbers.insert(numbers.end(), findings.histogram.begin(), findings.histogram.end());
  return numbers;
}

bool same_findings(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("the search finds the critical temperature of Curie and Weiss untold", "[phase][statistics][long]") {
  const auto bench = plain_workbench();
  const phase::PhaseFindings found =
      search_spins(spin_search(), 2, *bench);  // seed 2, the first that was tried after 1
  REQUIRE(found.kind == phase::TransitionKind::continuous);
  CAPTURE(found.crossing.control, found.crossing.low, found.crossing.high, found.crossing.binder);
  // 32 spins are few: their crossings lie beside T = 1 by about 1 / (4 N)
  CHECK(std::abs(found.crossing.control - 1) < 0.02);
  CHECK(std::abs(found.crossing.binder - 0.270520) < 0.05);
  CHECK(found.peaks == 1);
  // A coarse look, 13 controls, then 7 in each round with twice the steps; smaller crowds walk longer.
  double steps = 0;
  for (Index round = 0; round <= found.rounds; ++round)
    for (const double size : {32.0, 64.0, 256.0}) {
      const double controls = round == 0 ? 7 : round == 1 ? 13 : 7;
      const double longer = round == 0 ? 1 : std::sqrt(256 / size);
      const double measured = std::round(longer * std::ldexp(1000, static_cast<int>(std::max<Index>(0, round - 1))));
      steps += 3 * 2 * (100 + controls * (100 + measured));
    }
  CHECK(static_cast<double>(found.steps) == steps);
}

TEST_CASE("a search has the same bits on 1, 2, 3 and 5 threads", "[phase][threads]") {
  phase::PhaseSettings settings = spin_search();
  settings.sizes = {8, 16};
  settings.rounds_max = 2;
  settings.steps = 200;
  const int before = omp_get_max_threads();
  std::vector<std::vector<double>> all;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const auto bench = plain_workbench();
    all.push_back(numbers_of(search_spins(settings, 7, *bench)));
  }
  omp_set_num_threads(before);
  for (const auto& numbers : all) CHECK(same_findings(numbers, all.front()));
}

TEST_CASE("a search that was stopped and resumed ends as one that was not", "[phase][resume]") {
  phase::PhaseSettings settings = spin_search();
  settings.sizes = {16, 32};
  settings.replicas = 2;
  settings.points = 5;
  settings.rounds_max = 2;
  settings.slice = 10000;
  const auto plain = plain_workbench();
  const std::vector<double> whole = numbers_of(search_spins(settings, 3, *plain));
  for (const int at : {1, 3, 7, 12}) {
    support::StoppingBench stopping(at);
    CHECK_THROWS_AS(search_spins(settings, 3, stopping), Interrupted);
    REQUIRE(stopping.saved);
    support::StoppingBench resuming(*stopping.saved);
    CHECK(same_findings(numbers_of(search_spins(settings, 3, resuming)), whole));
  }
}

TEST_CASE("a bisection that was stopped and resumed ends as one that was not", "[phase][resume]") {
  phase::PhaseSettings settings = well_search();
  settings.slice = 1000;
  const auto search = [&](Workbench& bench) {
    const phase::PhaseFindings found = phase::find_transitions(
        settings,
        [](double control, Index size, Index, Index) {
          return std::make_shared<WellCrowd>(control, size, false, Random(1));
        },
        Random(1), bench);
    std::vector<double> numbers = numbers_of(found);
    for (const phase::FoundJump& jump : found.jumps)
      numbers.insert(numbers.end(), {jump.low, jump.high, jump.order_after});
    return numbers;
  };
  const auto plain = plain_workbench();
  const std::vector<double> whole = search(*plain);
  for (const int at : {1, 2, 5, 10}) {
    support::StoppingBench stopping(at);
    CHECK_THROWS_AS(search(stopping), Interrupted);
    REQUIRE(stopping.saved);
    support::StoppingBench resuming(*stopping.saved);
    CHECK(same_findings(search(resuming), whole));
  }
}

TEST_CASE("without noise both ends of a loop are bracketed, from their own sides", "[phase]") {
  phase::PhaseSettings settings = well_search();
  settings.tolerance = 1e-10;
  settings.resolution = 1e-4;
  const auto bench = plain_workbench();
  const phase::PhaseFindings found = phase::find_transitions(
      settings,
      [](double control, Index size, Index, Index) {
        return std::make_shared<WellCrowd>(control, size, false, Random(1));
      },
      Random(1), *bench);
  CHECK(found.kind == phase::TransitionKind::first_order);
  // The walk down begins at x = 1, in the left well, but at h = 0.7 there is only the right one.
  REQUIRE(found.jumps.size() == 4);
  for (const phase::FoundJump& jump : found.jumps) {
    const double fold = jump.direction == phase::Direction::up ? 1 + kWellFold : 1 - kWellFold;
    CAPTURE(jump.low, jump.high, fold);
    // steps become infinitely small at a fold, so a crowd within 1e-10 of it passes for one at rest
    CHECK(jump.low <= fold * (1 + 1e-6));
    CHECK(jump.high >= fold * (1 - 1e-6));
    CHECK(jump.high - jump.low <= 1e-4 * jump.low);
  }
  CHECK(found.loop_area.front() > 0.5);
}

TEST_CASE("with noise an open loop is a first-order transition, and its ends are near the folds", "[phase]") {
  phase::PhaseSettings settings = well_search();
  settings.noisy = true;
  settings.sizes = {64, 256};
  settings.replicas = 3;
  settings.burn_in = 100;
  settings.steps = 200;
  settings.precision = 0.02;
  settings.rounds_max = 2;
  const Random random(4);
  const auto bench = plain_workbench();
  const phase::PhaseFindings found = phase::find_transitions(
      settings,
      [&](double control, Index size, Index replica, Index walk) {
        return std::make_shared<WellCrowd>(control, size, true, random.stream(concat(size, " ", replica, " ", walk)));
      },
      random, *bench);
  CHECK(found.kind == phase::TransitionKind::first_order);
  CHECK(std::isnan(found.crossing.control));
  CHECK(found.peaks == 2);
  REQUIRE(found.jumps.size() == 4);
  for (const phase::FoundJump& jump : found.jumps) {
    const double fold = jump.direction == phase::Direction::up ? 1 + kWellFold : 1 - kWellFold;
    CHECK(std::abs(jump.at() - fold) < 0.15);  // noise leaves a branch before its end
  }
}

TEST_CASE("several transitions in one range are all found", "[phase]") {
  phase::PhaseSettings settings = well_search();
  settings.low = 1.5;
  settings.high = 5.5;
  settings.points = 5;  // two steps of the stair lie between neighbours of the grid now and then
  settings.sizes = {60};
  settings.fresh = true;
  settings.resolution = 1e-5;
  const auto bench = plain_workbench();
  const phase::PhaseFindings found = phase::find_transitions(
      settings, [](double control, Index size, Index, Index) { return std::make_shared<StairCrowd>(control, size); },
      Random(1), *bench);
  REQUIRE(found.jumps.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const double at = 2 + static_cast<double>(k);
    CHECK(found.jumps[k].low <= at);
    CHECK(found.jumps[k].high >= at);
    CHECK(found.jumps[k].camps_after == at);
  }
}

TEST_CASE("at rest an order parameter that leaves 0 without a jump is found, and is continuous", "[phase]") {
  phase::PhaseSettings settings = well_search();
  settings.low = 0.6;
  settings.high = 1.9;
  settings.fresh = true;
  settings.tolerance = 1e-10;
  settings.resolution = 1e-4;
  const auto bench = plain_workbench();
  const phase::PhaseFindings found = phase::find_transitions(
      settings, [](double control, Index size, Index, Index) { return std::make_shared<ForkCrowd>(control, size); },
      Random(1), *bench);
  CHECK(found.kind == phase::TransitionKind::continuous);
  REQUIRE(found.jumps.size() == 2);  // one of each size
  for (const phase::FoundJump& jump : found.jumps) {
    CHECK(jump.smooth);
    // 1 % of the range is reached at 1 + (0.01 range)^2
    CHECK(std::abs(jump.at() - 1) < 2e-4);
  }
}

TEST_CASE("where replicas differ a jump is their mean, with its interval", "[phase]") {
  phase::PhaseSettings settings = well_search();
  settings.fresh = true;
  settings.drawn = true;
  settings.replicas = 6;
  settings.resolution = 1e-4;
  settings.tolerance = 1e-10;
  const Random random(3);
  const auto bench = plain_workbench();
  const phase::PhaseFindings found = phase::find_transitions(
      settings,
      [&](double control, Index size, Index replica, Index) {  // each replica has its own shift of the control
        const double shift = 0.05 * random.normal(static_cast<std::uint64_t>(replica));
        return std::make_shared<WellCrowd>(control + shift, size, false, Random(1));
      },
      Random(1), *bench);
  REQUIRE(found.jumps.size() == 2);
  double mean = 0, squares = 0;
  for (std::uint64_t k = 0; k < 6; ++k) mean -= 0.05 * random.normal(k) / 6;
  for (std::uint64_t k = 0; k < 6; ++k) squares += std::pow(-0.05 * random.normal(k) - mean, 2);
  const double half = 2.5706 * std::sqrt(squares / 5 / 6);  // Student's t of 5 degrees of freedom
  for (const phase::FoundJump& jump : found.jumps) {
    CHECK(std::abs(jump.at() - (1 + kWellFold + mean)) < 2e-4);
    CHECK(std::abs(0.5 * (jump.high - jump.low) - half) < 2e-4);
  }
}

TEST_CASE("a walk among networks shares its steps among them, each after a burn-in", "[phase][network]") {
  const phase::PhaseSettings settings = spin_search();
  std::vector<std::pair<double, Index>> made;
  const auto make = [&](double control, Index network) {
    made.emplace_back(control, network);
    return std::make_shared<SpinCrowd>(control, 16, Random(1));
  };
  phase::NoisyPlan plan;
  plan.controls = {1, 2};
  plan.burn_in = 10, plan.first_burn_in = 20, plan.steps = 120, plan.networks = 3;
  phase::NoisyWalk walk(settings, make, plan);
  while (!walk.done()) walk.advance(160);
  using Made = std::vector<std::pair<double, Index>>;
  CHECK(made == Made{{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}});
  CHECK(walk.total_steps() == 20 + 5 * 10 + 2 * 120);
  CHECK(walk.cells()[1].moments.count == 60);  // every 2 steps
}

TEST_CASE("where nothing happens the search says so", "[phase]") {
  phase::PhaseSettings settings = spin_search();
  settings.low = 3;
  settings.high = 6;
  settings.steps = 200;
  const auto bench = plain_workbench();
  CHECK(search_spins(settings, 5, *bench).kind == phase::TransitionKind::none);
  phase::PhaseSettings quiet = well_search();
  quiet.low = 0.8;
  quiet.high = 1.2;
  const phase::PhaseFindings still = phase::find_transitions(
      quiet,
      [](double control, Index size, Index, Index) {
        return std::make_shared<WellCrowd>(control, size, false, Random(1));
      },
      Random(1), *bench);
  CHECK(still.kind == phase::TransitionKind::none);
  quiet.low = 2;
  CHECK_THROWS_WITH(
      phase::find_transitions(
          quiet, [](double control, Index size, Index, Index) { return std::make_shared<StairCrowd>(control, size); },
          Random(1), *bench),
      "find_transitions: the range is [2, 1.2]; it must be 0 < low < high.");
}
