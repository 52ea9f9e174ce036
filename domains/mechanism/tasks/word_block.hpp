#pragma once
/// The Transformer block over words that the translator and the classifier of reviews have.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/config/keys.hpp"

namespace fovea::mechanism::tasks {

struct WordBlock {
  Index words = 0;  ///< of a language; no key
  Index width = 32, heads = 2, hidden = 64;
  double position_base = 100;  ///< of the sinusoidal positions: the slowest turns once in 2 pi base words
};
/// `model.width`, `model.heads`, `model.hidden`, `model.position_base`.
const Keys<WordBlock>& word_block_keys();

}  // namespace fovea::mechanism::tasks
