/// GeoTIFFs that are wrong: each ends in one line with file, rule and way out; and damaged copies of sound ones.
///
/// FOVEA_MUTANTS=N takes N damaged copies of each packing instead of the few of every day, from FOVEA_MUTANT_SEED on.

#include <cstdlib>

#include "fovea/tests/datasets/rasters/made_rasters.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::rasters;
using namespace std::string_literals;
using namespace std::string_view_literals;
using support::MadeTiff;

namespace {

constexpr const char* kMakeAgain = "; restore it from a copy, or make it again.";

struct BadTiff {
  const char* what;
  std::function<void(MadeTiff&)> change;
  std::string message;  ///< behind the file's name
};

const std::vector<BadTiff> kBadTiffs = {
    {"no columns", [](auto& t) { t.tags[256].numbers = {0}; },
     concat(": is damaged: it has 0 columns and 3 rows", kMakeAgain)},
    {"no word of the rows", [](auto& t) { t.tags.erase(257); },
     concat(": is damaged: it has 4 columns and 0 rows", kMakeAgain)},
    {"2^31 x 2^31 pixels in a small file",
     [](auto& t) {
       t.tags[256] = t.tags[257] = {4, {2147483648.}, "", 0};
     },
     ": claims 2147483648 columns and 2147483648 rows; at most 2147483647 each are read."},
    {"pixels that the file does not have",
     [](auto& t) {
       t.tags[256] = t.tags[257] = t.tags[278] = {4, {2147483647.}, "", 0};
     },
     concat(": is damaged: it claims 9223372028264841218 bytes in a packed piece of 24", kMakeAgain)},
    {"more strips than are read",
     [](auto& t) {
       t.tags[257] = {4, {2147483647.}, "", 0}, t.tags[278].numbers = {1};
     },
     ": has 4 x 2147483647 pixels in strips of 4 x 1, which are more than 4194304; write it with larger tiles."},
    {"fewer strips than it has rows", [](auto& t) { t.tags[278].numbers = {1}; },
     concat(": is damaged: it lists 1 places and 1 sizes of strips, but has 3", kMakeAgain)},
    {"strips of no row", [](auto& t) { t.tags[278].numbers = {0}; },
     concat(": is damaged: it has strips of 4 x 0 pixels", kMakeAgain)},
    {"a strip behind the end", [](auto& t) { t.tags[273].numbers = {1000}; },
     concat(": is damaged: it ends before its strips do", kMakeAgain)},
    {"a strip that is cut", [](auto& t) { t.tags[279].numbers = {4000}; },
     concat(": is damaged: it ends before its strips do", kMakeAgain)},
    {"a strip that is too short", [](auto& t) { t.tags[279].numbers = {20}; },
     concat(": is damaged: it claims 24 bytes in a packed piece of 20", kMakeAgain)},
    {"no places of strips", [](auto& t) { t.tags.erase(273); },
     concat(": is damaged: it does not say where its strips are", kMakeAgain)},
    {"no sizes of strips", [](auto& t) { t.tags.erase(279); },
     concat(": is damaged: it does not say where its strips are", kMakeAgain)},
    {"a tag that claims too many values", [](auto& t) { t.tags[258].claimed = 4000000000; },
     concat(": is damaged: it claims 4000000000 values of tag 258", kMakeAgain)},
    {"values behind the end", [](auto& t) { t.tags[258].claimed = 85; },
     concat(": is damaged: it has the values of tag 258 behind its end", kMakeAgain)},
    {"a type that TIFF does not have", [](auto& t) { t.tags[258].type = 99; },
     concat(": is damaged: it has tag 258 of the unknown type 99", kMakeAgain)},
    {"a width that is text",
     [](auto& t) {
       t.tags[256] = {2, {}, "ab", 0};
     },
     concat(": is damaged: it has tag 256 of type 2, which is none of whole numbers", kMakeAgain)},
    {"a scale of the pixels in whole numbers",
     [](auto& t) {
       t.tags[33550] = {3, {10, 10, 0}, "", 0};
     },
     concat(": is damaged: it has tag 33550 of type 3, but it must have doubles", kMakeAgain)},
    {"directories that form a loop", [](auto& t) { t.next = 8; },
     concat(": is damaged: it has directories that form a loop", kMakeAgain)},
    {"a next directory behind the end", [](auto& t) { t.next = 5000; },
     concat(": is damaged: it points behind its end", kMakeAgain)},
    {"a next directory of no entry", [](auto& t) { t.next = 160, t.pixels.assign(24, '\0'); },
     concat(": is damaged: it has a directory without entries", kMakeAgain)},
    {"only an overview",
     [](auto& t) {
       t.tags[254] = {4, {1}, "", 0};
     },
     concat(": is damaged: it has no directory of full resolution", kMakeAgain)},
    {"complex numbers", [](auto& t) { t.tags[339].numbers = {6}, t.tags[258].numbers = {64}; },
     ": holds complex numbers, but must hold real ones; write amplitude or intensity, in dB for SAR."},
    {"complex whole numbers", [](auto& t) { t.tags[339].numbers = {5}; },
     ": holds complex numbers, but must hold real ones; write amplitude or intensity, in dB for SAR."},
    {"four bits", [](auto& t) { t.tags[258].numbers = {4}; },
     ": holds whole numbers of 4 bits; read are whole numbers of 8, 16 and 32 bits, bits of one band, and reals of 32 "
     "and 64 (gdal_translate -ot)."},
    {"reals of 16 bits", [](auto& t) { t.tags[339].numbers = {3}; },
     ": holds reals of 16 bits; read are whole numbers of 8, 16 and 32 bits, bits of one band, and reals of 32 and 64 "
     "(gdal_translate -ot)."},
    {"bands of different kinds",
     [](auto& t) {
       t.tags[258].numbers = {16, 8};
     },
     ": has bands of different bits (16 and 8), but all must have the same; split it with gdal_translate -b."},
    {"no band", [](auto& t) { t.tags[277].numbers = {0}; }, ": has 0 bands; read are 1 to 4096."},
    {"too many bands", [](auto& t) { t.tags[277].numbers = {60000}; }, ": has 60000 bands; read are 1 to 4096."},
    {"a photograph", [](auto& t) { t.tags[262].numbers = {6}; },
     ": has the photometric interpretation 6, but must have plain bands, a palette or a mask (0 to 4); convert it with "
     "gdal_translate."},
    {"JPEG", [](auto& t) { t.tags[259].numbers = {7}; },
     ": is packed by method 7; read are none, LZW, DEFLATE, PackBits and ZSTD (gdal_translate -co COMPRESS=DEFLATE)."},
    {"bits the other way round",
     [](auto& t) {
       t.tags[266] = {3, {2}, "", 0};
     },
     ": has the bits of each byte reversed (FillOrder 2), which is not read; convert it with gdal_translate."},
    {"an unknown planar configuration", [](auto& t) { t.tags[284].numbers = {3}; },
     concat(": is damaged: it has the planar configuration 3", kMakeAgain)},
    {"a predictor of reals for whole numbers",
     [](auto& t) {
       t.tags[259].numbers = {8}, t.tags[317] = {3, {3}, "", 0};
     },
     concat(": is damaged: it has the predictor 3 for int16", kMakeAgain)},
    {"packed strips that are too large",
     [](auto& t) {
       t.tags[259].numbers = {8}, t.tags[257] = t.tags[278] = {4, {40000000}, "", 0};
     },
     ": has packed strips of 4 x 40000000 pixels, more than 128 MiB each; write it with smaller ones (gdal_translate "
     "-co "
     "TILED=YES)."},
    {"a piece that cannot become so much",
     [](auto& t) {
       t.tags[259].numbers = {8}, t.tags[257] = t.tags[278] = {4, {400000}, "", 0};
     },
     concat(": is damaged: it claims 3200000 bytes in a packed piece of 24", kMakeAgain)},
    {"a no-data text that is no number",
     [](auto& t) {
       t.tags[42113] = {2, {}, "none\0"s.substr(0, 5), 0};
     },
     ": has the no-data text 'none', which is no number; set one with gdal_edit.py -a_nodata."},
    {"a no-data number with a comma",
     [](auto& t) {
       t.tags[42113] = {2, {}, "-9999,0", 0};
     },
     ": has the no-data text '-9999,0', which is no number; set one with gdal_edit.py -a_nodata."},
    {"a scale of 0",
     [](auto& t) {
       t.tags[42112] = {2, {}, "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">0</Item>", 0};
     },
     ": band 1 has the scale '0', which is no number of use; set it with gdal_edit.py."},
    {"metadata that are cut",
     [](auto& t) {
       t.tags[42112] = {2, {}, "<Item name=\"SCALE\" sample=\"0\"", 0};
     },
     ": its GDAL_METADATA is cut; set it with gdal_edit.py."},
};

std::string read_tiff(const std::string& path) {
  return support::refusal_of<DataError>([&] {
    const RasterReader reader(path);
    const RasterFacts& facts = reader.facts();
    const Window window{0, 0, std::min<Index>(facts.rows, 300), std::min<Index>(facts.columns, 300)};
    const std::vector<Index> bands{static_cast<Index>(facts.bands.size()) - 1};
    std::vector<float> values(window.pixels());
    reader.read(window, bands, values.data());
  });
}

}  // namespace

TEST_CASE("a GeoTIFF that is wrong ends in a line with its rule and the way out", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  for (const BadTiff& bad : kBadTiffs) DYNAMIC_SECTION(bad.what) {
      MadeTiff tiff;
      bad.change(tiff);
      support::write_bytes(path, tiff.bytes());
      CHECK(read_tiff(path) == path + bad.message);
    }
}

TEST_CASE("a file that is no TIFF is refused by its first bytes", "[rasters]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  const std::string none = ": is no TIFF; name a GeoTIFF (JPEG 2000 and others: gdal_translate -of GTiff).";
  for (const auto& [bytes, message] : std::vector<std::pair<std::string, std::string>>{
           {"", ": is empty; name a GeoTIFF."},
           {"I", none},
           {"PK\3\4", none},
           {"II*\0"s, concat(": is damaged: it ends within its header", kMakeAgain)},
           {"II+\0\x8\0\0\0"s, concat(": is damaged: it ends within its header", kMakeAgain)},
           {"II+\0\x4\0\0\0aaaaaaaa"s, concat(": is damaged: it has a header that is none of a BigTIFF", kMakeAgain)},
           {"II*\0\x8\0\0\0"s, concat(": is damaged: it points behind its end", kMakeAgain)},
           {"II*\0\0\0\0\0"s, concat(": is damaged: it has no directory of full resolution", kMakeAgain)},
           {"II*\0\x8\0\0\0\xFF\xFF"s, concat(": is damaged: it claims a directory of 65535 entries", kMakeAgain)}}) {
    support::write_bytes(path, bytes);
    CHECK(read_tiff(path) == path + message);
  }
  CHECK(read_tiff(folder.path()) == folder.path() + ": is no regular file; name a GeoTIFF.");
}

TEST_CASE("the file that the wrong ones are made of is sound, in both orders of bytes", "[rasters]") {
  const support::TemporaryFolder folder;
  MadeTiff tiff;
  for (const bool swapped : {false, true}) {
    tiff.swapped = swapped;
    support::write_bytes(folder.file("a.tif"), tiff.bytes());
    const RasterReader reader(folder.file("a.tif"));
    CHECK(support::pixels_of(reader, {2, 3, 1, 1}).front() == 257);
  }
}

namespace {

constexpr std::string_view kTiffTokens[] = {"II*\0"sv,
                                            "MM\0*"sv,
                                            "II+\0\b\0\0\0"sv,
                                            "\0\0\0\0"sv,
                                            "\xFF\xFF\xFF\xFF"sv,
                                            "\0\0\0\x80"sv,
                                            "\x42\1\3\0\1\0\0\0"sv,
                                            "\x44\1\4\0\1\0\0\0"sv,
                                            "\x3D\1\3\0\1\0\0\0\3\0"sv,
                                            "\x1C\1\3\0\1\0\0\0\2\0"sv,
                                            "\3\1\3\0\1\0\0\0\5\0"sv,
                                            "\x53\1\3\0\1\0\0\0\3\0"sv};

}  // namespace

TEST_CASE("a damaged GeoTIFF is read or refused in one line", "[rasters]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("a.tif");
  const auto copies = support::mutant_setting("FOVEA_MUTANTS", 150),
             seed = support::mutant_setting("FOVEA_MUTANT_SEED", 1);
  support::write_made_raster(path, support::made_plan(40, 50, SampleType::int16, {"B2", "B3"}),
                             [](Index b, Index r, Index c) { return static_cast<double>(b + r * c); });
  std::vector<std::string> sound{support::text_of(path)};
  for (const char* options :
       {"-co COMPRESS=NONE -co TILED=YES", "-co COMPRESS=LZW -co PREDICTOR=2", "-co COMPRESS=PACKBITS",
        "-co COMPRESS=DEFLATE -co BIGTIFF=YES -co INTERLEAVE=PIXEL", "-co COMPRESS=ZSTD"}) {
    support::printed_by(concat("gdal_translate -q ", options, " ", path, " ", folder.file("b.tif")));
    const std::string bytes = support::text_of(folder.file("b.tif"));
    if (!bytes.empty()) sound.push_back(bytes);
  }
  std::size_t refused = 0;
  for (std::size_t i = 0; i < sound.size(); ++i)
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      support::write_bytes(path, support::mutated(sound[i], sound[(i + 1) % sound.size()], kTiffTokens, seed + copy));
      INFO("packing " << i << ", seed " << seed + copy);
      const std::string said = read_tiff(path);
      refused += !said.empty();
      CHECK((said.empty() || (said.starts_with(path) &&
                              std::none_of(said.begin(), said.end(), [](char c) { return c >= 0 && c < ' '; }))));
    }
  CHECK(refused > copies / 2);
}
