/// GML: keys with numbers, texts in quotes, or lists of keys in brackets; graph [ directed 1 node [ id 0 label "a" ]
/// edge [ source 0 target 1 value 2 ] ].

#include <cctype>
#include <charconv>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::network {

namespace {

struct Token {
  enum Kind { word, text, open, close, end } kind = end;
  std::string value;
  std::size_t line = 0;
};

class Tokens {
 public:
  Tokens(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  Token next() {
    skip_blanks();
    Token token{Token::end, "", line_};
    if (at_ >= text_.size()) return token;
    const char first = text_[at_];
    if (first == '[' || first == ']') {
      ++at_;
      token.kind = first == '[' ? Token::open : Token::close;
    } else if (first == '"') {
      const std::size_t close = text_.find('"', at_ + 1);
      if (close == std::string_view::npos) refuse_line(path_, line_, "a quote is never closed; close it.");
      token = {Token::text, without_entities(text_.substr(at_ + 1, close - at_ - 1)), line_};
      for (; at_ <= close; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
    } else {
      const std::size_t stop = std::min(text_.find_first_of(" \t\r\n[]\"", at_), text_.size());
      token = {Token::word, std::string(text_.substr(at_, stop - at_)), line_};
      at_ = stop;
    }
    return token;
  }

 private:
  void skip_blanks() {
    for (bool line_begins = at_ == 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#' && line_begins) at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      if (!std::isspace(static_cast<unsigned char>(text_[at_]))) return;
      if (text_[at_] == '\n') ++line_;
      line_begins = text_[at_] == '\n';
    }
  }

  /// "&quot;", "&#233;" and "&#xE9;" as letters: GML is ASCII, and has all others so. What is no entity stays.
  static std::string without_entities(std::string_view text) {
    constexpr std::size_t kLongest = 10;
    std::string plain;
    while (!text.empty()) {
      const std::size_t begin = std::min(text.find('&'), text.size());
      plain += text.substr(0, begin);
      text.remove_prefix(begin);
      const std::size_t end = text.substr(0, kLongest).find(';');
      const std::string letter = end == std::string_view::npos ? "" : letter_of(text.substr(0, end));
      plain += letter.empty() ? text.substr(0, 1) : letter;
      text.remove_prefix(std::min(letter.empty() ? 1 : end + 1, text.size()));
    }
    return plain;
  }

  /// The letter of "&#233" or "&amp"; "" for what is none.
  static std::string letter_of(std::string_view entity) {
    for (const auto& [name, letter] :
         {std::pair{"&quot", "\""}, {"&apos", "'"}, {"&lt", "<"}, {"&gt", ">"}, {"&amp", "&"}})
      if (entity == name) return letter;
    if (!entity.starts_with("&#")) return "";
    const bool hexadecimal = entity.starts_with("&#x") || entity.starts_with("&#X");
    const std::string_view digits = entity.substr(hexadecimal ? 3 : 2);
    unsigned point = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), point, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size()) return "";
    return text::utf8_of_point(point);
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

class GmlReader {
 public:
  GmlReader(const std::string& path, std::string_view text)
      : path_(path), tokens_(path, text), nodes_(path, document_) {}

  GraphDocument read() {
    for (Token key = tokens_.next(); key.kind != Token::end; key = tokens_.next()) {
      if (key.kind != Token::word) refuse_line(path_, key.line, "a key is expected here, such as graph; was it cut?");
      const Token value = tokens_.next();
      if (value.kind != Token::open) continue;
      if (key.value == "graph") {
        if (++graphs_ > 1) refuse_line(path_, key.line, "holds several graphs; keep one in the file.");
        read_graph(value.line);
      } else {
        skip_list(value.line);
      }
    }
    if (graphs_ == 0) refuse_line(path_, 0, "has no graph [ ... ]; was it cut? Write it again.");
    for (DocumentEdge& edge : document_.edges) edge.directed = directed_;
    document_.kind = "a GML document";
    return std::move(document_);
  }

 private:
  /// The rest of a list whose bracket has been opened.
  void skip_list(std::size_t opened) {
    for (int depth = 1; depth > 0;) {
      const Token token = tokens_.next();
      if (token.kind == Token::end) refuse_line(path_, opened, "a bracket is never closed; was the file cut?");
      depth += token.kind == Token::open ? 1 : token.kind == Token::close ? -1 : 0;
    }
  }

  /// Calls visit(key, value) for each pair of the list; false asks to skip a value that is a list.
  template <typename Visit>
  void read_list(std::size_t opened, const Visit& visit) {
    for (;;) {
      const Token key = tokens_.next();
      if (key.kind == Token::close) return;
      if (key.kind == Token::end) refuse_line(path_, opened, "a bracket is never closed; was the file cut?");
      if (key.kind != Token::word) refuse_line(path_, key.line, "a key is expected here, such as node; was it cut?");
      const Token value = tokens_.next();
      if (value.kind == Token::close || value.kind == Token::end)
        refuse_line(path_, key.line, concat("the key '", text::shown_text(key.value), "' has no value; give it one."));
      if (!visit(key, value) && value.kind == Token::open) skip_list(value.line);
    }
  }

  void read_graph(std::size_t opened) {
    read_list(opened, [&](const Token& key, const Token& value) {
      if (key.value == "directed") directed_ = value.value == "1";
      if (value.kind != Token::open) return false;
      if (key.value == "node") return read_node(value.line), true;
      if (key.value == "edge") return read_edge(value.line), true;
      return false;
    });
  }

  void read_node(std::size_t opened) {
    std::string id, label;
    std::vector<std::pair<std::string, std::string>> values;
    read_list(opened, [&](const Token& key, const Token& value) {
      if (value.kind == Token::open) return false;
      if (key.value == "id")
        id = value.value;
      else if (key.value == "label" || key.value == "name")
        label = value.value;
      else
        values.emplace_back(key.value, value.value);
      return false;
    });
    DocumentNode& node = nodes_.add(id, opened);
    node.label = text::trimmed(label);
    for (const auto& [column, value] : values) nodes_.set(node, column, value);
  }

  void read_edge(std::size_t opened) {
    std::optional<std::string> source, target;
    DocumentEdge edge;
    edge.line = opened;
    read_list(opened, [&](const Token& key, const Token& value) {
      if (key.value == "source") source = value.value;
      if (key.value == "target") target = value.value;
      if (key.value == "source" || key.value == "target" || value.kind == Token::open) return false;
      // Newman's files call the weight a value; a value in quotes is another thing.
      set_edge(path_, document_, edge, key.value == "value" && value.kind == Token::word ? "weight" : key.value,
               value.value);
      return false;
    });
    if (!source || !target) refuse_line(path_, opened, "an edge has no source or no target; give both.");
    edge.source = nodes_.find(*source, opened);
    edge.target = nodes_.find(*target, opened);
    document_.edges.push_back(edge);
  }

  std::string path_;
  Tokens tokens_;
  GraphDocument document_;
  DocumentNodes nodes_;
  bool directed_ = false;
  int graphs_ = 0;
};

}  // namespace

GraphDocument read_gml(const std::string& path, const std::string& text) { return GmlReader(path, text).read(); }

}  // namespace fovea::datasets::network
