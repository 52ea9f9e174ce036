#include "fovea/domains/particle/inspect/output.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/particle/file_findings.hpp"
#include "fovea/domains/particle/findings.hpp"

namespace fovea::particle::inspect {

namespace {

namespace particles = datasets::particles;
using particles::AxisKind;
using particles::SetKind;

const char* noun_of_kind(SetKind kind) {
  return kind == SetKind::jets ? "jet" : kind == SetKind::events ? "event" : "candidate";
}

const char* axis_name(AxisKind axis) {
  return axis == AxisKind::pseudorapidity ? "pseudorapidity eta"
         : axis == AxisKind::rapidity     ? "rapidity y"
                                          : "momenta";
}

std::string digits(double value) { return std::isfinite(value) ? rounded_text(value) : "-"; }

std::string extent_text(const Extent& extent) {
  return extent.low > extent.high ? "-" : concat(digits(extent.low), " to ", digits(extent.high));
}

std::string class_name(const particles::FileFacts& facts, double label) {
  const auto place = static_cast<std::size_t>(label);
  return label >= 0 && place < facts.classes.size() ? concat(label, " (", facts.classes[place], ")") : concat(label);
}

std::string number_table(const SurveyedFile& file) {
  const auto& kept = file.survey.kept();
  const bool has_classes = file.survey.classes.size() > 1;
  std::vector<std::vector<std::string>> rows{{"number", "5 %", "median", "95 %"}};
  if (has_classes) rows[0].push_back("AUC");
  for (std::size_t k = 0; k < kSingles; ++k) {
    const auto number = static_cast<Single>(k);
    if (number == Single::row && !has_classes) continue;
    if (number == Single::top_distance && file.facts.kind != SetKind::jets) continue;
    const auto [low, middle, high] = quantiles(kept, number);
    rows.push_back({name_of(number), digits(low), digits(middle), digits(high)});
    if (has_classes)
      rows.back().push_back(std::isnan(area_of(kept, number)) ? "-" : fixed_text(area_of(kept, number), 3));
  }
  return in_columns(rows, 1);
}

Json number_or_null(double value) { return std::isfinite(value) ? json(value) : Json{"null"}; }

Json extent_json(const Extent& extent) { return json_list({number_or_null(extent.low), number_or_null(extent.high)}); }

Json singles_json(const SurveyedFile& file) {
  JsonObject all;
  for (std::size_t k = 0; k < kSingles; ++k) {
    const auto number = static_cast<Single>(k);
    const auto [low, middle, high] = quantiles(file.survey.kept(), number);
    JsonObject one;
    one.add("p5", number_or_null(low)).add("median", number_or_null(middle)).add("p95", number_or_null(high));
    one.add("auc", number_or_null(area_of(file.survey.kept(), number))).add("shortcut", is_shortcut(number));
    all.add(name_of(number), one.done());
  }
  return all.done();
}

Json repairs_json(const particles::Repairs& repairs) {
  JsonObject object;
  object.add("wrapped_angles", repairs.wrapped_angles).add("sorted_sets", repairs.sorted_sets);
  object.add("negative_masses", repairs.negative_masses).add("without_transverse", repairs.without_transverse);
  object.add("invisible", repairs.invisible).add("not_final", repairs.not_final);
  return object.add("empty_sets", repairs.empty_sets).done();
}

}  // namespace

std::string headline(const SurveyedFile& file) {
  const Survey& survey = file.survey;
  return concat(file.facts.path, ": ", file.facts.format, ", ", counted(survey.sets, noun_of_kind(file.facts.kind)),
                " of ", counted(survey.particles, "particle"), ".");
}

std::vector<std::string> file_sentences(const SurveyedFile& file) {
  const Survey& survey = file.survey;
  const particles::FileFacts& facts = file.facts;
  std::vector<std::string> all = study::sentences_of(reading_of(file));
  all.push_back(concat("Directions are stored as ", axis_name(facts.axis), "."));
  all.push_back(concat("It has ", facts.ids ? "" : "no ", "PDG numbers, ", facts.jet_momenta ? "" : "no ",
                       "momenta of ", noun_of_kind(facts.kind), "s, ",
                       facts.truth ? concat("truth (", facts.truth_columns, ")") : "no truth",
                       facts.sub_events ? ", parts of events." : "."));
  all.push_back(concat("Particles of ", facts.kind == SetKind::events ? "an " : "a ", noun_of_kind(facts.kind), ": ",
                       survey.shortest, " to ", survey.longest,
                       survey.singles > 0 ? concat("; ", survey.singles, " with one alone") : "", "."));
  all.push_back(
      concat("Particles: pT ", extent_text(survey.particle_pt), " GeV, eta ", extent_text(survey.particle_eta), "."));
  all.push_back(concat("Sums of each ", noun_of_kind(facts.kind), ": pT ", extent_text(survey.set_pt), " GeV, eta ",
                       extent_text(survey.set_eta), ", mass ", extent_text(survey.set_mass), " GeV."));
  if (facts.kind == SetKind::jets && survey.sets > 0)
    all.push_back(concat("Jets over the seam at phi = pi: ", survey.over_seam, " (",
                         fixed_text(100 * static_cast<double>(survey.over_seam) / static_cast<double>(survey.sets), 1),
                         " %)."));
  if (facts.jet_momenta && facts.kind == SetKind::jets)
    all.push_back(concat("pT of the sums differs from that in the file by at most ",
                         digits(100 * survey.largest_jet_gap), " %."));
  return all;
}

SurveyedFile surveyed(const std::string& path, const particles::ReadOptions& options) {
  const auto reader = particles::open_particles(path, options);
  const Index at_once = reader->facts().kind == SetKind::events ? 16 : 1024;  // an event may have 55,000 particles
  SurveyedFile file{reader->facts(), {}, Survey(reader->facts())};
  for (particles::ParticleSets block = reader->read(at_once); block.count() > 0; block = reader->read(at_once)) {
    if (process_stop_flag().load() != 0) throw Interrupted("stopped before the end of " + path + ".");
    file.survey.take(block);
  }
  file.facts = reader->facts();
  file.repairs = reader->repairs();
  return file;
}

void find_separating(study::Reading& reading, const std::vector<SetNumbers>& kept, bool in_one_file) {
  std::map<double, std::size_t> classes;
  for (const SetNumbers& one : kept)
    if (!std::isnan(one.label)) ++classes[one.label];
  if (classes.size() < 2) return;
  std::size_t sets = 0, fewest = kept.size();
  for (const auto& [label, count] : classes) sets += count, fewest = std::min(fewest, count);
  for (const Single number : {Single::pt, Single::abs_eta, Single::row, Single::multiplicity, Single::mass,
                              Single::top_distance, Single::width, Single::pt_d}) {
    if (number == Single::row && !in_one_file) continue;  // files of a class each follow one another
    const NumberSeparates found{name_of(number), area_of(kept, number), sets, fewest, classes.size()};
    reading.finding(NumberTellsClass{found});
    if (is_shortcut(number)) reading.finding(ShortcutSeparates{found});
  }
}

study::Reading reading_of(const SurveyedFile& file) {
  const Survey& survey = file.survey;
  const particles::FileFacts& facts = file.facts;
  study::Reading reading;
  add_file(reading, facts, file.repairs);
  reading.cases = reading.groups = survey.sets;
  reading.tokens = survey.particles;
  reading.without_tokens = file.repairs.empty_sets;
  reading.outcome = "class";
  study::OutcomeCounts outcomes;
  for (const auto& [label, count] : survey.classes) {
    outcomes.classes.emplace_back(class_name(facts, label), count);
    outcomes.known += count;
  }
  outcomes.unknown = survey.unlabelled;
  if (facts.kind != particles::SetKind::events || outcomes.known > 0) reading.outcomes.push_back(outcomes);
  find_in_file(reading, file);
  reading.without_folders();  // the headline says where it lies
  return reading;
}

void find_in_file(study::Reading& reading, const SurveyedFile& file) {
  const std::string& path = file.facts.path;
  const double median = quantiles(file.survey.kept(), Single::pt)[1];
  reading.finding(PerhapsMeV{path, median});
  reading.finding(PerhapsTeV{path, std::string(noun_of_kind(file.facts.kind)), median});
  reading.finding(SumsDiffer{path, file.survey.largest_jet_gap});
  reading.finding(RepeatedSets{path, noun_of_kind(file.facts.kind), file.survey.repeated()});
}

void add_file(study::Reading& reading, const particles::FileFacts& facts, const particles::Repairs& repairs) {
  reading.files.push_back(facts.path);
  reading.noun = noun_of_kind(facts.kind), reading.token = "particle";
  if (reading.variables.empty()) reading.variables = {{"energies", "GeV", ""}};
  std::string& known_by = reading.variables.front().known_by;
  const std::string answer = concat(facts.unit, " in the file, ", facts.unit_known_by);
  if (known_by.find(answer) == std::string::npos) known_by += (known_by.empty() ? "" : "; ") + answer;
  const auto left_out = [&](Index count, const char* what, const char* reason,
                            const std::vector<std::string>& places = {}) {
    if (count == 0) return;
    for (study::LeftOut& one : reading.left_out)
      if (one.what == what && one.reason == reason) {  // of a file before
        one.count += count;
        for (const std::string& place : places)
          if (one.places.size() < study::kShownPlaces) one.places.push_back(place);
        return;
      }
    reading.left_out.push_back({what, count, reason, places});
  };
  left_out(repairs.without_transverse, "particle", "along the beam");
  left_out(repairs.invisible, "neutrino", "no detector sees it");
  left_out(repairs.not_final, "particle", "decayed, or is the beam");
  left_out(repairs.bad_sets, noun_of_kind(facts.kind), "could not be read", repairs.bad_places);
  for (const std::string& note : facts.notes) reading.notes.push_back(concat(facts.path, ": ", note, "."));
  std::string text;
  const auto repaired = [&](Index count, const char* noun, const char* what) {
    if (count > 0) text += concat(text.empty() ? "repaired: " : "; ", counted(count, noun), ' ', what);
  };
  repaired(repairs.wrapped_angles, "angle", "beyond pi, wrapped");
  repaired(repairs.sorted_sets, "jet", "not by falling pT, sorted");
  repaired(repairs.negative_masses, "particle", "with E below |p| by rounding, massless");
  if (!text.empty()) reading.notes.push_back(concat(facts.path, ": ", text, "."));
}

std::vector<std::string> findings(const SurveyedFile& file) {
  study::Reading reading;
  find_in_file(reading, file);
  find_separating(reading, file.survey.kept(), true);
  reading.finding(OneClassAlone{file.facts.path, file.survey.classes.size()});
  std::vector<std::string> all;
  for (const Finding& finding : reading.findings) all.push_back(finding.sentence);
  return all;
}

std::string survey_text(const SurveyedFile& file, std::size_t width) {
  std::string text = in_lines(headline(file), width);
  for (const std::string& sentence : file_sentences(file)) text += in_lines("  " + sentence, width, 4);
  text += '\n' + number_table(file) + '\n';
  text += in_lines(concat("z = pT / sum pT; width: sum z dR; pT-D: sqrt(sum z^2); energies in GeV",
                          file.survey.classes.size() > 1
                              ? "; AUC: how well the number alone separates the classes, in either direction"
                              : "",
                          file.survey.kept().size() < static_cast<std::size_t>(file.survey.sets)
                              ? concat("; of ", file.survey.kept().size(), " sets spread over the file")
                              : "",
                          "."),
                   width);
  const std::vector<std::string> found = findings(file);
  if (!found.empty()) text += "\nto look at:\n";
  for (const std::string& one : found) text += in_lines("  " + one, width, 4);
  return text;
}

std::string survey_json(const SurveyedFile& file) {
  const Survey& survey = file.survey;
  const particles::FileFacts& facts = file.facts;
  JsonObject classes, ids, object;
  for (const auto& [label, count] : survey.classes) classes.add(exact_text(label), count);
  for (const auto& [id, count] : survey.ids) ids.add(exact_text(id), count);
  object.add("file", facts.path).add("format", facts.format).add("kind", noun_of_kind(facts.kind));
  object.add("unit", facts.unit).add("axis", axis_name(facts.axis)).add("sets", survey.sets);
  object.add("particles", survey.particles).add("classes", classes.done()).add("unlabelled", survey.unlabelled);
  object.add("ids", facts.ids).add("jet_momenta", facts.jet_momenta).add("truth", facts.truth_columns);
  object.add("sub_events", facts.sub_events).add("shortest", survey.shortest).add("longest", survey.longest);
  object.add("particle_pt", extent_json(survey.particle_pt)).add("particle_eta", extent_json(survey.particle_eta));
  object.add("pt", extent_json(survey.set_pt)).add("eta", extent_json(survey.set_eta));
  object.add("mass", extent_json(survey.set_mass)).add("over_seam", survey.over_seam);
  object.add("pdg_numbers", ids.done()).add("repeated", survey.repeated());
  object.add("repairs", repairs_json(file.repairs)).add("numbers", singles_json(file));
  object.add("numbers_of", survey.kept().size()).add("notes", json_texts(facts.notes));
  return object.add("findings", json_texts(findings(file))).done().text + '\n';
}

}  // namespace fovea::particle::inspect
