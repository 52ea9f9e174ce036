#pragma once
/// The number that opinion.phase turns: any real key that the chosen model, network and start read. The crowd is made
/// anew for each value of it, and what moves on is its state.

#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"

namespace fovea::opinion::phase {

/// How sentences speak of the control.
struct ControlWords {
  std::string name;    ///< "temperature", "network.between"
  std::string symbol;  ///< "T", "network.between"
  std::string unit;    ///< "1" for none
  /// "T = 0.00896(2) opinion^2"; no more digits than the error allows.
  std::string at(double value, double error) const;
  /// The same behind the name, which is not said twice: "0.88(5)" of network.between.
  std::string behind_name(double value, double error) const;
  /// " opinion^2", or nothing.
  std::string unit_behind() const { return unit == "1" ? "" : " " + unit; }
};

struct PhaseControl : ControlWords {
  std::string given;      ///< phase.control
  std::string key;        ///< that it stands for: "temperature" is model.temperature, "network.between" itself, and
                          ///< "formula.far" the value of the number of that name in formula.parameters
  std::string dimension;  ///< of the results: "temperature", "between", "formula_far"
};
PhaseControl phase_control(const Config& config);

/// What phase.control may name here: the numbers of the model without "model.", those of network and start with their
/// tables, and those of one's own that formulas read, as in "formula.far".
std::vector<std::string> controls_of(const Config& config);

/// The config with the control at this value.
Config at_control(const Config& config, const PhaseControl& control, double value);

/// Complains where the control is none of controls_of(), is given beside its range, or cannot have the ends of it.
void check_control(const Config& config, Complaints& complaints);

}  // namespace fovea::opinion::phase
