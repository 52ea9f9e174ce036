#include "fovea/tests/datasets/events/tar_files.hpp"

#include <cstdio>
#include <numeric>

namespace fovea::support {

namespace {

constexpr std::size_t kTarBlock = 512;

void put_octal(std::string& header, std::size_t at, int digits, std::size_t value) {
  char text[16];
  std::snprintf(text, sizeof(text), "%0*zo", digits, value);
  header.replace(at, digits, text);
}

std::string tar_header(const TarMember& member) {
  std::string header(kTarBlock, '\0');
  header.replace(0, member.name.size(), member.name);
  put_octal(header, 100, 7, 0644);
  for (const std::size_t at : {108U, 116U}) put_octal(header, at, 7, 0);
  put_octal(header, 124, 11, member.type == '0' ? member.bytes.size() : 0);
  put_octal(header, 136, 11, 0);
  header.replace(148, 8, 8, ' ');  // the checksum is taken with blanks in its place
  header[156] = member.type;
  if (member.type == '2') header.replace(157, member.bytes.size(), member.bytes);
  header.replace(257, 8, std::string("ustar\00000", 8));
  const auto sum = std::accumulate(header.begin(), header.end(), std::size_t{0},
                                   [](std::size_t all, char c) { return all + static_cast<unsigned char>(c); });
  put_octal(header, 148, 6, sum);
  header[154] = '\0';
  return header;
}

}  // namespace

std::string tar_packed(const std::vector<TarMember>& members) {
  std::string bytes;
  for (const TarMember& member : members) {
    bytes += tar_header(member);
    if (member.type != '0') continue;
    bytes += member.bytes;
    bytes.append((kTarBlock - member.bytes.size() % kTarBlock) % kTarBlock, '\0');
  }
  return bytes.append(2 * kTarBlock, '\0');
}

}  // namespace fovea::support
