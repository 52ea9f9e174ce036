#include "fovea/core/base/place.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

std::string advice(int error) {
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return "; free some space or choose another folder";
  if (error == EACCES || error == EPERM || error == EROFS) return "; choose a folder you may write to";
  return "";
}

[[noreturn]] void refuse(const Place& place, const std::string& what) {
  throw DataError(concat(place, ": is ", what, ", which nothing in ", place.chosen(),
                         " may be; put a file or folder of that name in its place, or remove it."));
}

/// Throws if it is what nothing may be, or `file_wanted` and it is a folder.
void refuse_kind(const Place& place, mode_t mode, bool file_wanted) {
  if (S_ISLNK(mode)) refuse(place, "a link");
  if (S_ISDIR(mode) && file_wanted) throw DataError(concat(place, ": is a folder, but must be a file; remove it."));
  if (!S_ISREG(mode) && !S_ISDIR(mode)) refuse(place, "a pipe, a socket or a device");
}

/// What stands between a folder and a name in it: all that the *at() calls need.
struct Spot {
  Descriptor folder;
  int at = AT_FDCWD;
  std::string name;
  int error = 0;  ///< why there is no folder
};

void refuse_strange(const Spot& spot, const Place& place, bool file_wanted) {
  struct stat info {};
  if (::fstatat(spot.at, spot.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0)
    refuse_kind(place, info.st_mode, file_wanted);
}

std::vector<std::string> parts_of(const std::string& below) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(below)) parts.push_back(part.string());
  return parts;
}

/// The folder that the place lies in, opened part by part.
Spot find(const Place& place) {
  Spot spot;
  spot.name = place.chosen();
  Place reached(place.chosen());
  for (const std::string& part : parts_of(place.below())) {
    const int links = reached.below().empty() ? 0 : O_NOFOLLOW;  // in the chosen path they are followed
    Descriptor next(::openat(spot.at, spot.name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | links));
    if (!next.is_open()) {
      spot.error = errno;
      if (links != 0) refuse_strange(spot, reached, false);
      return spot;
    }
    spot.folder = std::move(next);
    spot.at = spot.folder.number();
    spot.name = part;
    reached = reached / part;
  }
  return spot;
}

bool look(const Place& place, struct stat& info) {
  const Spot spot = find(place);
  return spot.error == 0 &&
         ::fstatat(spot.at, spot.name.c_str(), &info, place.below().empty() ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
}

void make_one(const Place& place) {
  const Spot spot = find(place);
  if (spot.error != 0) refuse_for(place, "cannot be created as a folder", spot.error);
  if (::mkdirat(spot.at, spot.name.c_str(), 0777) == 0) return;
  const int error = errno;
  refuse_strange(spot, place, false);
  struct stat info {};
  if (!look(place, info) || !S_ISDIR(info.st_mode))
    refuse_for(place, "cannot be created as a folder", error == EEXIST ? ENOTDIR : error);
}

void make_chosen(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) refuse_for(path, "cannot be created as a folder", error.value());
  if (!std::filesystem::is_directory(path, error)) refuse_for(path, "cannot be created as a folder", ENOTDIR);
}

}  // namespace

Place Place::operator/(const std::string& name) const {
  require(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
              name.find('\0') == std::string::npos,
          "Place: '", name, "' is not the name of one thing in ", path(), ".");
  Place place = *this;
  place.below_ += (below_.empty() ? "" : "/") + name;
  return place;
}

std::string Place::name() const { return std::filesystem::path(path()).filename().string(); }

Place Place::folder() const {
  const std::filesystem::path parent = std::filesystem::path(below_.empty() ? chosen_ : below_).parent_path();
  Place place = below_.empty() ? Place(parent.empty() ? "." : parent.string()) : *this;
  if (!below_.empty()) place.below_ = parent.string();
  return place;
}

Place Place::beside(const std::string& name) const {
  if (below_.empty()) return {folder().path() + '/' + name};
  return folder() / name;
}

std::ostream& operator<<(std::ostream& out, const Place& place) { return out << place.path(); }

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() { close(); }

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 ? 0 : ::close(number);
}

int Descriptor::release() { return std::exchange(number_, -1); }

void refuse_for(const Place& place, const std::string& what, int error) {
  // Not by strerror(), whose buffer all threads share.
  throw StorageError(concat(place, ": ", what, ": ", std::generic_category().message(error), advice(error), "."));
}

void refuse_input(const Place& place, int error) {
  if (error == ENOENT || error == ENOTDIR) throw DataError(concat(place, ": there is no such file."));
  if (error == EISDIR) throw DataError(concat(place, ": is a folder; it must be a file."));
  refuse_for(place, "cannot be opened", error);
}

Descriptor open_place(const Place& place, int flags) {
  const Spot spot = find(place);
  if (spot.error != 0) {
    errno = spot.error;
    return Descriptor();
  }
  const bool chosen = place.below().empty(), folder = (flags & O_DIRECTORY) != 0;
  const int careful = chosen ? 0 : O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(::openat(spot.at, spot.name.c_str(), flags | O_CLOEXEC | careful, 0666));
  const int error = errno;
  if (!chosen && !file.is_open() && error != EEXIST) refuse_strange(spot, place, !folder);
  struct stat info {};
  if (!chosen && file.is_open() && ::fstat(file.number(), &info) == 0) refuse_kind(place, info.st_mode, !folder);
  errno = error;
  return file;
}

void refuse_second_name(const Place& place, const Descriptor& file) {
  struct stat info {};
  if (::fstat(file.number(), &info) == 0 && info.st_nlink <= 1) return;
  throw DataError(concat(place, ": is a hard link, so that writing here would change the other file too; ",
                         "put a copy in its place, or remove it."));
}

void refuse_link(const Place& place) {
  const Spot spot = find(place);
  if (spot.error == 0) refuse_strange(spot, place, false);
}

bool exists(const Place& place) {
  struct stat info {};
  return look(place, info);
}

bool is_file(const Place& place) {
  struct stat info {};
  return look(place, info) && S_ISREG(info.st_mode);
}

std::size_t file_size(const Place& place) {
  struct stat info {};
  if (!look(place, info)) refuse_for(place, "cannot be read", errno);
  return info.st_size;
}

double age_seconds(const Place& place) {
  struct stat info {};
  return look(place, info) ? std::difftime(std::time(nullptr), info.st_mtime) : 0;
}

void remove_file(const Place& place) {
  const Spot spot = find(place);
  const int error = spot.error != 0 || ::unlinkat(spot.at, spot.name.c_str(), 0) == 0 ? spot.error : errno;
  if (error != 0 && error != ENOENT) refuse_for(place, "cannot be removed", error);
}

int rename_place(const Place& from, const Place& to) {
  const Spot spot = find(from);
  if (spot.error != 0) {
    errno = spot.error;
    return -1;
  }
  const std::string name = to.below().empty() ? to.chosen() : to.name();
  return ::renameat(spot.at, spot.name.c_str(), spot.at, name.c_str());
}

std::vector<std::string> names_in(const Place& folder) {
  std::vector<std::string> names;
  Descriptor opened = open_place(folder, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open()) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(opened.number()), &::closedir);
  if (!entries) return names;
  opened.release();
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void make_folder(const Place& folder) {
  make_chosen(folder.chosen());
  Place reached(folder.chosen());
  for (const std::string& part : parts_of(folder.below())) {
    reached = reached / part;
    make_one(reached);
  }
}

}  // namespace fovea
