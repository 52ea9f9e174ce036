#include "fovea/core/config/key_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config.hpp"

namespace fovea {

namespace {

enum class Shape { single, list, optional };

template <typename T>
struct MemberType {
  using Element = T;
  static constexpr Shape shape = Shape::single;
};
template <typename T>
struct MemberType<std::vector<T>> {
  using Element = T;
  static constexpr Shape shape = Shape::list;
};
template <typename T>
struct MemberType<std::optional<T>> {
  using Element = T;
  static constexpr Shape shape = Shape::optional;
};

/// The shortest decimal number that is this float: 0.1F stands in a config as 0.1.
double shortest(float number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  double decimal = 0;
  std::from_chars(text, end, decimal);
  return decimal;
}

template <typename T>
auto to_config(const T& element) {
  if constexpr (std::is_same_v<T, float>)
    return shortest(element);
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<std::int64_t>(element);
  else
    return element;
}

template <typename T, typename Given>
T from_config(const Given& given, const std::string& key) {
  if constexpr (std::is_same_v<Given, std::int64_t>)
    require(std::in_range<T>(given), "config: ", key, " = ", given, ", but its member holds no such whole number.");
  return static_cast<T>(given);
}

template <typename T>
auto asked(const ConfigValues& config, const std::string& key) {
  if constexpr (std::is_same_v<T, bool>)
    return config.flag(key);
  else if constexpr (std::is_integral_v<T>)
    return config.integer(key);
  else if constexpr (std::is_floating_point_v<T>)
    return config.real(key);
  else
    return config.text(key);
}

template <typename T>
const auto& asked_list(const ConfigValues& config, const std::string& key) {
  if constexpr (std::is_integral_v<T>)
    return config.integers(key);
  else if constexpr (std::is_floating_point_v<T>)
    return config.reals(key);
  else
    return config.texts(key);
}

template <typename T>
constexpr ValueType type_of(bool list) {
  if constexpr (std::is_same_v<T, bool>)
    return ValueType::flag;
  else if constexpr (std::is_integral_v<T>)
    return list ? ValueType::integers : ValueType::integer;
  else if constexpr (std::is_floating_point_v<T>)
    return list ? ValueType::reals : ValueType::real;
  else
    return list ? ValueType::texts : ValueType::text;
}

template <typename T>
ConfigValue value_of(const T& member) {
  using Element = typename MemberType<T>::Element;
  if constexpr (MemberType<T>::shape == Shape::list) {
    std::vector<decltype(to_config(Element()))> list;
    for (const Element& element : member) list.push_back(to_config(element));
    return list;
  } else if constexpr (MemberType<T>::shape == Shape::optional) {
    return to_config(member.value_or(Element()));
  } else {
    return to_config(member);
  }
}

template <typename T>
void fill(T& member, const ConfigValues& config, const std::string& key) {
  using Element = typename MemberType<T>::Element;
  if constexpr (MemberType<T>::shape == Shape::list) {
    member.clear();
    for (const auto& element : asked_list<Element>(config, key)) member.push_back(from_config<Element>(element, key));
  } else {
    const Element element = from_config<Element>(asked<Element>(config, key), key);
    member = element;
    if constexpr (MemberType<T>::shape == Shape::optional)
      if (element == Element()) member.reset();
  }
}

}  // namespace

template <typename T>
KeyCodec key_codec() {
  KeyCodec codec;
  codec.type = type_of<typename MemberType<T>::Element>(MemberType<T>::shape == Shape::list);
  codec.value = [](const void* member) { return value_of(*static_cast<const T*>(member)); };
  codec.fill = [](void* member, const ConfigValues& config, const std::string& key) {
    fill(*static_cast<T*>(member), config, key);
  };
  return codec;
}

#define FOVEA_KEY_CODECS(T)                      \
  template KeyCodec key_codec<T>();              \
  template KeyCodec key_codec<std::vector<T>>(); \
  template KeyCodec key_codec<std::optional<T>>();
template KeyCodec key_codec<bool>();
FOVEA_KEY_CODECS(int)
FOVEA_KEY_CODECS(long)
FOVEA_KEY_CODECS(long long)
FOVEA_KEY_CODECS(unsigned long)
FOVEA_KEY_CODECS(float)
FOVEA_KEY_CODECS(double)
FOVEA_KEY_CODECS(std::string)
#undef FOVEA_KEY_CODECS

KeyCodec word_codec(const std::vector<std::string>& words) {
  KeyCodec codec = key_codec<std::string>();
  codec.type = ValueType::choice;
  codec.words = words;
  return codec;
}

KeyCodec word_codec(std::vector<std::string> words, std::function<std::size_t(const void* member)> place,
                    std::function<void(void* member, std::size_t word)> set) {
  KeyCodec codec;
  codec.type = ValueType::choice;
  codec.words = words;
  codec.value = [words, place = std::move(place)](const void* member) -> ConfigValue {
    const std::size_t word = place(member);
    return word < words.size() ? words[word] : std::string();  // which the schema refuses
  };
  codec.fill = [words, set = std::move(set)](void* member, const ConfigValues& config, const std::string& key) {
    const std::string& given = config.text(key);
    const auto word = std::find(words.begin(), words.end(), given);
    require(word != words.end(), "config: ", key, " = \"", given, "\", which is none of its words.");
    set(member, word - words.begin());
  };
  return codec;
}

namespace {

void declare_key(Schema& schema, const Parameter& of, const ConfigValue& fallback) {
  const std::string& key = of.key;
  const ValueType type = of.type;
  using Integers = std::vector<std::int64_t>;
  using Reals = std::vector<double>;
  using Texts = std::vector<std::string>;
  if (type == ValueType::flag) schema.flag(key, std::get<bool>(fallback), of.meaning);
  if (type == ValueType::integer) schema.integer(key, std::get<std::int64_t>(fallback), of.range, of.unit, of.meaning);
  if (type == ValueType::real) schema.real(key, std::get<double>(fallback), of.range, of.unit, of.meaning);
  if (type == ValueType::text) schema.text(key, std::get<std::string>(fallback), of.meaning);
  if (type == ValueType::choice) schema.choice(key, std::get<std::string>(fallback), of.choices, of.meaning);
  if (type == ValueType::integers) schema.integers(key, std::get<Integers>(fallback), of.range, of.unit, of.meaning);
  if (type == ValueType::reals) schema.reals(key, std::get<Reals>(fallback), of.range, of.unit, of.meaning);
  if (type == ValueType::texts) schema.texts(key, std::get<Texts>(fallback), of.meaning);
  if (type == ValueType::file) schema.file(key, of.meaning);
  if (type == ValueType::files) schema.files(key, of.meaning);
  if (of.added_later) schema.added_later();
}

}  // namespace

void KeyList::add(std::string key, std::string meaning, KeyCodec codec, Locate locate, Range range, std::string unit) {
  last_ = entries_.size();
  Parameter parameter;
  parameter.key = std::move(key);
  parameter.type = codec.type;
  parameter.unit = std::move(unit);
  parameter.meaning = std::move(meaning);
  parameter.range = range;
  parameter.choices = codec.words;
  entries_.push_back({std::move(parameter), std::move(codec), std::move(locate)});
}

void KeyList::add_group(const KeyList& keys, const Locate& locate) {
  last_ = entries_.size();
  for (Entry entry : std::vector<Entry>(keys.entries_)) {
    const auto within = [&locate](const auto& inner) { return [locate, inner](void* s) { return inner(locate(s)); }; };
    if (entry.locate) entry.locate = within(entry.locate);
    for (Condition& condition : entry.conditions) condition = within(condition);
    entries_.push_back(std::move(entry));
  }
}

void KeyList::add_others(std::function<void(Schema&)> declare) {
  last_ = entries_.size();
  entries_.emplace_back().others = std::move(declare);
}

void KeyList::restrict_last(const Condition& condition) {
  require(!entries_.empty(), "keys: when() applies to the key before it, but there is none.");
  for (std::size_t k = last_; k < entries_.size(); ++k) entries_[k].conditions.push_back(condition);
}

void KeyList::mark_last_added_later() {
  require(!entries_.empty(), "keys: added_later() applies to the key before it, but there is none.");
  for (std::size_t k = last_; k < entries_.size(); ++k) entries_[k].parameter.added_later = true;
}

void KeyList::declare_from(Schema& schema, void* defaults, const Chosen& chosen) const {
  for (const Entry& entry : entries_) {
    const auto holds = [&](const Condition& condition) { return condition(defaults); };
    if (!std::all_of(entry.conditions.begin(), entry.conditions.end(), holds)) continue;
    if (entry.others) {
      entry.others(schema);
      continue;
    }
    if (chosen && !chosen(entry.parameter.key)) continue;
    declare_key(schema, entry.parameter, entry.codec.value(entry.locate(defaults)));
  }
}

void KeyList::read_into(void* settings, const Config& config) const {
  for (const Entry& entry : entries_)
    if (entry.locate && config.schema().find(entry.parameter.key) != nullptr)
      entry.codec.fill(entry.locate(settings), config, entry.parameter.key);
}

void KeyList::read_into(void* settings, const ConfigTable& table) const {
  const std::vector<std::string> declared = table.keys();
  for (const Entry& entry : entries_)
    if (entry.locate && std::find(declared.begin(), declared.end(), entry.parameter.key) != declared.end())
      entry.codec.fill(entry.locate(settings), table, entry.parameter.key);
}

}  // namespace fovea
