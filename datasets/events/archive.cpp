#include "fovea/datasets/events/archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/byte_stream.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/file_format.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::size_t kArchiveBlock = 1U << 16;

struct FreeArchive {
  void operator()(archive* one) const { archive_read_free(one); }
};
using Reader = std::unique_ptr<archive, FreeArchive>;

struct OpenArchive {
  Reader reader;
  bool is_open = false;
};

/// A reader of the formats that are known.
OpenArchive opened(const std::string& path) {
  Reader reader(archive_read_new());
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  const bool is_open = archive_read_open_filename(reader.get(), path.c_str(), kArchiveBlock) == ARCHIVE_OK;
  return {std::move(reader), is_open};
}

[[noreturn]] void refuse_archive(const std::string& path, archive* reader) {
  const char* reason = archive_error_string(reader);
  throw DataError(
      concat(path, ": is damaged or was cut (", reason == nullptr ? "unknown" : reason, "); get it again."));
}

/// Whether the file, or what is packed in it, has the mark of a tar: one that was cut is not known to libarchive.
bool begins_as_tar(const std::string& path) {
  constexpr std::size_t kMarkAt = 257;
  std::string front(512, '\0');
  try {
    text::ByteStream stream(path);
    std::size_t size = 0;
    while (size < front.size()) {
      const std::size_t done = stream.read(front.data() + size, front.size() - size);
      if (done == 0) return false;
      size += done;
    }
  } catch (const std::runtime_error&) {
    return false;
  }
  return front.compare(kMarkAt, 5, "ustar") == 0;
}

bool leaves_archive(const std::filesystem::path& name) {
  for (const auto& part : name)
    if (part == "..") return true;
  return name.is_absolute();
}

std::string member_name(const std::string& path, archive_entry* entry) {
  const char* raw = archive_entry_pathname(entry);
  if (raw == nullptr) throw DataError(concat(path, ": has a member whose name cannot be read; pack it again."));
  const std::string name(raw);
  if (leaves_archive(name))
    throw DataError(concat(path, ": holds the path '", text::shown_text(name),
                           "', which leads out of the archive; such an archive is not read."));
  return name;
}

std::string member_bytes(const std::string& path, const std::string& name, archive* reader) {
  std::string bytes;
  std::string block(kArchiveBlock, '\0');
  while (true) {
    const la_ssize_t done = archive_read_data(reader, block.data(), block.size());
    if (done < 0) refuse_archive(path, reader);
    if (done == 0) return bytes;
    bytes.append(block, 0, done);
    if (bytes.size() > kLargestMember)
      throw DataError(concat(path, ": its '", text::shown_text(name), "' has more than ", kLargestMember >> 20,
                             " MiB; a record of the challenge has some kB."));
  }
}

}  // namespace

bool is_archive(const std::string& path) {
  if (!text::foreign_format(text::front_of(path), path).empty()) return false;  // a workbook is a ZIP, too
  const auto [reader, is_open] = opened(path);
  archive_entry* entry = nullptr;
  if (!is_open) return begins_as_tar(path);
  const int state = archive_read_next_header(reader.get(), &entry);
  if (state == ARCHIVE_OK || state == ARCHIVE_WARN) return archive_format(reader.get()) != 0;
  return state != ARCHIVE_EOF && begins_as_tar(path);
}

void for_each_member(const std::string& path, const std::function<bool(const std::string& name)>& wanted,
                     const std::function<void(const std::string& name, std::string bytes)>& take) {
  const auto [reader, is_open] = opened(path);
  if (!is_open) refuse_archive(path, reader.get());
  archive_entry* entry = nullptr;
  while (true) {
    const int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF) return;
    if (state != ARCHIVE_OK && state != ARCHIVE_WARN) refuse_archive(path, reader.get());
    const std::string name = member_name(path, entry);
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
      throw DataError(
          concat(path, ": its '", text::shown_text(name), "' is a link or no file; pack the files themselves."));
    if (wanted(name)) take(name, member_bytes(path, name, reader.get()));
  }
}

}  // namespace fovea::datasets::events
