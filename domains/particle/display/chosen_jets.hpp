#pragma once
/// Which of the tested jets are shown, and a table of jets.

#include <string>
#include <vector>

#include "fovea/core/data/columns.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::particle::display {

/// A tested jet: its row among the tested ones, its number among all cases.
struct TestedJet {
  std::size_t row = 0;
  Index item = 0;
};

/// The tested jets of a class (0 or 1) by rising probability of their own class, equal ones by row: the surest mistakes
/// are the first.
std::vector<TestedJet> by_own_probability(const study::StudyOutcome& outcome, int label);

/// Those of them, at most `most`, to whose class a probability below one half is given.
std::vector<TestedJet> surest_mistakes(const study::StudyOutcome& outcome, int label, std::size_t most);

/// Two of each class, class 1 first: the one with the median probability and the one with the least of its own class;
/// `names` says so. Fewer where a class has fewer jets.
std::vector<TestedJet> jets_to_draw(const study::StudyOutcome& outcome, std::vector<std::string>& names);

/// Columns PREFIX_label, _probability, _mass, _pt, _constituents, _extent over the dimension.
Columns jet_columns(const study::StudyOutcome& outcome, const std::vector<TestedJet>& jets, const std::string& prefix,
                    const std::string& dimension);

/// A table of the five surest mistakes of each class; nothing where there are none.
void write_mistakes(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::particle::display
