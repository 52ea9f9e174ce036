#pragma once
/// Attention over the constituents of a jet:
///
///   h = gelu(x A + a) B + b,  h <- block(h) `model.blocks` times,  y = gelu(norm(pool(h)) C + c) D + d
///
/// Blocks are TransformerBlocks (normalised before each part) whose scores may have a bias that a small network makes
/// of each pair (pair_features.hpp; Qu, Li, Qian 2022), computed once a pass and shared by the blocks, and whose
/// constituents may see their neighbours alone. pool: the mean or the sum over the constituents, or a class token that
/// attends to them, and to itself, in one further block whose only query it is (Touvron et al. 2021): what it keeps for
/// itself tells it how many they are. With a target one a particle nothing is pooled. The sum is divided by 32, so that
/// it starts at the order of 1.
///
/// With weighted keys constituent j counts z_j = pT_j / sum pT times: w_ij ~ z_j exp(s_ij), and the mean is sum z_i
/// h_i. With directions as inputs, a pair bias that is smooth at dR = 0, or none, and a neighbourhood that does not
/// count, the answer does not change when constituents are added with z -> 0, or one is split into two parallel ones:
/// soft and collinear safety at any depth (Konar, Ngairangbam, Spannowsky 2021 for message passing). With a cap c of
/// the scores, soft keys of a share m of the pT have at most the weight m e^2c, whatever was learned.

#include <memory>
#include <vector>

#include "fovea/core/study/model/task.hpp"
#include "fovea/domains/particle/model/tagger_settings.hpp"

namespace fovea::particle::model {

class Tagger : public study::StudyModel {
 public:
  /// The calls of the engine, one a block: what attention_weights() needs. Valid until the tape's next pass.
  using Calls = std::vector<const learning::AttentionCall<float>*>;
  virtual learning::Variable<float> outputs_with_calls(learning::Tape<float>& tape, const study::Batch& batch,
                                                       Calls& calls) const = 0;
  /// The bias of the scores by which the first particle of each set of two attends to the second: a row a head, a
  /// column a set; no rows where scores have no bias. The tape's pass must have begun.
  virtual Matrix<float> pair_biases(learning::Tape<float>& tape, const learning::Tokens& sets_of_two) const {
    return static_cast<void>(tape), static_cast<void>(sets_of_two), Matrix<float>();
  }
};

/// Parameters: embed.1.*, embed.2.*, pairs.*, block_K.*, class.*, norm.*, answer.1.*, answer.2.*
std::unique_ptr<Tagger> make_tagger(const TaggerSettings& settings, const study::ModelShape& shape,
                                    learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::particle::model
