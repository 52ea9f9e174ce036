#pragma once
/// What the keys of a tagger say (tagger_model.hpp has its equations), and the rules between them.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/neighbourhood.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/domains/particle/model/pair_features.hpp"

namespace fovea::particle::model {

enum class Pooling { class_token, mean, sum };
enum class Mask { none, radius, nearest };

/// Keys model.*, locality.*, training.mirrors, training.turns, training.decorrelation.
struct TaggerSettings {
  bool part = false;  ///< the shape of the Particle Transformer: norms within every part
  std::vector<Index> embedding_hidden{128, 512};
  Index class_blocks = 1;
  std::string weights = {};  ///< a file
  Index width = 32, heads = 4, blocks = 2, hidden = 64;
  double dropout = 0;
  Pooling pooling = Pooling::class_token;
  PairSet pairs = PairSet::none;
  std::vector<Index> pair_hidden{16};
  bool weighted_keys = false;
  double score_cap = 0;  ///< 0: none
  Mask mask = Mask::none;
  double radius = 0.4;
  Index neighbours = 16;
  bool mirrors = true, turns = false;
  double decorrelation = 0;

  /// Which constituents a constituent sees, in (eta or y, phi); nothing: all.
  std::optional<learning::Neighbourhood> locality() const;
  /// Whether a model has the shape of the published Particle Transformer in all that its file of weights holds: also
  /// class attention, and its bias of pairs or none.
  bool has_names_of_part() const;
};
const Keys<TaggerSettings>& tagger_keys();

/// Rules between these keys, and for jets also those with inputs.*.
void check_model(const TaggerSettings& settings, const Complain& complain);
void check_tagger(const TaggerSettings& settings, const InputOptions& inputs, const Complain& complain);

/// Whether such a model does not change under soft and collinear emissions, by construction, and if not, why.
struct Safety {
  bool soft_and_collinear = false;
  std::string reason;  ///< empty where it is safe
};
Safety safety_of(const TaggerSettings& settings, const InputOptions& inputs);

/// Sets of so many particles fit, whatever the model.
inline constexpr Index kAlwaysFit = 4096;
/// Throws DataError, which starts with `whose`, for a set of so many particles that the biases of its pairs would not
/// fit into the memory of this machine: with a bias of pairs and without a mask they grow with the square.
void check_pairs_fit(const TaggerSettings& settings, const std::string& whose, Index particles);

}  // namespace fovea::particle::model
