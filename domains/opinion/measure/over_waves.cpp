#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/measure/outcome.hpp"

namespace fovea::opinion::measure {

namespace {

/// NaN where the wave is no plain number, such as a date.
double number_of_wave(const AnswerGroup& group) {
  double number = kNan;
  const char* end = group.wave.data() + group.wave.size();
  return std::from_chars(group.wave.data(), end, number).ptr == end && !group.wave.empty() ? number : kNan;
}

}  // namespace

void write_over_waves(const Measured& measured, const std::string& wave_name, Results& results) {
  std::set<double> waves;
  std::vector<std::string> places;
  for (const AnswerGroup& group : measured.groups) {
    if (std::isnan(number_of_wave(group))) return;
    waves.insert(number_of_wave(group));
    if (std::find(places.begin(), places.end(), group.place) == places.end()) places.push_back(group.place);
  }
  if (waves.size() < 2) return;
  const Estimate none{.value = kNan, .low = kNan, .high = kNan, .null_mean = kNan};
  std::vector<Estimate> over(measured.names.size() * places.size() * waves.size(), none);
  for (std::size_t g = 0; g < measured.groups.size(); ++g) {
    const AnswerGroup& group = measured.groups[g];
    const auto place = std::find(places.begin(), places.end(), group.place) - places.begin();
    const auto wave = std::distance(waves.begin(), waves.find(number_of_wave(group)));
    for (std::size_t m = 0; m < measured.names.size(); ++m)
      over[(m * places.size() + place) * waves.size() + wave] = measured.estimate[g][m];
  }
  const bool one = places.size() == 1;
  results.coordinate("wave", std::vector<double>(waves.begin(), waves.end()), "", wave_name);
  if (!one) results.coordinate("place", places, "", "group without the wave");
  rows(one ? std::vector<std::string>{"measure", "wave"} : std::vector<std::string>{"measure", "place", "wave"}, over)
      .number("over_waves", &Estimate::value, "value")
      .number("over_waves_low", &Estimate::low, "interval, lower end")
      .number("over_waves_high", &Estimate::high, "interval, upper end")
      .number("over_waves_null", &Estimate::null_mean, "null model, mean")
      .write(results);
  Figure figure{.name = "over_waves",
                .title = "The measures over the waves",
                .caption = concat("Value of each wave with its interval; dashed: mean of the null model.",
                                  measured.groups.size() < places.size() * waves.size()
                                      ? " Where a wave is missing in between, the next figure has the intervals."
                                      : ""),
                .variables = {"over_waves"},
                .references = {"over_waves_null"},
                .x = "wave",
                .band_low = "over_waves_low",
                .band_high = "over_waves_high"};
  if (!one && places.size() <= kMostLines) figure.hue = "place";
  results.figure(figure);
}

}  // namespace fovea::opinion::measure
