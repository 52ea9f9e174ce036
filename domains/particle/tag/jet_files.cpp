#include "fovea/domains/particle/tag/jet_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/particle/file_findings.hpp"
#include "fovea/domains/particle/file_keys.hpp"
#include "fovea/domains/particle/inspect/output.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleReader;
using datasets::particles::ReadOptions;

/// A file of jets, and what its cases are for.
struct JetFile {
  std::string path;
  std::string label;  ///< of all its jets; empty: as the file says
  bool tests = false;
};

/// No file is read twice: as a training and a test file it would be no test.
void check_files_differ(const std::vector<JetFile>& files) {
  std::error_code error;
  for (std::size_t k = 0; k < files.size(); ++k)
    for (std::size_t before = 0; before < k; ++before)
      if (std::filesystem::equivalent(files[before].path, files[k].path, error))
        throw DataError(concat(files[k].path, files[k].tests == files[before].tests
                                                  ? ": is named twice; name each file once."
                                                  : ": is a training and a test file at once; test on other jets."));
}

std::vector<JetFile> files_of(const JetSettings& settings) {
  check_jet_files(settings, [](std::string_view, const std::string& sentence) { throw ConfigError(sentence); });
  const auto& [train, labels] = std::tie(settings.train, settings.labels);
  std::vector<JetFile> files;
  for (std::size_t k = 0; k < train.size(); ++k) files.push_back({train[k], labels.empty() ? "" : labels[k], false});
  for (const std::string& path : settings.test) files.push_back({path, "", true});
  check_files_differ(files);
  return files;
}

}  // namespace

struct JetFiles::State {
  std::vector<JetFile> files;
  ReadOptions options;
  double validation = 0;
  bool parted = false;  ///< there are files of the test part
  std::size_t place = 0;
  std::unique_ptr<ParticleReader> reader;
  Index count = 0, of_file = 0;
  bool looks = false;                     ///< whether the jets are surveyed
  std::optional<inspect::Survey> survey;  ///< of the file at hand
  std::vector<inspect::SetNumbers> kept;  ///< of all files
  std::vector<std::string> classes;       ///< what files call their labels, and the first that does
  std::string classes_of;
  std::vector<std::string> asked;                              ///< what the question calls them
  study::Reading reading{.noun = "jet", .token = "particle"};  ///< of the files that are read to their ends

  /// Adds the file at hand to a record.
  void describe(study::Reading& to) const {
    if (!reader) return;
    const datasets::particles::FileFacts& facts = reader->facts();
    inspect::add_file(to, facts, reader->repairs());
    if (survey) inspect::find_in_file(to, {facts, reader->repairs(), *survey});
  }

  void close_file() {
    describe(reading);
    if (survey) kept.insert(kept.end(), survey->kept().begin(), survey->kept().end());
    survey.reset();
    reader.reset();
  }

  /// Classes have one name in all files; of a file that only numbers them none is known.
  void check_classes() {
    const std::vector<std::string>& named = reader->facts().classes;
    const bool numbered = std::all_of(named.begin(), named.end(), [](const std::string& name) {
      return name.find_first_not_of("0123456789") == std::string::npos;
    });
    if (numbered || !files[place].label.empty()) return;
    if (!asked.empty() && named != std::vector<std::string>{"background", "signal"})
      reading.finding(ClassesRenamed{files[place].path, quoted(named), quoted(asked)});
    if (classes.empty()) classes = named, classes_of = files[place].path;
    if (classes != named)
      throw DataError(concat(files[place].path, ": its classes are ", quoted(named), ", but those of ", classes_of,
                             " are ", quoted(classes), "; read files of the same classes together."));
  }

  static std::string quoted(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
      text += concat(text.empty() ? "'" : ", '", datasets::text::shown_text(name), "'");
    return text;
  }

  /// The row of the user's file, with the part and the number of the file where there are several.
  std::string id_of(Index row) const {
    const JetFile& file = files[place];
    const auto same_part = [&](const JetFile& other) { return other.tests == file.tests; };
    const bool several = std::count_if(files.begin(), files.end(), same_part) > 1;
    const auto number = 1 + std::count_if(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(place), same_part);
    return concat(!parted ? "" : file.tests ? "test " : "train ", several ? concat("file ", number, " row ") : "", row);
  }

  void open_file() {
    ReadOptions mine = options;
    mine.label = files[place].label;
    reader = datasets::particles::open_particles(files[place].path, mine);
    of_file = 0;
    if (reader->facts().kind != datasets::particles::SetKind::jets)
      throw DataError(concat(files[place].path, ": holds events (", reader->facts().format,
                             ") and no jets; find jets in it with `fovea jets`."));
    check_classes();
    if (looks) survey.emplace(reader->facts());
  }

  JetBlock block_of(datasets::particles::ParticleSets jets) {
    const JetFile& file = files[place];
    if (survey) survey->take(jets);
    JetBlock block{file.path, std::move(jets), of_file, {}, {}};
    for (Index b = 0; b < block.jets.count(); ++b) {
      const Index row = block.jets.rows.empty() ? of_file + b : block.jets.rows[b];
      if (block.jets.size(b) == 0)
        throw DataError(
            concat(file.path, ": jet ", row, " has no constituents, so it cannot be scored; leave it out."));
      const double label = block.jets.labels.empty() ? 0 : block.jets.labels[b];
      if (!asked.empty() && label >= static_cast<double>(asked.size()))
        throw DataError(concat(file.path, ": jet ", row, " has the label ", label, ", but this question has ",
                               asked.size(), " classes, ", quoted(asked),
                               "; leave out jets of others, or give them the label -1 (not known)."));
      block.ids.push_back(id_of(row));
      if (!parted) continue;
      const bool validates = Random(0).stream("validation").uniform(static_cast<std::uint64_t>(count + b)) < validation;
      block.parts.emplace_back(file.tests ? "test" : validates ? "validation" : "training");
    }
    if (block.jets.labels.empty() && parted) block.jets.labels.assign(block.jets.count(), std::nan(""));
    count += block.jets.count(), of_file += block.jets.count();
    return block;
  }
};

JetFiles::JetFiles(const JetSettings& settings, double validation, bool looks, std::vector<std::string> classes)
    : state_(std::make_unique<State>()) {
  state_->files = files_of(settings);
  state_->looks = looks, state_->asked = std::move(classes);
  state_->options = {settings.unit, settings.axis, "", settings.leave_out_bad, true};
  state_->validation = validation;
  for (const JetFile& file : state_->files) state_->parted = state_->parted || file.tests;
}

JetFiles::~JetFiles() = default;

JetBlock JetFiles::read(Index most) {
  return datasets::particles::with_way_out("data.bad = \"leave out\"", [&] { return next_block(most); });
}

JetBlock JetFiles::next_block(Index most) {
  for (State& state = *state_; state.place < state.files.size(); ++state.place, state.close_file()) {
    if (!state.reader) state.open_file();
    datasets::particles::ParticleSets jets = state.reader->read(most);
    if (jets.count() > 0) return state.block_of(std::move(jets));
  }
  return {};
}

study::Reading JetFiles::reading() const {
  study::Reading all = state_->reading;
  state_->describe(all);
  std::vector<inspect::SetNumbers> kept = state_->kept;
  if (state_->survey) kept.insert(kept.end(), state_->survey->kept().begin(), state_->survey->kept().end());
  if (!kept.empty()) inspect::find_separating(all, kept, state_->files.size() == 1);
  return all;
}

const Keys<JetSettings>& jet_keys() {
  using S = JetSettings;
  static const auto keys =
      Keys<S>()
          .files(kTrainingFiles, &S::train,
                 "files of training jets, in any format that `fovea inspect` reads; none: jets are simulated")
          .files(kTestFiles, &S::test, "files of test jets; none: a part of the training files")
          .key("data.labels", &S::labels,
               "class (0, 1, ...) of all jets of each file of data.train; none: labels are in the files")
          .choice(kEnergyUnit, &S::unit)
          .choice(kAxis, &S::axis)
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later()
          .key("data.jets", &S::simulated, Range::between(100, 1e7), "",
               "number of simulated jets, where no file is given");
  return keys;
}

void check_jet_files(const JetSettings& settings, const Complain& complain) {
  const std::size_t labels = settings.labels.size(), files = settings.train.size();
  if (labels > 0 && files > 0 && labels != files)  // a model's config has labels without files
    complain("data.labels", concat("data.labels has ", labels, " classes for the ", files,
                                   " files of data.train; give one for each, or none."));
}

}  // namespace fovea::particle::tag
