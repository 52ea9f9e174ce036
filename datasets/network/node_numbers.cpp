#include "fovea/datasets/network/node_numbers.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fovea::datasets::network {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.empty() || text.size() > 20 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  std::uint64_t value = 0;
  for (const char letter : text.substr(0, 19)) {
    const auto digit = static_cast<unsigned>(letter - '0');
    if (digit > 9) return std::nullopt;
    value = 10 * value + digit;
  }
  if (text.size() < 20) return value;
  const auto digit = static_cast<unsigned>(text[19] - '0');  // 2^64 - 1 has 20 digits and ends in 5
  constexpr std::uint64_t kTenth = std::numeric_limits<std::uint64_t>::max() / 10;
  if (digit > 9 || value > kTenth || (value == kTenth && digit > 5)) return std::nullopt;
  return 10 * value + digit;
}

NodeNumbers::Id NodeNumbers::id_of(std::string_view text) {
  if (const auto number = whole_number(text)) return {*number, false, {}};
  return {std::hash<std::string_view>{}(text), true, text};
}

std::uint32_t NodeNumbers::add(const Id& id) {
  if (2 * (keys_.size() + 1) > slots_.size()) grow();
  const auto is_same = [&](const Slot& slot) {
    return slot.key == id.key && slot.is_name == id.is_name && (!id.is_name || names_[slot.node] == id.name);
  };
  std::size_t place = first_place(id.key);
  while (slots_[place].node != kUnknown && !is_same(slots_[place])) place = (place + 1) & (slots_.size() - 1);
  Slot& slot = slots_[place];
  if (slot.node != kUnknown) return slot.node;
  slot = {id.key, count(), id.is_name};
  keys_.push_back(id.key);
  if (id.is_name || !names_.empty()) names_.resize(keys_.size());
  if (id.is_name) names_.back() = id.name;
  return slot.node;
}

void NodeNumbers::fetch_slot(const Id& id) const {
  if (!slots_.empty()) __builtin_prefetch(&slots_[first_place(id.key)]);
}

void NodeNumbers::fetch_name(const Id& id) const {
  if (slots_.empty() || !id.is_name) return;
  const std::uint32_t node = slots_[first_place(id.key)].node;
  if (node < names_.size()) __builtin_prefetch(&names_[node]);
}

std::vector<std::string> NodeNumbers::names() const {
  std::vector<std::string> names(keys_.size());
  for (const Slot& slot : slots_)
    if (slot.node != kUnknown) names[slot.node] = slot.is_name ? names_[slot.node] : std::to_string(slot.key);
  return names;
}

std::vector<std::uint32_t> NodeNumbers::ranks() const {
  std::vector<std::uint32_t> order(keys_.size());
  std::iota(order.begin(), order.end(), 0U);
  if (!names_.empty()) return order;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys_[a] < keys_[b]; });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) rank[order[place]] = place;
  return rank;
}

std::size_t NodeNumbers::first_place(std::uint64_t key) const {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // spreads neighbouring numbers (Knuth 1973, 6.4)
  return ((key * kGolden) >> shift_);
}

void NodeNumbers::grow() {
  const std::vector<Slot> old = std::move(slots_);
  shift_ = old.empty() ? 54 : shift_ - 1;
  slots_.assign(std::size_t{1} << (64 - shift_), Slot());
  for (const Slot& slot : old) {
    if (slot.node == kUnknown) continue;
    std::size_t place = first_place(slot.key);
    while (slots_[place].node != kUnknown) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = slot;
  }
}

}  // namespace fovea::datasets::network
