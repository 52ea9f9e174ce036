#pragma once
/// What a survey found, as text and as JSON.

#include <string>

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
/// What was changed or left out, each as "3 angles beyond pi, wrapped".
std::vector<std::string> repairs_words(const datasets::particles::Repairs& repairs);

std::string survey_text(const SurveyedFile& file, std::size_t width);
std::string survey_json(const SurveyedFile& file);

}  // namespace fovea::particle::inspect
