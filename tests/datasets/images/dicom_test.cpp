/// Series of DICOM. Without GDCM they are refused, which is all that is tested then.

#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/images/meeting.hpp"
#include "fovea/tests/datasets/images/made_formats.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::images {

using support::MadeSlice;

namespace {

struct DicomFolder : TemporaryFolder {
  void put(const std::string& name, const MadeSlice& slice) const { support::put_file(file(name), slice.file()); }
  /// Slices at these heights, called a.dcm, b.dcm, ...
  void put_at(const std::vector<std::string>& heights, MadeSlice slice = {}) const {
    for (std::size_t k = 0; k < heights.size(); ++k) {
      slice.position = "-10\\20\\" + heights[k];
      for (auto& voxel : slice.voxels) voxel = static_cast<std::int16_t>(voxel + 6);
      put(std::string(1, static_cast<char>('a' + k)) + ".dcm", slice);
    }
  }
  std::string refusal(const std::string& name = "") const {
    std::string text = refusal_of<DataError>([&] { read_volume(name.empty() ? path() : file(name)); });
    for (std::size_t at = 0; (at = text.find(path())) != std::string::npos;) text.replace(at, path().size(), "@");
    return text;
  }
};

bool reads_dicom() {
  const DicomFolder folder;
  folder.put("a.dcm", {});
  const std::string text = folder.refusal("a.dcm");
  if (text.empty()) return true;
  CHECK(text == "@/a.dcm: is DICOM; this build lacks GDCM, which reads it: install libgdcm-dev and build again.");
  return false;
}

}  // namespace

TEST_CASE("DICOM: a series is sorted by position, scaled and placed", "[images]") {
  if (!reads_dicom()) return;
  const DicomFolder folder;
  folder.put_at({"6", "0", "3"});
  support::put_file(folder.file("notes.txt"), "no slice");
  const Volume volume = read_volume(folder.path());
  CHECK(volume.grid.size == std::array<Index, 3>{3, 2, 3});
  CHECK(volume.grid.spacing == std::array<double, 3>{1, 2, 3});
  CHECK(axes_of(volume.grid) == "LPS");
  CHECK(volume.grid.to_world.col(3) == Eigen::Vector4d(10, -20, 0, 1));
  CHECK(volume.values[0] == 12);  // b.dcm, the second that was written
  CHECK(volume.values[6] == 18);
  CHECK(volume.values[17] == 11);
  CHECK(volume.notes == std::vector<std::string>{"Passed over, as no DICOM: 1 file of the folder."});
  CHECK(volume.stored == VoxelType::int16);
  std::vector<double> values = volume.values;
  values[3] = -1000.4;
  CHECK(refusal_of<ArgumentError>([&] { write_like(volume, values, folder.file("f.dcm")); }) ==
        folder.file("f.dcm") + ": an image of " + folder.path() + " is written as .nii or .nii.gz; name such a file.");
  CHECK(write_like(volume, values, folder.file("f.nii.gz")).changed == 1);
  const Volume filled = read_volume(folder.file("f.nii.gz"));
  CHECK(filled.stored == VoxelType::int16);
  CHECK(filled.values[3] == -1000);
  CHECK(filled.values[4] == values[4]);
  CHECK(filled.grid.to_world == volume.grid.to_world);
}

TEST_CASE("DICOM: slopes of each slice become real numbers", "[images]") {
  if (!reads_dicom()) return;
  const DicomFolder folder;
  MadeSlice slice;
  folder.put("a.dcm", slice);
  slice.position = "0\\0\\1", slice.slope = "0.5";
  folder.put("b.dcm", slice);
  const Volume volume = read_volume(folder.path());
  CHECK(volume.values[1] == 1);
  CHECK(volume.values[7] == -511.5);
  CHECK(volume.stored == VoxelType::float32);
  CHECK(volume.notes.empty());
  slice.position.clear();
  folder.put("c.dcm", slice);
  CHECK(read_volume(folder.file("c.dcm")).notes ==
        std::vector<std::string>{"A missing position is taken as 0, a missing spacing as 1 mm."});
}

TEST_CASE("DICOM: what is no series of equal slices is refused", "[images]") {
  if (!reads_dicom()) return;
  const auto heights = [](const std::vector<std::string>& at) {
    const DicomFolder folder;
    folder.put_at(at);
    return folder.refusal();
  };
  CHECK(heights({"0", "3", "6", "15", "18"}) ==
        "@: @/c.dcm and @/d.dcm are 9 mm apart, and most others 3 mm, so 2 slices are missing; add what is missing.");
  CHECK(heights({"0", "3", "3", "6"}) == "@: @/b.dcm and @/c.dcm lie at the same place; a series has each slice once.");
  CHECK(heights({"0", "3", "6", "9.5"}) ==
        "@: @/c.dcm and @/d.dcm are 3.5 mm apart, and most others 3 mm; resample the series to equal distances.");
  const auto with = [](const MadeSlice& other) {
    const DicomFolder folder;
    folder.put("a.dcm", {});
    folder.put("b.dcm", other);
    return folder.refusal();
  };
  const std::string way = "; give a folder with the slices of one series.";
  MadeSlice other;
  other.position = "0\\1\\3";
  CHECK(with(other) ==
        "@: its slices are shifted by 1 mm from the first to the last, as with a tilted gantry; resample "
        "the series to an upright one.");
  other.position = "0\\0\\3";
  CHECK(with(other).empty());
  MadeSlice changed = other;
  changed.series = "1.2.4";
  CHECK(with(changed) == "@: @/a.dcm and @/b.dcm are of two series" + way);
  changed = other;
  changed.rows = 1, changed.voxels.resize(3);
  CHECK(with(changed) == "@: @/a.dcm and @/b.dcm have other numbers of pixels" + way);
  changed = other;
  changed.turn = "0\\1\\0\\1\\0\\0";
  CHECK(with(changed) == "@: @/a.dcm and @/b.dcm are turned differently" + way);
  changed = other;
  changed.spacing = "1\\1";
  CHECK(with(changed) == "@: @/a.dcm and @/b.dcm have pixels of other widths" + way);
  changed = other;
  changed.modality = "RTSTRUCT";
  CHECK(with(changed) ==
        "@/b.dcm: holds contours (RTSTRUCT), which are not read; write their mask as .nii.gz, and take "
        "it away.");
  changed = other;
  changed.samples = 3, changed.voxels.resize(18);
  CHECK(with(changed) == "@/b.dcm: its voxels are colours; give a series with one number a voxel.");
  const DicomFolder empty;
  CHECK(empty.refusal() == "@: holds no file of DICOM; give the folder of a series.");
}

TEST_CASE("DICOM: damaged slices are read as something sound or refused in one line", "[images]") {
  if (!reads_dicom()) return;
  const std::string whole = MadeSlice().file();
  const DicomFolder folder;
  using namespace std::string_view_literals;
  constexpr std::string_view kTokens[] = {"\0"sv, "\xFF\xFF\xFF\xFF"sv, "\xFE\xFF\0\xE0"sv, "OW"sv, "SQ"sv, "UN"sv};
  const std::uint64_t mutants = support::mutant_setting("FOVEA_MUTANTS", 60);
  const std::uint64_t first = support::mutant_setting("FOVEA_MUTANT_SEED", 1);
  for (std::uint64_t seed = first; seed < first + mutants; ++seed) {
    INFO("seed " << seed);
    support::put_file(folder.file("m.dcm"), support::mutated(whole, whole, kTokens, seed));
    try {
      const Volume volume = read_volume(folder.file("m.dcm"));
      CHECK(static_cast<Index>(volume.values.size()) == volume.grid.voxels());
    } catch (const DataError& error) {
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
}

}  // namespace fovea::datasets::images
