/// GeoTIFFs written and read back: the same numbers for any windows, the same bytes for any windows, whole or not
/// there.

#include "fovea/tests/datasets/rasters/made_rasters.hpp"
#include "fovea/tests/support/failing_disk.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::rasters;
using support::made_plan;
using support::pixels_of;
using support::write_made_raster;

namespace {

/// A number that every type holds exactly, different in neighbours.
double made_value(Index band, Index row, Index column) {
  return static_cast<double>((7 * band + 3 * row + 5 * column) % 120);
}

bool same_raster_bits(const std::vector<double>& one, const std::vector<double>& two) {
  return one.size() == two.size() && std::memcmp(one.data(), two.data(), one.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("a raster of any type of number comes back as it was written", "[rasters]") {
  const TemporaryFolder folder;
  for (int type = 0; type < 8; ++type) {
    const auto sample = static_cast<SampleType>(type);
    const std::string path = folder.file(std::string(name_of(sample)) + ".tif");
    write_made_raster(path, made_plan(75, 101, sample, {"VV", "VH", "a <&\"> b"}), made_value);
    const RasterReader reader(path);
    REQUIRE(reader.facts().sample == sample);
    CHECK(reader.facts().place == support::made_place());
    CHECK(reader.facts().bands[2].name == "a <&\"> b");
    CHECK(reader.facts().packing == "DEFLATE");
    const std::vector<double> values = pixels_of(reader, reader.facts().whole());
    for (Index band = 0, i = 0; band < 3; ++band)
      for (Index r = 0; r < 75; ++r)
        for (Index c = 0; c < 101; ++c, ++i)
          if (values[i] != made_value(band, r, c)) FAIL(path << " band " << band << " row " << r);
  }
}

TEST_CASE("negative, large and missing numbers keep their bits", "[rasters]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  RasterPlan plan = made_plan(2, 2, SampleType::float32, {"VV"});
  plan.missing_text = "-9999";
  const std::vector<double> numbers{-12.5f, std::nan(""), -9999, -std::numeric_limits<double>::infinity()};
  write_made_raster(path, plan, [&](Index, Index r, Index c) { return numbers[2 * r + c]; });
  const RasterReader reader(path);
  CHECK(reader.facts().missing_text == "-9999");
  const auto stored = pixels_of(reader, {0, 0, 2, 2}), meant = pixels_of(reader, {0, 0, 2, 2}, Reading::meant);
  CHECK(stored[0] == -12.5);
  CHECK(stored[2] == -9999);
  CHECK(std::isinf(stored[3]));
  CHECK(meant[0] == -12.5);
  for (std::size_t i = 1; i < 4; ++i) CHECK(std::isnan(meant[i]));
}

TEST_CASE("the bytes of a raster do not depend on the windows in which it is written", "[rasters]") {
  const TemporaryFolder folder;
  const RasterPlan plan = made_plan(100, 90, SampleType::float32, {"VV", "VH"});
  std::string first;
  for (const auto& [rows, columns] : {std::pair<Index, Index>{100, 90}, {1, 90}, {7, 13}, {64, 32}, {33, 90}}) {
    const std::string path = folder.file("a.tif");
    write_made_raster(
        path, plan, [](Index b, Index r, Index c) { return std::sin(made_value(b, r, c)); }, rows, columns);
    const std::string bytes = support::text_of(path);
    if (first.empty()) first = bytes;
    CHECK(bytes == first);
  }
  CHECK(folder.names().size() == 1);
}

TEST_CASE("windows of any size and any small memory give the same numbers", "[rasters]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  write_made_raster(path, made_plan(100, 90, SampleType::int16, {"B2", "B3"}), made_value);
  for (const std::size_t cache : {std::size_t{0}, std::size_t{5000}, std::size_t{64} << 20}) {
    const RasterReader reader(path, cache);
    for (const Window& window :
         {Window{0, 0, 100, 90}, Window{31, 31, 2, 2}, Window{99, 89, 1, 1}, Window{5, 60, 70, 30}}) {
      const auto values = pixels_of(reader, window);
      for (Index b = 0, i = 0; b < 2; ++b)
        for (Index r = 0; r < window.rows; ++r)
          for (Index c = 0; c < window.columns; ++c, ++i)
            if (values[i] != made_value(b, window.row + r, window.column + c)) FAIL(b << " " << r << " " << c);
    }
  }
}

TEST_CASE("a raster that was broken off goes on to the same bytes", "[rasters]") {
  const TemporaryFolder folder;
  RasterPlan plan = made_plan(100, 90, SampleType::float32, {"VV", "VH"});
  plan.resume_key = "model 1";
  write_made_raster(folder.file("whole.tif"), plan, made_value);
  const std::string whole = support::text_of(folder.file("whole.tif")), path = folder.file("a.tif");
  const auto rows_of = [&](RasterWriter& writer, Index row, Index end) {
    std::vector<double> values;
    for (Index b = 0; b < 2; ++b)
      for (Index r = row; r < end; ++r)
        for (Index c = 0; c < 90; ++c) values.push_back(made_value(b, r, c));
    writer.write({row, 0, end - row, 90}, values.data());
  };
  const auto break_off = [&](Index end) {
    RasterWriter writer(path, plan);
    rows_of(writer, writer.first_row(), end);
  };
  break_off(40);
  CHECK(folder.names() == std::set<std::string>{".a.tif.part", ".a.tif.part.tiles", "whole.tif"});
  SECTION("after a row of tiles") {}
  SECTION("twice") { break_off(70); }
  SECTION("with half a tile behind the list, as a kill leaves it") {
    support::write_bytes(folder.file(".a.tif.part"), support::text_of(folder.file(".a.tif.part")) + "half a tile");
  }
  SECTION("with a damaged tile, which is written again") {
    std::string bytes = support::text_of(folder.file(".a.tif.part"));
    bytes[bytes.size() - 20] ^= 1;
    support::write_bytes(folder.file(".a.tif.part"), bytes);
  }
  SECTION("with a list that is cut") {
    const std::string list = support::text_of(folder.file(".a.tif.part.tiles"));
    support::write_bytes(folder.file(".a.tif.part.tiles"), list.substr(0, list.size() - 5));
  }
  {
    RasterWriter writer(path, plan);
    CHECK(writer.first_row() % plan.tile == 0);
    rows_of(writer, 0, 100);  // what is there already is passed over
    writer.finish();
  }
  CHECK(support::text_of(path) == whole);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("finished rows are not asked for again, and another plan begins anew", "[rasters]") {
  const TemporaryFolder folder;
  RasterPlan plan = made_plan(64, 32, SampleType::uint8, {"class"});
  plan.resume_key = "model 1";
  const std::vector<double> ones(32 * 40, 1);
  { RasterWriter(folder.file("a.tif"), plan).write({0, 0, 40, 32}, ones.data()); }
  CHECK(RasterWriter(folder.file("a.tif"), plan).first_row() == 32);
  plan.resume_key = "model 2";
  CHECK(RasterWriter(folder.file("a.tif"), plan).first_row() == 0);
}

TEST_CASE("whatever call of the disk fails while a raster is written, nothing half is left", "[rasters]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  const RasterPlan plan = made_plan(40, 40, SampleType::uint8, {"class"});
  int failures = 0;
  for (int kth = 1; kth < 200; ++kth) {
    std::string said;
    bool failed = false;
    {
      const support::FailingDisk disk(kth, ENOSPC);
      said = support::refusal_of<StorageError>([&] { write_made_raster(path, plan, made_value); });
      failed = disk.failed();
    }
    if (!failed) break;
    ++failures;
    INFO(kth << ": " << said);
    if (!said.empty()) {
      CHECK(said.starts_with(folder.path()));
      CHECK(said.find("No space left") != std::string::npos);
    }
    for (const std::string& name : folder.names())
      CHECK(name == "a.tif");  // the whole one, if only the folder's fsync failed
    if (!folder.names().empty()) CHECK(pixels_of(RasterReader(path), {0, 0, 40, 40})[41] == made_value(0, 1, 1));
    std::filesystem::remove(path);
  }
  CHECK(failures > 8);
}

TEST_CASE("a raster is refused whose pixels are missing, twice or do not fit", "[rasters]") {
  const TemporaryFolder folder;
  RasterPlan plan = made_plan(32, 32, SampleType::uint8, {"class"});
  const std::vector<double> ones(32 * 32, 1), large(32 * 32, 256), none(32 * 32, std::nan(""));
  RasterWriter writer(folder.file("a.tif"), plan);
  CHECK(support::refusal_of<ArgumentError>([&] { writer.finish(); }) ==
        "RasterWriter: 0 of 1 tiles have come; write all windows before the end.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          writer.write({0, 0, 33, 32}, ones.data());
        }) == "RasterWriter: the window at row 0, column 0 of 33 x 32 pixels is not within the plan of 32 x 32.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          RasterWriter(folder.file("b.tif"), plan).write({0, 0, 32, 32}, large.data());
        }) == "RasterWriter: 256 does not fit the planned numbers; plan wider ones.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          RasterWriter(folder.file("b.tif"), plan).write({0, 0, 32, 32}, none.data());
        }) == "RasterWriter: a number is NaN, which whole numbers cannot hold; plan a no-data number.");
  writer.write({0, 0, 32, 32}, ones.data());
  CHECK(support::refusal_of<ArgumentError>([&] {
          writer.write({0, 0, 1, 1}, ones.data());
        }) == "RasterWriter: the tile at row 0, column 0 is written already; give each pixel once.");
}

TEST_CASE("gdal sees the place, names and numbers of a raster, and what gdal writes is read", "[rasters]") {
  if (!support::has_program("gdal_translate")) {
    WARN("not tested: gdal_translate is not here (Debian's gdal-bin)");
    return;
  }
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  for (const auto sample : {SampleType::int16, SampleType::float32, SampleType::uint8}) {
    RasterPlan plan = made_plan(70, 90, sample, {"VV", "VH", "B8A"});
    plan.missing_text = "0";
    write_made_raster(path, plan, made_value);
    const std::string info = support::printed_by("gdalinfo " + path);
    for (const char* part : {"Size is 90, 70", "Origin = (500000.000000000000000,5600000.000000000000000)",
                             "Pixel Size = (10.000000000000000,-10.000000000000000)", "ID[\"EPSG\",32631]",
                             "Description = B8A", "NoData Value=0", "INTERLEAVE=BAND", "AREA_OR_POINT=Area"})
      CHECK(info.find(part) != std::string::npos);
    const RasterReader ours(path);
    const std::vector<double> wanted = pixels_of(ours, ours.facts().whole());
    for (const char* options :
         {"-co COMPRESS=NONE", "-co COMPRESS=LZW -co PREDICTOR=2", "-co COMPRESS=DEFLATE -co INTERLEAVE=PIXEL",
          "-co COMPRESS=PACKBITS", "-co COMPRESS=ZSTD -co TILED=YES", "-co BIGTIFF=YES -co TILED=YES",
          "-co ENDIANNESS=BIG -co COMPRESS=DEFLATE", "-co ENDIANNESS=BIG",
          "-co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=48 -co COMPRESS=LZW -co INTERLEAVE=BAND",
          "-co BLOCKYSIZE=1 -co INTERLEAVE=BAND", "-of COG -co COMPRESS=DEFLATE -co BLOCKSIZE=128"}) {
      if (sample == SampleType::uint8 && std::string(options).find("PREDICTOR=2") == std::string::npos &&
          options[4] == 'E')
        continue;
      INFO(options);
      const std::string other = folder.file("b.tif");
      support::printed_by("gdal_translate -q " + std::string(options) + " " + path + " " + other);
      const RasterReader reader(other);
      CHECK(same_raster_bits(pixels_of(reader, reader.facts().whole()), wanted));
      CHECK(reader.facts().bands[1].name == "VH");
      CHECK(grid_distance(ours.facts(), reader.facts()) == 0);
      CHECK(same_system(ours.facts().place, reader.facts().place));
      CHECK(reader.facts().missing_text == "0");
    }
  }
}

TEST_CASE("the shared chip is read as gdal reads it", "[rasters]") {
  const auto folder = support::shared_data("fusion/sen1floods11_spain");
  if (!folder) return;
  const RasterReader s1((*folder / "Spain_7370579_S1Hand.tif").string()),
      s2((*folder / "Spain_7370579_S2Hand.tif").string());
  const RasterReader labels((*folder / "Spain_7370579_LabelHand.tif").string());
  CHECK(s2.facts().bands.size() == 13);
  CHECK(s2.facts().bands[8].name == "B8A");
  CHECK(s2.facts().missing == 0.);
  CHECK(std::isnan(*s1.facts().missing));
  CHECK(s1.facts().sample == SampleType::float32);
  CHECK(s1.facts().place.system() == "EPSG:4326");
  CHECK(grid_distance(s1.facts(), s2.facts()) < 1e-9);
  CHECK(grid_distance(s1.facts(), labels.facts()) < 1e-6);
  CHECK(labels.facts().place.pixel_scale != s1.facts().place.pixel_scale);  // in the 15th digit
  int water = 0, land = 0, none = 0;
  for (const double label : pixels_of(labels, labels.facts().whole()))
    (label == 1 ? water : label == 0 ? land : none)++;
  CHECK(water == 70035);
  CHECK(land == 192010);
  CHECK(none == 99);
}
