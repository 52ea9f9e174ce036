/// Images that are refused, each by its name; and damaged files, which are read as something sound or refused.

#include "fovea/datasets/images/images.hpp"
#include "fovea/tests/datasets/images/made_formats.hpp"
#include "fovea/tests/datasets/images/made_nifti.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::images {

using support::MadeNifti;
using namespace std::string_literals;

namespace {

constexpr float kNanFloat = std::numeric_limits<float>::quiet_NaN();
const std::string kDamaged = "; it was cut or is damaged, get it again.";

struct BadImage {
  const char* name;  ///< of the file
  std::string bytes;
  std::string says;
};

template <typename Change>
std::string changed_nifti(const Change& change) {
  MadeNifti made;
  change(made);
  return made.counting();
}

std::string floats_with(float value) {
  MadeNifti made;
  made.datatype = 16;
  std::vector<float> voxels(12, 1);
  voxels[4] = value;
  return made.file(voxels);
}

std::vector<BadImage> bad_niftis() {
  using M = MadeNifti;
  const std::string sound = M().counting();
  const std::string one = "; give an image with one number a voxel.";
  std::vector<BadImage> cases{
      {"a.nii", changed_nifti([](M& m) { m.header = 540; }),
       "is NIfTI-2, which is not read here; write it as NIfTI-1."},
      {"a.hdr", changed_nifti([](M& m) { m.magic = "ni1\0"s; }),
       "is the header of a pair of .hdr and .img, which is not read here; write one .nii.gz of them."},
      {"a.hdr", changed_nifti([](M& m) { m.magic = "\0\0\0\0"s; }),
       "is an image of Analyze 7.5 or a NIfTI file without its mark 'n+1'; write it as .nii.gz."},
      {"a.nii", changed_nifti([](M& m) { m.dim = {4, 3, 2, 1, 2, 1, 1, 1}; }),
       "has 2 volumes (dimension 4); write one of them as a file."},
      {"a.nii", changed_nifti([](M& m) { m.dim[0] = 9; }), "the header states 9 dimensions; an image has 1 to 3."},
      {"a.nii", changed_nifti([](M& m) { m.dim[2] = 0; }), "the header states a size of 0; a size is 1 or more."},
      {"a.nii", changed_nifti([](M& m) { m.dim[1] = -3; }), "the header states a size of -3; a size is 1 or more."},
      {"a.nii", changed_nifti([](M& m) { m.datatype = 128; }), "its voxels are colours (datatype 128)" + one},
      {"a.nii", changed_nifti([](M& m) { m.datatype = 32; }), "its voxels are no real numbers (datatype 32)" + one},
      {"a.nii", changed_nifti([](M& m) { m.datatype = 7; }), "its voxels are no real numbers (datatype 7)" + one},
      {"a.nii", changed_nifti([](M& m) { m.pixdim[3] = 0; }), "the spacing along z is 0; it must be above 0."},
      {"a.nii", changed_nifti([](M& m) { m.pixdim[1] = kNanFloat; }),
       "the spacing along x is nan; it must be above 0."},
      {"a.nii", changed_nifti([](M& m) { m.slope = 2, m.intercept = kNanFloat; }),
       "scl_slope is 2 but scl_inter is nan; both must be finite."},
      {"a.nii", changed_nifti([](M& m) { m.first_voxel = 100; }),
       "vox_offset is 100; it must be a whole number from 352 on."},
      {"a.nii", changed_nifti([](M& m) { m.dim = {3, 30000, 30000, 70, 1, 1, 1, 1}; }),
       "the header states 30000 x 30000 x 70 voxels, 126000000000 bytes, which the file of 376 does not hold" +
           kDamaged},
      {"a.nii.gz",
       support::gzip_packed(changed_nifti([](M& m) { m.dim = {3, 30000, 30000, 70, 1, 1, 1, 1}; }) +
                            std::string(200000, '\7')),
       "the header states 30000 x 30000 x 70 voxels, 126000000000 bytes, which the file of "},
      {"a.nii", sound.substr(0, 300), "ends after 300 bytes, and a header of NIfTI has 348" + kDamaged},
      {"a.nii", changed_nifti([](M& m) { m.first_voxel = 360; }),
       "holds 16 bytes of voxels, and its header states 24" + kDamaged},
      {"a.nii.gz", support::gzip_packed(sound + std::string(100000, '\5')).substr(0, 200),
       "ends in the middle; it was cut, get it again."},
      {"a.img", "\1\2\3", "is half of a pair of .hdr and .img; write one .nii.gz of them."},
      {"a.txt", "1 2 3\n", "is no image that is read here; give NIfTI-1 (.nii, .nii.gz), NRRD, DICOM or PNG."},
      {"a.jpg", "\xFF\xD8\xFF\xE0",
       "is a JPEG picture, which is not read here; give the numbers that the picture was made of"}};
  return cases;
}

std::string nrrd_with(const std::string& from, const std::string& to) {
  std::string text =
      "NRRD0004\ntype: short\ndimension: 3\nspace: LPS\nsizes: 3 2 1\nspace directions: (1,0,0) (0,1,0) "
      "(0,0,1)\nendian: little\nencoding: raw\n\n123456789012";
  return text.replace(text.find(from), from.size(), to);
}

std::vector<BadImage> bad_nrrds_and_pngs() {
  const std::string grey = "; save it in grey, with 8 or 16 bits and without alpha.", row = std::string(9, '\0');
  return {
      {"a.nrrd", nrrd_with("encoding: raw", "encoding: raw\ndata file: a.raw"),
       "its voxels lie in another file; write header and voxels as one .nrrd."},
      {"a.nrrd", nrrd_with("raw", "bzip2"), "its encoding is 'bzip2', which is not read; write raw or gzip."},
      {"a.nrrd", nrrd_with("short", "block"),
       "its type is 'block', which is not read; write whole numbers, float or double."},
      {"a.nrrd", nrrd_with("little", "middle"), "its field 'endian' is 'middle'; it must be little or big."},
      {"a.nrrd", nrrd_with("(0,0,1)", "none"), "its axis of 1 is none of space; give one number a voxel."},
      {"a.nrrd", nrrd_with("3 2 1", "3 2 2 2"), "has 4 axes; give one volume with one number a voxel."},
      {"a.nrrd", nrrd_with("3 2 1", "3 2 x"), "its header holds 'x' in place of a number; correct it."},
      {"a.nrrd", nrrd_with("3 2 1", "3 0 1"), "the header states a size of 0; a size is 1 or more."},
      {"a.nrrd", nrrd_with("(0,0,1)", "(0,0,0)"), "the spacing along z is 0; it must be above 0."},
      {"a.nrrd", nrrd_with("(0,0,1)", "(0,1,0)"), "its axes do not span a space; correct the header's affine."},
      {"a.nrrd", nrrd_with("3 2 1", "3 2 9"),
       "the header states 3 x 2 x 9 voxels, 108 bytes, which the file of 12 does not hold" + kDamaged},
      {"a.nrrd", nrrd_with("raw", "gzip"), "its voxels are not packed by gzip" + kDamaged},
      {"a.nrrd", nrrd_with("raw\n\n", "raw\nbyte skip: 4\n\n"),
       "skips bytes before its voxels (byteskip 4); write it without."},
      {"a.nrrd", nrrd_with("encoding: raw\n\n", ""), "ends in its header" + kDamaged},
      {"a.nrrd", support::gzip_packed(nrrd_with("raw", "raw")),
       "is packed by gzip, of which NIfTI alone is read; unpack it: gunzip -k a.nrrd"},
      {"a.png", support::made_png(3, 1, 8, 2, row + '\0'), "its voxels are colours" + grey},
      {"a.png", support::made_png(3, 1, 8, 3, row), "its voxels are colours" + grey},
      {"a.png", support::made_png(3, 1, 8, 4, row), "its voxels have an alpha channel" + grey},
      {"a.png", support::made_png(3, 1, 1, 0, row), "its voxels have 1 bit" + grey},
      {"a.png", support::made_png(3, 1, 8, 0, row).substr(0, 20), "has no header of a PNG picture" + kDamaged},
      {"a.png", support::made_png(3, 2, 8, 0, "\0\1\2\3"s), "libpng finds a fault (Not enough image data)" + kDamaged},
      {"a.png", support::made_png(40000, 70000, 16, 0, row),
       "the header states 40000 x 70000 x 1 voxels, 5600000000 bytes, which the file of "}};
}

}  // namespace

TEST_CASE("an image that is not read as it is meant is refused by its name", "[images]") {
  for (const auto& cases : {bad_niftis(), bad_nrrds_and_pngs()})
    for (const BadImage& one : cases) {
      const TemporaryFolder folder;
      support::put_file(folder.file(one.name), one.bytes);
      const std::string said = support::refusal_in<DataError>(folder, [&] { read_volume(folder.file(one.name)); });
      CHECK(said.substr(0, said.find(": ") + 2 + one.says.size()) == one.name + ": "s + one.says);
    }
}

TEST_CASE("a mask that is empty or not finite, and an image that is not finite, are refused", "[images]") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& bytes, const auto& action) {
    support::put_file(folder.file("a.nii"), bytes);
    return support::refusal_in<DataError>(folder, [&] { action(folder.file("a.nii")); });
  };
  const auto as_mask = [](const std::string& path) { read_mask(path); };
  CHECK(said(MadeNifti().file(std::vector<std::int16_t>(12, 0)), as_mask) ==
        "a.nii: is an empty mask, all voxels are 0; mark the voxels.");
  CHECK(said(floats_with(kNanFloat), as_mask) == "a.nii: voxel (1, 1, 0) is nan; each voxel must be a finite number.");
  std::vector<std::uint8_t> hole(12, 0);
  const auto as_image = [&](const std::string& path) { check_finite(read_volume(path), hole); };
  CHECK(said(floats_with(-INFINITY), as_image) ==
        "a.nii: voxel (1, 1, 0) is -inf; each voxel must be a finite number.");
  hole[4] = 1;
  CHECK(said(floats_with(-INFINITY), as_image).empty());
}

TEST_CASE("damaged images are read as something sound or refused in one line", "[images]") {
  using namespace std::string_view_literals;
  constexpr std::string_view kTokens[] = {
      "\0"sv,     "\xFF\xFF"sv, "\0\0\0\0"sv, "\0\0\xC0\x7F"sv, "\xFF\xFF\xFF\x7F"sv,
      "\n\n"sv,   ": "sv,       "none"sv,     "(1,0,0)"sv,      "sizes: 9 9 9\n"sv,
      "gzip\n"sv, "1e308"sv,    "IDAT"sv,     "IEND"sv,         "PLTE"sv};
  const std::string nifti = MadeNifti().counting(), nrrd = nrrd_with("raw", "raw");
  std::string packed = nrrd_with("raw", "gzip");
  packed = packed.substr(0, packed.size() - 12) + support::gzip_packed("123456789012");
  const std::map<std::string, std::string> files{{"a.nii", nifti},
                                                 {"a.nii.gz", support::gzip_packed(nifti)},
                                                 {"a.nrrd", nrrd},
                                                 {"b.nrrd", packed},
                                                 {"a.png", support::made_png(3, 2, 8, 0, "\0\1\2\3\2\1\1\xFC"s)}};
  const TemporaryFolder folder(support::memory_disk());
  const std::uint64_t mutants = support::mutant_setting("FOVEA_MUTANTS", 2000);
  const std::uint64_t first = support::mutant_setting("FOVEA_MUTANT_SEED", 1);
  for (const auto& [name, bytes] : files) {
    Index read = 0;
    for (std::uint64_t seed = first; seed < first + mutants; ++seed) {
      support::put_file(folder.file(name), support::mutated(bytes, nifti, kTokens, seed));
      try {
        const Volume volume = read_volume(folder.file(name));
        ++read;
        const Grid& grid = volume.grid;
        if (static_cast<Index>(volume.values.size()) == grid.voxels() && grid.to_world.allFinite() &&
            *std::min_element(grid.spacing.begin(), grid.spacing.end()) > 0)
          continue;
        FAIL_CHECK(name << ", seed " << seed << ": is read as something unsound");
      } catch (const DataError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos)
          FAIL_CHECK(name << ", seed " << seed << ": " << error.what());
      }
    }
    CHECK(read < static_cast<Index>(mutants));
  }
}

}  // namespace fovea::datasets::images
