#include "fovea/datasets/events/name_list.hpp"

#include <algorithm>
#include <cstring>

namespace fovea::datasets::events {

namespace {

constexpr std::size_t kShort = 8;  // bytes of a name that one number holds

/// The first eight bytes of a name as a number; with its length it tells names of up to eight bytes apart.
std::uint64_t first_letters(std::string_view name) {
  const std::size_t size = std::min(name.size(), kShort);
  const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(name[at])}; };
  if (size >= 4) {
    std::uint32_t front = 0, back = 0;
    std::memcpy(&front, name.data(), sizeof(front));
    std::memcpy(&back, name.data() + size - sizeof(back), sizeof(back));
    return front | std::uint64_t{back} << 32;
  }
  return size == 0 ? 0 : byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

}  // namespace

bool NameList::is(const Recent& recent, std::uint64_t letters, std::string_view name) const {
  if (recent.size != name.size() || recent.letters != letters || name.empty()) return false;
  return name.size() <= kShort || names_[recent.number] == name;
}

std::uint32_t NameList::add(std::string_view name) {
  const std::uint64_t letters = first_letters(name);
  if (is(last_, letters, name)) return last_.number;
  Recent& recent = recent_[((letters ^ (std::uint64_t{name.size()} << 56)) * 0x9E3779B97F4A7C15U) >> 56];
  if (!is(recent, letters, name)) {
    const auto found = numbers_.find(name);
    recent = {letters, found != numbers_.end() ? found->second : static_cast<std::uint32_t>(names_.size()),
              static_cast<std::uint32_t>(name.size())};
    if (found == numbers_.end()) numbers_.emplace(names_.emplace_back(name), recent.number);
  }
  last_ = recent;
  return last_.number;
}

std::optional<std::uint32_t> NameList::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fovea::datasets::events
