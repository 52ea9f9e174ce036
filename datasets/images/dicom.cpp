/// Slices of DICOM, decoded by GDCM in a child process, brought together as a volume.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <Eigen/Geometry>

#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/child_answer.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::images {

namespace {

struct Slice {
  std::string path;
  SliceHead head;
  std::string_view voxels;
  double height = 0;  ///< mm along the normal

  Eigen::Vector3d axis(int first) const { return Eigen::Map<const Eigen::Vector3d>(head.turn.data() + first); }
  Eigen::Vector3d position() const { return Eigen::Map<const Eigen::Vector3d>(head.position.data()); }
  Eigen::Vector3d normal() const { return axis(0).cross(axis(3)); }
};

/// The files of a folder that are DICOM; the others become a note.
std::vector<std::string> dicom_files(const std::string& path, Volume& volume) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  Index others = 0;
  for (const std::string& name : names_in(path)) {
    const std::string file = (std::filesystem::path(path) / name).string();
    const bool is_one = is_dicom(text::front_of(file), file);
    if (is_one) files.push_back(file);
    others += !is_one && is_file(file);
  }
  if (files.empty()) refuse_image(path, "holds no file of DICOM; give the folder of a series.");
  if (others > 0)
    volume.notes.push_back(concat("Passed over, as no DICOM: ", counted(others, "file"), " of the folder."));
  return files;
}

/// What the child sends of each file: its head, then its voxels.
std::vector<Slice> slices_in(const std::vector<std::string>& files, std::string_view bytes) {
  std::vector<Slice> slices;
  for (const std::string& file : files) {
    Slice slice{file, {}, {}, 0};
    if (bytes.size() < sizeof slice.head) refuse_damaged(file, "was not read to its end");
    std::memcpy(&slice.head, bytes.data(), sizeof slice.head);
    slice.voxels = bytes.substr(sizeof slice.head, slice.head.bytes);
    bytes.remove_prefix(sizeof slice.head + slice.voxels.size());
    if (slice.head.bytes > 0) slices.push_back(slice);
  }
  return slices;
}

/// All slices are of one series, size and direction.
void check_alike(const std::string& path, const std::vector<Slice>& slices) {
  constexpr double kSameTurn = 1e-4, kSameWidth = 1e-4;
  const Slice& first = slices.front();
  for (const Slice& slice : slices) {
    const SliceHead &a = first.head, &b = slice.head;
    const auto differ = [&](const char* what) {
      refuse_image(path, first.path, " and ", slice.path, " ", what, "; give a folder with the slices of one series.");
    };
    if (std::strcmp(a.series.data(), b.series.data()) != 0) differ("are of two series");
    if (a.size != b.size) differ("have other numbers of pixels");
    if ((first.axis(0) - slice.axis(0)).norm() + (first.axis(3) - slice.axis(3)).norm() > kSameTurn)
      differ("are turned differently");
    for (int k = 0; k < 2; ++k)
      if (std::abs(a.spacing[k] - b.spacing[k]) > kSameWidth * a.spacing[k]) differ("have pixels of other widths");
  }
}

/// Sorted slices lie one above the other at equal distances, which is returned.
double checked_distance(const std::string& path, const std::vector<Slice>& slices) {
  constexpr double kSameGap = .02, kDoubled = .01, kShifted = .1;  // of a gap; of a pixel
  std::vector<double> gaps;
  for (std::size_t k = 1; k < slices.size(); ++k) gaps.push_back(slices[k].height - slices[k - 1].height);
  std::vector<double> sorted = gaps;
  std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
  const double gap = sorted[sorted.size() / 2];
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const auto refuse = [&](const std::string& what, const char* way) {
      refuse_image(path, slices[k].path, " and ", slices[k + 1].path, " ", what, "; ", way);
    };
    const double times = gaps[k] / gap;
    if (!(gaps[k] > 1e-3) || times < kDoubled) refuse("lie at the same place", "a series has each slice once.");
    if (std::abs(times - 1) <= kSameGap) continue;
    const std::string apart =
        concat("are ", plain_text(gaps[k], 4), " mm apart, and most others ", plain_text(gap, 4), " mm");
    const Index missing = std::lround(times) - 1;
    if (missing > 0 && std::abs(times - std::round(times)) <= kSameGap * times)
      refuse(concat(apart, ", so ", counted(missing, "slice"), missing == 1 ? " is missing" : " are missing"),
             "add what is missing.");
    refuse(apart, "resample the series to equal distances.");
  }
  const Eigen::Vector3d step = slices.back().position() - slices.front().position();
  const double shift = (step - step.dot(slices[0].normal()) * slices[0].normal()).norm();
  if (shift > kShifted * slices[0].head.spacing[0])
    refuse_image(path, "its slices are shifted by ", plain_text(shift),
                 " mm from the first to the last, as with a tilted gantry; resample the series to an upright one.");
  return gap;
}

void place_series(Volume& volume, const std::vector<Slice>& slices) {
  const Slice& first = slices.front();
  const SliceHead& head = first.head;
  Grid& grid = volume.grid;
  grid.size = {head.size[0], head.size[1], std::ssize(slices)};
  grid.spacing = {head.spacing[0], head.spacing[1],
                  slices.size() > 1 ? checked_distance(volume.path, slices) : head.thickness};
  const std::array<Eigen::Vector3d, 4> columns{first.axis(0) * grid.spacing[0], first.axis(3) * grid.spacing[1],
                                               first.normal() * grid.spacing[2], first.position()};
  for (int k = 0; k < 4; ++k)  // DICOM's axes point to the left and back
    grid.to_world.block<3, 1>(0, k) = columns[static_cast<std::size_t>(k)].cwiseProduct(Eigen::Vector3d(-1, -1, 1));
  check_grid(volume.path, grid);
}

}  // namespace

bool is_dicom(std::string_view front, const std::string& path) {
  constexpr std::size_t kMark = 128;
  return (front.size() > kMark + 4 && front.substr(kMark, 4) == "DICM") || path.ends_with(".dcm");
}

Volume read_dicom(const std::string& path) {
  Volume volume;
  volume.path = path;
  const std::vector<std::string> files = dicom_files(path, volume);
  std::size_t held = 0;
  for (const std::string& file : files) held += file_size(file);
  if (held > memory_left() / 8) refuse_image(path, "does not fit into memory; give a part of it.");
  const std::string bytes = answer_of_child({path, "GDCM", held, [&] { return decoded_slices(files); }});
  std::vector<Slice> slices = slices_in(files, bytes);
  if (slices.empty()) refuse_image(path, "holds no image; give the folder of a series.");
  check_alike(path, slices);
  for (Slice& slice : slices) slice.height = slice.position().dot(slices.front().normal());
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.height < b.height; });
  place_series(volume, slices);
  Stored stored;
  stored.format = Format::dicom;
  volume.values.resize(static_cast<std::size_t>(volume.grid.voxels()));
  const std::size_t each = volume.values.size() / slices.size();
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const SliceHead& head = slices[k].head;
    Coding coding = coding_of(head.type);
    coding.slope = head.slope, coding.intercept = head.intercept;
    if (k == 0) stored.coding = coding;
    if (coding.slope != slices[0].head.slope) stored.coding = coding_of(VoxelType::float32);
    decode(coding, slices[k].voxels, 0, each, volume.values.data() + k * each);
  }
  volume.stored = stored.coding.type;
  if (!slices[0].head.placed) volume.notes.push_back("A missing position is taken as 0, a missing spacing as 1 mm.");
  volume.file = std::make_shared<const Stored>(std::move(stored));
  return volume;
}

}  // namespace fovea::datasets::images
