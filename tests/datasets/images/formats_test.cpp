/// NRRD and PNG: read as they are meant, and written with every unchanged byte.

#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/images/meeting.hpp"
#include "fovea/tests/datasets/images/made_formats.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::images {

using support::made_png;

namespace {

const std::string kNrrdHead =
    "NRRD0004\n# a comment\ntype: short\ndimension: 3\nspace: left-posterior-superior\nsizes: 3 2 2\n"
    "space directions: (1,0,0) (0, 2, 0) (0,0,3)\nkinds: domain domain domain\nendian: little\n"
    "space origin: (10,20,-30)\nnote:=kept\n";
const std::string kTwelve("\0\0\1\0\2\0\3\0\4\0\5\0\6\0\7\0\x8\0\x9\0\xA\0\xFF\xFF", 24);

}  // namespace

TEST_CASE("NRRD: directions of a space of the body become those to the right, front and top", "[images]") {
  const TemporaryFolder folder;
  const std::string raw = kNrrdHead + "encoding: raw\n\n" + kTwelve;
  support::put_file(folder.file("a.nrrd"), raw);
  const Volume volume = read_volume(folder.file("a.nrrd"));
  CHECK(volume.grid.size == std::array<Index, 3>{3, 2, 2});
  CHECK(volume.grid.spacing == std::array<double, 3>{1, 2, 3});
  CHECK(axes_of(volume.grid) == "LPS");
  CHECK(volume.grid.to_world.col(3) == Eigen::Vector4d(-10, -20, -30, 1));
  CHECK(volume.values[10] == 10);
  CHECK(volume.values[11] == -1);
  CHECK(volume.notes.empty());
  std::vector<double> values = volume.values;
  values[2] = 40000;
  const Written written = write_like(volume, values, folder.file("b.nrrd"));
  CHECK(written.changed == 1);
  CHECK(written.clipped == 1);
  std::string expected = raw;
  expected.replace(expected.size() - 20, 2, "\xFF\x7F");
  CHECK(support::text_of(folder.file("b.nrrd")) == expected);
  write_like(volume, volume.values, folder.file("c.nii"));
  const Volume other = read_volume(folder.file("c.nii"));
  CHECK(other.values == volume.values);
  CHECK(other.grid.to_world == volume.grid.to_world);
  CHECK(other.stored == VoxelType::int16);
}

TEST_CASE("NRRD: packed voxels of several members, big-endian, and an axis of 1 that is none of space", "[images]") {
  const TemporaryFolder folder;
  const std::string head =
      "NRRD0005\r\ntype: unsigned short\r\ndimension: 4\r\nspace: RAS\r\nsizes: 1 3 2 2\r\n"
      "space directions: none (0,1,0) (0,0,2) (3,0,0)\r\nendian: big\r\nencoding: gzip\r\n\r\n";
  std::string swapped = kTwelve;
  for (std::size_t k = 0; k < swapped.size(); k += 2) std::swap(swapped[k], swapped[k + 1]);
  support::put_file(folder.file("a.nrrd"),
                    head + support::gzip_packed(swapped.substr(0, 7)) + support::gzip_packed(swapped.substr(7)));
  const Volume volume = read_volume(folder.file("a.nrrd"));
  CHECK(axes_of(volume.grid) == "ASR");
  CHECK(volume.values[10] == 10);
  CHECK(volume.values[11] == 65535);
  write_like(volume, volume.values, folder.file("b.nrrd"));
  CHECK(support::text_of(folder.file("b.nrrd")).starts_with(head));
  CHECK(read_volume(folder.file("b.nrrd")).values == volume.values);
}

TEST_CASE("PNG: grey of 8 and 16 bits is read, and written with its other chunks", "[images]") {
  struct Case {
    int depth;
    std::string rows;  ///< with their filter
    std::vector<double> values;
    double changed, after;
  };
  using namespace std::string_literals;
  const std::vector<Case> cases{{8, "\0\1\2\3\2\1\1\xFC"s, {1, 2, 3, 2, 3, 255}, 300, 255},
                                {16, "\0\1\0\2\0\3\0\1\0\1\0\2\0\3"s, {256, 512, 768, 1, 3, 6}, 40000, 40000}};
  for (const Case& one : cases) DYNAMIC_SECTION(one.depth << " bits") {
      const TemporaryFolder folder;
      support::put_file(folder.file("a.png"), made_png(3, 2, one.depth, 0, one.rows));
      const Volume volume = read_volume(folder.file("a.png"));
      CHECK(volume.grid.size == std::array<Index, 3>{3, 2, 1});
      CHECK(volume.values == one.values);
      CHECK(volume.stored == (one.depth == 16 ? VoxelType::uint16 : VoxelType::uint8));
      std::vector<double> values = one.values;
      values[1] = one.changed;
      CHECK(write_like(volume, values, folder.file("b.png")).clipped == (one.changed == one.after ? 0 : 1));
      values[1] = one.after;
      CHECK(read_volume(folder.file("b.png")).values == values);
      CHECK(support::text_of(folder.file("b.png")).find("tEXtnote") != std::string::npos);
    }
}

}  // namespace fovea::datasets::images
