#include "fovea/datasets/rasters/geotiff/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/rasters/geotiff/metadata.hpp"
#include "fovea/datasets/rasters/geotiff/pack_tile.hpp"

namespace fovea::datasets::rasters::geotiff {

namespace {

constexpr std::uint64_t kBigTiffFrom = 4'000'000'000;  // unpacked: packed tiles may be as large
constexpr std::int64_t kWriterAllocation = std::int64_t{1} << 30;

TIFFFieldInfo field(std::uint32_t tag, TIFFDataType type, const char* name, bool counted) {
  const auto count = static_cast<short>(counted ? TIFF_VARIABLE2 : TIFF_VARIABLE);
  return {tag, count, count, type, FIELD_CUSTOM, 1, static_cast<unsigned char>(counted), const_cast<char*>(name)};
}

const std::array kFields{
    field(33550, TIFF_DOUBLE, "ModelPixelScale", true),     field(33922, TIFF_DOUBLE, "ModelTiePoint", true),
    field(34264, TIFF_DOUBLE, "ModelTransformation", true), field(34735, TIFF_SHORT, "GeoKeys", true),
    field(34736, TIFF_DOUBLE, "GeoDoubles", true),          field(34737, TIFF_ASCII, "GeoAscii", true),
    field(42112, TIFF_ASCII, "GDALMetadata", false),        field(42113, TIFF_ASCII, "GDALNoData", false)};

std::uint32_t sum_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// What a list of tiles must begin with to be that of this plan.
std::string head_of(const RasterPlan& plan) {
  std::string text =
      concat(plan.rows, ' ', plan.columns, ' ', name_of(plan.sample), ' ', plan.tile, ' ', plan.bands.size(), ' ',
             plan.missing_text, '\n', metadata_of(plan.bands), '\n', plan.resume_key, '\n', plan.place.geo_text, '\n');
  for (const auto* numbers :
       {&plan.place.pixel_scale, &plan.place.tie_points, &plan.place.matrix, &plan.place.geo_doubles})
    for (const double number : *numbers) text += exact_text(number) + ' ';
  for (const std::uint16_t key : plan.place.geo_keys) text += concat(key, ' ');
  return sha256(text);
}

}  // namespace

PartFile::PartFile(const Place& place, const RasterPlan& plan, std::uint64_t pieces_together)
    : place_(place), part_(place), list_place_(place), plan_(plan), resumable_(!plan.resume_key.empty()) {
  if (!resumable_) {
    part_ = write_temporary(place, "");
    file_ = open_place(part_, O_RDWR);
    try {
      if (!file_.is_open()) refuse_for(place_, "cannot be written", errno);
      begin({});
    } catch (...) {
      discard(part_);
      throw;
    }
    return;
  }
  head_ = head_of(plan);
  part_ = place.beside("." + place.name() + ".part");
  list_place_ = place.beside("." + place.name() + ".part.tiles");
  file_ = open_place(part_, O_RDWR | O_CREAT);
  if (!file_.is_open()) refuse_for(place_, "cannot be written", errno);
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0)
    throw StorageError(concat(place_, ": is being written by another process; wait for its end."));
  list_ = open_place(list_place_, O_RDWR | O_CREAT);
  if (!list_.is_open()) refuse_for(place_, "cannot be written", errno);
  begin(old_pieces(pieces_together));
}

PartFile::~PartFile() {
  tiff_.reset();
  if (!finished_ && !resumable_) discard(part_);
}

/// The finished pieces that the list names and the file really has, in whole rows of tiles.
std::vector<PartFile::Piece> PartFile::old_pieces(std::uint64_t together) {
  std::vector<Piece> pieces;
  std::string list;
  std::array<char, 4096> buffer{};
  for (ssize_t done = 0;
       (done = ::pread(list_.number(), buffer.data(), buffer.size(), static_cast<off_t>(list.size()))) > 0;)
    list.append(buffer.data(), done);
  if (!std::string_view(list).starts_with(head_)) return pieces;
  std::uint64_t offset = 0;
  for (std::size_t at = head_.size(); at + sizeof(Piece) <= list.size(); at += sizeof(Piece)) {
    Piece piece;
    std::memcpy(&piece, list.data() + at, sizeof piece);
    if (pieces.empty()) {  // the header of the file comes first
      std::array<char, 4> mark{};
      if (::pread(file_.number(), mark.data(), 4, 0) != 4) break;
      offset = mark[2] == 43 ? 16 : 8;
    }
    std::string bytes(std::min<std::uint64_t>(piece.size, std::uint64_t{1} << 28), '\0');
    const ssize_t got = ::pread(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 || static_cast<std::uint64_t>(got) != piece.size || sum_of(bytes) != piece.sum) break;
    pieces.push_back(piece);
    offset += piece.size;
  }
  pieces.resize(pieces.size() / together * together);
  return pieces;
}

void PartFile::begin(const std::vector<Piece>& pieces) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(plan_.rows) * static_cast<std::uint64_t>(plan_.columns) *
                              plan_.bands.size() * bytes_of(plan_.sample);
  const bool big = bytes >= kBigTiffFrom;
  kept_ = big ? 16 : 8;
  for (const Piece& piece : pieces) kept_ += piece.size;
  if (pieces.empty()) kept_ = 0;
  list_size_ = head_.size() + pieces.size() * sizeof(Piece);
  if (::ftruncate(file_.number(), static_cast<off_t>(kept_)) != 0) refuse_for(place_, "cannot be written", errno);
  if (resumable_ && ::ftruncate(list_.number(), static_cast<off_t>(list_size_)) != 0)
    refuse_for(place_, "cannot be written", errno);
  if (resumable_ && pieces.empty()) append(list_, place_, 0, head_.data(), head_.size());
  tiff_ = std::make_unique<TiffHandle>(*this, place_.path(), big ? "w8l" : "wl", kWriterAllocation);
  check(tiff_->tiff() != nullptr, "opening it");
  set_tags();
  for (const Piece& piece : pieces) {
    std::string nothing(piece.size, '\0');
    check(TIFFWriteRawTile(tiff_->tiff(), piece.tile, nothing.data(), static_cast<tmsize_t>(piece.size)) >= 0,
          "going on");
    ++done_;
  }
  check(size_ >= kept_, "going on");
  kept_ = 0;  // from now on all is written
}

void PartFile::set_tags() {
  TIFF* tiff = tiff_->tiff();
  TIFFMergeFieldInfo(tiff, kFields.data(), static_cast<std::uint32_t>(kFields.size()));
  const bool real = is_real(plan_.sample);
  const bool is_signed =
      plan_.sample == SampleType::int8 || plan_.sample == SampleType::int16 || plan_.sample == SampleType::int32;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(plan_.columns));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(plan_.rows));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<int>(plan_.bands.size()));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(plan_.sample)));
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
               real        ? SAMPLEFORMAT_IEEEFP
               : is_signed ? SAMPLEFORMAT_INT
                           : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, plan_.bands.size() > 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(plan_.tile));
  TIFFSetField(tiff, TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(plan_.tile));
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField(tiff, TIFFTAG_PREDICTOR, predictor_of(plan_.sample));
  if (plan_.bands.size() > 1) {
    const std::vector<std::uint16_t> extra(plan_.bands.size() - 1, EXTRASAMPLE_UNSPECIFIED);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<int>(extra.size()), extra.data());
  }
  const auto set = [&](std::uint32_t tag, const auto& numbers) {
    if (!numbers.empty()) TIFFSetField(tiff, tag, static_cast<std::uint32_t>(numbers.size()), numbers.data());
  };
  set(33550, plan_.place.pixel_scale);
  set(33922, plan_.place.tie_points);
  set(34264, plan_.place.matrix);
  set(34735, plan_.place.geo_keys);
  set(34736, plan_.place.geo_doubles);
  set(34737, plan_.place.geo_text);
  const std::string metadata = metadata_of(plan_.bands);
  if (!metadata.empty()) TIFFSetField(tiff, 42112, metadata.c_str());
  if (!plan_.missing_text.empty()) TIFFSetField(tiff, 42113, plan_.missing_text.c_str());
}

void PartFile::check(bool done, const char* what) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (!done || !tiff_->error().empty())
    throw StorageError(concat(place_, ": cannot be written: ", what, " failed (", tiff_->error(), ")."));
}

void PartFile::append(const Descriptor& file, const Place& where, std::uint64_t at, const void* bytes,
                      std::uint64_t count) {
  ::lseek(file.number(), static_cast<off_t>(at), SEEK_SET);
  for (std::uint64_t done = 0; done < count;) {
    const ssize_t now = ::write(file.number(), static_cast<const char*>(bytes) + done, count - done);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) refuse_for(where, "cannot be written", errno);
    done += static_cast<std::uint64_t>(now);
  }
}

std::int64_t PartFile::read(void* bytes, std::uint64_t count) {
  const ssize_t done = ::pread(file_.number(), bytes, count, static_cast<off_t>(position));
  if (done > 0) position += static_cast<std::uint64_t>(done);
  return done;
}

std::int64_t PartFile::write(const void* bytes, std::uint64_t count) {
  try {
    if (position + count > kept_) append(file_, place_, position, bytes, count);
    position += count;
    size_ = std::max(size_, position);
    return static_cast<std::int64_t>(count);
  } catch (...) {
    failure_ = std::current_exception();
    return -1;
  }
}

void PartFile::add(std::uint32_t tile, const std::string& packed) {
  const auto size = static_cast<tmsize_t>(packed.size());
  check(TIFFWriteRawTile(tiff_->tiff(), tile, const_cast<char*>(packed.data()), size) == size, "a tile");
  ++done_;
  if (!resumable_) return;
  const Piece piece{packed.size(), sum_of(packed), tile};
  append(list_, place_, list_size_, &piece, sizeof piece);
  list_size_ += sizeof piece;
}

void PartFile::finish() {
  check(TIFFWriteDirectory(tiff_->tiff()) == 1, "its directory");
  tiff_->close();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (file_.close() != 0) refuse_for(place_, "cannot be closed", errno);
  publish_file(part_, place_);
  finished_ = true;
  if (resumable_) list_.close(), discard(list_place_);
}

}  // namespace fovea::datasets::rasters::geotiff
