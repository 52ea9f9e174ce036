// What the tags of a directory say about the pixels, each compared with the others and with the file.

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/geotiff/directory.hpp"
#include "fovea/datasets/rasters/geotiff/metadata.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::rasters::geotiff {

namespace {

constexpr std::uint64_t kMostDirectories = 256, kMostChunks = std::uint64_t{1} << 22, kMostBands = 4096;
constexpr std::uint64_t kLargestSide = (std::uint64_t{1} << 31) - 1, kLargestChunk = std::uint64_t{128} << 20;

constexpr std::uint16_t kSubfile = 254, kWidth = 256, kHeight = 257, kBits = 258, kCompression = 259,
                        kPhotometric = 262, kFillOrder = 266, kStripOffsets = 273, kSamples = 277, kRowsPerStrip = 278,
                        kStripSizes = 279, kPlanar = 284, kPredictor = 317, kTileWidth = 322, kTileHeight = 323,
                        kTileOffsets = 324, kTileSizes = 325, kExtraSamples = 338, kSampleFormat = 339,
                        kMetadata = 42112, kMissing = 42113;

constexpr std::array kPackings{std::pair{Packing::none, "none"},         std::pair{Packing::lzw, "LZW"},
                               std::pair{Packing::deflate, "DEFLATE"},   std::pair{Packing::old_deflate, "DEFLATE"},
                               std::pair{Packing::packbits, "PackBits"}, std::pair{Packing::zstd, "ZSTD"}};

/// A tag with one whole number.
std::uint64_t whole(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag, std::uint64_t otherwise) {
  const auto numbers = wholes_of(file, directory, tag);
  return numbers.empty() ? otherwise : numbers.front();
}

/// A tag with a number for each sample, which must all be the same.
std::uint64_t same_for_all(const TiffBytes& file, const TiffDirectory& directory, std::uint16_t tag, const char* what,
                           std::uint64_t otherwise) {
  const auto numbers = wholes_of(file, directory, tag);
  for (const std::uint64_t number : numbers)
    if (number != numbers.front())
      file.refuse(concat("has bands of different ", what, " (", numbers.front(), " and ", number,
                         "), but all must have the same; split it with gdal_translate -b"));
  return numbers.empty() ? otherwise : numbers.front();
}

SampleType sample_type(const TiffBytes& file, const TiffDirectory& directory, Index bands, TiffLayout& layout) {
  const std::uint64_t bits = same_for_all(file, directory, kBits, "bits", 1);
  const std::uint64_t format = same_for_all(file, directory, kSampleFormat, "kinds of numbers", 1);
  if (format == 5 || format == 6)
    file.refuse("holds complex numbers, but must hold real ones; write amplitude or intensity, in dB for SAR");
  using enum SampleType;
  if (format == 3 && bits == 32) return float32;
  if (format == 3 && bits == 64) return float64;
  const bool is_signed = format == 2;
  if (format == 1 || format == 2 || format == 4) {
    layout.in_bits = bits == 1 && bands == 1 && !is_signed;
    if (layout.in_bits) return uint8;
    if (bits == 8) return is_signed ? int8 : uint8;
    if (bits == 16) return is_signed ? int16 : uint16;
    if (bits == 32) return is_signed ? int32 : uint32;
  }
  file.refuse(concat("holds ", format == 3 ? "reals" : "whole numbers", " of ", bits,
                     " bits; read are whole numbers of 8, 16 and 32 bits, bits of one band, and reals of 32 and 64 "
                     "(gdal_translate -ot)"));
}

void check_photometric(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  const std::uint64_t photometric = whole(file, directory, kPhotometric, 1);
  facts.has_palette = photometric == 3;
  if (photometric > 4 && photometric != 32803 && photometric != 34892)
    file.refuse(concat("has the photometric interpretation ", photometric,
                       ", but must have plain bands, a palette or a mask (0 to 4); convert it with gdal_translate"));
  if (whole(file, directory, kFillOrder, 1) != 1)
    file.refuse("has the bits of each byte reversed (FillOrder 2), which is not read; convert it with gdal_translate");
}

Packing packing_of(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  const std::uint64_t compression = whole(file, directory, kCompression, 1);
  for (const auto& [packing, name] : kPackings) {
    if (compression != static_cast<std::uint64_t>(packing)) continue;
    facts.packing = name;
    return packing;
  }
  file.refuse(concat("is packed by method ", compression,
                     "; read are none, LZW, DEFLATE, PackBits and ZSTD (gdal_translate -co COMPRESS=DEFLATE)"));
}

void check_predictor(const TiffBytes& file, const TiffDirectory& directory, const RasterFacts& facts, Packing packing) {
  const std::uint64_t predictor = whole(file, directory, kPredictor, 1);
  if (packing == Packing::none || packing == Packing::packbits) return;  // it means nothing there
  if (predictor < 1 || predictor > 3 || (predictor == 3 && !is_real(facts.sample)))
    file.damaged(concat("has the predictor ", predictor, " for ", name_of(facts.sample)));
}

void read_size(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  const std::uint64_t width = whole(file, directory, kWidth, 0), height = whole(file, directory, kHeight, 0);
  const std::uint64_t samples = whole(file, directory, kSamples, 1);
  if (width == 0 || height == 0) file.damaged(concat("has ", width, " columns and ", height, " rows"));
  if (width > kLargestSide || height > kLargestSide)
    file.refuse(concat("claims ", width, " columns and ", height, " rows; at most ", kLargestSide, " each are read"));
  if (samples == 0 || samples > kMostBands) file.refuse(concat("has ", samples, " bands; read are 1 to ", kMostBands));
  facts.columns = static_cast<Index>(width), facts.rows = static_cast<Index>(height);
  facts.bands.resize(samples);
}

void read_chunk_size(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  facts.tiled = directory.tags.contains(kTileOffsets) || directory.tags.contains(kTileWidth);
  const auto rows = static_cast<std::uint64_t>(facts.rows), columns = static_cast<std::uint64_t>(facts.columns);
  const std::uint64_t high = facts.tiled ? whole(file, directory, kTileHeight, 0)
                                         : std::min(whole(file, directory, kRowsPerStrip, rows), rows);
  const std::uint64_t wide = facts.tiled ? whole(file, directory, kTileWidth, 0) : columns;
  if (high == 0 || wide == 0 || high > kLargestSide || wide > kLargestSide)
    file.damaged(concat("has ", facts.tiled ? "tiles" : "strips", " of ", wide, " x ", high, " pixels"));
  facts.tile_rows = static_cast<Index>(high), facts.tile_columns = static_cast<Index>(wide);
}

/// Where the chunks are: as many as the size of the image asks for, each within the file.
void read_chunks(const TiffBytes& file, const TiffDirectory& directory, const RasterFacts& facts, TiffLayout& layout) {
  const char* what = facts.tiled ? "tiles" : "strips";
  const auto rows = static_cast<std::uint64_t>(facts.rows), columns = static_cast<std::uint64_t>(facts.columns);
  const auto high = static_cast<std::uint64_t>(facts.tile_rows), wide = static_cast<std::uint64_t>(facts.tile_columns);
  layout.down = (rows + high - 1) / high, layout.across = (columns + wide - 1) / wide;
  const std::uint64_t planes = facts.band_by_band ? facts.bands.size() : 1;
  const std::uint64_t wanted = layout.down * layout.across * planes;  // sides are below 2^31, planes below 2^13: caught
  if (layout.down > kMostChunks || layout.across > kMostChunks || layout.down * layout.across > kMostChunks ||
      wanted > kMostChunks)
    file.refuse(concat("has ", columns, " x ", rows, " pixels in ", what, " of ", wide, " x ", high,
                       ", which are more than ", kMostChunks, "; write it with larger tiles"));
  const auto offsets = directory.tags.find(facts.tiled ? kTileOffsets : kStripOffsets);
  const auto sizes = directory.tags.find(facts.tiled ? kTileSizes : kStripSizes);
  if (offsets == directory.tags.end() || sizes == directory.tags.end())
    file.damaged(concat("does not say where its ", what, " are"));
  if (offsets->second.count != wanted || sizes->second.count != wanted)
    file.damaged(concat("lists ", offsets->second.count, " places and ", sizes->second.count, " sizes of ", what,
                        ", but has ", wanted));
  layout.offsets = wholes_of(file, directory, offsets->first);
  layout.sizes = wholes_of(file, directory, sizes->first);
  for (std::size_t i = 0; i < wanted; ++i)
    if (layout.offsets[i] > file.size() || file.size() - layout.offsets[i] < layout.sizes[i])
      file.damaged(concat("ends before its ", what, " do"));
}

/// The largest number of bytes that a byte of a packed chunk can become.
std::uint64_t most_unpacked(Packing packing) {
  switch (packing) {
    case Packing::none:
      return 1;
    case Packing::packbits:
      return 64;
    case Packing::lzw:
      return 2800;
    case Packing::zstd:
      return std::uint64_t{1} << 17;
    default:
      return 1040;
  }
}

void check_chunks(const TiffBytes& file, const RasterFacts& facts, TiffLayout& layout) {
  layout.samples = facts.band_by_band ? 1 : facts.bands.size();
  layout.row_bytes = layout.samples * bytes_of(facts.sample) * static_cast<std::uint64_t>(facts.tile_columns);
  const std::uint64_t stored = layout.stored_row_bytes();
  const auto high = static_cast<std::uint64_t>(facts.tile_rows);
  const bool packed = layout.packing != Packing::none;
  const char* what = facts.tiled ? "tiles" : "strips";
  if (packed && (layout.row_bytes > kLargestChunk || layout.row_bytes * high > kLargestChunk))
    file.refuse(concat("has packed ", what, " of ", facts.tile_columns, " x ", high, " pixels, more than ",
                       kLargestChunk >> 20, " MiB each; write it with smaller ones (gdal_translate -co TILED=YES)"));
  for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i] == 0) continue;  // not there
    const std::uint64_t row = i / layout.across % layout.down;
    const std::uint64_t rows = facts.tiled ? high : std::min(high, static_cast<std::uint64_t>(facts.rows) - row * high);
    const std::uint64_t least = stored * rows / most_unpacked(layout.packing);
    if (layout.sizes[i] < least)
      file.damaged(concat("claims ", stored * rows, " bytes in a packed piece of ", layout.sizes[i]));
    if (packed && layout.sizes[i] > 2 * stored * rows + 65536)
      file.damaged(concat("has a packed piece of ", layout.sizes[i], " bytes, which unpacks to ", stored * rows));
  }
}

void read_place(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  Georeference& place = facts.place;
  place.pixel_scale = reals_of(file, directory, 33550);
  place.tie_points = reals_of(file, directory, 33922);
  place.matrix = reals_of(file, directory, 34264);
  for (const std::uint64_t key : wholes_of(file, directory, 34735))
    place.geo_keys.push_back(static_cast<std::uint16_t>(std::min<std::uint64_t>(key, 65535)));
  place.geo_doubles = reals_of(file, directory, 34736);
  place.geo_text = text_of(file, directory, 34737);
  if (!place.is_there()) facts.notes.push_back("it has no georeference");
}

void read_texts(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  std::string missing = text_of(file, directory, kMissing);
  missing.resize(std::min(missing.size(), missing.find('\0')));
  facts.missing_text = missing;
  facts.missing = number_in(missing);
  if (!missing.empty() && !facts.missing)
    file.refuse(concat("has the no-data text '", text::shown_text(missing),
                       "', which is no number; set one with gdal_edit.py -a_nodata"));
  const std::string problem = read_metadata(text_of(file, directory, kMetadata), facts.bands);
  if (!problem.empty()) file.refuse(concat(problem, "; set it with gdal_edit.py"));
}

bool is_full_resolution(const TiffBytes& file, const TiffDirectory& directory) {
  return (whole(file, directory, kSubfile, 0) & 5U) == 0 && whole(file, directory, 255, 1) != 2;
}

/// Bit 2 of the kind of a directory: which pixels of the image are shown (TIFF 6.0, section 8); 1: it is an overview.
bool is_mask(const TiffBytes& file, const TiffDirectory& directory) {
  return (whole(file, directory, kSubfile, 0) & 5U) == 4;
}

bool same_size(const TiffBytes& file, const TiffDirectory& one, const TiffDirectory& other) {
  return whole(file, one, kWidth, 0) == whole(file, other, kWidth, 0) &&
         whole(file, one, kHeight, 0) == whole(file, other, kHeight, 0);
}

/// Which of the further samples of a pixel is its alpha, associated or not.
void find_alpha(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  const std::vector<std::uint64_t> kinds = wholes_of(file, directory, kExtraSamples);
  const std::size_t bands = facts.bands.size();
  for (std::size_t k = 0; k < kinds.size() && kinds.size() < bands; ++k)
    if (kinds[k] == 1 || kinds[k] == 2) facts.bands[bands - kinds.size() + k].is_alpha = true;
  if (facts.value_bands() < static_cast<Index>(bands)) facts.hidden_by = "its alpha band";
}

TiffLayout layout_of(const TiffBytes& file, const TiffDirectory& directory, RasterFacts& facts) {
  TiffLayout layout;
  layout.directory = directory.offset;
  read_size(file, directory, facts);
  facts.sample = sample_type(file, directory, std::ssize(facts.bands), layout);
  check_photometric(file, directory, facts);
  layout.packing = packing_of(file, directory, facts);
  check_predictor(file, directory, facts, layout.packing);
  const std::uint64_t planar = whole(file, directory, kPlanar, 1);
  if (planar != 1 && planar != 2) file.damaged(concat("has the planar configuration ", planar));
  facts.band_by_band = planar == 2 && facts.bands.size() > 1;
  find_alpha(file, directory, facts);
  read_chunk_size(file, directory, facts);
  read_chunks(file, directory, facts, layout);
  check_chunks(file, facts, layout);
  return layout;
}

}  // namespace

TiffLayout read_layout(const TiffBytes& file, std::uint64_t mask, RasterFacts& facts) {
  return layout_of(file, read_directory(file, mask), facts);
}

TiffLayout read_layout(const TiffBytes& file, RasterFacts& facts) {
  std::set<std::uint64_t> seen;
  std::optional<TiffDirectory> chosen;
  std::size_t passed = 0;
  std::uint64_t mask = 0;
  for (std::uint64_t at = file.first_directory(); at != 0;) {
    if (!seen.insert(at).second) file.damaged("has directories that form a loop");
    if (seen.size() > kMostDirectories)
      file.refuse(concat("has more than ", kMostDirectories, " directories; write the image alone"));
    TiffDirectory directory = read_directory(file, at);
    at = directory.next;
    if (!chosen && is_full_resolution(file, directory))
      chosen = std::move(directory);
    else if (mask == 0 && is_mask(file, directory) && chosen && same_size(file, directory, *chosen))
      mask = directory.offset;
    else
      ++passed;
  }
  if (!chosen) file.damaged("has no directory of full resolution");
  if (passed > 0)
    facts.notes.push_back(
        concat("not read: ", counted(passed, "further directory", "further directories"), ", such as overviews"));
  TiffLayout layout = layout_of(file, *chosen, facts);
  layout.mask = mask;
  if (mask != 0) facts.hidden_by = "its mask";
  read_place(file, *chosen, facts);
  read_texts(file, *chosen, facts);
  return layout;
}

}  // namespace fovea::datasets::rasters::geotiff
