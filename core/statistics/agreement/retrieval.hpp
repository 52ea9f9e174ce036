#pragma once
/// How well a search finds the one right thing: an image in the other sensor's images, a text for a picture.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// The place of the right candidate of each query, from 1: 1 + how many others have a score at least as large. Ties
/// count against: a search that gives all the same score finds nothing.
/// scores  (queries x candidates) larger: more alike; any numbers but NaN
/// right   (queries) in [0, candidates)
/// At least one query. Throws ArgumentError; so below.
std::vector<Index> places_of_right(const MatrixView<double>& scores, std::span<const Index> right);

/// Share of the queries whose right candidate is among the first k (recall@k of one right candidate a query, also
/// called top-k accuracy). By chance it is k / candidates.
/// places  (N) >= 1, N >= 1;  k >= 1
double recall_at(std::span<const Index> places, Index k);

}  // namespace fovea
