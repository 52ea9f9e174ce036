#include "fovea/domains/ehr/examples.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"

namespace fovea::ehr {

namespace {

constexpr Index kExampleStays = 150;

/// stays.csv: a row an event, statics without a time; outcomes.csv: a row a stay.
void write_stays(const std::string& folder) {
  datasets::simulated::EventPlan plan = datasets::simulated::ward_plan(kExampleStays);
  plan.fewest = 20, plan.most = 80;
  const datasets::events::Stays stays = made_stays(plan, Random(1)).stays;
  const auto row = [&](Index s, const std::string& time, std::uint16_t kind, float value) {
    return concat(stays.ids[s], ',', time, ',', stays.variables[kind], ',', plain_text(value, 4), '\n');
  };
  std::string events = "stay_id,time_minutes,variable,value\n", outcomes = "stay_id,in_hospital_death\n";
  for (Index s = 0; s < stays.count(); ++s) {
    for (Index i = stays.static_offsets[s]; i < stays.static_offsets[s + 1]; ++i)
      events += row(s, "", stays.static_kinds[i], std::round(stays.static_values[i]));
    for (Index i = stays.offsets[s]; i < stays.offsets[s + 1]; ++i)
      events += row(s, concat(std::lround(60 * stays.hours[i])), stays.kinds[i], stays.values[i]);
    outcomes += concat(stays.ids[s], ',', stays.outcomes.front().values[s], '\n');
  }
  write_file(folder + "/stays.csv", events);
  write_file(folder + "/outcomes.csv", outcomes);
}

}  // namespace

std::vector<Example> examples() {
  return {{"stays.csv",
           "two days of 150 stays in intensive care: twelve measured variables whose half-lives are known, age and sex",
           {"outcomes.csv"},
           {"fovea inspect stays.csv --outcomes outcomes.csv"},
           &write_stays}};
}

}  // namespace fovea::ehr
