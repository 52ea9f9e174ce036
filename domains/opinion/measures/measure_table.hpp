#pragma once
/// The table of measures: what each is, its range, where it is not defined, its source. One line a measure in
/// measures.inl; `fovea list measures` prints it, the tests walk it, and every experiment computes its measures by it.

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/domains/opinion/measures/crowd_moments.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::measures {

/// Where opinions lie.
enum class Space {
  flat,    ///< R^D
  circle,  ///< angles, N x 1, without a step of 2 pi inside a camp: cut where the arc between neighbours is widest
  sphere   ///< unit vectors
};

/// The numbers that measures read.
struct MeasureSettings {
  Space space = Space::flat;
  double camp_gap = 0.1;           ///< see find_camps(); a length
  double least_share = 0.01;       ///< smallest share of the agents that counts as a camp
  double esteban_ray_alpha = 1.3;  ///< of esteban_ray()
  double der_alpha = 0.5;          ///< of der()
  double neutral = 0;              ///< opinion between the two sides
  double scale_low = -1;           ///< the ends of the scale that agreement() cuts into categories
  double scale_high = 1;
  Index categories = 7;  ///< of the scale
  Index hubs = 10;       ///< of random_walk_controversy() on each side; 0: it is not computed
  Index most_by_pairs =
      std::numeric_limits<Index>::max();  ///< more agents of several components have no camps told
                                          ///< apart, more camps no Esteban-Ray: all pairs are too many
};

/// What is known of a crowd besides its opinions. All must outlive who is told of it.
struct MeasureContext {
  const society::Graph* graph = nullptr;             ///< as many nodes as agents
  const AttentionSpec<double>* spec = nullptr;       ///< attention between these opinions,
  const AttentionResult<double>* forward = nullptr;  ///< and its forward pass; both or none
  const Camps* camps = nullptr;                      ///< if they were found already: with camp_gap
  const Ranks* ranks = &alone();                     ///< who hold the crowd: the opinions are those of our own agents,
  Index first = 0;                                   ///< from this number on
};

/// A crowd with what several measures need of it, computed when it is first asked for. Not for two threads at a time.
class MeasuredCrowd {
 public:
  /// The opinions must outlive this object. Throws ArgumentError where there are none, one is not finite, or the graph
  /// has another number of nodes.
  MeasuredCrowd(const Matrix<double>& opinions, const MeasureSettings& settings, const MeasureContext& context = {});

  const Matrix<double>& opinions() const { return opinions_; }
  const MeasureContext& context() const { return context_; }
  const MeasureSettings& settings() const { return settings_; }
  Index agents() const { return agents_; }  ///< of all ranks
  /// The moments of opinions with one component; nullptr where they have several.
  const CrowdMoments* line() const;
  std::span<const double> first() const;      ///< the first component of each agent
  std::span<const double> ascending() const;  ///< positions along the principal axis, ascending; one component: itself
  const Camps& camps() const;                 ///< without any where they are not told apart
  const std::vector<Index>& sides() const;    ///< 0: first component below neutral, 1: above, 2: neutral

 private:
  const Matrix<double>& opinions_;
  MeasureSettings settings_;
  MeasureContext context_;
  Index agents_;
  std::vector<double> first_;
  mutable std::optional<CrowdMoments> line_;
  mutable std::vector<double> ascending_;
  mutable std::optional<Camps> camps_;
  mutable std::vector<Index> sides_;
};

struct MeasureEntry {
  std::string_view name;
  std::string_view unit;  ///< "opinion" for a length
  double power;           ///< opinions c times as large make it c^power times as large (at the default alphas)
  double shift;           ///< opinions larger by c make it larger by shift c
  double low, high;       ///< range
  bool needs_network;
  std::string_view undefined;  ///< where it is NaN, besides without the network that it needs; "" for nowhere
  std::string_view definition;
  std::string_view source;
  double (*compute)(const MeasuredCrowd&);  ///< asked only with the network that it needs

  double value(const MeasuredCrowd& crowd) const;  ///< NaN where it is not defined
};

/// Alphabetical; in this order everywhere.
std::span<const MeasureEntry> measures();

/// Throws ArgumentError that lists the names there are.
const MeasureEntry& find_measure(std::string_view name);

/// All measures of a crowd, in the order of the table; NaN where one is not defined or needs the network that is not
/// there. counted: 0 for an agent that is left out together with its edges (bots, media); empty: all count.
/// O(N log N + edges), without random_walk_controversy O(N + edges) on the line. Bits do not depend on threads.
std::vector<double> observe_all(const Matrix<double>& opinions, const society::Graph* graph,
                                const MeasureSettings& settings = {}, std::span<const std::uint8_t> counted = {});

}  // namespace fovea::opinion::measures
