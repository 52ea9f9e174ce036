#include "fovea/domains/nowcast/made/made_cases.hpp"

#include <algorithm>

#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"

namespace fovea::nowcast::made {

namespace {

constexpr double kTeach = 0.6, kCalibrate = 0.75;  ///< shares of the months at which these parts end

/// "": between two parts.
std::string part_of_month(Index month, const MadeSettings& settings) {
  const auto taught = static_cast<Index>(kTeach * static_cast<double>(settings.months)),
             calibrated = static_cast<Index>(kCalibrate * static_cast<double>(settings.months));
  if (month < taught) return "training";
  if (month < taught + settings.window) return "";
  if (month < calibrated) return "validation";
  return month < calibrated + settings.window ? "" : "test";
}

std::vector<std::string> classes_of(const std::vector<MadeKind>& kinds, const std::string& hidden) {
  std::vector<std::string> names{kNothing};
  for (const MadeKind& kind : kinds)
    if (kind.name != hidden) names.push_back(kind.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

const Keys<MadeSettings>& made_keys() {
  using S = MadeSettings;
  static const auto keys =
      Keys<S>()
          .file(study::kDataFile, &S::file, "none: the months are simulated")
          .key("economy.months", &S::months, Range::between(1000, 100000), "months", "months of the simulated economy")
          .key("events.window", &S::window, Range::between(1, 60), "months", "months of events that a month sees");
  return keys;
}

MadeCases made_cases(const MadeSettings& settings, const Random& random, const std::string& hidden) {
  datasets::simulated::MadeEconomySettings economy;
  economy.months = settings.months;
  MadeCases made{datasets::simulated::made_economy(random, economy), {}, {}, {}};
  study::Cases& cases = made.cases;
  cases.features = {{"size", "1", {}, true}};
  cases.time_unit = "months";
  cases.classes = classes_of(economy.kinds, hidden);
  cases.reading.noun = "month";
  std::vector<float> sizes;
  const auto add_token = [&](const std::string& name, double size, Index month, Index event) {
    const auto found = std::lower_bound(cases.classes.begin(), cases.classes.end(), name);
    cases.kinds.push_back(static_cast<std::uint16_t>(found - cases.classes.begin()));
    cases.times.push_back(static_cast<double>(month));
    sizes.push_back(static_cast<float>(size));
    made.events.push_back(event);
  };
  const auto& events = made.economy.events;
  std::size_t first = 0;
  for (Index month = 0; month < settings.months; ++month) {
    while (first < events.size() && events[first].month <= month - settings.window) ++first;
    const std::string part = part_of_month(month, settings);
    if (part.empty()) continue;
    add_token(kNothing, 0, month, -1);
    for (std::size_t i = first; i < events.size() && events[i].month <= month; ++i)
      if (const std::string& kind = economy.kinds[static_cast<std::size_t>(events[i].kind)].name; kind != hidden)
        add_token(kind, events[i].size, events[i].month, static_cast<Index>(i));
    cases.offsets.push_back(std::ssize(made.events));
    cases.ids.push_back(std::to_string(month));
    cases.ends.push_back(static_cast<double>(month));
    cases.targets.push_back(made.economy.labels[static_cast<std::size_t>(month)]);
    cases.parts.push_back(part);
    made.months.push_back(month);
  }
  cases.values = Eigen::Map<const Matrix<float>>(sizes.data(), std::ssize(sizes), 1);
  return made;
}

}  // namespace fovea::nowcast::made
