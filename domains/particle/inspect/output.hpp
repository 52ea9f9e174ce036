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
/// Adds a file to the record of what was read: unit, what was left out, and as notes what was assumed and changed.
void add_file(study::Reading& reading, const datasets::particles::FileFacts& facts,
              const datasets::particles::Repairs& repairs);
/// Adds the findings on a file that do not depend on its classes; and which numbers of sets separate their classes.
void find_in_file(study::Reading& reading, const SurveyedFile& file);
void find_separating(study::Reading& reading, const std::vector<SetNumbers>& kept, bool in_one_file);

std::string survey_text(const SurveyedFile& file, std::size_t width);
std::string survey_json(const SurveyedFile& file);

}  // namespace fovea::particle::inspect
