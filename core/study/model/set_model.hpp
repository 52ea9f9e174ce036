#pragma once
/// The standard model of a study: a Transformer over the tokens of a case and a class token that reads them.
///
///   h = [c, x A + a],  h <- block(h) `blocks` times,  y = norm(h_0) D + d
///
/// (Vaswani et al. 2017; the class token c: Devlin et al. 2019). The class token has the time of the case's last token
/// (or the end that the cases give) and its mean coordinates, so modifiers such as time_decay count ages from the end
/// of the case. With one target a token there is no class token, and every token is answered for itself. A case without
/// tokens gets the answer of the class token alone. Where tokens have classes, a learned row for its class is added to
/// each token: h = [c, x A + a + K_kind]. It cannot be asked at several times (Batch::at).

#include <memory>

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/model/study_model.hpp"

namespace fovea::study {

/// Keys model.width, model.heads, model.blocks, model.dropout, model.modifiers.
void declare_set_model(Schema& schema);
void check_set_model(const Config& config, Complaints& complaints);

/// Parameters: embed.*, kinds.rows (with classes), class.token, block_K.*, norm.*, answer.*
std::unique_ptr<StudyModel> make_set_model(const Config& config, const ModelShape& shape,
                                           learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::study
