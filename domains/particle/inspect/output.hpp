#pragma once
/// What a survey found, as text and as JSON.

#include <string>

#include "fovea/core/study/cases/reading.hpp"
#include "fovea/domains/particle/inspect/survey.hpp"

namespace fovea::particle::inspect {

/// A file that was read to its end.
struct SurveyedFile {
  datasets::particles::FileFacts facts;
  datasets::particles::Repairs repairs;
  Survey survey;
};

/// Reads a file once from end to end.
SurveyedFile surveyed(const std::string& path, const datasets::particles::ReadOptions& options);

/// What the file is, in a sentence, and all that is worth saying of it.
std::string headline(const SurveyedFile& file);
std::vector<std::string> file_sentences(const SurveyedFile& file);
/// Sentences on what is odd; none for a sound file.
std::vector<std::string> findings(const SurveyedFile& file);
/// The record of what was read, which file_sentences() begins with.
study::Reading reading_of(const SurveyedFile& file);
/// Adds what was left out, and as a note what was changed.
void note_repairs(study::Reading& reading, const datasets::particles::Repairs& repairs);
/// Adds what is odd about a file without a look at its classes, and what tells the classes of some sets apart.
void find_in_file(study::Reading& reading, const SurveyedFile& file);
void find_separating(study::Reading& reading, const std::vector<SetNumbers>& kept, bool in_one_file);

std::string survey_text(const SurveyedFile& file, std::size_t width);
std::string survey_json(const SurveyedFile& file);

}  // namespace fovea::particle::inspect
