#include "fovea/core/study/trained/data_of_model.hpp"

#include <algorithm>

#include "fovea/core/study/cases/reading.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr const char* kReading = "reading";   // a document
constexpr const char* kKnown = "known_case";  // a coordinate: hashes of the cases it learned from
constexpr const char* kKnownBits = "known_case_bits";
constexpr std::size_t kLongestReading = std::size_t{1} << 24;  // bytes
constexpr std::size_t kMostKnown = 100'000'000;

}  // namespace

DataOfModel data_of_model(const Cases& cases, const Split& split) {
  std::vector<Index> learned = split.training;
  learned.insert(learned.end(), split.validation.begin(), split.validation.end());
  return {reading_json(cases.reading), known_cases(cases, learned)};
}

DataOfModel data_of_model(const Cases& cases) { return data_of_model(cases, {first_numbers(cases.count()), {}, {}}); }

void add_data_of_model(Dataset& file, const DataOfModel& data) {
  if (data.reading.empty()) return;
  file.documents[kReading] = data.reading;
  if (data.known.kept.empty()) return;
  file.add({kKnown, {kKnown}, data.known.kept, "1", "hash of a case that it learned from", {}});
  file.add({kKnownBits, {}, std::vector<std::int64_t>{data.known.bits}, "1", "of these hashes", {}});
}

bool has_data_of_model(const Dataset& file) { return file.documents.contains(kReading); }

Dataset without_data_of_model(const Dataset& file) {
  Dataset plain;
  plain.attributes = file.attributes;
  plain.documents = file.documents;
  plain.documents.erase(kReading);
  for (const Dimension& dimension : file.dimensions())
    if (dimension.name != kKnown) plain.dimension(dimension.name, dimension.size);
  for (const fovea::Variable& variable : file.variables())
    if (variable.name != kKnown && variable.name != kKnownBits) plain.add(variable);
  return plain;
}

DataOfModel read_data_of_model(ModelVariables& variables, const Dataset& file) {
  DataOfModel data;
  if (!has_data_of_model(file)) return data;
  data.reading = file.documents.at(kReading);
  if (data.reading.size() > kLongestReading)
    variables.refuse("says more of its data than ", kLongestReading, " bytes.");
  sentences_in(variables.source(), data.reading);
  if (!variables.has(kKnown)) return data;
  data.known.bits = variables.scalar<std::int64_t>(kKnownBits);
  if (data.known.bits < 1 || data.known.bits > 63)
    variables.refuse("/", kKnownBits, " has the value ", data.known.bits, ", but must be in [1, 63].");
  data.known.kept = variables.list<std::int64_t>(kKnown, {std::min(kMostKnown, file.at(kKnown).size())});
  if (!std::is_sorted(data.known.kept.begin(), data.known.kept.end())) variables.refuse("/", kKnown, " must ascend.");
  return data;
}

}  // namespace fovea::study
