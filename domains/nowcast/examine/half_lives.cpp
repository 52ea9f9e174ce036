#include "fovea/domains/nowcast/examine/half_lives.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"
#include "fovea/domains/nowcast/findings.hpp"

namespace fovea::nowcast {

namespace {

/// Effect and log half-life of a kind in one fold's ensemble, mean over members.
struct Learned {
  double effect = 0, log_half_life = 0;
};

Learned learned_of(const study::FoldModel& fold, const NowcastModelSettings& settings, Index kind) {
  Learned mean;
  const auto members = static_cast<double>(fold.members.size());
  for (const study::Member& member : fold.members) {
    const auto table = [&](const char* name) { return member.parameters.matrix(member.parameters.at(name).place); };
    const auto effects = table("events.effect"), preferences = table("events.preference");
    Index head = 0;
    double most = -1;
    for (Index h = 0; h < effects.cols(); ++h) {
      const double size =
          std::abs(static_cast<double>(effects(kind, h))) * std::exp(static_cast<double>(preferences(kind, h)));
      if (size > most) most = size, head = h;
    }
    mean.effect +=
        static_cast<double>(effects(kind, head)) * std::exp(static_cast<double>(preferences(kind, head))) / 2 / members;
    mean.log_half_life +=
        (std::log(settings.half_life) + static_cast<double>(table("events.log_half_life")(kind, head))) / members;
  }
  return mean;
}

}  // namespace

std::vector<KindMemory> kind_memories(const study::StudyOutcome& outcome, const NowcastModelSettings& settings) {
  std::vector<KindMemory> all;
  const std::vector<std::string>& classes = outcome.cases.classes;
  const auto folds = static_cast<double>(outcome.folds->models.size());
  for (std::size_t kind = 0; kind < classes.size(); ++kind) {
    if (classes[kind] == kNothing || classes[kind].starts_with(kColumnPrefix)) continue;
    std::vector<double> effects, logs;
    for (const study::FoldModel& fold : outcome.folds->models) {
      const Learned learned = learned_of(fold, settings, static_cast<Index>(kind));
      effects.push_back(learned.effect), logs.push_back(learned.log_half_life);
    }
    const Moments log_half_life = moments(logs);
    // The jackknife's variance is (n - 1) / n times the sum of squares about the mean.
    const double error = std::sqrt((folds - 1) * log_half_life.variance);
    const double reach = folds > 1 ? student_width(0.95, static_cast<int>(folds) - 1) * error : kNan;
    KindMemory memory{classes[kind], moments(effects).mean, std::exp(log_half_life.mean),
                      std::exp(log_half_life.mean - reach), std::exp(log_half_life.mean + reach)};
    memory.learned = memory.low > settings.half_life || memory.high < settings.half_life;
    all.push_back(std::move(memory));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const KindMemory& a, const KindMemory& b) { return std::abs(a.effect) > std::abs(b.effect); });
  return all;
}

void write_half_lives(const std::vector<KindMemory>& kinds, double start, Results& results) {
  rows("kind", kinds, &KindMemory::kind, "kinds of events")
      .number("kind_effect", &KindMemory::effect, "effect on the log-odds")
      .number("kind_half_life", &KindMemory::half_life, "half-life", "months")
      .range("kind_half_life", std::identity(), "interval, lower end", "interval, upper end", "months")
      .flag("kind_learned", &KindMemory::learned, "told by the data")
      .write(results);
  results.figure(
      {.kind = "table",
       .name = "half_lives",
       .title = "How long each kind of event is felt",
       .caption = "Of models that each learned without one recession: mean effect of an event of size 1, and "
                  "half-life with the 95 % interval of the jackknife over recessions. Told by the data: the "
                  "interval leaves out the half-life at the start; otherwise it is little more than that start.",
       .variables = {"kind_effect", "kind_half_life", "kind_half_life_low", "kind_half_life_high", "kind_learned"},
       .x = "kind",
       .digits = 2});
  const auto learned = std::count_if(kinds.begin(), kinds.end(), [](const KindMemory& one) { return one.learned; });
  const auto found = std::find_if(kinds.begin(), kinds.end(), [](const KindMemory& one) { return one.learned; });
  const KindMemory first = found == kinds.end() ? KindMemory() : *found;
  results.finding(
      HalfLivesToldByData{std::ssize(kinds), learned, start, first.kind, first.half_life, first.low, first.high});
}

}  // namespace fovea::nowcast
