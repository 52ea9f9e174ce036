#include "fovea/domains/study/examples.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea::study {

namespace {

constexpr std::uint64_t kExamplePatients = 240;
constexpr std::array<const char*, 4> kExampleStages{"I", "II", "III", "IV"};
constexpr std::array<double, 4> kStageEffects{-0.6, 0, 0.3, 1.3};  // of the stages on the log odds
constexpr std::array<const char*, 3> kExampleTreatments{"drug", "surgery", "both"};

/// An episode of a patient, whose log odds of a relapse are those that experiments/study/table.toml states.
std::string episode(std::uint64_t patient, std::uint64_t number, const Random& random) {
  std::uint64_t next = 10 * number;
  const auto uniform = [&] { return random.uniform(patient, next++); };
  const int age = static_cast<int>(40 + 40 * random.uniform(patient, 1000)) + static_cast<int>(number);
  const bool smoker = random.uniform(patient, 1001) < 0.35, female = random.uniform(patient, 1002) < 0.5;
  const std::size_t stage = std::min<std::size_t>(3, static_cast<std::size_t>(4 * uniform()));
  const std::size_t treatment = std::min<std::size_t>(2, static_cast<std::size_t>(3 * uniform()));
  const double marker = std::round(10 * std::exp(1 + 0.8 * random.normal(patient, 2000 + number))) / 10;
  const double bmi = std::round(10 * (26 + 4 * random.normal(patient, 3000 + number))) / 10;
  const double own = 0.5 * random.normal(patient, 4000);
  const double odds = 0.9 * (std::log(std::max(marker, 0.25)) - 1) - 1.1 + kStageEffects[stage] + 0.02 * (age - 58) +
                      (smoker && treatment == 0 ? 0.9 : 0) - (treatment == 2 ? 0.5 : 0) + own;
  const bool relapse = uniform() < 1 / (1 + std::exp(-odds));
  return concat('P', 101 + patient, ',', age, ',', female ? 'f' : 'm', ',', bmi, ',', smoker ? "yes" : "no", ',',
                kExampleStages[stage], ',', marker < 0.5 ? std::string("<0.5") : concat(marker), ',',
                kExampleTreatments[treatment], ',', relapse ? 1 : 0, '\n');
}

void write_table(const std::string& folder) {
  const Random random = Random(1).stream("table");
  std::string text = "patient,age [years],sex,bmi [kg/m2],smoker,stage,marker [ng/mL],treatment,relapse\n";
  for (std::uint64_t patient = 0; patient < kExamplePatients; ++patient)
    for (std::uint64_t number = 0; number <= random.below(3, patient, 5000); ++number)
      text += episode(patient, number, random);
  write_file(folder + "/table.csv", text);
}

}  // namespace

std::vector<Example> examples() {
  return {{"table.csv",
           "episodes of 240 patients, and whether each had a relapse; the true odds are known",
           {},
           {"fovea inspect table.csv",
            "fovea run study.table --set data.file=table.csv --set data.target=relapse --set data.group=patient"},
           &write_table}};
}

}  // namespace fovea::study
