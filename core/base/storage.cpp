#include "fovea/core/base/storage.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <regex>
#include <system_error>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/processes.hpp"

namespace fovea {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // of a file, read or written at once

/// An open file that is closed even when an error comes before; close() is for the good case and is checked.
class File {
 public:
  File(const Place& place, int flags) : place_(place), file_(open_place(place, flags)) {
    if (!file_.is_open()) refuse_for(place, (flags & O_CREAT) != 0 ? "cannot be created" : "cannot be opened", errno);
  }

  void write(std::string_view bytes) {
    const std::size_t total = bytes.size();
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_.number(), bytes.data(), std::min(bytes.size(), kPiece));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0)
        refuse_for(place_, concat("cannot be written (", total - bytes.size(), " of ", total, " bytes)"), errno);
      bytes.remove_prefix(done);
    }
  }

  /// Fills the buffer as far as the file goes; 0 at its end.
  std::size_t read(char* buffer, std::size_t size) {
    for (;;) {
      const ssize_t done = ::read(file_.number(), buffer, size);
      if (done >= 0) return done;
      if (errno != EINTR) refuse_for(place_, "cannot be read", errno);
    }
  }

  std::size_t size() {
    struct stat info {};
    if (::fstat(file_.number(), &info) != 0) refuse_for(place_, "cannot be read", errno);
    if (S_ISDIR(info.st_mode)) refuse_for(place_, "cannot be read", EISDIR);
    return info.st_size;
  }

  void sync() {
    if (::fsync(file_.number()) != 0) refuse_for(place_, "cannot be brought to the disk (fsync)", errno);
  }

  /// Some file systems cannot fsync a folder; they say EINVAL, and there is nothing left to do.
  void sync_folder() {
    if (::fsync(file_.number()) != 0 && errno != EINVAL && errno != ENOTSUP)
      refuse_for(place_, "cannot be brought to the disk (fsync)", errno);
  }

  void close() {
    if (file_.close() != 0) refuse_for(place_, "cannot be closed", errno);
  }

 private:
  Place place_;
  Descriptor file_;
};

/// The message of a failure about a temporary file, told about the file it was to become.
[[noreturn]] void rethrow_for(const Place& place, const Place& temporary, const StorageError& error) {
  const std::string text = error.what(), name = temporary.path();
  throw StorageError(text.rfind(name, 0) == 0 ? place.path() + text.substr(name.size()) : text);
}

constexpr std::string_view kTemporary = ".tmp";

/// ".HOST.PID.WORD-": what stands behind the file's name in the names of this process's temporaries.
std::string temporary_mark() {
  std::string host = process_host();
  std::replace(host.begin(), host.end(), '.', '-');
  return concat('.', host, '.', ::getpid(), '.', process_word(), '-');
}

/// Whether write_temporary() gave the name to a process of this host that has ended, or to any a day ago; earlier
/// versions named no host.
bool is_left_over(const Place& folder, const std::string& name) {
  static const std::regex kName(R"(\..+\.([^.]+)\.([0-9]{1,10})\.([0-9a-f]{16})-[0-9]+\.tmp)");
  static const std::regex kEarlier(R"(\..+\.[0-9]{1,10}\.[0-9]+\.tmp)");
  constexpr std::time_t kDay = 24 * 60 * 60;
  std::smatch parts;
  if (!name.ends_with(kTemporary)) return false;
  if (std::regex_match(name, kEarlier)) return age_seconds(folder / name) > kDay;
  if (!std::regex_match(name, parts, kName)) return false;
  const std::string ours = temporary_mark();
  const std::string mark = concat('.', parts.str(1), '.', parts.str(2), '.', parts.str(3), '-');
  if (mark == ours) return false;
  const long process = std::stol(parts.str(2));
  const bool here = ours.starts_with(concat('.', parts.str(1), '.'));
  return (here && (process == ::getpid() || process_ended(process))) || age_seconds(folder / name) > kDay;
}

}  // namespace

Place write_temporary(const Place& place, std::string_view bytes) {
  static std::atomic<std::uint64_t> counter{0};
  const std::string name = place.name();
  if (name.empty()) throw StorageError(concat("'", place, "': is not the name of a file; add one."));
  const Place temporary = place.beside(concat('.', name, temporary_mark(), ++counter, kTemporary));
  try {
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    try {
      file.write(bytes);
      file.sync();
      file.close();
    } catch (...) {
      discard(temporary);
      throw;
    }
  } catch (const StorageError& error) {
    rethrow_for(place, temporary, error);
  }
  return temporary;
}

void discard(const Place& place) noexcept {
  try {
    remove_file(place);
  } catch (const std::exception&) {
    return;  // it only takes space
  }
}

void remove_temporaries(const Place& folder) noexcept {
  try {
    for (const std::string& name : names_in(folder))
      if (is_left_over(folder, name)) discard(folder / name);
  } catch (const std::exception&) {
    return;  // they only take space
  }
}

void publish_file(const Place& temporary, const Place& place) {
  try {
    File file(temporary, O_RDONLY);
    file.sync();
    file.close();
    if (rename_place(temporary, place) != 0) refuse_for(place, "cannot be put in place (rename)", errno);
  } catch (const StorageError& error) {
    discard(temporary);
    rethrow_for(place, temporary, error);
  }
  File folder(place.folder(), O_RDONLY | O_DIRECTORY);
  folder.sync_folder();
  folder.close();
}

void write_file(const Place& place, std::string_view bytes) { publish_file(write_temporary(place, bytes), place); }

std::string read_file(const Place& place) {
  File file(place, O_RDONLY);
  std::string bytes(file.size(), '\0');
  std::size_t filled = 0;
  for (;;) {
    // One byte more than the stated size, so that the end is seen and a file that grows is read whole.
    if (filled == bytes.size()) bytes.resize(filled + std::max<std::size_t>(1, std::min(filled, kPiece)));
    const std::size_t done = file.read(bytes.data() + filled, bytes.size() - filled);
    if (done == 0) break;
    filled += done;
  }
  bytes.resize(filled);
  return bytes;
}

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr || EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256: OpenSSL refused to start; check the installation of libcrypto.");
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1)
    throw std::runtime_error("SHA-256: OpenSSL refused to go on; check the installation of libcrypto.");
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(state_->context, digest.data(), &size) != 1)
    throw std::runtime_error("SHA-256: OpenSSL refused to finish; hex() may be called once only.");
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const Place& place) {
  File file(place, O_RDONLY);
  file.size();  // refuses a folder
  Sha256 hash;
  std::string piece(kPiece, '\0');
  while (const std::size_t done = file.read(piece.data(), piece.size())) hash.add({piece.data(), done});
  return hash.hex();
}

}  // namespace fovea
