#pragma once
/// What the pages of opinion say in words, by kind.

#include <string>

#include "fovea/core/data/finding.hpp"

namespace fovea::opinion {

struct PlainAveragingMoves {
  bool plain_averaging;  ///< neither stubbornness nor noise
  std::size_t moving, temperatures;
  FOVEA_FINDING(note, "plain_averaging_moves", "plain averaging is not at rest at some temperatures when steps end",
                plain_averaging, moving, temperatures)
  bool holds() const { return plain_averaging && moving > 0; }
  std::string sentence() const {
    return "Plain averaging (s = 0, no noise) ends in consensus at any temperature above 0 (on a network, in each "
           "connected component). The polarization here only reflects the finite number of steps. An expected lifetime "
           "is that of the two camps that merge first, in isolation: (T / d^2) exp(d^2 / 2T) / (n1 / n2 + n2 / n1) "
           "further steps, for d^2 >> T.";
  }
  static PlainAveragingMoves example() { return {true, 2, 9}; }
  static PlainAveragingMoves counterexample() { return {true, 0, 9}; }
};

}  // namespace fovea::opinion
