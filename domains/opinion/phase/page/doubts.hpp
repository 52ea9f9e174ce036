#pragma once
/// What sizes and searches do not show, by kind: of opinion.phase.

#include "fovea/core/data/finding.hpp"

namespace fovea::opinion::phase {

struct OnlySmallerCrowds {
  std::size_t largest, jumps, jumps_of_largest;  ///< agents, and how many changes were found
  FOVEA_FINDING(verdict, "only_smaller_crowds", "smaller crowds show transitions, and the largest none", largest, jumps,
                jumps_of_largest)
  bool holds() const { return jumps > 0 && jumps_of_largest == 0; }
  std::string sentence() const;
  static OnlySmallerCrowds example() { return {4000, 2, 0}; }
  static OnlySmallerCrowds counterexample() { return {4000, 2, 1}; }
};

/// Of a jump, or of the place where order begins.
struct PlaceOfOneSize {
  std::string place;
  std::size_t sizes, agents;
  FOVEA_FINDING(verdict, "place_of_one_size", "one size alone has this transition", place, sizes, agents)
  bool holds() const { return sizes == 1; }
  std::string sentence() const;
  static PlaceOfOneSize example() { return {"That at 0.24", 1, 400}; }
  static PlaceOfOneSize counterexample() { return {"That at 0.24", 2, 400}; }
};

struct PlaceMovesWithSize {
  std::string place;
  bool converges;
  std::size_t sizes, before, largest;  ///< how many, and the agents of the two largest
  double change;
  FOVEA_FINDING(verdict, "place_moves_with_size", "the places of a transition do not converge with the size", place,
                converges, sizes, before, largest, change)
  bool holds() const { return sizes > 1 && !converges; }
  std::string sentence() const;
  static PlaceMovesWithSize example() { return {"That at 0.24", false, 3, 200, 400, 0.03}; }
  static PlaceMovesWithSize counterexample() { return {"That at 0.24", true, 3, 200, 400, 0.03}; }
};

struct PlacesAreMeans {
  bool noisy, drawn;
  std::size_t replicas;
  FOVEA_FINDING(note, "places_are_means", "crowds at rest differ, since something of them is drawn", noisy, drawn,
                replicas)
  bool holds() const { return !noisy && drawn; }
  std::string sentence() const;
  static PlacesAreMeans example() { return {false, true, 4}; }
  static PlacesAreMeans counterexample() { return {false, false, 4}; }
};

struct MeanFieldOnNetwork {
  bool crossing, network;
  FOVEA_FINDING(note, "mean_field_on_network", "the exponents of the complete graph were used on a network", crossing,
                network)
  bool holds() const { return crossing && network; }
  std::string sentence() const;
  static MeanFieldOnNetwork example() { return {true, true}; }
  static MeanFieldOnNetwork counterexample() { return {true, false}; }
};

/// Half widths of the 95 % intervals of a crossing, and those asked for.
struct CrossingTooWide {
  double place, place_asked, cumulant, cumulant_asked;  ///< of the place: relative
  std::size_t rounds_max;
  FOVEA_FINDING(note, "crossing_too_wide", "an interval of the crossing is wider than asked when the rounds end", place,
                place_asked, cumulant, cumulant_asked, rounds_max)
  bool holds() const { return place > place_asked || cumulant > cumulant_asked; }
  std::string sentence() const;
  static CrossingTooWide example() { return {0.02, 0.005, 0.02, 1, 4}; }
  static CrossingTooWide counterexample() { return {0.004, 0.005, 0.02, 1, 4}; }
};

struct SearchNotAtRest {
  std::size_t waiting, points, steps_max;
  FOVEA_FINDING(note, "search_not_at_rest", "without noise some points were not at rest when the steps ended", waiting,
                points, steps_max)
  bool holds() const { return waiting > 0; }
  std::string sentence() const;
  static SearchNotAtRest example() { return {2, 13, 200000}; }
  static SearchNotAtRest counterexample() { return {0, 13, 200000}; }
};

/// Of a sweep.
struct KnownReproduced {
  std::size_t reproduced, known;
  FOVEA_FINDING(verdict, "known_reproduced", "theory knows transitions of a sweep's points", reproduced, known)
  bool holds() const { return known > 0; }
  std::string sentence() const;
  static KnownReproduced example() { return {5, 6}; }
  static KnownReproduced counterexample() { return {0, 0}; }
};

}  // namespace fovea::opinion::phase
