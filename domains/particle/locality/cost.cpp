/// The experiment "particle.locality_cost": time and memory of a Transformer block as an event grows to the 55,000
/// particles of a collision of heavy ions.
///
/// k nearest   each particle attends to its k nearest in (eta, phi), phi periodic, with biases that a small network
///             makes of each listed pair; the search included: O(N log N), nearly O(N)
/// all pairs   each attends to all, without biases: O(N^2) in time; the engine stores no matrix of weights
///
/// Width 64, 4 heads. One point writes, over particles: pairs, the pairs with a weight of the k nearest, and missed,
/// how many of some particles do not have the list that comparing all distances gives. Apart from the result, for this
/// machine, over way and particles: seconds (one thread, processor time) and bytes (beyond the inputs).

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/lab/cost_meter.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/study/report/cost_growth.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/pair_features.hpp"

namespace fovea::particle::locality {

namespace {

constexpr Index kWidth = 64, kHeads = 4, kPairHidden = 16, kCompared = 20;
constexpr double kEtaRange = 5, kTurn = 2 * std::numbers::pi;
const std::vector<std::string> kCostWays{"nearest, forward", "nearest, with backward", "all pairs, forward"};

/// Particles of one event, uniform in eta and phi, of exponential pT.
struct CostlyEvent {
  learning::Tokens tokens;
  Matrix<double> coordinates;  ///< eta, phi, ln pT
  Matrix<float> x;
};

CostlyEvent costly_event(Index particles, const Random& random) {
  CostlyEvent event{{}, Matrix<double>(particles, 3), Matrix<float>(particles, kWidth)};
  const Random places = random.stream("places"), inputs = random.stream("inputs");
  for (Index i = 0; i < particles; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    event.coordinates.row(i) << kEtaRange * (2 * places.uniform(entity, 0) - 1),
        kTurn * (places.uniform(entity, 1) - 0.5), std::log(0.2 - std::log(1 - places.uniform(entity, 2)));
    for (Index c = 0; c < kWidth; ++c)
      event.x(i, c) = static_cast<float>(inputs.normal(entity, static_cast<std::uint64_t>(c)));
  }
  event.tokens.offsets = {0, particles};
  event.tokens.coordinates = event.coordinates.leftCols(2);
  event.tokens.periods = {0, kTurn};
  return event;
}

/// The block, and the network of its biases.
class CostlyBlock {
 public:
  CostlyBlock(Index nearest, const Random& random) : neighbourhood_{0, nearest, true} {
    learning::BlockSettings<float> settings;
    settings.attention.width = kWidth, settings.attention.heads = kHeads, settings.hidden = 2 * kWidth;
    if (nearest > 0) {
      settings.attention.modifiers.push_back(learning::listed_bias_of_pass<float>(neighbourhood_));
      learning::PairNetworkSettings<float> pairs;
      pairs.features = model::feature_count(model::PairSet::standard);
      pairs.hidden = {kPairHidden}, pairs.heads = kHeads;
      network_.emplace(parameters_, "pairs", pairs, random.stream("pairs"));
    }
    block_.emplace(parameters_, "block", settings, random.stream("block"));
  }

  /// The same block from pass to pass; the tape keeps its memory, as in a training.
  void pass(learning::Tape<float>& tape, const CostlyEvent& event, bool backward, const LookAtMemory& look) {
    std::vector<float> gradients(backward ? static_cast<std::size_t>(parameters_.size()) : 0);
    tape.begin(&parameters_, gradients);
    model::PairPlaces& places = tape.kept<model::PairPlaces>();
    std::vector<learning::Variable<float>> bias;
    if (network_) {
      model::place_particles(event.coordinates, places);
      bias.push_back((*network_)(
          tape, learning::TokenPairs::listed(neighbours_of(event.tokens, neighbourhood_)),
          {model::feature_count(model::PairSet::standard), model::pair_fill(model::PairSet::standard, places)}));
    }
    const auto y = (*block_)(tape.input(event.x), event.tokens, bias);
    look();
    if (!backward) return;
    const Matrix<float> targets = Matrix<float>::Zero(y.rows(), y.columns());
    tape.backward(learning::squared_loss(y, targets, {}, static_cast<float>(y.rows())));
    look();
  }

 private:
  learning::Neighbourhood neighbourhood_;
  learning::Parameters<float> parameters_;
  std::optional<learning::PairNetwork<float>> network_;
  std::optional<learning::TransformerBlock<float>> block_;
};

/// Lists are kept for places that were seen before, so each repetition gets the event turned a little.
void turn_event(CostlyEvent& event) {
  for (Matrix<double>* const places : {&event.coordinates, &event.tokens.coordinates})
    for (Index i = 0; i < places->rows(); ++i) {
      double& phi = (*places)(i, 1);
      phi += 1e-3;
      if (phi > std::numbers::pi) phi -= kTurn;
    }
}

/// Of some particles, spread over the event: whose distances to its neighbours are not the smallest ones.
double missed_lists(const CostlyEvent& event, const NeighbourLists& lists, Index nearest) {
  const Index count = event.tokens.count(), few = std::min(nearest, count);
  const auto distance = [&](Index i, Index j) {
    const double eta = event.coordinates(i, 0) - event.coordinates(j, 0),
                 phi = std::remainder(event.coordinates(i, 1) - event.coordinates(j, 1), kTurn);
    return std::hypot(eta, phi);
  };
  double missed = 0;
  for (Index k = 0; k < kCompared; ++k) {
    const Index i = k * (count - 1) / (kCompared - 1);
    std::vector<double> all, mine;
    for (Index j = 0; j < count; ++j) all.push_back(distance(i, j));
    std::partial_sort(all.begin(), all.begin() + few, all.end());
    for (Index at = lists.offsets[i]; at < lists.offsets[i + 1]; ++at) mine.push_back(distance(i, lists.keys[at]));
    std::sort(mine.begin(), mine.end());
    const bool same =
        static_cast<Index>(mine.size()) == few &&
        std::equal(mine.begin(), mine.end(), all.begin(), [](double a, double b) { return std::abs(a - b) < 1e-9; });
    missed += same ? 0 : 1;
  }
  return missed;
}

struct LocalityCostSettings {
  std::vector<Index> particles{1000, 2000, 4000, 8000, 16000, 28000, 55000};
  Index nearest = 16, fit_from = 4000;
  double least_seconds = 0.02;
};

const Keys<LocalityCostSettings>& locality_cost_keys() {
  using S = LocalityCostSettings;
  static const auto keys =
      Keys<S>()
          .key("particles", &S::particles, Range::between(kCompared, 1 << 20), "",
               "numbers of particles of the event, ascending, at least two")
          .key("nearest", &S::nearest, Range::between(1, 1024), "",
               "nearest particles that each attends to, itself included")
          .key(kFitFrom, &S::fit_from, "fewest particles in the fits, where the fixed cost of a call is small")
          .key(kLeastSeconds, &S::least_seconds, "a call is repeated until this time is reached, three times");
  return keys;
}

class LocalityCost final : public KeyedExperiment<LocalityCostSettings, locality_cost_keys> {
 public:
  std::string_view name() const override { return "particle.locality_cost"; }
  std::string_view summary() const override {
    return "time and memory as an event grows: attention to the nearest particles against all pairs";
  }
  int result_version() const override { return 1; }

  void check_settings(const LocalityCostSettings& settings, const Complain& complain) const override {
    const auto& sizes = settings.particles;
    if (sizes.size() < 2 || !std::is_sorted(sizes.begin(), sizes.end(), std::less_equal<>()))
      complain("particles", "particles must have at least two numbers, ascending, so that an exponent can be fitted.");
  }

  void measure(const LocalityCostSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    static std::mutex one_event_at_a_time;  // otherwise what another point allocates would be counted here
    const std::lock_guard<std::mutex> lock(one_event_at_a_time);
    const auto& sizes = settings.particles;
    const Index nearest = settings.nearest;
    std::vector<double> pairs, missed;
    for (const std::int64_t size : sizes) {
      const CostlyEvent event = costly_event(size, random);
      const auto lists = learning::neighbours_of(event.tokens, {0, nearest, true});
      missed.push_back(missed_lists(event, *lists, nearest));
      pairs.push_back(static_cast<double>(lists->keys.size()));
    }
    const std::size_t count = kCostWays.size() * sizes.size();
    double done = 0;
    const auto measured = [&](std::size_t k) {
      const std::size_t way = k / sizes.size();
      CostlyEvent event = costly_event(sizes[k % sizes.size()], random);
      CostlyBlock block(way == 2 ? 0 : nearest, random);
      learning::Tape<float> tape;
      const auto work = [&](const LookAtMemory& look) {
        turn_event(event);
        block.pass(tape, event, way == 1, look);
      };
      const Cost cost = cost_of(work, settings.least_seconds);
      bench.progress(++done / static_cast<double>(study::kCostRounds) / static_cast<double>(count));
      return cost;
    };
    Results& machine = results.on_this_machine();
    machine.coordinate("way", kCostWays, "", "attention");
    for (Results* part : {&results, &machine}) part->coordinate("particles", sizes, "1", "particles of the event");
    results.add("pairs", {"particles"}, pairs, "1", "pairs that attend to each other");
    results.add("missed", {"particles"}, missed, "1", concat("lists that are not the nearest, of ", kCompared));
    results.scalar("fit_from", static_cast<double>(settings.fit_from), "1", "fewest particles in the fits");
    rows({"way", "particles"}, study::least_costs(count, measured))
        .number("seconds", &Cost::cpu_seconds, "processor time", "s")
        .number("bytes", &Cost::peak_bytes, "memory", "byte")
        .write(machine);
  }

  void conclude(Results& merged) const override {
    const char* const source = "derived in domains/particle/README.md";
    const double worst = view(merged.data, "missed").largest();
    merged.check({"nearest", "lists that are not the nearest particles, of those compared with all distances", source,
                  0, worst, absolute(0)});
    merged.figure({.kind = "lines",
                   .name = "pairs",
                   .title = "Pairs of particles with a weight",
                   .caption = "All pairs are the square of the number of particles.",
                   .variables = {"pairs"},
                   .x = "particles",
                   .log_x = true,
                   .log_y = true});
    Results& machine = merged.on_this_machine();
    machine.figure(
        study::cost_figure("seconds", "particles", "Time against the particles of an event, on this machine",
                           "Processor time of one block of width 64 with 4 heads, one thread, the least of the "
                           "repetitions. The search of neighbours is included."));
    machine.figure(study::cost_figure("bytes", "particles", "Memory against the particles of an event, on this machine",
                                      "What a pass allocates beyond its inputs. No way stores the matrix of weights."));
    constexpr double kBusy = 0.25;  // a busy machine shifts single times by half
    study::add_cost_exponents(machine, {.over = "particles",
                                        .ways = kCostWays,
                                        .keys = {"forward", "backward", "all_pairs"},
                                        .time = {1, 1, 2},
                                        .memory = {1, 1, 1},
                                        .from = view(merged.data, "fit_from").first(),
                                        .tolerance = kBusy,
                                        .source = source});
    give_verdict(merged, "Each particle attends to exactly its nearest ones, at a cost that grows like their number",
                 concat(plain_text(worst, 2), " wrong lists for up to ",
                        plain_text(view(merged.data, "particles").largest(), 6), " particles"));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_locality_cost() { return std::make_unique<LocalityCost>(); }

}  // namespace fovea::particle::locality
