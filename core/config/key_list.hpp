#pragma once
/// What keys.hpp is made of: a list of keys that knows where each member lies in a struct, but not which struct.
/// Internal; use keys.hpp.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fovea/core/config/config_value.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea {

class Config;

/// How a member stands in a config.
struct KeyCodec {
  ValueType type = ValueType::real;
  std::vector<std::string> words{};  ///< of a choice
  std::function<ConfigValue(const void* member)> value;
  std::function<void(void* member, const ConfigValues& config, const std::string& key)> fill;
};

/// Of bool, int, long, long long, unsigned long, float, double, std::string, and of std::vector and std::optional of
/// all but bool. fill() throws ArgumentError for a whole number that the member cannot hold.
template <typename T>
KeyCodec key_codec();

/// The words of a choice: of a text they stand for themselves, else each for a value.
template <typename T>
using KeyWords = std::conditional_t<std::is_same_v<T, std::string>, std::vector<std::string>,
                                    std::vector<std::pair<std::string, T>>>;
KeyCodec word_codec(const std::vector<std::string>& words);
/// place: of the member's value among the words; words.size() if no word stands for it.
KeyCodec word_codec(std::vector<std::string> words, std::function<std::size_t(const void* member)> place,
                    std::function<void(void* member, std::size_t word)> set);
template <typename T>
KeyCodec word_codec(const std::vector<std::pair<std::string, T>>& words) {
  std::vector<std::string> names;
  for (const auto& [word, value] : words) names.push_back(word);
  const auto place = [words](const void* member) {
    std::size_t k = 0;
    while (k < words.size() && !(words[k].second == *static_cast<const T*>(member))) ++k;
    return k;
  };
  const auto set = [words](void* member, std::size_t k) { *static_cast<T*>(member) = words[k].second; };
  return word_codec(std::move(names), place, set);
}

class KeyList {
 protected:
  using Locate = std::function<void*(void* settings)>;
  using Condition = std::function<bool(void* settings)>;
  using Chosen = std::function<bool(std::string_view key)>;

  void add(std::string key, std::string meaning, KeyCodec codec, Locate locate, Range range = {},
           std::string unit = "");
  void add_group(const KeyList& keys, const Locate& locate);
  void add_others(std::function<void(Schema&)> declare);
  /// Of the last addition, a key or a group.
  void restrict_last(const Condition& condition);
  void mark_last_added_later();

  void declare_from(Schema& schema, void* defaults, const Chosen& chosen) const;
  void read_into(void* settings, const Config& config) const;
  void read_into(void* settings, const ConfigTable& table) const;

 private:
  struct Entry {
    Parameter parameter{};  ///< without its default
    KeyCodec codec{};
    Locate locate{};
    std::vector<Condition> conditions{};
    std::function<void(Schema&)> others{};  ///< instead of a key
  };
  std::vector<Entry> entries_;
  std::size_t last_ = 0;  ///< where the last addition begins
};

}  // namespace fovea
