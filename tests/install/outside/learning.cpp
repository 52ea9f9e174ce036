// The example of core/learning/README.md: four heads, each with a rate that it learns.
#include <fovea/core/learning.hpp>

using namespace fovea::learning;

bool a_block_has_four_learned_rates() {
  Parameters<float> parameters;
  BlockSettings<float> settings;
  settings.attention.width = 64;
  settings.attention.heads = 4;
  settings.attention.modifiers = {decay_with_time<float>({-3, -3, -3, -3}, {fovea::Sharing::per_head})};
  const TransformerBlock<float> block(parameters, "block", settings, fovea::Random(1));
  fovea::Index rates = 0;
  for (const auto& entry : parameters.entries())
    if (entry.place.size() == 4) rates += entry.place.size();
  return rates == 4;
}
