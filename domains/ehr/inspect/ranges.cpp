#include "fovea/domains/ehr/inspect/ranges.hpp"

namespace fovea::ehr::inspect {

namespace {

constexpr std::string_view kDefinition = "by definition";
constexpr std::string_view kWide = "wide limits of our own";

std::string lower_case_name(const std::string& name) {
  std::string lower = name;
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == ' ' || letter == '-') letter = '_';
  }
  return lower;
}

}  // namespace

const std::vector<PhysiologicalRange>& physiological_ranges() {
  constexpr std::string_view kCold = "survived: 13.7 (Gilbert et al. 2000), 46.5 (Slovis et al. 1982)";
  constexpr std::string_view kComa = "Teasdale and Jennett 1974";
  static const std::vector<PhysiologicalRange> all{{"temp", 13.7, 46.5, "degrees Celsius", kCold},
                                                   {"temperature", 13.7, 46.5, "degrees Celsius", kCold},
                                                   {"ph", 6.3, 8.0, "1", kWide},
                                                   {"hr", 1, 350, "1/min", kWide},
                                                   {"heart_rate", 1, 350, "1/min", kWide},
                                                   {"resprate", 0, 150, "1/min", kWide},
                                                   {"respiratory_rate", 0, 150, "1/min", kWide},
                                                   {"sysabp", 1, 375, "mmHg", kWide},
                                                   {"nisysabp", 1, 375, "mmHg", kWide},
                                                   {"sbp", 1, 375, "mmHg", kWide},
                                                   {"diasabp", 1, 300, "mmHg", kWide},
                                                   {"nidiasabp", 1, 300, "mmHg", kWide},
                                                   {"dbp", 1, 300, "mmHg", kWide},
                                                   {"map", 1, 330, "mmHg", kWide},
                                                   {"nimap", 1, 330, "mmHg", kWide},
                                                   {"sao2", 1, 100, "%", kDefinition},
                                                   {"spo2", 1, 100, "%", kDefinition},
                                                   {"fio2", 0.2, 1, "1", "0.21 is air"},
                                                   {"gcs", 3, 15, "1", kComa},
                                                   {"paco2", 1, 300, "mmHg", kWide},
                                                   {"pao2", 1, 760, "mmHg", "pressure of the air at sea level"},
                                                   {"k", 0.5, 20, "mmol/l", kWide},
                                                   {"potassium", 0.5, 20, "mmol/l", kWide},
                                                   {"na", 50, 250, "mmol/l", kWide},
                                                   {"sodium", 50, 250, "mmol/l", kWide},
                                                   {"lactate", 0, 60, "mmol/l", kWide},
                                                   {"glucose", 1, 3000, "mg/dl", kWide},
                                                   {"hct", 1, 90, "%", kWide},
                                                   {"height", 20, 272, "cm", "the tallest man on record"},
                                                   {"weight", 0.2, 650, "kg", "the heaviest man on record"},
                                                   {"age", 0, 122.5, "years", "the oldest woman on record"}};
  return all;
}

std::optional<PhysiologicalRange> range_of(const std::string& variable) {
  const std::string name = lower_case_name(variable);
  for (const PhysiologicalRange& range : physiological_ranges())
    if (range.name == name) return range;
  return std::nullopt;
}

}  // namespace fovea::ehr::inspect
