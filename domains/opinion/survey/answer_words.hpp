#pragma once
/// An answer as it stands in a table: a number, or one of the words of a scale.

#include "fovea/datasets/series/dialect.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::survey {

/// The cell of the reader's row: its number, or with wanted.levels the place of its word among them, from 1. NaN where
/// it is empty, a word for nothing, or with levels a word of wanted.missing. Throws DataError with file, row and column
/// for another text.
double answer_in(const datasets::text::CsvReader& table, std::size_t column, const datasets::text::CsvOptions& dialect,
                 const AnswerColumns& wanted);

}  // namespace fovea::opinion::survey
