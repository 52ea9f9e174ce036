#pragma once
/// What the pages of particle say in words, by kind.

#include <cmath>
#include <cstdint>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::particle {

/// AUC of attention, perhaps mixed with trees, and of single numbers for telling the hard collision from pile-up.
struct PileUpSeparated {
  double attention, pt, alpha, nearby, gain;  ///< gain: of attention over the best of the three
  bool trees = false;
  std::string compared() const {
    return concat(trees ? "Attention with trees" : "Attention",
                  " separates particles of the hard collision from pile-up with an AUC of ", plain_text(attention),
                  ", compared with ", plain_text(pt), " for pT, ", plain_text(alpha), " for PUPPI's alpha and ",
                  plain_text(nearby), " for the sum of pT nearby: ", plain_text(std::abs(gain), 2));
  }
};
struct AttentionBeatsNumbers : PileUpSeparated {
  FOVEA_FINDING(verdict, "attention_beats_numbers", "the AUC of attention is above that of each single number",
                attention, pt, alpha, nearby, gain, trees)
  bool holds() const { return gain > 0; }
  std::string sentence() const { return concat(compared(), " more than the best of the three."); }
  static AttentionBeatsNumbers example() { return {{0.9, 0.6, 0.8, 0.7, 0.1}}; }
  static AttentionBeatsNumbers counterexample() { return {{0.75, 0.6, 0.8, 0.7, -0.05}}; }
};
struct NumbersBeatAttention : PileUpSeparated {
  FOVEA_FINDING(verdict, "numbers_beat_attention", "the AUC of a single number is at least that of attention",
                attention, pt, alpha, nearby, gain, trees)
  bool holds() const { return gain <= 0; }
  std::string sentence() const { return concat(compared(), " less than the best of the three."); }
  static NumbersBeatAttention example() { return {AttentionBeatsNumbers::counterexample()}; }
  static NumbersBeatAttention counterexample() { return {AttentionBeatsNumbers::example()}; }
};

/// What a file of jets or events shows before anything is learned from it. noun: "jet", "event", "candidate".
struct PerhapsMeV {
  std::string file;
  double median = 0;  ///< pT of the sums, as if the file were in GeV
  FOVEA_FINDING(warning, "perhaps_mev", "the median pT of a file is above 20 TeV", file, median)
  bool holds() const { return median > 2e4; }  // more than the two protons of the LHC have together: 14 TeV
  std::string sentence() const {
    return concat(file, ": the median pT is ", rounded_text(median),
                  " GeV: is the file in MeV? Then say --unit MeV, or ", "data.unit = \"MeV\".");
  }
  static PerhapsMeV example() { return {"jets.h5", 5e5}; }
  static PerhapsMeV counterexample() { return {"jets.h5", 500}; }
};
struct SumsDiffer {
  std::string file;
  double gap = 0;  ///< largest |pT of the sum / pT in the file - 1|
  FOVEA_FINDING(warning, "sums_differ", "pT of a sum differs from that in the file by more than a tenth", file, gap)
  bool holds() const { return gap > 0.1; }  // rounding and soft particles that a file drops make some per cent
  std::string sentence() const {
    return concat(file, ": pT of the sums differs from that in the file by up to ", rounded_text(100 * gap),
                  " %: constituents are missing, or the units differ.");
  }
  static SumsDiffer example() { return {"jets.h5", 0.5}; }
  static SumsDiffer counterexample() { return {"jets.h5", 0.01}; }
};
struct RepeatedSets {
  std::string file, noun;
  std::int64_t repeated = 0;
  FOVEA_FINDING(note, "repeated_sets", "sets of a file repeat others to the last bit", file, noun, repeated)
  bool holds() const { return repeated > 0; }
  std::string sentence() const {
    return concat(file, ": ", counted(repeated, noun), repeated == 1 ? " repeats" : " repeat",
                  " another one to the last bit: a split could put both on its two sides.");
  }
  static RepeatedSets example() { return {"jets.h5", "jet", 3}; }
  static RepeatedSets counterexample() { return {"jets.h5", "jet", 0}; }
};
struct OneClassAlone {
  std::string file;
  std::size_t classes = 0;
  FOVEA_FINDING(note, "one_class_alone", "all labels of a file are the same", file, classes)
  bool holds() const { return classes == 1; }
  std::string sentence() const {
    return concat(file, ": all labels are the same: nothing can be learned or examined with this file alone.");
  }
  static OneClassAlone example() { return {"jets.h5", 1}; }
  static OneClassAlone counterexample() { return {"jets.h5", 2}; }
};

/// How well one number of a set separates the classes: area, at least 1/2, of more than two classes that of one against
/// all others; sets: of the classes together and of the smallest. The area of a number that does not depend on the
/// class has the standard error of Mann and Whitney.
struct NumberSeparates {
  std::string number;
  double area = 0.5;
  std::size_t sets = 0, fewest = 0, classes = 2;
  bool beyond_chance() const {
    const double n = static_cast<double>(sets), few = static_cast<double>(fewest);
    return area - 0.5 > 4 * std::sqrt((n + 1) / (12 * few * (n - few)));  // eight numbers, each in both directions
  }
  std::string why() const {
    return concat(number, " alone separates ", classes > 2 ? "a class from all others" : "the classes", " (AUC ",
                  fixed_text(area, 3), "): ",
                  number == "pT" || number == "|eta|"
                      ? "it comes of how the sets were chosen or written, not of what they are; make the classes alike."
                  : number != "row"     ? "is the label in it?"
                  : area > kLabelWithin ? "the rows are sorted by class, or nearly; shuffle before any split by place."
                                        : "the classes are not spread evenly over the file; shuffle before any split "
                                          "by place.");
  }
  static constexpr double kLabelWithin = 0.995;     // no property of a jet separates two kinds so well
  static constexpr double kSelectionLeaves = 0.06;  // of an area from 1/2: what selections leave, twice over
};
struct NumberTellsClass : NumberSeparates {
  FOVEA_FINDING(warning, "number_tells_class", "one number of a set alone has an AUC above 0.995, beyond chance",
                number, area, sets, fewest)
  bool holds() const { return area > kLabelWithin && beyond_chance(); }
  std::string sentence() const { return why(); }
  static NumberTellsClass example() { return {{"pT", 1, 80, 40}}; }
  static NumberTellsClass counterexample() { return {{"pT", 1, 6, 2}}; }
};
/// Of a number that ought to tell nothing: pT, |eta| and the row are no properties of a class, but of a selection.
struct ShortcutSeparates : NumberSeparates {
  FOVEA_FINDING(note, "shortcut_separates", "pT, |eta| or the row separates the classes beyond chance and selection",
                number, area, sets, fewest)
  bool holds() const { return area > 0.5 + kSelectionLeaves && area <= kLabelWithin && beyond_chance(); }
  std::string sentence() const { return why(); }
  static ShortcutSeparates example() { return {{"pT", 0.7, 2000, 1000}}; }
  static ShortcutSeparates counterexample() { return {{"row", 0.58, 40, 20}}; }
};

}  // namespace fovea::particle
