#include "fovea/core/base/storage.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // of a file, read or written at once

/// "No space left on device", without strerror()'s shared buffer.
std::string reason(int error) { return std::generic_category().message(error); }

std::string advice(int error) {
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return "; free some space or choose another folder";
  if (error == EACCES || error == EPERM || error == EROFS) return "; choose a folder you may write to";
  return "";
}

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw StorageError(concat(path, ": ", what, ": ", reason(error), advice(error), "."));
}

/// An open file that is closed even when an error comes before; close() is for the good case and is checked.
class File {
 public:
  File(const std::string& path, int flags) : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(path, (flags & O_CREAT) != 0 ? "cannot be created" : "cannot be opened", errno);
  }
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view bytes) {
    const std::size_t total = bytes.size();
    while (!bytes.empty()) {
      const ssize_t done = ::write(number_, bytes.data(), std::min(bytes.size(), kPiece));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail(path_, concat("cannot be written (", total - bytes.size(), " of ", total, " bytes)"), errno);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }

  /// Fills the buffer as far as the file goes; 0 at its end.
  std::size_t read(char* buffer, std::size_t size) {
    for (;;) {
      const ssize_t done = ::read(number_, buffer, size);
      if (done >= 0) return static_cast<std::size_t>(done);
      if (errno != EINTR) fail(path_, "cannot be read", errno);
    }
  }

  std::size_t size() {
    struct stat info {};
    if (::fstat(number_, &info) != 0) fail(path_, "cannot be read", errno);
    if (S_ISDIR(info.st_mode)) fail(path_, "cannot be read", EISDIR);
    return static_cast<std::size_t>(info.st_size);
  }

  void sync() {
    if (::fsync(number_) != 0) fail(path_, "cannot be brought to the disk (fsync)", errno);
  }

  /// Some file systems cannot fsync a folder; they say EINVAL, and there is nothing left to do.
  void sync_folder() {
    if (::fsync(number_) != 0 && errno != EINVAL && errno != ENOTSUP)
      fail(path_, "cannot be brought to the disk (fsync)", errno);
  }

  void close() {
    const int number = std::exchange(number_, -1);
    if (::close(number) != 0) fail(path_, "cannot be closed", errno);
  }

 private:
  std::string path_;
  int number_;
};

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// The message of a failure about a temporary file, told about the file it was to become.
[[noreturn]] void rethrow_for(const std::string& path, const std::string& temporary, const StorageError& error) {
  const std::string text = error.what();
  throw StorageError(text.rfind(temporary, 0) == 0 ? path + text.substr(temporary.size()) : text);
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Whether write_temporary() gives such names.
bool is_temporary(const std::filesystem::path& path) {
  const std::filesystem::path counted = path.stem(), numbered = counted.stem();
  return path.extension() == ".tmp" && path.string().front() == '.' && counted.has_extension() &&
         numbered.has_extension() && is_number(counted.extension().string().substr(1)) &&
         is_number(numbered.extension().string().substr(1));
}

}  // namespace

std::string write_temporary(const std::string& path, std::string_view bytes) {
  static std::atomic<std::uint64_t> counter{0};
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.empty()) throw StorageError(concat("'", path, "': is not the name of a file; add one."));
  const std::string temporary = concat(folder_of(path), "/.", name, ".", ::getpid(), ".", ++counter, ".tmp");
  try {
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    try {
      file.write(bytes);
      file.sync();
      file.close();
    } catch (...) {
      ::unlink(temporary.c_str());
      throw;
    }
  } catch (const StorageError& error) {
    rethrow_for(path, temporary, error);
  }
  return temporary;
}

void remove_temporaries(const std::string& folder) noexcept {
  namespace fs = std::filesystem;
  try {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (is_temporary(entry.path().filename())) found.push_back(entry.path());
    for (const fs::path& path : found) fs::remove(path);
  } catch (const std::exception&) {
    return;  // they only take space
  }
}

void publish_file(const std::string& temporary, const std::string& path) {
  try {
    File file(temporary, O_RDONLY);
    file.sync();
    file.close();
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be put in place (rename)", errno);
  } catch (const StorageError& error) {
    ::unlink(temporary.c_str());
    rethrow_for(path, temporary, error);
  }
  File folder(folder_of(path), O_RDONLY | O_DIRECTORY);
  folder.sync_folder();
  folder.close();
}

void write_file(const std::string& path, std::string_view bytes) { publish_file(write_temporary(path, bytes), path); }

std::string read_file(const std::string& path) {
  File file(path, O_RDONLY);
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

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail(path, "cannot be created as a folder", error.value());
  if (!std::filesystem::is_directory(path, error)) fail(path, "cannot be created as a folder", ENOTDIR);
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

std::string sha256_of_file(const std::string& path) {
  File file(path, O_RDONLY);
  file.size();  // refuses a folder
  Sha256 hash;
  std::string piece(kPiece, '\0');
  while (const std::size_t done = file.read(piece.data(), piece.size())) hash.add({piece.data(), done});
  return hash.hex();
}

}  // namespace fovea
