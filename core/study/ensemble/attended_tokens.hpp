#pragma once
/// Which tokens of new cases the models look at: the attention by which they become a case.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::study {

/// Throws DataError that starts with `source` where the model has no attention of tokens (StudyModel::has_weights()).
void check_has_attention(const std::string& source, const std::vector<Member>& members);

/// How much each token is attended to, the mean over the members; sum 1 in each case that has tokens. What is said of a
/// case depends on it alone. batch_tokens >= 1: how many tokens are computed at a time.
std::vector<double> attention_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                                 Index batch_tokens);

/// The places of the largest weights, the largest first, at most `most`; of equals the first.
std::vector<Index> largest_weights(std::span<const double> weights, Index most);

}  // namespace fovea::study
