/// The experiment "mechanism.cost": how the work, the time and the memory of attention grow with the number of tokens,
/// dense and under patterns that let each query see a bounded number of keys.
///
/// One point writes, over pattern and tokens: visited_pairs, the scores that the engine computed. It is counted by a
/// modifier at the end of the list and has the same value on every machine. Apart from the result, for this machine:
/// seconds (one thread, processor time) and bytes (allocated during a call beyond its inputs). The nearest neighbours
/// are searched for within both.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/mechanism/statement.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::vector<std::string> kPatterns{"dense", "window", "big_bird", "nearest", "learned_span"};

constexpr double kRounding = 1e-12;  ///< an interval narrower than this is that of exact numbers

double exponent_of(std::size_t pattern) { return pattern == 0 ? 2.0 : 1.0; }

/// Counts the scores that reach it, and leaves them as they are. Looks at the memory at the 1st, 2nd, 4th, ... tile:
/// all that a call allocates is there from the first tiles on.
class PairCounter final : public ScoreModifier<float> {
 public:
  explicit PairCounter(const LookAtMemory& look) : look_(look) {}
  void apply(const ScoreTile<float>& tile, std::span<const float>) const override {
    pairs_.fetch_add(tile.query_count * tile.key_count, std::memory_order_relaxed);
    const Index number = tiles_.fetch_add(1, std::memory_order_relaxed) + 1;
    if ((number & (number - 1)) == 0) look_();
  }
  void backward(const ScoreTile<float>&, const ScoreTile<float>&, std::span<const float>,
                std::span<float>) const override {}
  Index pairs() const { return pairs_.load(); }

 private:
  const LookAtMemory& look_;
  mutable std::atomic<Index> pairs_{0}, tiles_{0};
};

struct CostSettings {
  std::vector<Index> tokens{256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  Index dimension = 8, reach = 32, neighbours = 16, fit_from = 2048;
  double least_seconds = 0.005;
  std::uint64_t seed = 0;  ///< of the random keys of BigBird; no key
};

const Keys<CostSettings>& cost_keys() {
  using S = CostSettings;
  static const auto keys =
      Keys<S>()
          .key("tokens", &S::tokens, Range::between(64, 1 << 20), "", "N: numbers of tokens, ascending, at least two")
          .key(kDimension, &S::dimension)
          .key("reach", &S::reach, Range::between(1, 4096), "",
               "window: keys on either side; learned_span: where it ends, with half of it as its ramp")
          .key("neighbours", &S::neighbours, Range::between(1, 1024), "", "nearest: keys of each query, in the plane")
          .key(kFitFrom, &S::fit_from)
          .key(kLeastSeconds, &S::least_seconds);
  return keys;
}

/// What of the tokens a pattern lets each of them see.
std::vector<ModifierTerm<float>> modifiers_of(const std::string& pattern, const Matrix<double>& places,
                                              const CostSettings& settings) {
  const PackedSets sets{{0, places.rows()}, {0, places.rows()}};
  if (pattern == "window") return {{window<float>(settings.reach), {}}};
  if (pattern == "big_bird") return {{big_bird<float>({8, 3, 1, 2, settings.seed}, sets), {}}};
  if (pattern == "nearest") return {{nearest_neighbours<float>({places, places, {}, {}}, settings.neighbours), {}}};
  const float span = static_cast<float>(settings.reach);
  if (pattern == "learned_span") return {{learned_span<float>(0.5F * span, span), {logarithm(0.75F * span)}}};
  return {};
}

/// One call of attend() on `tokens` (queries, keys and values) that lie at `places`; returns the scores it computed.
Index call(const std::string& pattern, const Matrix<float>& tokens, const Matrix<double>& places,
           const CostSettings& settings, const LookAtMemory& look) {
  const auto counter = std::make_shared<PairCounter>(look);
  AttentionSpec<float> spec;
  spec.score = {dot_product_score<float>(), {}};
  spec.modifiers = modifiers_of(pattern, places, settings);
  spec.modifiers.push_back({counter, {}});
  const auto result = attend<float>(tokens, tokens, tokens, spec);
  look();
  return counter->pairs();
}

/// One exponent for each pattern, with its interval, from the sizes of `from` tokens or more.
std::vector<LineFit> exponents(const Dataset& data, const std::string& variable, double from) {
  const std::vector<double> tokens = view(data, "tokens").values();
  std::vector<LineFit> fits;
  for (const View& pattern : view(data, variable).along("pattern")) {
    std::vector<double> x, y;
    for (const std::vector<double>& growth : pattern.series("tokens"))
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k] < from) continue;
        x.push_back(tokens[k]);
        y.push_back(growth[k]);
      }
    fits.push_back(fit_power(x, y));
  }
  return fits;
}

/// Exponents as variables over the pattern, and a check for each.
void add_exponents(Results& results, const std::string& quantity, const std::vector<LineFit>& fits,
                   const std::vector<double>& predicted, double tolerance, const std::string& source) {
  for (std::size_t pattern = 0; pattern < fits.size(); ++pattern)
    results.check({quantity + "_" + kPatterns[pattern],
                   concat("exponent of the ", quantity, " against the tokens, ", kPatterns[pattern]), source,
                   predicted[pattern], fits[pattern].slope, absolute(tolerance)});
  rows("pattern", fits)
      .prefix(quantity + "_")
      .number("exponent", &LineFit::slope, "exponent of the " + quantity)
      .number(
          "half_width", [](const LineFit& fit) { return fit.half_width > kRounding ? fit.half_width : 0.0; },
          "half width of its interval")
      .number(
          "predicted", [&](const LineFit&, std::size_t pattern) { return predicted[pattern]; },
          "predicted exponent of the " + quantity)
      .write(results);
}

/// Cards for dense attention and for the pattern that is furthest from its prediction; all of them in a table.
void add_exponent_cards(Results& results, const std::string& quantity, const std::string& label,
                        const std::string& meaning) {
  const std::vector<double> slopes = view(results.data, quantity + "_exponent").values();
  const std::vector<double> widths = view(results.data, quantity + "_half_width").values();
  const std::vector<double> predicted = view(results.data, quantity + "_predicted").values();
  std::size_t furthest = 1;
  for (std::size_t pattern = 1; pattern < slopes.size(); ++pattern)
    if (std::abs(slopes[pattern] - predicted[pattern]) > std::abs(slopes[furthest] - predicted[furthest]))
      furthest = pattern;
  for (const std::size_t pattern : {std::size_t{0}, furthest}) {
    const std::string name = quantity + (pattern == 0 ? "_of_dense" : "_of_furthest");
    results.scalar(name, slopes[pattern], "1", "exponent of the " + quantity + ", " + kPatterns[pattern]);
    results.scalar(name + "_half_width", widths[pattern], "1", "half width of its 95 % interval");
    results.scalar(name + "_predicted", predicted[pattern], "1", "predicted exponent");
    results.headline({.variable = name,
                      .label = label + (pattern == 0 ? ", dense" : ", " + kPatterns[pattern]),
                      .predicted = name + "_predicted",
                      .half_width = name + "_half_width",
                      .meaning = pattern == 0
                                     ? meaning
                                     : "Of the patterns with a bounded number of keys, the one furthest from 1."});
  }
}

Figure exponent_table(const std::string& name, const std::string& title, const std::vector<std::string>& quantities) {
  Figure figure;
  figure.kind = "table";
  figure.name = name;
  figure.title = title;
  figure.caption =
      "Exponents of straight-line fits to the logarithms, with half of their 95 % intervals (Student's t).";
  for (const std::string& quantity : quantities)
    for (const char* column : {"_predicted", "_exponent", "_half_width"}) figure.variables.push_back(quantity + column);
  figure.x = "pattern";
  return figure;
}

/// A line through the largest measured size of each pattern, with the predicted exponent.
std::vector<double> predicted_lines(const Dataset& data, const std::string& variable,
                                    const std::vector<double>& predicted) {
  const std::vector<double> tokens = view(data, "tokens").values();
  const std::vector<double> largest = view(data, variable).at({{"tokens", kLast}}).means({"pattern"});
  std::vector<double> lines;
  for (std::size_t pattern = 0; pattern < kPatterns.size(); ++pattern)
    for (const double count : tokens)
      lines.push_back(largest[pattern] * exponential(predicted[pattern] * logarithm(count / tokens.back())));
  return lines;
}

Figure growth(const std::string& variable, const std::string& title, const std::string& caption) {
  return {.kind = "lines",
          .name = variable,
          .title = title,
          .caption = caption,
          .variables = {variable},
          .references = {"predicted_" + variable},
          .x = "tokens",
          .hue = "pattern",
          .log_x = true,
          .log_y = true};
}

class CostExperiment final : public Statement<CostSettings, cost_keys> {
 public:
  std::string_view name() const override { return "mechanism.cost"; }
  std::string_view summary() const override {
    return "work, time and memory against the number of tokens: dense, window, BigBird, nearest neighbours, learned "
           "span";
  }
  int result_version() const override { return 2; }

  void check_settings(const CostSettings& settings, const Complain& complain) const override {
    const auto& tokens = settings.tokens;
    if (tokens.size() < 2 || !std::is_sorted(tokens.begin(), tokens.end(), std::less_equal<>()))
      complain("tokens", "tokens must have at least two sizes, ascending, so that an exponent can be fitted.");
  }

  void measure(const CostSettings& asked, const Random& random, Results& results, Workbench& bench) const override {
    CostSettings settings = asked;
    settings.seed = random.seed();
    static std::mutex one_point_at_a_time;  // otherwise what another point allocates would be counted here
    const std::lock_guard<std::mutex> lock(one_point_at_a_time);
    const auto& sizes = settings.tokens;
    const Matrix<float> all = normal_matrix(sizes.back(), settings.dimension, random.stream("tokens")).cast<float>();
    const Matrix<double> everywhere = normal_matrix(sizes.back(), 2, random.stream("places"));
    struct Call : Cost {
      double pairs;
    };
    std::vector<Call> calls;
    for (const std::string& pattern : kPatterns) {
      for (const std::int64_t size : sizes) {
        const Matrix<float> tokens = all.topRows(size);
        const Matrix<double> places = everywhere.topRows(size);
        Index visited = 0;
        const Cost cost =
            cost_of([&](const LookAtMemory& look) { visited = call(pattern, tokens, places, settings, look); },
                    settings.least_seconds);
        calls.push_back({cost, static_cast<double>(visited)});
        bench.progress(static_cast<double>(calls.size()) / static_cast<double>(kPatterns.size() * sizes.size()));
      }
    }
    Results& machine = results.on_this_machine();
    for (Results* part : {&results, &machine}) {
      part->coordinate("pattern", kPatterns, "", "pattern");
      part->coordinate("tokens", sizes, "1", "tokens");
    }
    rows({"pattern", "tokens"}, calls)
        .number("visited_pairs", &Call::pairs, "number of computed scores")
        .write(results);
    results.scalar("fit_from", static_cast<double>(settings.fit_from), "1",
                   "smallest size in the fits of time and memory");
    rows({"pattern", "tokens"}, calls)
        .number("seconds", &Call::cpu_seconds, "processor time", "s")
        .number("bytes", &Call::peak_bytes, "memory", "byte")
        .write(machine);
  }

  void conclude(Results& merged) const override {
    std::vector<double> predicted;
    for (std::size_t pattern = 0; pattern < kPatterns.size(); ++pattern) predicted.push_back(exponent_of(pattern));
    const std::vector<LineFit> work = exponents(merged.data, "visited_pairs", 0);
    // the ends of a short crowd, where a window is cut off, make the smallest sizes cheaper than their share
    add_exponents(merged, "work", work, predicted, 0.05,
                  "Vaswani et al. 2017, table 1; Beltagy et al. 2020; Zaheer et al. 2020; Sukhbaatar et al. 2019");
    merged.add("predicted_visited_pairs", {"pattern", "tokens"},
               predicted_lines(merged.data, "visited_pairs", predicted), "1", "prediction");
    merged.figure(growth("visited_pairs", "Work against the number of tokens",
                         "Number of scores that the engine computes. Dashed: N squared for dense attention, N for "
                         "patterns with a bounded number of keys, through the largest size."));
    merged.figure(exponent_table("work_exponents", "Scaling of the work", {"work"}));
    add_exponent_cards(merged, "work", "Work grows as N to the power", "A count, the same on every machine.");
    const double from = view(merged.data, "fit_from").first();
    const std::size_t fitted = conclude_machine(merged.on_this_machine(), from, predicted);
    if (fitted < kFewSizes)
      merged.note(concat("Fewer than ", kFewSizes, " sizes have ", from,
                         " tokens or more: no exponents of time and memory are fitted."));
    double widest = 0;
    for (std::size_t pattern = 0; pattern < work.size(); ++pattern)
      widest = std::max(widest, std::abs(work[pattern].slope - predicted[pattern]));
    give_verdict(
        merged, "The work grows as N^2 for dense attention, and as N for patterns with a bounded number of keys",
        concat(plain_text(widest, 1), " of the exponents (dense ", plain_text(work[0].slope, 4), ", window ",
               plain_text(work[1].slope, 4), ", BigBird ", plain_text(work[2].slope, 4), ", nearest neighbours ",
               plain_text(work[3].slope, 4), ", learned span ", plain_text(work[4].slope, 4), ")"));
  }

 private:
  static constexpr std::size_t kFewSizes = 4;

  /// Exponents of time and memory from kFewSizes sizes on; returns how many there are.
  static std::size_t conclude_machine(Results& machine, double from, const std::vector<double>& predicted) {
    const auto tokens = std::get<std::vector<std::int64_t>>(machine.data.at("tokens").values);
    const auto fitted = static_cast<std::size_t>(
        std::count_if(tokens.begin(), tokens.end(), [&](auto count) { return static_cast<double>(count) >= from; }));
    const std::vector<double> linear(kPatterns.size(), 1.0);
    if (fitted >= kFewSizes) {
      // a busy machine shifts single times by half: 0.1 in an exponent over 5 octaves; caches end on the way
      add_exponents(machine, "time", exponents(machine.data, "seconds", from), predicted, 0.25, "as for the work");
      // the working memory of one thread, a few hundred kB, is the same for any size
      add_exponents(machine, "memory", exponents(machine.data, "bytes", from), linear, 0.25,
                    "Milakov and Gimelshein 2018; core/attention/README.md");
      add_exponent_cards(machine, "time", "Time grows as N to the power",
                         "Processor time on this machine; not part of the result.");
      add_exponent_cards(machine, "memory", "Memory grows as N to the power",
                         "On this machine; linear in N, also for dense attention.");
    }
    const std::vector<std::string> over{"pattern", "tokens"};
    machine.add("predicted_seconds", over, predicted_lines(machine.data, "seconds", predicted), "s", "prediction");
    machine.add("predicted_bytes", over, predicted_lines(machine.data, "bytes", linear), "byte", "prediction");
    machine.figure(growth("seconds", "Time against the number of tokens, on this machine",
                          "Processor time of one call with one thread, the minimum over repetitions. The band is the "
                          "standard error over the seeds. Small calls have a fixed cost."));
    machine.figure(growth("bytes", "Memory against the number of tokens, on this machine",
                          "Memory that a call allocates beyond its inputs. Neither dense attention nor any pattern "
                          "stores the matrix of weights, which would take 17 GB at 65536 tokens."));
    if (fitted >= kFewSizes)
      machine.figure(
          exponent_table("machine_exponents", "Scaling of time and memory on this machine", {"time", "memory"}));
    return fitted;
  }
};

}  // namespace

std::unique_ptr<Experiment> make_cost() { return std::make_unique<CostExperiment>(); }

}  // namespace fovea::mechanism::statements
