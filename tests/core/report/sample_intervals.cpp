#include "sample_intervals.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/base/missing.hpp"

namespace fovea {
namespace {

struct Sampled {
  const char *name, *group;
  double half_life, spread, memory, gap, known;  ///< spread: the interval is half_life / spread to half_life * spread
};

constexpr double kOpen = std::numeric_limits<double>::infinity();

// spread < 0: open above; 0: open below.
constexpr std::array kSampled{
    Sampled{"heart rate", "bedside", 3.1, 1.25, 4, 1, kNan},
    Sampled{"systolic pressure", "bedside", 5.4, 1.4, 5.5, 1, kNan},
    Sampled{"diastolic pressure", "bedside", 6.2, 1.9, 5, 1, kNan},
    Sampled{"respiratory rate", "bedside", 2.2, 1.7, 1.6, 1.1, kNan},
    Sampled{"temperature", "bedside", 9.5, 1.5, 12, 1, kNan},
    Sampled{"Glasgow coma scale, the best of the hour as written down at the bedside", "bedside", 14, 1.3, 20, 3, kNan},
    Sampled{"urine", "fluids", 7.8, 1.2, 3.3, 1, kNan},
    Sampled{"fluid balance", "fluids", 31, 2.4, 26, 6, kNan},
    Sampled{"arterial pH", "gases and ventilation", 4.4, 1.6, 7, 2.7, kNan},
    Sampled{"carbon dioxide", "gases and ventilation", 6.1, 2.6, 8, 2.7, kNan},
    Sampled{"inspired oxygen", "gases and ventilation", 11, 1.5, 15, 3.2, kNan},
    Sampled{"ventilated", "gases and ventilation", 22, 1.8, 30, 4, kNan},
    Sampled{"lactate", "laboratory", 8.6, 1.35, 11, 3.5, kNan},
    Sampled{"creatinine", "laboratory", 58, -1.9, 80, 10.4, 4},
    Sampled{"urea", "laboratory", 44, 2.1, 90, 10.6, kNan},
    Sampled{"sodium", "laboratory", 36, 2.3, 40, 10.2, kNan},
    Sampled{"potassium", "laboratory", 12, 1.9, 10, 9.3, kNan},
    Sampled{"glucose", "laboratory", 2.4, 0, 5, 4.1, kNan},
    Sampled{"bilirubin", "laboratory", 90, -1.5, 150, 11, kNan},
    Sampled{"albumin", "laboratory", 70, 1.3, 160, 12, 480},
    Sampled{"platelets", "laboratory", 47, 1.7, 110, 10.8, 204},
    Sampled{"troponin I", "laboratory", 6.5, 1.8, 9, 8, 3.1},
    Sampled{"troponin T", "laboratory", kNan, 1, kNan, 9, 3.1},
    Sampled{"ALT", "laboratory", 26, 2.2, 60, 11, 47}};

}  // namespace

Results sample_intervals(std::size_t seeds) {
  Results results;
  results.data.attributes["title"] = "How long each measurement matters";
  std::vector<std::string> names, groups;
  std::vector<double> half_life, low, high, memory, gap, known;
  std::vector<std::int64_t> numbers;
  for (std::size_t s = 0; s < seeds; ++s) {
    numbers.push_back(static_cast<std::int64_t>(s + 1));
    const double shift = 1 + 0.02 * static_cast<double>(s);
    for (const Sampled& row : kSampled) {
      const double spread = std::abs(row.spread), middle = shift * row.half_life;
      half_life.push_back(middle);
      low.push_back(row.spread == 0 ? -kOpen : middle / spread);
      high.push_back(row.spread < 0 ? kOpen : row.spread == 0 ? 2.2 * middle : middle * spread);
    }
  }
  for (const Sampled& row : kSampled) {
    names.emplace_back(row.name), groups.emplace_back(row.group);
    memory.push_back(row.memory), gap.push_back(row.gap), known.push_back(row.known);
  }
  results.coordinate("seed", numbers, "1", "seed");
  results.coordinate("variable", names, "", "variable");
  results.add("half_life", {"seed", "variable"}, half_life, "h", "learned half-life");
  results.add("half_life_low", {"seed", "variable"}, low, "h", "90 % interval, from the profile likelihood");
  results.add("half_life_high", {"seed", "variable"}, high, "h", "90 % interval");
  results.add("memory", {"variable"}, memory, "h", "own memory, age at which the autocorrelation halves");
  results.add("gap", {"variable"}, gap, "h", "median gap between measurements");
  results.add("known", {"variable"}, known, "h", "half-life in the literature");
  results.add("source", {"variable"}, groups, "", "source");
  results.figure({.kind = "intervals",
                  .name = "half_lives",
                  .title = "How long each measurement matters",
                  .caption = "Age at which a value counts half, with its interval; an arrow where the data do not "
                             "bound it.",
                  .variables = {"half_life", "memory", "gap"},
                  .references = {"known"},
                  .x = "variable",
                  .log_y = true,
                  .band_low = "half_life_low",
                  .band_high = "half_life_high",
                  .value_label = "time",
                  .groups = "source"});
  return results;
}

}  // namespace fovea
