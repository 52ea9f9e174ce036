/// NIfTI-1: 348 bytes of header, extensions, voxels (nifti.nimh.nih.gov/nifti-1, nifti1.h).

#include <bit>
#include <cmath>
#include <cstring>

#include <Eigen/Geometry>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/images/meeting.hpp"
#include "fovea/datasets/images/stored.hpp"
#include "fovea/datasets/text/byte_stream.hpp"

namespace fovea::datasets::images {

namespace {

constexpr std::size_t kHead = 348, kFirstVoxel = 352, kMostTail = std::size_t{1} << 20;
constexpr int kHeadSwapped = 0x5C010000, kOfNifti2 = 540, kOfNifti2Swapped = 0x1C020000;

// Places of the fields, as nifti1.h has them.
constexpr std::size_t kDim = 40, kDatatype = 70, kBitpix = 72, kPixdim = 76, kVoxOffset = 108, kSlope = 112,
                      kIntercept = 116, kUnits = 123, kQformCode = 252, kSformCode = 254, kQuaternion = 256,
                      kQoffset = 268, kSrow = 280, kMagic = 344;

constexpr std::array kNiftiTypes{2, 256, 512, 4, 768, 8, 1280, 1024, 16, 64};  // in the order of VoxelType

bool is_swapped(std::string_view head) { return number_at<std::int32_t>(head, 0, false) != static_cast<int>(kHead); }

struct NiftiHead {
  const std::string& path;
  std::string_view bytes;
  bool swapped = is_swapped(bytes);

  int whole(std::size_t at) const { return number_at<std::int16_t>(bytes, at, swapped); }
  double real(std::size_t at) const { return static_cast<double>(number_at<float>(bytes, at, swapped)); }
  double pixdim(int axis) const { return real(kPixdim + 4 * axis); }
};

VoxelType type_of(const NiftiHead& head) {
  const int code = head.whole(kDatatype);
  const auto known = std::find(kNiftiTypes.begin(), kNiftiTypes.end(), code);
  if (known != kNiftiTypes.end()) return static_cast<VoxelType>(known - kNiftiTypes.begin());
  refuse_image(head.path, code == 128 || code == 2304 ? "its voxels are colours" : "its voxels are no real numbers",
               " (datatype ", code, "); give an image with one number a voxel.");
}

void take_sizes(const NiftiHead& head, Grid& grid) {
  const int axes = head.whole(kDim);
  if (axes < 1 || axes > 7) refuse_image(head.path, "the header states ", axes, " dimensions; an image has 1 to 3.");
  for (int axis = 1; axis <= 7; ++axis) {
    const int size = axis <= axes ? head.whole(kDim + 2 * axis) : 1;
    if (axis <= 3) grid.size[axis - 1] = size;
    if (axis > 3 && size > 1)
      refuse_image(head.path, "has ", size, " volumes (dimension ", axis, "); write one of them as a file.");
  }
}

/// The factor to mm that the header's units are, 1 where it has none.
double unit_of(const NiftiHead& head, Volume& volume) {
  const int code = head.bytes[kUnits] & 7;
  const double unit = code == 1 ? 1000 : code == 3 ? .001 : 1;
  if (unit != 1) volume.notes.push_back(concat("The header states lengths of ", unit, " mm, which became mm."));
  return unit;
}

Eigen::Matrix4d sform_of(const NiftiHead& head) {
  Eigen::Matrix4d affine = Eigen::Matrix4d::Identity();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) affine(row, column) = head.real(kSrow + 16 * row + 4 * column);
  return affine;
}

Eigen::Matrix4d qform_of(const NiftiHead& head, const Grid& grid) {
  const Eigen::Vector3d bcd(head.real(kQuaternion), head.real(kQuaternion + 4), head.real(kQuaternion + 8));
  Eigen::Quaterniond turn(std::sqrt(std::max(0., 1 - bcd.squaredNorm())), bcd[0], bcd[1], bcd[2]);
  turn.normalize();
  const double qfac = head.pixdim(0) < 0 ? -1 : 1;
  Eigen::Matrix4d affine = Eigen::Matrix4d::Identity();
  affine.topLeftCorner<3, 3>() =
      turn.toRotationMatrix() * Eigen::Vector3d(grid.spacing[0], grid.spacing[1], qfac * grid.spacing[2]).asDiagonal();
  for (int row = 0; row < 3; ++row) affine(row, 3) = head.real(kQoffset + 4 * row);
  return affine;
}

/// Spacing and affine must agree: that of the affine is taken where the header contradicts itself.
void reconcile_spacing(Volume& volume) {
  constexpr double kSameSpacing = 1e-3;  // both are of float32, and programs round
  Grid& grid = volume.grid;
  const Eigen::Matrix3d turn = grid.to_world.topLeftCorner<3, 3>();
  for (int axis = 0; axis < 3; ++axis) {
    const double length = turn.col(axis).norm();
    if (std::abs(length - grid.spacing[axis]) <= kSameSpacing * length) continue;
    volume.notes.push_back(concat("The header states a spacing of ", grid.spacing[axis], " mm along ", "xyz"[axis],
                                  " and an affine of ", length, " mm; the affine is taken."));
    grid.spacing[axis] = length;
  }
}

/// sform where its code is set, else qform, else the spacing alone.
void take_place(const NiftiHead& head, Volume& volume) {
  Grid& grid = volume.grid;
  const double unit = unit_of(head, volume);
  for (int axis = 0; axis < 3; ++axis)
    if (const double spacing = std::abs(head.pixdim(axis + 1)); spacing != 0 || grid.size[axis] > 1)
      grid.spacing[axis] = spacing;  // else 1: a picture has no thickness
  check_grid(volume.path, grid);
  const bool has_sform = head.whole(kSformCode) > 0, has_qform = head.whole(kQformCode) > 0;
  const Eigen::Matrix4d sform = sform_of(head), qform = qform_of(head, grid);
  const bool by_sform = has_sform && spans_space(sform), by_qform = has_qform && spans_space(qform);
  if (has_sform > by_sform || has_qform > by_qform)
    volume.notes.push_back("A form of the header is no affine of three axes and is passed over.");
  if (!by_sform && !by_qform) {
    volume.notes.push_back(kNoOrientation);
    for (int axis = 0; axis < 3; ++axis) grid.to_world(axis, axis) = grid.spacing[axis];
  } else {
    grid.to_world = by_sform ? sform : qform;
    Grid other = grid;
    other.to_world = qform;
    if (by_sform && by_qform && !same_grid(grid, other))
      volume.notes.push_back("The sform and the qform place the image differently; the sform is taken.");
  }
  reconcile_spacing(volume);
  grid.to_world.topRows<3>() *= unit;
  for (double& spacing : grid.spacing) spacing *= unit;
}

Coding coding_in(const NiftiHead& head) {
  Coding coding = coding_of(type_of(head));
  coding.swapped = head.swapped;
  const double slope = head.real(kSlope), intercept = head.real(kIntercept);
  if (slope == 0 || !std::isfinite(slope)) return coding;  // no scaling, as nifti1.h says of 0
  if (!std::isfinite(intercept))
    refuse_image(head.path, "scl_slope is ", slope, " but scl_inter is ", intercept, "; both must be finite.");
  coding.slope = slope, coding.intercept = intercept;
  return coding;
}

void check_magic(const NiftiHead& head) {
  const std::string_view magic = head.bytes.substr(kMagic, 4);
  if (magic == std::string_view("n+1\0", 4)) return;
  if (magic == std::string_view("ni1\0", 4))
    refuse_image(head.path,
                 "is the header of a pair of .hdr and .img, which is not read here; write one .nii.gz of them.");
  refuse_image(head.path, "is an image of Analyze 7.5 or a NIfTI file without its mark 'n+1'; write it as .nii.gz.");
}

std::size_t first_voxel(const NiftiHead& head) {
  const double offset = head.real(kVoxOffset);
  if (offset == 0) return kFirstVoxel;
  constexpr double kMostOffset = 1 << 30;
  if (!(offset >= kFirstVoxel && offset <= kMostOffset) || offset != std::floor(offset))
    refuse_image(head.path, "vox_offset is ", offset, "; it must be a whole number from ", kFirstVoxel, " on.");
  return static_cast<std::size_t>(offset);
}

template <typename Number>
void put(std::string& head, std::size_t at, Number number) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(head.data() + at, &number, sizeof number);
}

}  // namespace

bool is_nifti(std::string_view front) {
  const int size = front.size() < 4 ? 0 : number_at<std::int32_t>(front, 0, false);
  return size == static_cast<int>(kHead) || size == kOfNifti2 || size == kHeadSwapped || size == kOfNifti2Swapped;
}

Volume read_nifti(const std::string& path) {
  text::ByteStream stream(path);
  Stored stored;
  stored.head = stream.take(kHead);
  if (stored.head.size() < kHead)
    refuse_damaged(path, "ends after ", stored.head.size(), " bytes, and a header of NIfTI has ", kHead);
  if (number_at<std::int32_t>(stored.head, 0, is_swapped(stored.head)) != static_cast<int>(kHead))
    refuse_image(path, "is NIfTI-2, which is not read here; write it as NIfTI-1.");
  Volume volume;
  volume.path = path;
  const std::string text = stored.head;
  const NiftiHead head{path, text};
  check_magic(head);
  stored.coding = coding_in(head);
  take_sizes(head, volume.grid);
  take_place(head, volume);
  const std::size_t first = first_voxel(head);
  const bool packed = stream.is_packed();
  const std::size_t size = checked_bytes(path, volume.grid, bytes_of(stored.coding.type), file_size(path), packed);
  stored.head += stream.take(first - kHead);
  stored.voxels = stream.take(size);
  stored.tail = stream.take(kMostTail);
  if (stored.tail.size() == kMostTail)
    refuse_image(path, "goes on after its voxels, for ", kMostTail, " bytes at least; cut them off.");
  take_stored(volume, std::move(stored));
  return volume;
}

std::string new_nifti_head(const Grid& grid, const Coding& coding) {
  constexpr Index kLongest = 32767;
  for (const Index size : grid.size)
    require(size <= kLongest, "NIfTI-1 has no size of ", size, "; give at most ", kLongest, " voxels along an axis.");
  std::string head(kFirstVoxel, '\0');
  put(head, 0, static_cast<std::int32_t>(kHead));
  put(head, kDim, std::int16_t{3});
  for (int axis = 0; axis < 7; ++axis)
    put(head, kDim + 2 + 2 * axis, static_cast<std::int16_t>(axis < 3 ? grid.size[axis] : 1));
  put(head, kDatatype, static_cast<std::int16_t>(kNiftiTypes[static_cast<std::size_t>(coding.type)]));
  put(head, kBitpix, static_cast<std::int16_t>(8 * bytes_of(coding.type)));
  for (int axis = 0; axis < 8; ++axis)
    put(head, kPixdim + 4 * axis, static_cast<float>(axis >= 1 && axis <= 3 ? grid.spacing[axis - 1] : 1));
  put(head, kVoxOffset, static_cast<float>(kFirstVoxel));
  put(head, kSlope, 1.f);
  head[kUnits] = 2;  // millimetres
  put(head, kSformCode, std::int16_t{1});
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      put(head, kSrow + 16 * row + 4 * column, static_cast<float>(grid.to_world(row, column)));
  std::memcpy(head.data() + kMagic, "n+1", 4);
  return head;
}

}  // namespace fovea::datasets::images
