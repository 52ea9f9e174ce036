// A project of somebody else: the examples of the READMEs, and the experiments of the installed domains.
#include <fovea/core/attention.hpp>
#include <fovea/domains/registry.hpp>

bool a_block_has_four_learned_rates();
bool a_question_has_its_own_keys_and_those_of_a_study();

int main() {
  const fovea::Matrix<double> opinions = fovea::Matrix<double>::Constant(5, 1, 0.25);
  fovea::AttentionSpec<double> spec;
  spec.score = {fovea::gaussian_score<double>(), {}};
  spec.modifiers = {{fovea::temperature<double>(), {std::log(0.05)}}, {fovea::causal<double>(), {}}};
  const auto forward = fovea::attend<double>(opinions, opinions, opinions, spec);
  const auto gradients = fovea::attend_backward<double>(opinions, opinions, opinions, spec, forward, opinions);
  const bool consensus_stays = std::abs(forward.outputs(4, 0) - 0.25) < 1e-15 && gradients.values.rows() == 5;
  const bool has_experiments = !fovea::domains().empty() && !fovea::all_experiments().names().empty();
  const bool learns = a_block_has_four_learned_rates() && a_question_has_its_own_keys_and_those_of_a_study();
  return consensus_stays && has_experiments && learns ? 0 : 1;
}
