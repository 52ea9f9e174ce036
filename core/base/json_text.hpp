#pragma once
/// JSON to print, built in order; small enough that no library is needed to write it.

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// A piece of finished JSON.
struct Json {
  std::string text;
};

Json json(std::string_view text);  ///< a string; bytes that are no UTF-8 become the replacement character
Json json(bool value);
Json json(double value);  ///< shortest form that reads back; NaN as null and infinities as strings, as JSON has none
Json json(std::integral auto value) requires(!std::same_as<decltype(value), bool>) { return {std::to_string(value)}; }
inline Json json(const char* text) { return json(std::string_view(text)); }
inline Json json(const std::string& text) { return json(std::string_view(text)); }
inline Json json(Json value) { return value; }

class JsonObject {
 public:
  template <typename Value>
  JsonObject& add(std::string_view key, const Value& value) {
    text_ += (text_.empty() ? "" : ", ") + json(key).text + ": " + json(value).text;
    return *this;
  }
  Json done() const { return {"{" + text_ + "}"}; }

 private:
  std::string text_;
};

Json json_list(const std::vector<Json>& items);

template <typename Items>
Json json_texts(const Items& texts) {
  std::vector<Json> items;
  for (const auto& text : texts) items.push_back(json(std::string_view(text)));
  return json_list(items);
}

}  // namespace fovea
