#pragma once
/// What the pages of imaging state in words, by kind.

#include <cmath>
#include <cstdint>
#include <string>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::imaging {

/// Examined holes: mean PSNR, and that of the best simple method.
struct HolesFilled {
  std::int64_t holes;
  double psnr, simple;
  std::string best;
  double covered;
  FOVEA_FINDING(note, "holes_filled", "holes were cut where the truth is known, and filled", holes, psnr, simple, best,
                covered)
  bool holds() const { return holes > 0; }
  std::string sentence() const {
    return concat("Mean PSNR over ", counted(holes, "hole"), " is ", fixed_text(psnr, 2), " dB, compared with ",
                  fixed_text(simple, 2), " dB of the best simple method (", best, "). ", fixed_text(100 * covered, 0),
                  " % of the hidden voxels lie within their 90 % interval.");
  }
  static HolesFilled example() { return {12, 31.2, 30.4, "biharmonic", 0.91}; }
  static HolesFilled counterexample() { return {0, kNan, kNan, "", kNan}; }
};

/// PSNR with attention less that of its own guess, in dB, with a 95 % interval over holes.
struct AttentionGain {
  double gain, low, high;
  std::int64_t holes;
  /// Of fewer holes all may gain by chance in more than 5 % of cases: 2 / 2^5 = 6 %.
  static constexpr std::int64_t kFewest = 6;
  bool mends() const { return holes >= kFewest && low > 0; }
  std::string interval() const {
    return concat(fixed_text(gain, 2), " dB (95 % interval ", fixed_text(low, 2), " to ", fixed_text(high, 2), ')');
  }
};
struct AttentionMends : AttentionGain {
  FOVEA_FINDING(verdict, "attention_mends", "attention raises the PSNR of its guess", gain, low, high, holes)
  bool holds() const { return mends(); }
  std::string sentence() const { return concat("Attention raises the PSNR of its guess by ", interval(), "."); }
  static AttentionMends example() { return {{0.8, 0.4, 1.2, 12}}; }
  static AttentionMends counterexample() { return {{0.8, 0.4, 1.2, 3}}; }
};
struct AttentionAddsLittle : AttentionGain {
  FOVEA_FINDING(verdict, "attention_adds_little", "that attention raises the PSNR of its guess is not shown", gain, low,
                high, holes)
  bool holds() const { return !mends(); }
  std::string sentence() const {
    return concat("That attention raises the PSNR of its guess is not shown: the change is ",
                  low == low ? interval() : fixed_text(gain, 2) + " dB",
                  holes < kFewest ? concat("; fewer than ", kFewest, " holes cannot tell.") : ".");
  }
  static AttentionAddsLittle example() { return {{0.1, -0.2, 0.4, 12}}; }
  static AttentionAddsLittle counterexample() { return {{0.8, 0.4, 1.2, 12}}; }
};

struct NoDevice {
  bool images;
  FOVEA_FINDING(note, "no_device", "the page shows filled or measured images", images)
  bool holds() const { return images; }
  std::string sentence() const {
    return "What is filled is an estimate, not a measurement; this is no medical device.";
  }
  static NoDevice example() { return {true}; }
  static NoDevice counterexample() { return {false}; }
};

}  // namespace fovea::imaging
