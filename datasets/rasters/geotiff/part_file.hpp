#pragma once
/// A TIFF that grows piece by piece under a temporary name, and the list that lets it go on after a kill. Internal to
/// datasets/rasters.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/geotiff/handle.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"

namespace fovea::datasets::rasters::geotiff {

/// Pieces (packed tiles) are added in the order in which they stand in the file. Pieces that were finished before are
/// told to libtiff again by their sizes alone; their bytes are in the file already.
class PartFile final : public TiffStream {
 public:
  PartFile(const Place& place, const RasterPlan& plan, std::uint64_t pieces_together);
  ~PartFile() override;

  std::uint64_t pieces() const { return done_; }  ///< finished so far, in whole rows of tiles after a kill
  void add(std::uint32_t tile, const std::string& packed);
  void finish();

 private:
  struct Piece {
    std::uint64_t size = 0;
    std::uint32_t sum = 0, tile = 0;
  };
  std::int64_t read(void* bytes, std::uint64_t count) override;
  std::int64_t write(const void* bytes, std::uint64_t count) override;
  std::uint64_t size() override { return size_; }

  std::vector<Piece> old_pieces(std::uint64_t together);
  void begin(const std::vector<Piece>& pieces);
  void set_tags();
  void check(bool done, const char* what);
  void append(const Descriptor& file, const Place& where, std::uint64_t at, const void* bytes, std::uint64_t count);

  Place place_, part_, list_place_;
  RasterPlan plan_;
  std::string head_;
  Descriptor file_, list_;
  std::unique_ptr<TiffHandle> tiff_;
  std::exception_ptr failure_;
  std::uint64_t size_ = 0, kept_ = 0, list_size_ = 0, done_ = 0;
  bool resumable_ = false, finished_ = false;
};

}  // namespace fovea::datasets::rasters::geotiff
