#pragma once
/// What a page shows of single jets, and of what a tagger has learned about pairs of constituents.

#include <functional>
#include <string>
#include <vector>

#include "fovea/core/study/study.hpp"

namespace fovea::particle::display {

/// Of each constituent of some cases the nearest quark of the top's decay, by name; no words for a jet of which it is
/// not known.
using QuarksOf = std::function<std::vector<std::vector<std::string>>(const std::vector<Index>& items)>;

/// Four test jets in (eta, phi) with what is attended to, tables of their constituents and of the surest mistakes, and
/// the learned bias of pairs. Constituents are told apart by the nearest quark, where it is known. Nothing for targets
/// of more than two classes.
void write_displays(const study::StudyOutcome& outcome, const QuarksOf& quarks_of, Results& results);

}  // namespace fovea::particle::display
