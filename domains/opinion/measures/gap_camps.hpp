#pragma once
/// The camps of opinions with one component, of which neither a sorted copy nor a number for each agent is kept.

#include <span>
#include <vector>

#include "fovea/core/ranks/ranks.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"

namespace fovea::opinion::measures {

/// Camps as find_camps() finds and numbers them.
class GapCamps {
 public:
  /// In O(N) by cells a little shorter than the gap, whose agents belong together: their least and largest opinion say
  /// whether they do with those of the next cell. Where there would be many cells for so few agents, by sorting. Bits
  /// do not depend on the numbers of threads and ranks, of which each has the opinions of its own agents, from number
  /// `first` on; several ranks do not sort. Throws ArgumentError for no agents or gap <= 0, on several ranks also for
  /// more than 2^20 cells.
  GapCamps(std::span<const double> opinions, double gap, const Ranks& ranks = alone(), Index first = 0);

  /// Sizes and centres over all ranks, without Camps::camp.
  const Camps& camps() const { return camps_; }
  /// The camp that the agent with this opinion is in: of one of `opinions`.
  Index camp_of(double opinion) const { return numbers_[place_of(opinion)]; }

 private:
  struct Ends {
    double low, high;
  };
  struct Member;
  void find(std::span<const double> opinions, double gap, const Ranks& ranks, Index first);
  std::vector<Ends> cell_ends(std::span<const double> opinions, const Ranks& ranks) const;
  Index cell_of(double opinion) const { return static_cast<Index>((opinion - low_) * inverse_); }
  std::size_t place_of(double opinion) const;
  std::vector<Member> members(std::span<const double> opinions, double largest, const Ranks& ranks, Index first) const;
  void number_by_size(const std::vector<Member>& members);

  Index agents_ = 0;              ///< of all ranks
  double low_ = 0, inverse_ = 0;  ///< of the cells; inverse 0: there are none
  std::vector<Index> places_;     ///< of the camp of each cell, among all camps ascending
  std::vector<double> lowest_;    ///< opinions of the camps, ascending
  std::vector<Index> numbers_;    ///< of the camps, ascending
  Camps camps_;
};

}  // namespace fovea::opinion::measures
