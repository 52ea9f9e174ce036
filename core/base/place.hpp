#pragma once
/// Where a file lies, and how far its path is trusted.
///
/// A place is a path that somebody chose and, below it, a path that anybody may have filled: a run directory, and
/// "points/1a2b3c4d5e6f/log" in it. Links in the chosen path are followed, as everywhere. Below it nothing is followed,
/// and no file is opened but a regular one, whatever is put there meanwhile: each folder is opened from the one before
/// (openat, O_NOFOLLOW), and a pipe does not make anybody wait.

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace fovea {

class Place {
 public:
  /// A chosen path: "runs/opinion.temperature-1a2b3c4d", "my.toml".
  Place(std::string path) : chosen_(std::move(path)) {}
  Place(const char* path) : chosen_(path) {}

  /// Something in this folder. Throws ArgumentError if the name is no name of one thing ("", "..", "a/b").
  Place operator/(const std::string& name) const;

  std::string path() const { return below_.empty() ? chosen_ : chosen_ + '/' + below_; }
  const std::string& chosen() const { return chosen_; }
  const std::string& below() const { return below_; }  ///< "" for the chosen path itself
  std::string name() const;                            ///< the last part of the path
  Place folder() const;                                ///< what it lies in
  Place beside(const std::string& name) const;         ///< another name in the same folder

 private:
  std::string chosen_, below_;
};

std::ostream& operator<<(std::ostream& out, const Place& place);  ///< its path

/// An open file or folder; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int close();    ///< what close() says; 0 if it was closed before
  int release();  ///< for another owner

 private:
  int number_;
};

/// Throws StorageError: the path, what could not be done, the system's reason and, where known, a way out.
[[noreturn]] void refuse_for(const Place& place, const std::string& what, int error);
/// The same of an input that cannot be opened: DataError where it is not there, or is a folder.
[[noreturn]] void refuse_input(const Place& place, int error);

/// Like open() with O_CLOEXEC (new files: 0666), and errno where none comes back. Below the chosen path a link, and a
/// file that is not a regular one, is a DataError that names it.
Descriptor open_place(const Place& place, int flags);

/// Throws DataError if the file has another name: what is added to it, or cut off, would be so there too.
void refuse_second_name(const Place& place, const Descriptor& file);

/// Throws DataError if there is what nothing below the chosen path may be: a link, a pipe, a socket or a device.
void refuse_link(const Place& place);

/// What is there. Below the chosen path a link counts as itself; on the way it is a DataError here too.
bool exists(const Place& place);                       ///< anything; false where it cannot be told
bool is_file(const Place& place);                      ///< a regular file
std::size_t file_size(const Place& place);             ///< throws StorageError
double age_seconds(const Place& place);                ///< since it was last written; 0 where it cannot be told
void remove_file(const Place& place);                  ///< if it is there; throws StorageError
int rename_place(const Place& from, const Place& to);  ///< like rename(), within a folder
/// The names in a folder, sorted; none if there is no such folder. Throws DataError for a link.
std::vector<std::string> names_in(const Place& folder);
/// Creates the folder and its parents. Throws StorageError, and DataError for a link below the chosen path.
void make_folder(const Place& folder);

}  // namespace fovea
