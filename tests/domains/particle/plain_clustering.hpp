#pragma once
/// Generalised kt clustering by its definition: every distance anew at each step, O(N^3).

#include <vector>

#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::test {

struct PlainJet {
  datasets::particles::Momentum momentum;
  std::vector<Index> members;  ///< rising
};

/// p: -1 anti-kt, 0 Cambridge/Aachen, 1 kt. Jets with pT >= least_pt by falling pT.
std::vector<PlainJet> plain_jets(const Matrix<double>& momenta, int p, double radius, double least_pt);

}  // namespace fovea::test
