/// The experiment "imaging.inpaint": what is filling a hole by attention worth, and does its interval hold?
///
/// One point writes over "hole": hole_psnr, hole_psnr_guess, hole_psnr_simple_0 .. 2, hole_share, hole_covered; their
/// means psnr, psnr_guess, psnr_gain, covered ... with _low and _high; error_rank; pictures of a hole.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/study/cases/reading.hpp"
#include "fovea/core/study/report/reading_report.hpp"
#include "fovea/domains/imaging/experiments.hpp"
#include "fovea/domains/imaging/inpaint/door.hpp"
#include "fovea/domains/imaging/inpaint/examine.hpp"
#include "fovea/domains/imaging/inpaint/simulated.hpp"

namespace fovea::imaging::inpaint {

namespace {

struct ExperimentSettings {
  PictureFiles files;
  SimulatedPlan simulated;
  ExaminePlan examine;
  Settings fill;
  Index side = 80, slices = 16;  ///< of the simulated image
};

const Keys<ExperimentSettings>& inpaint_keys() {
  using S = ExperimentSettings;
  static const auto keys =
      Keys<S>()
          .file("data.image", inside(&S::files, &PictureFiles::image), "NIfTI, NRRD, PNG; none: simulated")
          .file("data.holes", inside(&S::files, &PictureFiles::holes),
                "a mask of one hole, which is hidden and examined; none: holes at random places")
          .files("data.contexts", inside(&S::files, &PictureFiles::contexts), "other images of the same place")
          .key("simulated.side", &S::side, Range::between(24, 256), "", "simulated: voxels in x and y")
          .key("simulated.slices", &S::slices, Range::between(1, 128), "", "simulated: voxels in z")
          .key("simulated.noise", inside(&S::simulated, &SimulatedPlan::noise), Range::between(0, 1), "1",
               "simulated: deviation of a voxel; values lie around 0 to 1")
          .key("fill.slices", inside(&S::fill, &Settings::slices), Range::between(0, 64), "",
               "slices above and below a hole that are used; 0: each slice by itself")
          .key("examine.holes", inside(&S::examine, &ExaminePlan::holes), Range::between(1, 1000), "",
               "holes that are cut and filled, each by itself")
          .key("examine.side", inside(&S::examine, &ExaminePlan::side), Range::between(1, 128), "",
               "voxels of a hole in x and y")
          .key("examine.depth", inside(&S::examine, &ExaminePlan::depth), Range::between(1, 64), "",
               "slices of a hole");
  return keys;
}

/// A picture whose missing voxels are not examined, and perhaps the hole that is.
struct InpaintInputs {
  Picture picture;
  std::vector<Index> hole;
  std::vector<std::string> notes;
};

InpaintInputs inputs_of(const PictureFiles& files) {
  PictureFiles image = files;
  image.holes.clear();
  ReadPicture read = read_picture(image, false);
  InpaintInputs inputs{std::move(read.picture), {}, std::move(read.notes)};
  if (files.holes.empty()) return inputs;
  const std::vector<std::uint8_t> wanted = read_picture(files).picture.missing;
  for (Index i = 0; i < inputs.picture.voxels(); ++i)
    if (wanted[i] != 0 && inputs.picture.missing[i] == 0) inputs.hole.push_back(i);
  if (inputs.hole.empty())
    throw DataError(concat(files.holes,
                           ": the image has no number in any of its voxels, so nothing can be examined; "
                           "name voxels whose numbers are known."));
  return inputs;
}

class Inpaint final : public Experiment {
 public:
  std::string_view name() const override { return "imaging.inpaint"; }
  std::string_view summary() const override { return "what was where an image has a hole, and how certain is that?"; }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    inpaint_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const PictureFiles files = inpaint_keys().read(config).files;
    for (const char* key : {"data.holes", "data.contexts"})
      if (files.image.empty() && (key == std::string("data.holes") ? !files.holes.empty() : !files.contexts.empty()))
        complaints.add(config.source(key), concat(key, " goes with an image; give it as data.image."));
  }

  Inputs open(const Config& config) const override {
    const PictureFiles files = inpaint_keys().read(config).files;
    return files.image.empty() ? Inputs{} : as_inputs(inputs_of(files));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    ExperimentSettings settings = inpaint_keys().read(config);
    settings.simulated.size = {settings.side, settings.side, settings.slices};
    const bool simulated = inputs.empty();
    if (simulated)
      inputs = as_inputs(InpaintInputs{simulated_picture(settings.simulated, random.stream("image")), {}, {}});
    const InpaintInputs& input = *inputs.as<InpaintInputs>();
    study::Reading reading;
    reading.noun = "image", reading.token = "voxel", reading.cases = reading.groups = 1;
    if (!simulated) reading.files = {settings.files.image};
    reading.tokens = input.picture.voxels();
    reading.left_out = {
        {"voxel", std::count(input.picture.missing.begin(), input.picture.missing.end(), 1), "NaN in the image"}};
    reading.without_folders();
    study::report_reading(reading, {}, results, bench);
    for (const std::string& note : input.notes) results.note(note + ".");
    std::vector<std::vector<Index>> holes{input.hole};
    if (input.hole.empty()) holes = examined_holes(input.picture, settings.examine, random.stream("holes"));
    if (holes.empty())
      throw DataError(concat(simulated ? "the simulated image" : settings.files.image, ": has no room for a hole of ",
                             settings.examine.side, " x ", settings.examine.side, " x ", settings.examine.depth,
                             " known voxels; lower examine.side or examine.depth."));
    std::vector<ExaminedHole> done;
    for (const std::vector<Index>& hole : holes) {
      done.push_back(examined(input.picture, hole, settings.fill));
      bench.progress(static_cast<double>(done.size()) / static_cast<double>(holes.size()));
    }
    report_holes(input.picture, done, random.stream("intervals"), results);
    if (!simulated) return;
    results.check({"covers", "share of the hidden voxels within their 90 % interval", "a calibrated interval", 0.9,
                   view(results.data, "covered").mean().mean, absolute(0.05)});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_inpaint() { return std::make_unique<Inpaint>(); }

}  // namespace fovea::imaging::inpaint
