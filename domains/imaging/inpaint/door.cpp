#include "fovea/domains/imaging/inpaint/door.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/images/meeting.hpp"

namespace fovea::imaging::inpaint {

namespace {

namespace images = datasets::images;

Window window_of(const std::string& text) {
  const auto refuse = [&] {
    throw UsageError(concat("--window ", text, ": must be two numbers, the lower one first, such as -160,240."));
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) refuse();
  Window window;
  const auto read = [&](std::size_t first, std::size_t last, double& number) {
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + last, number);
    if (error != std::errc() || end != text.data() + last || !std::isfinite(number)) refuse();
  };
  read(0, comma, window.low), read(comma + 1, text.size(), window.high);
  if (!(window.low < window.high)) refuse();
  return window;
}

struct InpaintQuestion {
  PictureFiles files;
  Settings settings;
  std::string output, confidence;
};

InpaintQuestion question_of(const Arguments& arguments) {
  InpaintQuestion question;
  question.files.image = arguments.positional[0];
  question.files.holes = arguments.text("holes", "");
  question.files.contexts = arguments.texts("context");
  if (arguments.has("label")) {
    if (question.files.holes.empty()) throw UsageError("--label: goes with --holes FILE, whose voxels it chooses.");
    question.files.label = static_cast<double>(arguments.integer("label", 1, 1));
  }
  if (arguments.has("window")) question.files.window = window_of(arguments.text("window", ""));
  question.settings.slices = arguments.integer("slices", 0, question.settings.slices);
  question.settings.attends = !arguments.has("guess-alone");
  question.output = arguments.text("output", ""), question.confidence = arguments.text("confidence", "");
  if (question.output.empty()) throw UsageError("inpaint: -o FILE is missing, the image that is written.");
  std::vector<std::string> inputs = question.files.contexts;
  inputs.push_back(question.files.image), inputs.push_back(question.files.holes);
  if (question.output == question.confidence)
    throw UsageError(concat("--confidence ", question.confidence, " is the filled image itself; give another name."));
  std::error_code error;
  for (const std::string& written : {question.output, question.confidence})
    for (const std::string& input : inputs)
      if (!written.empty() && std::filesystem::equivalent(written, input, error))
        throw UsageError(concat(written, " is an input; give another name for what is written."));
  return question;
}

/// What is true of the fill, in sentences.
std::vector<std::string> sentences_of(const ReadPicture& read, const InpaintQuestion& question, const Filled& filled) {
  const Attention& attention = filled.attention;
  std::vector<std::string> sentences = read.notes;
  sentences.push_back(concat(counted(std::ssize(filled.voxels), "voxel"), " filled, in ", counted(filled.holes, "part"),
                             attention.lessons > 0 ? "" : "; no hole could be cut into ",
                             attention.lessons > 0 ? "" : "known voxels, so there is no interval"));
  std::string mixture;
  for (Index k = 0; k < kGuessCount; ++k)
    if (filled.weights[k] >= 0.005)
      mixture += concat(mixture.empty() ? "" : ", ", kGuesses[k], ' ', fixed_text(filled.weights[k], 2));
  sentences.push_back("guess: " + mixture);
  if (attention.share > 0)
    sentences.push_back(concat("attention adds ", plain_text(attention.share, 2),
                               " of what the guess misses at similar voxels: on cut holes PSNR rises by ",
                               fixed_text(attention.gain, 2), " +- ", fixed_text(attention.gain_error, 2), " dB"));
  else if (attention.lessons > 0 && question.settings.attends)
    sentences.push_back("attention has weight 0: what it adds on cut holes is within a standard error");
  for (std::size_t k = 0; k < attention.contexts.size() && question.settings.attends; ++k)
    if (attention.contexts[k] == 0)
      sentences.push_back(concat(question.files.contexts[k],
                                 ": has weight 0, as what it adds on cut holes is within a standard error"));
  if (attention.lessons > 0 && filled.beyond > 0)
    sentences.push_back(concat(counted(filled.beyond, "voxel"), " farther from what is known than any of a cut hole: ",
                               "no interval there has been examined"));
  if (attention.share == 0 && !attention.contexts.empty())
    sentences.push_back("contexts have no part in what is filled");
  return sentences;
}

Json json_of(const InpaintQuestion& question, const Filled& filled) {
  const Attention& attention = filled.attention;
  JsonObject guesses;
  for (Index k = 0; k < kGuessCount; ++k) guesses.add(kGuesses[k], filled.weights[k]);
  std::vector<Json> contexts;
  for (std::size_t k = 0; k < attention.contexts.size(); ++k)
    contexts.push_back(JsonObject()
                           .add("file", question.files.contexts[k])
                           .add("used", attention.contexts[k] != 0 && attention.share > 0)
                           .done());
  return JsonObject()
      .add("voxels", std::ssize(filled.voxels))
      .add("parts", filled.holes)
      .add("guesses", guesses.done())
      .add("attention", attention.share)
      .add("gain_db", attention.gain)
      .add("gain_error_db", attention.gain_error)
      .add("cut_holes", attention.lessons)
      .add("voxels_beyond_cut_holes", filled.beyond)
      .add("contexts", json_list(contexts))
      .done();
}

void write_filled(const ReadPicture& read, const InpaintQuestion& question, const Filled& filled, Narrator& narrator) {
  std::vector<double> values = read.image.values;
  for (std::size_t k = 0; k < filled.voxels.size(); ++k) {
    double value = filled.values[k];
    if (question.files.window) value = std::clamp(value, question.files.window->low, question.files.window->high);
    values[filled.voxels[k]] = value;
  }
  const images::Written written = images::write_like(read.image, values, question.output);
  if (written.clipped > 0)
    narrator.say(concat(counted(written.clipped, "voxel"), " set to the nearest number that ", question.output,
                        " can hold as ", images::name_of(read.image.stored)));
  if (question.confidence.empty()) return;
  std::vector<double> widths(values.size(), 0);
  for (std::size_t k = 0; k < filled.voxels.size(); ++k) widths[filled.voxels[k]] = filled.half_widths[k];
  images::write_float32(read.image.grid, widths, question.confidence);
}

bool stream_inpaint(const Arguments& arguments, RowSink& rows, Narrator& narrator) {
  const InpaintQuestion question = question_of(arguments);
  ReadPicture read = read_picture(question.files);
  images::check_output(read.image, question.output);
  const Filled filled = fill(std::move(read.picture), question.settings);
  if (process_stop_flag().load() != 0) throw Interrupted(concat("stopped; ", question.output, " was not written."));
  write_filled(read, question, filled, narrator);
  if (arguments.has("json"))
    rows.write(json_of(question, filled).text + '\n');
  else
    for (const std::string& sentence : sentences_of(read, question, filled)) narrator.say(sentence);
  return true;
}

}  // namespace

ReadPicture read_picture(const PictureFiles& files, bool needs_hole) {
  ReadPicture read{images::read_volume(files.image), {}, {}};
  Picture& picture = read.picture;
  picture.size = read.image.grid.size;
  picture.values = read.image.values;
  picture.missing.assign(picture.values.size(), 0);
  const auto take_notes = [&](const std::string& path, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) read.notes.push_back(concat(path, ": ", note));
  };
  take_notes(files.image, read.image.notes);
  if (!files.holes.empty()) {
    const images::Mask mask = images::mask_on(read.image, images::read_mask(files.holes, files.label));
    picture.missing = mask.inside;
    take_notes(files.holes, mask.notes);
  }
  Index missing = 0;
  for (std::size_t i = 0; i < picture.values.size(); ++i) {
    if (std::isnan(picture.values[i])) picture.missing[i] = 1;
    if (picture.missing[i] != 0) picture.values[i] = 0, ++missing;
    if (files.window) picture.values[i] = std::clamp(picture.values[i], files.window->low, files.window->high);
  }
  images::check_finite(read.image, picture.missing);
  if (missing == 0 && needs_hole)
    throw DataError(concat(files.image, ": has no hole: no voxel is NaN; give the voxels to fill by --holes FILE."));
  if (missing == picture.voxels()) throw DataError(concat(files.image, ": every voxel is a hole; some must be known."));
  for (const std::string& path : files.contexts) {
    images::Volume context = images::brought_onto(read.image, images::read_volume(path));
    take_notes(path, context.notes);
    picture.contexts.push_back(std::move(context.values));
  }
  return read;
}

Door door() {
  Door door;
  door.name = "inpaint";
  door.summary = "fill the holes of an image, with an interval for each voxel";
  door.operands = "IMAGE";
  door.fewest = door.most = 1;
  door.examples = {"fovea inpaint ct.nii.gz --holes metal.nii.gz -o filled.nii.gz --confidence width.nii.gz",
                   "fovea inpaint ct.nii.gz --holes gap.nii.gz --context t1.nii.gz --window -160,240 -o filled.nii.gz"};
  door.options = {
      {"holes", 0, "FILE", "the voxels to fill: those that are not 0 (default: those of the image that are NaN)",
       false},
      {"label", 0, "N", "the voxels to fill: those of --holes that are N", false},
      {"context", 0, "FILE", "another image of the same place, on any grid", true},
      {"slices", 0, "N", "slices above and below a hole that are used (default: 4; 0: each slice by itself)", false},
      {"window", 0, "LOW,HIGH", "set numbers outside to the nearer end before filling, such as -160,240", false},
      {"guess-alone", 0, "", "without attention: what smoothness states", false},
      {"output", 'o', "FILE", "the filled image, in the format of IMAGE", false},
      {"confidence", 0, "FILE", "half-widths of the 90 % interval, NIfTI; 0 where nothing was missing", false},
      {"json", 0, "", "print what was done as JSON", false}};
  door.details =
      "IMAGE, holes and contexts: NIfTI-1, NRRD, PNG, or series of DICOM, which are written as NIfTI. All but the\n"
      "holes stays as it is, bit for bit. A guess (linear or cubic between slices, harmonic, biharmonic, mixed) is\n"
      "mended by attention: what it misses at similar voxels of holes cut into known voxels near by. Mixture, widths\n"
      "and interval are learned on these alone; what does not help there has weight 0. What is filled is an estimate,\n"
      "not a measurement. Not a medical device.";
  door.stream = &stream_inpaint;
  return door;
}

}  // namespace fovea::imaging::inpaint
