#include "fovea/tests/datasets/particles/made_files.hpp"

#include <zlib.h>

#include <stdexcept>

#include "fovea/core/data/file/hdf5_columns.hpp"

namespace fovea::support {

namespace {

void put_little(std::string& bytes, std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 255);
}

/// What a member's head in place and its line in the directory have in common.
std::string zip_fields(const std::string& name, const std::string& bytes) {
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  std::string fields;
  put_little(fields, 20, 2);  // version
  put_little(fields, 0, 4);   // no flags, stored
  put_little(fields, 0, 4);   // no time
  put_little(fields, checksum, 4);
  put_little(fields, bytes.size(), 4);
  put_little(fields, bytes.size(), 4);
  put_little(fields, name.size(), 2);
  put_little(fields, 0, 2);
  return fields;
}

}  // namespace

void write_made_ragged(const std::string& path, const MadeRagged& made) {
  Hdf5Columns file(path);
  if (made.real_offsets.empty()) file.append(file.add("offsets", StoredNumber::int64, 1), made.offsets);
  if (!made.real_offsets.empty()) file.append(file.add("offsets", StoredNumber::float64, 1), made.real_offsets);
  const std::size_t particles = file.add("particles", StoredNumber::float32, made.columns);
  file.append(particles, made.particles);
  if (!made.names.empty()) file.attribute(particles, "columns", made.names);
  if (!made.label.empty()) file.append(file.add("label", StoredNumber::int8, 1), made.label);
  if (!made.pid.empty()) file.append(file.add("pid", StoredNumber::int32, 1), made.pid);
  if (!made.truth.empty()) file.append(file.add("truth", StoredNumber::float32, made.truth_columns), made.truth);
  file.attribute("label", "1=top 0=QCD");
  file.finish();
}

std::string made_npy(const std::string& head, const std::vector<double>& numbers) {
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  put_little(bytes, head.size() + 1, 2);
  bytes += head + "\n";
  return bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

std::string npy_head_text(const std::string& shape, const std::string& type, const std::string& order) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

std::string made_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string zip, directory;
  for (const auto& [name, bytes] : members) {
    const std::string fields = zip_fields(name, bytes);
    directory += "PK\x01\x02";
    put_little(directory, 20, 2);
    directory += fields;
    directory.append(10, '\0');  // no comment, disk 0, no attributes
    put_little(directory, zip.size(), 4);
    directory += name;
    zip += "PK\x03\x04" + fields + name + bytes;
  }
  const std::size_t start = zip.size();
  zip += directory + "PK\x05\x06";
  put_little(zip, 0, 4);
  put_little(zip, members.size(), 2);
  put_little(zip, members.size(), 2);
  put_little(zip, directory.size(), 4);
  put_little(zip, start, 4);
  put_little(zip, 0, 2);
  return zip;
}

std::string made_energyflow() {
  const std::vector<double> jets{100.25, 0.5, 3.25, 211, 50.5, -0.25, -1.5, 22, 80.75, 1.25, 0.75, -2112, 0, 0, 0, 0};
  return made_zip(
      {{"X.npy", made_npy(npy_head_text("(2, 2, 4)"), jets)}, {"y.npy", made_npy(npy_head_text("(2,)"), {1, 0})}});
}

std::string with_bytes_changed(std::string bytes, std::string_view from, std::string_view to, std::size_t which) {
  std::size_t at = bytes.find(from);
  for (; which > 0 && at != std::string::npos; --which) at = bytes.find(from, at + 1);
  if (at == std::string::npos) throw std::logic_error("with_bytes_changed: these bytes are not there");
  return bytes.replace(at, from.size(), to);
}

}  // namespace fovea::support
