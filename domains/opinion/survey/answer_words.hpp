#pragma once
/// Answers in the words of a scale.

#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::survey {

/// The place of the cell's word among wanted.levels, from 1. NaN where it is empty or a word for nothing. Throws
/// DataError with file, row and column for another word.
double level_in(const datasets::text::CsvReader& table, std::size_t column, const AnswerColumns& wanted);

}  // namespace fovea::opinion::survey
