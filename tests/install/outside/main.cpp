// A project of somebody else: attends with the installed engine and asks the installed domains for their experiments.
#include <fovea/core/attention.hpp>
#include <fovea/domains/registry.hpp>

int main() {
  const fovea::Matrix<double> opinions = fovea::Matrix<double>::Constant(5, 1, 0.25);
  fovea::AttentionSpec<double> spec;
  spec.score = {fovea::gaussian_score<double>(), {}};
  const auto result = fovea::attend<double>(opinions, opinions, opinions, spec);
  const bool consensus_stays = std::abs(result.outputs(4, 0) - 0.25) < 1e-15;
  return consensus_stays && !fovea::all_experiments().names().empty() ? 0 : 1;
}
