#include "fovea/domains/opinion/temperature/findings.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::opinion::temperature {

namespace {

std::string range_text(double low, double high) {
  const std::string least = plain_text(low), most = plain_text(high);
  return least == most ? least : concat(least, " to ", most);
}

std::string camps_text(double camps) { return concat(plain_text(camps), camps == 1 ? " camp" : " camps"); }

}  // namespace

std::string SharesOnSide::sentence() const {
  const auto percent = [](double share) { return std::round(1000 * share) / 10; };
  return concat(percent(least), " to ", percent(most),
                " % of the agents with unknown side end on their observed side, depending on temperature and branch. "
                "Label propagation places ",
                percent(propagated), " % there.");
}

std::string SweptTransitions::sentence() const {
  const bool cools = !std::isnan(cooling_low), heats = !std::isnan(heating_low);
  return concat(
      "Over the swept values, ",
      cools ? concat("on cooling, consensus is lost at T = ", range_text(cooling_low, cooling_high)) : "",
      cools && !std::isnan(predicted_low) ? concat(" (predicted there ", range_text(predicted_low, predicted_high), ")")
                                          : "",
      cools && heats ? "; " : "",
      heats ? concat("on heating, polarization persists up to T = ", range_text(heating_low, heating_high)) : "", ".");
}

std::string TransitionsOfBranches::sentence() const {
  const bool cools = !std::isnan(cooling), heats = !std::isnan(heating);
  const std::string end = heats ? concise_with_error(heating, heating_error) : concise_with_error(highest, 0);
  if (!cools) return concat("On heating, polarization persists up to T = ", end, ".");
  return concat("On cooling, consensus is lost at T = ", concise_with_error(cooling, cooling_error),
                std::isnan(predicted) ? "" : concat(" (predicted ", concise_with_error(predicted, 0), ")"),
                heated ? concat(". On heating, polarization persists ", heats ? "up to " : "beyond ", end) : "",
                has_hysteresis() ? ": a first-order transition with hysteresis." : ".");
}

std::string CampsOverTemperature::sentence() const {
  return least == most ? concat("The crowd has ", camps_text(most), " at every temperature.")
                       : concat("There are ", least, " to ", most, " camps, depending on temperature.");
}

std::string CampsOfBranch::sentence() const {
  if (camps_coldest == camps_hottest)
    return concat("On ", branch, " there are ", camps_text(camps_coldest), " at both ends of the range.");
  const std::string cold = concat(camps_text(camps_coldest), " at T = ", plain_text(coldest)),
                    hot = concat(camps_text(camps_hottest), " at T = ", plain_text(hottest));
  const bool cooling = branch == "cooling";
  return concat("On ", branch, " the crowd goes from ", cooling ? hot : cold, " to ", cooling ? cold : hot, ".");
}

std::string TwoCampsEnd::sentence() const {
  return concat("For comparison: two camps of one half of the agents each, taken as points, have an equilibrium up to ",
                "T = ", concise_with_error(most, 0),
                ". The limit of other camps differs, so the end of the heating branch depends on its history.");
}

std::string TemperaturesNotAtRest::sentence() const {
  return concat("Not at rest at ", moving, " of ", temperatures, " temperatures. ", places, ".");
}

std::string MeansOverTime::sentence() const {
  return concat("With noise no state is at rest: measures are means over ", steps, " steps after ", burn_in,
                ". Maps and single opinions are of the last step.");
}

std::string BisectionNotAtRest::sentence() const {
  return concat(moving, " of the temperatures of the bisection were not at rest after ", steps_max,
                " steps; raise rest.steps_max for a more accurate transition.");
}

}  // namespace fovea::opinion::temperature
