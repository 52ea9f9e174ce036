#pragma once
/// What a file of jets shows that may be no file for the question, by kind.

#include <algorithm>
#include <cctype>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::particle {

struct PerhapsTeV {
  std::string file, noun;
  double median = 0;  ///< pT of the sums
  FOVEA_FINDING(warning, "perhaps_tev", "the median pT of a file of jets is below 2 GeV", file, noun, median)
  bool holds() const { return noun == "jet" && median > 0 && median < 2; }  // no jet is found so far down
  std::string sentence() const {
    return concat(file, ": the median pT is ", rounded_text(median), " GeV: is the file in TeV, or relative to the ",
                  "jets' own pT? Then multiply it.");
  }
  static PerhapsTeV example() { return {"jets.h5", "jet", 0.59}; }
  static PerhapsTeV counterexample() { return {"events.h5", "event", 0.59}; }
};
/// What a file and a question call the labels 0, 1, ..., where both have names.
struct ClassesRenamed {
  std::string file, named, asked;  ///< "'gluon', 'quark'"
  FOVEA_FINDING(warning, "classes_renamed", "a file calls its classes otherwise than the question does", file, named,
                asked)
  bool holds() const {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return !std::equal(named.begin(), named.end(), asked.begin(), asked.end(), same);
  }
  std::string sentence() const {
    return concat(file, ": its classes are called ", named, ", and ", asked,
                  " here; find out whether it is a file for this question.");
  }
  static ClassesRenamed example() { return {"jets.h5", "'gluon', 'quark'", "'QCD', 'top'"}; }
  static ClassesRenamed counterexample() { return {"jets.h5", "'QCD', 'top'", "'QCD', 'top'"}; }
};

}  // namespace fovea::particle
