#include "fovea/core/lab/door.hpp"

namespace fovea {

Form form_of(const Arguments& arguments) {
  const bool json = arguments.has("json"), csv = arguments.has("csv");
  if (json && csv) throw UsageError("--json and --csv are two ways to print the same; give one of them.");
  return json ? Form::json : csv ? Form::csv : Form::text;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string quoted_value(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter == '\n' ? ' ' : letter;
  }
  return quoted + '"';
}

std::string quoted_values(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + quoted_value(text);
  return list + "]";
}

}  // namespace fovea
