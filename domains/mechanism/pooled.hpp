#pragma once
/// What the statements of this laboratory have in common: numbers pooled over the seeds.

#include <string>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"

namespace fovea::mechanism {

/// Scalar `name` of the merged results with its 95 % interval (Student's t over the replicas) in `name`_half_width.
MeanWithError add_pooled(Results& merged, const std::string& from, const std::string& name, const std::string& meaning);

/// Independent standard normal numbers: entry (i, c) by entity i and step c of the stream.
Matrix<double> normal_matrix(Index rows, Index columns, const Random& random);

}  // namespace fovea::mechanism
