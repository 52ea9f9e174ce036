/// What happens to a config's bytes before the TOML parser sees them, and how they are shown in messages.

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_document.hpp"

namespace fovea {

namespace {

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

/// Walks over TOML text, skipping strings and comments, and knows the line and column. Its idea of where a string
/// ends is the parser's for all text up to the first syntax error, where the parser stops.
/// It also refuses the places where toml++ 3.3 would ask whether a letter beyond ASCII is a blank, because its answer
/// for U+00A1 to U+0499 is undefined behaviour. All but two of them (after a line-ending backslash, and in a quoted
/// part of a dotted key) are not TOML anyway.
class Walker {
 public:
  Walker(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void check_structure() {
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '#') {
        skip_comment();
      } else if (letter == '"' || letter == '\'') {
        skip_string(letter);
        glued_ = true;
      } else if (!is_ascii(letter)) {
        refuse("a letter or blank that is not ASCII is allowed only in quotes and comments.");
      } else {
        count(letter);
        follow(letter);
        advance();
      }
    }
  }

  void check_no_nul() {
    for (; at_ < text_.size(); advance())
      if (text_[at_] == '\0') refuse("a NUL byte (character 0), but a config must be plain text.");
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw ConfigError(concat(name_, ':', line_, ':', column_, ": ", sentence));
  }

  void advance() {
    const char letter = text_[at_++];
    if (letter == '\n') {
      ++line_;
      column_ = 1;
    } else if (at_ >= text_.size() || !continues_letter(text_[at_])) {
      ++column_;
    }
  }

  void count(char letter) {
    if (letter == '[' || letter == '{') {
      brackets_ += letter;
      if (brackets_.size() > kConfigDepthLimit)
        refuse(concat("brackets nested deeper than ", kConfigDepthLimit, ", which a config must not be."));
    } else if (letter == ']' || letter == '}') {
      if (!brackets_.empty()) brackets_.pop_back();
    }
    if (letter == '.') {
      if (++dots_ >= kConfigDepthLimit)
        refuse(concat("a dotted key with more than ", kConfigDepthLimit, " parts, which a config must not have."));
    } else if (std::strchr("\n=,[]{}", letter) != nullptr) {
      dots_ = 0;
    }
  }

  /// Keeps track of whether a quote here would stick to letters before it (`1"a"`), which the parser takes for one
  /// word.
  void follow(char letter) {
    const bool ends_word = std::strchr(" \t\r\n,]}", letter) != nullptr;
    const bool first_equals = letter == '=' && !after_equals_ && (brackets_.empty() || brackets_.back() != '[');
    if (letter == '\n' || letter == ',' || (letter == '{' && !glued_)) after_equals_ = false;
    if (letter == '=') after_equals_ = true;
    if (ends_word || first_equals)
      glued_ = false;
    else if (letter != '[' && letter != '{')
      glued_ = true;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') advance();
  }

  void advance_by(std::size_t letters) {
    while (letters-- > 0 && at_ < text_.size()) advance();
  }

  void skip_escape(bool many_lines) {
    advance();
    const std::size_t start = at_;
    while (many_lines && at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) advance();
    if (at_ < text_.size() && !is_ascii(text_[at_])) refuse("a letter that is not ASCII may not follow a backslash.");
    if (at_ == start && at_ < text_.size()) advance();
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = text_.substr(at_, 3) == triple;
    advance_by(many_lines ? 3 : 1);
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (glued_ && !is_ascii(letter))
        refuse("a letter that is not ASCII is not allowed here; put a blank before the quote.");
      if (letter == '\\' && quote == '"') {
        skip_escape(many_lines);
      } else if (many_lines && text_.substr(at_, 3) == triple) {
        // Up to two quotes may stand directly before the closing three.
        advance_by(3);
        while (at_ < text_.size() && text_[at_] == quote) advance();
        return;
      } else if (!many_lines && (letter == quote || letter == '\n')) {
        if (letter == quote) advance();
        return;
      } else {
        advance();
      }
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1, dots_ = 0;
  std::string brackets_;  ///< those still open
  bool glued_ = false, after_equals_ = false;
};

void refuse_too_large(const std::string& name) {
  throw ConfigError(concat(name, ":1:1: the file is larger than 1 MiB (", kConfigByteLimit,
                           " bytes), which a config must not be; put data into a file of its own."));
}

}  // namespace

void refuse_unsafe(std::string_view text, const std::string& name) {
  if (text.size() > kConfigByteLimit) refuse_too_large(name);
  Walker(text, name).check_no_nul();
  Walker(text, name).check_structure();
}

std::string read_config_text(const Place& place) {
  const std::string path = place.path();
  const auto refuse = [&](int reason) {
    const std::string text = path + ": cannot be read (" + std::strerror(reason) + ")" + suggestion(nearest_file(path));
    if (reason == ENOENT) throw MissingInput(text);
    throw ConfigError(text);
  };
  errno = 0;
  Descriptor opened = open_place(place, O_RDONLY);
  if (!opened.is_open()) refuse(errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(opened.number(), "rb"), &std::fclose);
  if (!file) refuse(errno);
  opened.release();
  std::string text(kConfigByteLimit + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) refuse(errno);
  if (text.size() > kConfigByteLimit) refuse_too_large(path);
  return text;
}

std::string nearest_file(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path wanted(path);
  const fs::path folder = wanted.parent_path().empty() ? fs::path(".") : wanted.parent_path();
  constexpr std::size_t kMostFiles = 10000;  // a huge folder must not make an error message slow
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && names.size() < kMostFiles;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown_type;
    if (name != wanted.filename() && entry->is_regular_file(unknown_type)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());  // the folder's own order is not reproducible
  return nearest(wanted.filename().string(), names);
}

std::string shown(std::string_view text, std::size_t most_letters) {
  std::string line;
  std::size_t letters = 0;
  for (const char letter : text) {
    if (!continues_letter(letter) && ++letters > most_letters) return line + "...";
    const auto byte = static_cast<unsigned char>(letter);
    const bool space = letter == '\n' || letter == '\t' || letter == '\r';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line += space ? ' ' : (byte < 0x20 || byte == 0x7f) ? '?' : letter;
  }
  return line;
}

std::string suggestion(const std::string& nearest_name) {
  return nearest_name.empty() ? "." : "; did you mean '" + shown(nearest_name) + "'?";
}

}  // namespace fovea
