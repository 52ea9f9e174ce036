#include "fovea/domains/lag/examples.hpp"

#include <chrono>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/simulated/driven_units.hpp"
#include "fovea/datasets/simulated/light_curves.hpp"

namespace fovea::lag {

namespace {

constexpr Index kGaugeDays = 600;

std::string thousandths(double value) { return exact_text(std::round(value * 1000) / 1000); }

std::string gauge_date(Index day) {
  using namespace std::chrono;
  const year_month_day date{sys_days{2019y / January / 1} + days{day}};
  const auto two = [](unsigned number) { return concat(number < 10 ? "0" : "", number); };
  return concat(static_cast<int>(date.year()), '-', two(static_cast<unsigned>(date.month())), '-',
                two(static_cast<unsigned>(date.day())));
}

void write_gauges(const std::string& folder) {
  const datasets::simulated::DrivenUnits river = datasets::simulated::river();
  const Matrix<double> levels = simulate(river, kGaugeDays, Random(1).stream("river"));
  std::string text = "date";
  for (const std::string& name : river.names) text += ',' + name;
  for (Index day = 0; day < kGaugeDays; ++day) {
    text += '\n' + gauge_date(day);
    for (Index u = 0; u < river.units(); ++u) text += ',' + thousandths(levels(day, u));
  }
  write_file(folder + "/gauges.csv", text + '\n');
}

void write_light_curves(const std::string& folder) {
  std::string text = "series,t,y,dy\n";
  for (const auto& curve : datasets::simulated::light_curves({}, Random(1).stream("light curves")).curves)
    for (std::size_t i = 0; i < curve.time.size(); ++i)
      text += concat(curve.name, ',', thousandths(curve.time[i]), ',', thousandths(curve.value[i]), ',',
                     thousandths(curve.error[i]), '\n');
  write_file(folder + "/light_curves.csv", text);
}

}  // namespace

std::vector<Example> examples() {
  return {{"gauges.csv",
           "600 days of a river: rain, snow, two gauges, tide and harbour with six known links, and an unrelated pump",
           {},
           {"fovea lags gauges.csv --max-lag 20"},
           &write_gauges},
          {"light_curves.csv",
           "two light curves at uneven times, with errors; the response follows after 40 days",
           {},
           {"fovea lags light_curves.csv"},
           &write_light_curves}};
}

}  // namespace fovea::lag
