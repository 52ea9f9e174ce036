#pragma once
/// Damaged copies of files, for readers that must refuse or read whatever they are given.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fovea::support {

/// The bytes with one to four changes: bits flipped, bytes set, the end cut off, a span taken out, doubled, repeated,
/// overwritten or brought in from the other file, a token put in or over something. The same seed gives the same copy.
std::string mutated(std::string bytes, std::string_view other, std::span<const std::string_view> tokens,
                    std::uint64_t seed);

/// A number of the environment, such as how many copies to try; `otherwise` where it is not set.
std::uint64_t mutant_setting(const char* name, std::uint64_t otherwise);

/// Packed as gzip does.
std::string gzip_packed(std::string_view bytes);

}  // namespace fovea::support
