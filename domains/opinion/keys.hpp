#pragma once
/// The keys that several experiments on opinions have. Each binds them to a member of its own; where a key means more
/// or less there, it says so.

#include <string>
#include <utility>

#include "fovea/core/config/schema.hpp"
#include "fovea/core/config/shared_key.hpp"

namespace fovea::opinion {

/// Opinions larger than this are refused: their fourth powers, for the kurtosis, would leave the range of a double.
inline constexpr double kLargestOpinion = 1e50;

/// The same key with another range, or with another unit.
inline SharedKey within(const Range& range, SharedKey key) { return key.range = range, key; }
inline SharedKey in_units_of(std::string unit, SharedKey key) { return key.unit = std::move(unit), key; }

inline const SharedKey kDataFile{"data.file", "a table with a header; .csv or .csv.gz"};

inline const SharedKey kAgentsCount{"agents.count", "number of agents; a network file and a start file give their own",
                                    Range::between(2, 1e11)};
inline const SharedKey kEdges{"network.edges",
                              "edges: a table source,target[,weight], a graph document, list or matrix; also .gz"};
inline const SharedKey kRelation{"network.relation",
                                 "only edges of this relation, by a column or attribute of the edges called relation, "
                                 "layer or type; empty: all"};
inline const SharedKey kUseWeights{"network.use_weights", "multiply the attention along an edge by its weight"};

inline const SharedKey kSelfWeight{
    "network.self_weight",
    "weight of an agent's own opinion, on the scale of the edge weights; 0 where network.directed is true",
    Range::at_least(0)};

inline const SharedChoice<> kScore{"model.score",
                                   {"gaussian", "dot_product", "cosine", "log_distance"},
                                   "attention, saturation: score of two opinions: -|x-y|^2/2, x.y, cosine, -log|x-y|"};
inline const SharedKey kComponents{"model.components", "components of an opinion; sphere: 2 or more",
                                   Range::between(1, 64)};
inline const SharedKey kStubbornness{
    "model.stubbornness", "s: weight of an agent's starting opinion; of voters: probability that one keeps its own",
    Range::between(0, 1)};
inline const SharedKey kDistanceFloor{"model.distance_floor", "smaller distances are replaced by this one",
                                      Range::positive(), "opinion"};
inline const SharedKey kNoise{
    "model.noise", "standard deviation in each step (opinion), or diffusion D in continuous time (opinion^2)",
    Range::between(0, kLargestOpinion)};

inline const SharedKey kTemperatureLow{"temperature.low", "lowest temperature", Range::positive(), "opinion^2"};
inline const SharedKey kTemperatureHigh{"temperature.high", "highest temperature", Range::positive(), "opinion^2"};
inline const SharedKey kTemperatureCount{"temperature.count", "number of temperatures", Range::between(1, 10000)};

inline const SharedKey kRestTolerance{"rest.tolerance", "at rest: no opinion moves further than this in one step",
                                      Range::positive(), "opinion"};
inline const SharedKey kCampsGap{
    "camps.gap", "agents closer than this, directly or through agents between them, form one camp (cluster)",
    Range::positive(), "opinion"};
inline const SharedKey kCampsLeastShare{"camps.least_share", "smallest share of the agents that is reported as a camp",
                                        Range::between(0, 1)};
inline const SharedKey kAlpha{"measures.alpha", "exponent of the Esteban-Ray measure", Range::between(0, 1.6)};

inline const SharedKey kBins{"record.bins", "bins of the opinion histogram", Range::between(2, 10000)};
inline const SharedKey kLimit{"record.limit", "histogram over [-limit, limit]; 0: from the starting opinions",
                              Range::at_least(0), "opinion"};
inline const SharedKey kDrawnNetwork{"record.network", "networks of up to this many agents are drawn"};

}  // namespace fovea::opinion
