#include "fovea/tests/support/malformed_hdf5.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace fovea::support {
namespace {

/// Where the 8-byte size of each object of each global heap collection stands (HDF5 file format, III.E): after the
/// head of 16 bytes come objects with index, references and four bytes, then the size, then as many bytes, padded to 8.
std::vector<std::size_t> heap_sizes(const std::string& bytes) {
  std::vector<std::size_t> places;
  for (std::size_t heap = bytes.find("GCOL"); heap != std::string::npos; heap = bytes.find("GCOL", heap + 4)) {
    for (std::size_t at = heap + 16; at + 16 <= bytes.size();) {
      std::uint16_t index = 0;
      std::uint64_t size = 0;
      std::memcpy(&index, bytes.data() + at, sizeof index);
      std::memcpy(&size, bytes.data() + at + 8, sizeof size);
      places.push_back(at + 8);
      if (index == 0 || size > bytes.size()) break;  // what is free ends the collection
      at += 16 + (size + 7) / 8 * 8;
    }
  }
  return places;
}

std::string with_bytes(std::string bytes, std::size_t place, std::initializer_list<int> values) {
  for (const int value : values) bytes.at(place++) = static_cast<char>(value);
  return bytes;
}

void add_heaps(const std::string& bytes, std::vector<MalformedFile>& copies) {
  const std::vector<std::size_t> places = heap_sizes(bytes);
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}, places.size() / 2, places.size() - 1}) {
    const std::string name = "heap object " + std::to_string(which);
    const std::size_t place = places.at(which);
    copies.push_back({name + " of 2^64 - 1 bytes", with_bytes(bytes, place, {255, 255, 255, 255, 255, 255, 255, 255})});
    copies.push_back({name + " of 64 KiB more", with_bytes(bytes, place + 2, {1})});
    copies.push_back({name + " of 2 TB", with_bytes(bytes, place + 5, {2})});
    copies.push_back({name + " of 2^62 bytes", with_bytes(bytes, place + 7, {64})});
    copies.push_back({name + " of no bytes", with_bytes(bytes, place, {0, 0, 0, 0, 0, 0, 0, 0})});
  }
  const std::size_t heap = bytes.find("GCOL");
  copies.push_back({"a heap of 2^63 bytes", with_bytes(bytes, heap + 8, {0, 0, 0, 0, 0, 0, 0, 128})});
  copies.push_back({"a heap of no bytes", with_bytes(bytes, heap + 8, {0, 0, 0, 0, 0, 0, 0, 0})});
}

}  // namespace

std::vector<MalformedFile> malformed_copies(const std::string& bytes) {
  const std::size_t size = bytes.size();
  std::vector<MalformedFile> copies = {{"nothing", ""},
                                       {"a text", "temperature,variance\n0.1,0.5\n"},
                                       {"only the signature", bytes.substr(0, 8)},
                                       {"the first 100 bytes", bytes.substr(0, 100)},
                                       {"the first half", bytes.substr(0, size / 2)},
                                       {"all but the last byte", bytes.substr(0, size - 1)},
                                       {"zeros behind the signature", bytes.substr(0, 8) + std::string(size - 8, '\0')},
                                       {"the first half twice", bytes.substr(0, size / 2) + bytes.substr(0, size / 2)},
                                       {"a version of 255", with_bytes(bytes, 8, {255})},
                                       {"a root group at 2^56", with_bytes(bytes, 43, {1})}};
  add_heaps(bytes, copies);
  return copies;
}

}  // namespace fovea::support
