#include "fovea/datasets/events/name_list.hpp"

#include <algorithm>
#include <cstring>

namespace fovea::datasets::events {

namespace {

/// A number below 256 from a name's first eight bytes and its length.
std::size_t short_hash(std::string_view name) {
  std::uint64_t letters = name.size();
  if (!name.empty()) std::memcpy(&letters, name.data(), std::min<std::size_t>(name.size(), sizeof(letters)));
  return static_cast<std::size_t>(((letters ^ (name.size() << 56)) * 0x9E3779B97F4A7C15U) >> 56);
}

}  // namespace

std::uint32_t NameList::add(std::string_view name) {
  if (!names_.empty() && names_[last_] == name) return last_;
  std::uint32_t& recent = recent_[short_hash(name)];
  if (!names_.empty() && names_[recent] == name) return last_ = recent;
  const auto found = numbers_.find(name);
  last_ = found != numbers_.end() ? found->second : static_cast<std::uint32_t>(names_.size());
  if (found == numbers_.end()) numbers_.emplace(names_.emplace_back(name), last_);
  return recent = last_;
}

std::optional<std::uint32_t> NameList::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fovea::datasets::events
