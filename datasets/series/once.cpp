#include "fovea/datasets/series/once.hpp"

#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <mutex>
#include <tuple>
#include <utility>

namespace fovea::datasets::series {

namespace {

constexpr std::time_t kCoarsestClock = 2;  // seconds: FAT's

/// What tells a file from its later self.
struct FileStamp {
  dev_t disk{};
  ino_t place{};
  off_t size{};
  timespec written{};
  bool exists = false;

  bool operator==(const FileStamp& other) const {
    const auto all = [](const FileStamp& s) {
      return std::tuple(s.disk, s.place, s.size, s.written.tv_sec, s.written.tv_nsec, s.exists);
    };
    return all(*this) == all(other);
  }
  bool is_settled() const { return exists && written.tv_sec + kCoarsestClock < std::time(nullptr); }
};

FileStamp stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino, info.st_size, info.st_mtim, true};
}

/// The same for "a.csv" and for the full path that a config makes of it. Links stay: a name's ending says what is in
/// it.
std::filesystem::path full_path(const std::string& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal();
}

/// The one file that is kept.
struct KeptSeries {
  std::filesystem::path path;  // as full_path() has it
  SeriesFileOptions options;
  FileStamp stamp;
  std::shared_ptr<SeriesFile> file;

  bool is(const std::filesystem::path& wanted, const SeriesFileOptions& with, const FileStamp& now) const {
    return file && now.exists && path == wanted && options == with && stamp == now;
  }
};

std::mutex kept_series_lock;
KeptSeries kept_series;

}  // namespace

std::shared_ptr<const SeriesFile> look_at_series(const std::string& path, const SeriesFileOptions& options) {
  const FileStamp now = stamp_of(path);  // before the reading: a change during it shows
  const bool settled = now.is_settled();
  {
    const std::lock_guard lock(kept_series_lock);
    if (kept_series.is(full_path(path), options, now)) return kept_series.file;
    kept_series = {};
  }
  auto file = std::make_shared<SeriesFile>(read_series(path, options));
  const std::lock_guard lock(kept_series_lock);
  if (settled) kept_series = {full_path(path), options, now, file};
  return file;
}

SeriesFile take_series(const std::string& path, const SeriesFileOptions& options) {
  std::shared_ptr<SeriesFile> file;
  {
    const std::lock_guard lock(kept_series_lock);
    if (kept_series.is(full_path(path), options, stamp_of(path))) file = std::move(kept_series.file);
    kept_series = {};
  }
  if (!file) return read_series(path, options);
  return file.use_count() == 1 ? std::move(*file) : *file;
}

}  // namespace fovea::datasets::series
