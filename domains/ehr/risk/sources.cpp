#include "fovea/domains/ehr/risk/sources.hpp"

#include <map>

namespace fovea::ehr::risk {

const std::vector<std::string>& sources() {
  static const std::vector<std::string> all{"bedside", "laboratory",   "gases and ventilation",
                                            "fluids",  "demographics", "other"};
  return all;
}

std::string source_of(const std::string& variable) {
  static const std::map<std::string, std::vector<std::string>> kVariables{
      {"bedside", {"DiasABP", "GCS", "HR", "MAP", "NIDiasABP", "NIMAP", "NISysABP", "RespRate", "SysABP", "Temp"}},
      {"laboratory",
       {"ALP", "ALT", "AST", "Albumin", "BUN", "Bilirubin", "Cholesterol", "Creatinine", "Glucose", "HCT", "K", "Mg",
        "Na", "Platelets", "TroponinI", "TroponinT", "WBC"}},
      {"gases and ventilation", {"FiO2", "HCO3", "Lactate", "MechVent", "PaCO2", "PaO2", "SaO2", "pH"}},
      {"fluids", {"Urine"}},
      {"demographics", {"Age", "Gender", "Height", "ICUType", "Weight"}}};
  static const std::map<std::string, std::string> kSourceOf = [] {
    std::map<std::string, std::string> made;
    for (const auto& [source, names] : kVariables)
      for (const std::string& name : names) made[name] = source;
    return made;
  }();
  const auto found = kSourceOf.find(variable.substr(0, variable.find(" = ")));
  return found == kSourceOf.end() ? "other" : found->second;
}

}  // namespace fovea::ehr::risk
