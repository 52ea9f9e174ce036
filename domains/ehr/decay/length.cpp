/// The experiment "ehr.length": time and memory as the record of a patient doubles.
///
/// within variables   class_pooling(): heads with half-lives attend to the events of each variable, and are asked every
///                    32 events; one pass through the record, O(N)
/// dense              every event attends to every event, as a transformer's layer does, O(N^2) in time; the engine
///                    stores no matrix of weights, so memory is O(N) for both
///
/// Each is one pass forward and one backward; the record is grouped by variable before, once for all passes. One point
/// writes, over events: largest_difference, of what the pooling says at the end of the record from the definition,
/// summed event by event in double precision. Apart from the result, for this machine, over way and events: seconds
/// (one thread, processor time) and bytes (beyond the inputs).

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/lab/cost_meter.hpp"
#include "fovea/core/learning/class_pooling.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/study/report/cost_growth.hpp"
#include "fovea/domains/ehr/experiments.hpp"

namespace fovea::ehr::decay {

namespace {

const std::vector<std::string> kWays{"within variables", "dense"};
const std::vector<double> kBank{2, 8, 24, 96};  ///< half-lives of the heads, hours
constexpr Index kAskedEvery = 32;               ///< events
constexpr double kEventsPerHour = 10;

/// A long record: events of several variables by turns of chance, so and so many an hour.
struct LongRecord {
  Index variables = 0;
  std::vector<double> hours;
  std::vector<Index> kinds;
  Matrix<float> values, tokens;  ///< N x 1; N x d, for dense attention

  LongRecord first(Index count) const {
    return {variables,
            {hours.begin(), hours.begin() + count},
            {kinds.begin(), kinds.begin() + count},
            values.topRows(count),
            tokens.topRows(count)};
  }
};

LongRecord long_record(Index events, Index variables, Index dimension, const Random& random) {
  LongRecord record{variables, {}, {}, Matrix<float>(events, 1), Matrix<float>(events, dimension)};
  const Random times = random.stream("times"), kinds = random.stream("kinds"), values = random.stream("values"),
               tokens = random.stream("tokens");
  for (Index i = 0; i < events; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    record.hours.push_back((static_cast<double>(i) + times.uniform(entity)) / kEventsPerHour);
    record.kinds.push_back(static_cast<Index>(kinds.below(static_cast<std::uint64_t>(variables), entity)));
    record.values(i, 0) = static_cast<float>(values.normal(entity));
    for (Index c = 0; c < dimension; ++c)
      record.tokens(i, c) = static_cast<float>(tokens.normal(entity, static_cast<std::uint64_t>(c)));
  }
  return record;
}

/// The heads of all variables start alike: no sharpness, the half-lives of the bank, masses of the same.
learning::Parameters<float> bank_of(Index variables) {
  const auto heads = static_cast<Index>(kBank.size());
  learning::Parameters<float> parameters;
  Matrix<float> logs(variables, heads);
  for (Index h = 0; h < heads; ++h) logs.col(h).setConstant(static_cast<float>(logarithm(kBank[h])));
  parameters.add("sharpness", Matrix<float>::Zero(variables, heads));
  parameters.add("log_half_life", logs);
  parameters.add("log_mass_half_life", logs);
  return parameters;
}

/// A record as class_pooling() reads it: grouped once, whatever the number of passes.
struct GroupedRecord {
  learning::GroupedEvents events;
  Matrix<float> values;
  std::vector<double> asked;
  std::vector<Index> queries;
};

GroupedRecord grouped_record(const LongRecord& record) {
  const auto events = static_cast<Index>(record.hours.size());
  const std::vector<Index> whole{0, events};
  GroupedRecord grouped{
      learning::group_by_class(whole, record.hours, record.kinds, record.variables), Matrix<float>(events, 1), {}, {}};
  for (Index i = 0; i < events; ++i) grouped.values(i, 0) = record.values(grouped.events.order[i], 0);
  for (Index i = kAskedEvery - 1; i < events; i += kAskedEvery) grouped.asked.push_back(record.hours[i]);
  grouped.queries = {0, static_cast<Index>(grouped.asked.size())};
  return grouped;
}

/// One pass forward and back; the last row of the pooled numbers, variable after variable. The tape keeps its memory
/// from pass to pass, as in a training: otherwise the time of long records is that of fresh pages.
std::vector<float> pool_within(learning::Tape<float>& tape, const GroupedRecord& record, const LookAtMemory& look) {
  learning::Parameters<float> parameters = bank_of(record.events.classes);
  std::vector<float> gradients(parameters.size());
  tape.begin(&parameters, gradients);
  const auto place = [&](const char* name) { return tape.parameter(parameters.at(name).place); };
  const auto pooled = learning::class_pooling(
      tape.input(record.values),
      learning::DecayHeads<float>{place("sharpness"), place("log_half_life"), place("log_mass_half_life")},
      record.events.view(), {record.queries, record.asked});
  const Matrix<float> targets = Matrix<float>::Zero(pooled.rows(), pooled.columns());
  look();
  tape.backward(learning::squared_loss(pooled, targets, {}, static_cast<float>(pooled.rows())));
  look();
  const float* last = pooled.data() + (pooled.rows() - 1) * pooled.columns();
  return {last, last + pooled.columns()};
}

void attend_densely(const LongRecord& record, const LookAtMemory& look) {
  AttentionSpec<float> spec;
  spec.score = {dot_product_score<float>(), {}};
  const Matrix<float>& tokens = record.tokens;
  const auto forward = attend<float>(tokens, tokens, tokens, spec);
  look();
  const auto gradients = attend_backward<float>(tokens, tokens, tokens, spec, forward, forward.outputs);
  look();
}

/// The largest difference between what the pooling says and the definition of its means.
double difference_from_definition(const LongRecord& record, const std::vector<float>& last) {
  const std::size_t heads = kBank.size();
  const Index columns = learning::pooled_columns(static_cast<Index>(heads), static_cast<Index>(heads));
  const auto events = static_cast<Index>(record.hours.size());
  const std::size_t end = events / kAskedEvery * kAskedEvery;
  double worst = 0;
  for (Index v = 0; v < record.variables; ++v)
    for (std::size_t h = 0; h < heads; ++h) {
      double sum = 0, total = 0;
      for (std::size_t i = 0; i < end; ++i) {
        if (record.kinds[i] != v) continue;
        const double weight = exponential(-logarithm(2.0) * (record.hours[end - 1] - record.hours[i]) / kBank[h]);
        sum += weight * static_cast<double>(record.values(static_cast<Index>(i), 0)), total += weight;
      }
      if (!(total > 0)) continue;
      const auto said = static_cast<double>(last[(v * columns) + h]);
      worst = std::max(worst, std::abs(said - sum / total));
    }
  return worst;
}

struct LengthSettings {
  std::vector<Index> events{256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  Index variables = 12, dimension = 16, fit_from = 2048;
  double least_seconds = 0.02;
};

const Keys<LengthSettings>& length_keys() {
  using S = LengthSettings;
  static const auto keys =
      Keys<S>()
          .key("events", &S::events, Range::between(64, 1 << 20), "",
               "numbers of events of the record, ascending, at least two")
          .key("variables", &S::variables, Range::between(1, 1000), "", "number of variables of the record")
          .key(kDimension.within(Range::between(1, 1024)), &S::dimension, "d: of the tokens of dense attention")
          .key(kFitFrom, &S::fit_from, "fewest events in the fits, where the fixed cost of a call is small")
          .key(kLeastSeconds, &S::least_seconds, "a call is repeated until this time is reached");
  return keys;
}

class Length : public KeyedExperiment<LengthSettings, length_keys> {
 public:
  std::string_view name() const override { return "ehr.length"; }
  std::string_view summary() const override {
    return "time and memory as a record doubles: attention within variables against dense attention";
  }
  int result_version() const override { return 1; }

  void check_settings(const LengthSettings& settings, const Complain& complain) const override {
    const auto& events = settings.events;
    if (events.size() < 2 || !std::is_sorted(events.begin(), events.end(), std::less_equal<>()))
      complain("events", "events must have at least two numbers, ascending, so that an exponent can be fitted.");
  }

  void measure(const LengthSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    static std::mutex one_record_at_a_time;  // otherwise what another point allocates would be counted here
    const std::lock_guard<std::mutex> lock(one_record_at_a_time);
    const auto& sizes = settings.events;
    const LongRecord all = long_record(sizes.back(), settings.variables, settings.dimension, random);
    std::vector<double> differences;
    std::vector<Cost> costs;
    for (const std::string& way : kWays)
      for (const std::int64_t size : sizes) {
        const LongRecord record = all.first(size);
        const GroupedRecord grouped = grouped_record(record);
        std::vector<float> last;
        learning::Tape<float> tape;
        const auto work = [&](const LookAtMemory& look) {
          if (way == kWays[0])
            last = pool_within(tape, grouped, look);
          else
            attend_densely(record, look);
        };
        costs.push_back(cost_of(work, settings.least_seconds));
        if (way == kWays[0]) differences.push_back(difference_from_definition(record, last));
        bench.progress(static_cast<double>(costs.size()) / static_cast<double>(kWays.size() * sizes.size()));
      }
    Results& machine = results.on_this_machine();
    machine.coordinate("way", kWays, "", "attention");
    for (Results* part : {&results, &machine}) part->coordinate("events", sizes, "1", "events of the record");
    results.add("largest_difference", {"events"}, differences, "1", "pooled means against their definition");
    results.scalar("fit_from", static_cast<double>(settings.fit_from), "1", "fewest events in the fits");
    rows({"way", "events"}, costs)
        .number("seconds", &Cost::cpu_seconds, "processor time", "s")
        .number("bytes", &Cost::peak_bytes, "memory", "byte")
        .write(machine);
  }

  void conclude(Results& merged) const override {
    constexpr double kSingle = 1e-4;  // means of values of a few units in single precision: 2e-5 at 65536 events
    const double worst = view(merged.data, "largest_difference").largest();
    merged.check({"definition", "largest difference of a pooled mean from its definition",
                  "derived in domains/ehr/README.md", 0, worst, absolute(kSingle)});
    merged.figure({.kind = "lines",
                   .name = "largest_difference",
                   .title = "Error of one pass through the record",
                   .caption = "Largest difference between what attention within variables says in one pass, in single "
                              "precision, and its definition, summed event by event in double precision.",
                   .variables = {"largest_difference"},
                   .x = "events",
                   .log_x = true,
                   .log_y = true});
    conclude_machine(merged.on_this_machine(), view(merged.data, "fit_from").first());
    give_verdict(
        merged, "One pass through a record says what attention to each of its events says",
        concat(plain_text(worst, 2), " for ", plain_text(view(merged.data, "events").largest(), 6), " events"));
  }

 private:
  static void conclude_machine(Results& machine, double from) {
    constexpr double kBusy = 0.25;  // a busy machine shifts single times by half: 0.1 in an exponent over 5 octaves
    machine.figure(study::cost_figure("seconds", "events", "Time against the length of the record, on this machine",
                                      "Processor time of one pass forward and back, one thread, the least of the "
                                      "repetitions. Short records have a fixed cost."));
    machine.figure(
        study::cost_figure("bytes", "events", "Memory against the length of the record, on this machine",
                           "What a pass allocates beyond its inputs. Neither stores the matrix of weights."));
    study::add_cost_exponents(machine, {.over = "events",
                                        .ways = kWays,
                                        .keys = {"within", "dense"},
                                        .time = {1, 2},
                                        .memory = {1, 1},
                                        .from = from,
                                        .tolerance = kBusy,
                                        .source = "derived in domains/ehr/README.md"});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_length() { return std::make_unique<Length>(); }

}  // namespace fovea::ehr::decay
