/// The oracle on saturated influence (E6): where two camps can no longer rest.

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::oracle {

namespace {

/// Two agents at +-a. With time_step 1 a step of the model is the map a -> K tanh(alpha a) tanh(a^2 / T).
class CampPair {
 public:
  CampPair(double coupling, double steepness, const std::string& score) {
    const double place = theory::saturated_consensus(coupling, steepness);
    dynamics_ = free_crowd(
        {.model = "saturation", .score = score, .coupling = coupling, .steepness = steepness, .time_step = 1},
        even_crowd(2, -place, place));
    rested_ = dynamics_->agents().start;
  }

  /// Where they come to rest, from where they last rested; 0 if they meet. Past the end by a share of it they creep by
  /// about as much in a step: 1e-10 is rest.
  double place_at(double temperature, double gone) {
    dynamics_->set(dynamics::Control::temperature, temperature);
    Matrix<double> opinions = rested_;
    const auto met = [&](const Matrix<double>& now) { return now(1, 0) < gone; };
    run_to_rest(*dynamics_, opinions, 1e-10, 100000, met);
    if (opinions(1, 0) < gone) return 0;
    rested_ = opinions;
    return opinions(1, 0);
  }

 private:
  std::unique_ptr<dynamics::Dynamics> dynamics_;
  Matrix<double> rested_;
};

/// Bisected to 3e-7 of itself: a pair that passes the end at that distance takes some 1e4 steps.
double measured_end(double coupling, double steepness, const std::string& score) {
  const theory::CampsEnd end = theory::saturated_camps_end(coupling, steepness);
  CampPair pair(coupling, steepness, score);
  double rests = 0.9 * end.temperature, meets = 1.1 * end.temperature;
  while (meets - rests > 3e-7 * end.temperature) {
    const double middle = 0.5 * (rests + meets);
    (pair.place_at(middle, 0.9 * end.place) > 0 ? rests : meets) = middle;
  }
  return 0.5 * (rests + meets);
}

void draw_camps_end(OracleSheet& sheet, double coupling, double steepness) {
  CampPair pair(coupling, steepness, "gaussian");
  const theory::CampsEnd end = theory::saturated_camps_end(coupling, steepness);
  std::vector<double> temperatures, places, theory;
  for (int k = 1; k <= 48; ++k) {
    const double temperature = 1.2 * end.temperature * k / 48;
    temperatures.push_back(temperature);
    places.push_back(pair.place_at(temperature, 0.5 * end.place));  // 48 rests far from the end: short
    double low = end.place, high = theory::saturated_consensus(coupling, steepness) * (1 - 1e-12);
    for (int round = 0; round < 60; ++round) {  // T falls with a on the outer branch
      const double middle = 0.5 * (low + high);
      (theory::saturated_camps_temperature(middle, coupling, steepness) > temperature ? low : high) = middle;
    }
    theory.push_back(temperature <= end.temperature ? 0.5 * (low + high) : kNan);
  }
  sheet.results().coordinate("e6_temperature", temperatures, "opinion^2", "temperature T");
  sheet.results().add("e6_place", {"e6_temperature"}, places, "opinion", "distance of a camp from the middle");
  sheet.results().add("e6_theory", {"e6_temperature"}, theory, "opinion", "a = K tanh(alpha a) tanh(a^2 / T)");
  sheet.results().scalar("e6_end", end.temperature, "opinion^2", "end of the camps");
  sheet.results().figure({.name = "saturated_camps",
                          .title = "E6: two camps under saturation end in a discontinuous transition",
                          .caption = "Position of two camps at rest, K = 1, alpha = 2: the model, and a = K tanh(alpha "
                                     "a) tanh(a^2 / T) (dashed). At the mark they merge.",
                          .variables = {"e6_place"},
                          .references = {"e6_theory"},
                          .x = "e6_temperature",
                          .marks = {"e6_end"}});
}

}  // namespace

void measure_saturated_camps(OracleSheet& sheet) {
  struct Case {
    double coupling, steepness;
    std::string score, name;
  };
  const std::vector<Case> cases{{1, 1.5, "gaussian", ""},      {1, 2, "gaussian", ""},   {1, 3, "gaussian", ""},
                                {1, 10, "gaussian", ""},       {2, 2, "gaussian", ""},   {3, 3, "gaussian", ""},
                                {1, 2, "dot_product", "_dot"}, {1, 1000, "gaussian", ""}};
  std::vector<double> ends(cases.size());
  side_by_side(cases.size(),
               [&](std::size_t k) { ends[k] = measured_end(cases[k].coupling, cases[k].steepness, cases[k].score); });
  sheet.progress(0.8);
  constexpr double kEnd = 1e-6;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto& [coupling, steepness, score, name] = cases[k];
    sheet.compare(concat("end_K_", coupling, "_alpha_", steepness, name),
                  concat("temperature where two camps end, K = ", coupling, ", alpha = ", steepness,
                         name.empty() ? "" : ", score x y"),
                  theory::saturated_camps_end(coupling, steepness).temperature, ends[k], relative(kEnd));
  }
  // infinite steepness: a number of its own, from sinh 2z = 4z
  sheet.compare("steep", "end of camps at K = 1, alpha = 1000, against 0.582583 (alpha infinite)", 0.582583,
                ends.back(), relative(kEnd));
  draw_camps_end(sheet, 1, 2);
}

}  // namespace fovea::opinion::oracle
