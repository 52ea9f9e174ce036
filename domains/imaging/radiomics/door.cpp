#include "fovea/domains/imaging/radiomics/door.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/datasets/images/meeting.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/imaging/experiments.hpp"
#include "fovea/domains/imaging/radiomics/processing.hpp"
#include "fovea/domains/imaging/radiomics/references.hpp"

namespace fovea::imaging::radiomics {

namespace {

constexpr const char* kExperiment = "imaging.radiomics";

/// One region of one image.
struct RadiomicsCase {
  std::string name, image, mask;
};

std::string names_listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Settings settings_of(const Arguments& arguments) {
  const std::string name = arguments.text("settings", "none");
  if (const std::optional<Settings> known = preset(name)) return *known;
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw UsageError(
        concat("--settings ", name, ": must be ", names_listed(preset_names()), " or a file of settings."));
  static const Schema schema = make_radiomics()->schema();
  const Config config = read_config(
      Place(name), [](std::string_view experiment) { return experiment == kExperiment ? &schema : nullptr; },
      {kExperiment}, {});
  Complaints complaints;
  for (const SweepAxis& axis : config.sweep)
    complaints.add(Source{name},
                   concat("a sweep of ", axis.key, " is no setting of an image, which needs one value; give one."));
  check_settings(settings_keys().read(config), complain_about(config, complaints));
  complaints.raise();
  return settings_keys().read(config);
}

/// The rows of a table, whose relative paths start at its folder.
std::vector<RadiomicsCase> read_cases(const std::string& path) {
  datasets::text::CsvReader csv(path);
  const std::size_t name = csv.column("case"), image = csv.column("image"), mask = csv.column("mask");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const auto file = [&](std::size_t column) {
    if (csv.empty(column)) csv.refuse(column, "is empty; it must name a file.");
    return (folder / std::string(datasets::text::trimmed(csv.text(column)))).string();
  };
  std::vector<RadiomicsCase> cases;
  while (csv.next()) cases.push_back({std::string(datasets::text::trimmed(csv.text(name))), file(image), file(mask)});
  if (cases.empty()) throw DataError(concat(path, ": names no case; it must have at least one row."));
  return cases;
}

/// Refuses to write over what is read.
void check_output_of(const Arguments& arguments, const std::vector<RadiomicsCase>& cases) {
  const std::string output = arguments.text("output", "");
  std::error_code error;
  std::vector<std::string> inputs{arguments.positional[0], arguments.text("check", ""), arguments.text("settings", "")};
  for (const RadiomicsCase& one : cases) inputs.insert(inputs.end(), {one.image, one.mask});
  for (const std::string& input : inputs)
    if (!output.empty() && std::filesystem::equivalent(output, input, error))
      throw UsageError(concat("--output ", output, " is one of the files that are read; give another name."));
}

bool names_table(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".csv.gz"); }

std::vector<RadiomicsCase> cases_of(const Arguments& arguments) {
  const std::string& file = arguments.positional[0];
  if (names_table(file)) {
    for (const char* option : {"mask", "check"})
      if (arguments.has(option))
        throw UsageError(concat("--", option, " goes with one image, but ", file, " is a table of cases."));
    return read_cases(file);
  }
  if (!arguments.has("mask")) throw UsageError("radiomics: an image needs --mask FILE, the region that is measured.");
  return {{file, file, arguments.text("mask", "")}};
}

std::optional<double> label_of(const Arguments& arguments) {
  if (!arguments.has("label")) return {};
  return static_cast<double>(arguments.integer("label", 1, 1));
}

std::vector<Feature> features_of(const RadiomicsCase& one, const std::optional<double>& label, const Settings& settings,
                                 Narrator& narrator) {
  const datasets::images::Volume image = datasets::images::read_volume(one.image);
  const datasets::images::Mask mask = mask_on(image, datasets::images::read_mask(one.mask, label));
  for (const std::string& note : image.notes) narrator.say(concat(image.path, ": ", note));
  for (const std::string& note : mask.notes) narrator.say(concat(mask.path, ": ", note));
  return features(processed(image, mask, settings), settings.dimensions());
}

/// Empty where the definition has no value.
std::string feature_cell(double value) { return std::isnan(value) ? "" : exact_text(value); }

void say_undefined(const std::vector<Feature>& found, const std::string& name, Narrator& narrator) {
  constexpr std::size_t kMostNamed = 12;
  std::vector<std::string> tags;
  for (const Feature& feature : found)
    if (std::isnan(feature.value)) tags.push_back(feature.tag);
  if (tags.empty()) return;
  const std::size_t more = tags.size() - std::min(tags.size(), kMostNamed);
  tags.resize(tags.size() - more);
  narrator.say(concat(name, ": without a value for this region: ", names_listed(tags),
                      more > 0 ? concat(" and ", more, " more") : ""));
}

std::string feature_rows(const std::vector<Feature>& found) {
  return rows("tag", found, &Feature::tag, "tag").number("value", &Feature::value, "value").csv();
}

std::string case_row(const RadiomicsCase& one, const std::vector<Feature>& found, bool first) {
  std::string names = "case", values = csv_text(one.name);
  for (const Feature& feature : found) {
    names += ',' + feature.tag;
    values += ',' + feature_cell(feature.value);
  }
  return (first ? names + '\n' : "") + values + '\n';
}

bool stream_radiomics(const Arguments& arguments, RowSink& rows, Narrator& narrator) {
  const std::vector<RadiomicsCase> cases = cases_of(arguments);
  check_output_of(arguments, cases);
  const Settings settings = settings_of(arguments);
  const std::optional<double> label = label_of(arguments);
  const auto measured = [&](const RadiomicsCase& one) {
    if (process_stop_flag().load() != 0) throw Interrupted("stopped before the last case; no row was written.");
    std::vector<Feature> found = features_of(one, label, settings, narrator);
    say_undefined(found, one.name, narrator);
    return found;
  };
  if (names_table(arguments.positional[0])) {
    for (const RadiomicsCase& one : cases) rows.write(case_row(one, measured(one), &one == &cases.front()));
    return true;
  }
  if (!arguments.has("check")) return rows.write(feature_rows(measured(cases[0]))), true;
  const std::vector<Reference> references = read_references(arguments.text("check", ""));
  const std::vector<Feature> found = measured(cases[0]);
  const Comparison comparison = compared(found, references);
  if (arguments.has("output")) rows.write(feature_rows(found));
  if (arguments.has("output"))
    narrator.say(comparison.text());
  else
    rows.write(comparison.text());
  return comparison.holds();
}

}  // namespace

Door door() {
  Door door;
  door.name = "radiomics";
  door.summary = "measure a region of an image by the features of the image biomarker standardisation initiative";
  door.operands = "IMAGE | CASES.csv";
  door.fewest = door.most = 1;
  door.examples = {"fovea radiomics ct.nii.gz --mask gtv.nii.gz --settings ibsi_c -o features.csv",
                   "fovea radiomics phantom.nii.gz --mask mask.nii.gz --check reference_values.csv"};
  door.options = {
      {"mask", 'm', "FILE", "the region: voxels that are not 0", false},
      {"label", 0, "N", "the region: voxels of the mask that are N", false},
      {"settings", 's', "NAME",
       concat(names_listed(preset_names()), ", or a TOML file (default: none, levels as they are)"), false},
      {"check", 0, "FILE", "compare with reference values: columns 'reference value', 'tolerance', 'tag'", false},
      {"output", 'o', "FILE", "a file of rows (default: stdout)", false}};
  door.details =
      "IMAGE has rows tag,value; CASES.csv, with columns case,image,mask, a row for each case and a column for each "
      "tag.\n"
      "An empty cell: the definition has no value for the region. Definitions: the initiative's reference manual,\n"
      "arXiv 1612.07003; ibsi_a to ibsi_e are its configurations A to E for chest CT. A file of settings begins with\n"
      "experiment = \"imaging.radiomics\"; 'fovea init imaging.radiomics' writes one with every key.\n"
      "--check rounds to 3 significant digits, prints what differs by more than the tolerance, and how many of the\n"
      "reference values agree; the command ends with 6 unless all do. Not a medical device.";
  door.stream = &stream_radiomics;
  return door;
}

}  // namespace fovea::imaging::radiomics
