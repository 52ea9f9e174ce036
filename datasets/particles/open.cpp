#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/datasets/particles/formats.hpp"
#include "fovea/datasets/particles/hdf5/layouts.hpp"
#include "fovea/datasets/particles/numpy/energyflow.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::particles {

namespace {

/// What is known, but not read: told with the way out.
struct Unreadable {
  std::string_view start;
  const char* what;
};

constexpr std::array kUnreadable{
    Unreadable{"\x93NUMPY",
               "a NumPy array without names, which is not read; write EnergyFlow's .npz, with arrays X and y, or HDF5"},
    Unreadable{"root",
               "a ROOT file, which is not read; turn it into ragged HDF5 with scripts/root-to-ragged (Python, uproot)"},
    Unreadable{"PAR1", "a Parquet file, which is not read; write its columns as ragged HDF5 or as CSV"},
    Unreadable{"\x80\x02", "a Python pickle, which may run any program and is not read; write HDF5 or .npz"},
    Unreadable{"\x80\x03", "a Python pickle, which may run any program and is not read; write HDF5 or .npz"},
    Unreadable{"\x80\x04", "a Python pickle, which may run any program and is not read; write HDF5 or .npz"},
    Unreadable{"\x80\x05", "a Python pickle, which may run any program and is not read; write HDF5 or .npz"},
};

/// Asked in this order: first what has a mark at its beginning, then what is recognised by its columns.
constexpr std::array kFormats{
    ParticleFormat{"HDF5 (ragged, Top Tagging reference, JetNet, ATLAS, LHC Olympics)", &hdf5::knows_hdf5,
                   &hdf5::open_hdf5, &hdf5::holds_particles},
    ParticleFormat{"EnergyFlow .npz", &numpy::is_zip, &numpy::open_energyflow, &numpy::holds_energyflow},
    text::kHepMC3,
    text::kHepMC2,
    text::kLhe,  // by their first line
    text::kLeptonCsv,
    text::kDisplayCsv,
    text::kTrackml,  // by their columns
    text::kFastJet,  // by lines of numbers
};

std::string unpacked(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return {};  // 16: a gzip header
  std::string bytes(most, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  inflate(&stream, Z_SYNC_FLUSH);  // a cut or damaged file gives what comes before
  bytes.resize(most - stream.avail_out);
  inflateEnd(&stream);
  return bytes;
}

const ParticleFormat* format_of(const FileHead& head) {
  for (const ParticleFormat& format : kFormats)
    if (format.knows(head)) return &format;
  return nullptr;
}

const Unreadable* unreadable(const FileHead& head) {
  for (const Unreadable& known : kUnreadable)
    if (head.starts_with(known.start)) return &known;
  return nullptr;
}

bool is_packed_hdf5(const FileHead& head) { return head.packed && head.bytes.starts_with("\x89HDF"); }

std::string known_formats() { return datasets::text::listed(kFormats, &ParticleFormat::name); }

}  // namespace

FileHead head_of(const std::string& path) {
  const Descriptor file = open_place(path, O_RDONLY | O_NONBLOCK);  // a pipe must not make anybody wait
  if (!file.is_open()) refuse_input(path, errno);
  struct stat info {};
  if (::fstat(file.number(), &info) != 0) refuse_for(path, "cannot be read", errno);
  if (!S_ISREG(info.st_mode)) throw DataError(concat(path, ": is no regular file; name a file of jets or events."));
  FileHead head{path, std::string(kHeadBytes, '\0'), false};
  std::size_t size = 0;
  for (ssize_t done = 1; done != 0 && size < head.bytes.size();) {
    done = ::read(file.number(), head.bytes.data() + size, head.bytes.size() - size);
    if (done < 0 && errno != EINTR) refuse_for(path, "cannot be read", errno);
    if (done > 0) size += done;
  }
  head.bytes.resize(size);
  head.packed = head.starts_with("\x1F\x8B");
  if (head.packed) head.bytes = unpacked(head.bytes, kHeadBytes);
  return head;
}

std::unique_ptr<ParticleReader> open_particles(const std::string& path, const ReadOptions& options) {
  const FileHead head = head_of(path);
  if (head.bytes.empty() && !head.packed) throw DataError(path + ": is empty; name a file of jets or events.");
  if (const Unreadable* known = unreadable(head)) throw DataError(concat(path, ": is ", known->what, "."));
  if (datasets::text::format_of_bytes(head.bytes) == datasets::text::FileFormat::foreign)
    throw DataError(concat(path, ": ", datasets::text::foreign_format(head.bytes, path)));
  if (is_packed_hdf5(head))
    throw DataError(
        concat(path, ": is HDF5 packed by gzip, which must be unpacked to be read in blocks: gunzip -k ", path));
  if (const ParticleFormat* format = format_of(head)) return format->open(head, options);
  if (const std::string cause = text::strange_numbers(head).cause; !cause.empty())
    throw DataError(concat(path, ": is no file of particles that is known here: ", cause, "."));
  throw DataError(concat(path, ": is no file of particles that is known here; these are: ", known_formats(), "."));
}

bool looks_like_particles(const std::string& path) {
  try {
    const FileHead head = head_of(path);
    // open_particles() says what to do with these
    if (head.starts_with("root") || head.starts_with("\x93NUMPY") || is_packed_hdf5(head)) return true;
    const ParticleFormat* format = format_of(head);
    if (format == nullptr) return text::strange_numbers(head).certain;
    return format->holds_particles == nullptr || format->holds_particles(head);
  } catch (const DataError&) {
    return false;
  } catch (const StorageError&) {
    return false;
  }
}

}  // namespace fovea::datasets::particles
