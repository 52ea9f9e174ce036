/// Pajek: *Vertices n, lines `number "label"`; *Arcs and *Edges, lines `from to [weight]`; *Arcslist and *Edgeslist,
/// lines `from to to ...`; *Matrix, n rows of n weights. Of a project also *Partition and *Vector, n numbers below a
/// *Vertices n of their own: attributes of the nodes. Lines that begin with % are comments.

#include <algorithm>
#include <charconv>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::network {

namespace {

class PajekReader {
 public:
  PajekReader(const std::string& path, std::string_view text) : path_(path), text_(text), nodes_(path, document_) {}

  GraphDocument read() {
    while (next_line()) {
      if (words_.empty() || words_[0].starts_with('%')) continue;
      if (words_[0].starts_with('*')) {
        begin_section();
        continue;
      }
      read_row();
    }
    finish_section();
    if (document_.nodes.empty()) refuse_line(path_, 0, "has no vertices; the first section must be *Vertices.");
    document_.kind = "a Pajek network";
    return std::move(document_);
  }

 private:
  enum class Section { none, network, vertices, arcs, edges, arcs_list, edges_list, matrix, values };

  [[noreturn]] void refuse(const std::string& sentence) const { refuse_line(path_, line_, sentence); }

  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    split_words(text_.substr(at_, end - at_), words_);
    at_ = end + 1;
    ++line_;
    return true;
  }

  void begin_section() {
    const std::string name = datasets::text::lower_case(words_[0]);
    const bool first = section_ == Section::none || section_ == Section::network;
    if (name == "*vertices") return section_ == Section::values && row_ == 0 ? check_count() : begin_vertices();
    finish_section();
    if (name == "*network") {
      if (!first) refuse("holds several networks; keep one in the file.");
      section_ = Section::network;
      return;
    }
    // *Arcs :2 "advice": one of several relations.
    const std::size_t colon = name.find(':');
    relation_ = relation_number(document_, words_.size() > 1     ? words_.back()
                                           : colon < name.size() ? name.substr(colon + 1)
                                                                 : "");
    if (relation_ > 0) document_.relation_column = "relation";
    if (name == "*arcs" || name.starts_with("*arcs:"))
      section_ = Section::arcs;
    else if (name == "*edges" || name.starts_with("*edges:"))
      section_ = Section::edges;
    else if (name == "*arcslist")
      section_ = Section::arcs_list;
    else if (name == "*edgeslist")
      section_ = Section::edges_list;
    else if (name == "*matrix")
      section_ = Section::matrix;
    else if (name == "*partition" || name == "*vector")
      begin_values(name.substr(1));
    else
      refuse(concat("the section '", text::shown_text(words_[0]),
                    "' is not read; *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist, *Matrix, *Partition and *Vector "
                    "are. Save the network alone, as .net."));
    if (document_.nodes.empty())
      refuse(concat(section_ == Section::values ? "values" : "edges",
                    " stand before the vertices; *Vertices must come first."));
  }

  /// "*Partition clubs.clu": an attribute called clubs.
  void begin_values(std::string name) {
    if (words_.size() > 1) name = words_.back();
    for (const char* ending : {".clu", ".vec"})
      if (datasets::text::lower_case(name).ends_with(ending)) name.resize(name.size() - 4);
    column_ = name;
    section_ = Section::values;
    row_ = 0;
  }

  void check_count() const {
    if (words_.size() < 2 || whole(words_[1], "the number of vertices") != count_)
      refuse(concat("these values must be of the ", count_, " vertices of the network."));
  }

  void finish_section() {
    if (section_ == Section::matrix && row_ < count_) refuse("the matrix has fewer rows than there are vertices.");
    if (section_ == Section::values && row_ < count_)
      refuse(concat("'", text::shown_text(column_), "' has ", counted(static_cast<std::int64_t>(row_), "value"),
                    ", but there are ", count_, " vertices."));
    row_ = 0;
  }

  void begin_vertices() {
    if (!document_.nodes.empty()) refuse("has *Vertices twice; keep one network in the file.");
    if (words_.size() < 2) refuse("*Vertices has no number; say how many there are.");
    count_ = whole(words_[1], "the number of vertices");
    constexpr std::size_t kMost = 100'000'000;
    if (count_ < 1 || count_ > kMost) refuse(concat("there are ", count_, " vertices, but must be in [1, 1e8]."));
    for (std::size_t k = 1; k <= count_; ++k) nodes_.add(std::to_string(k), line_);
    section_ = Section::vertices;
  }

  std::size_t whole(std::string_view word, const char* what) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      refuse(concat(what, " is '", text::shown_text(word), "', which is no whole number."));
    return value;
  }

  std::uint32_t vertex(std::string_view word) const {
    const std::size_t number = whole(word, "a vertex");
    if (number < 1 || number > count_)
      refuse(concat("the vertex ", number, " is not among 1, ..., ", count_, "; raise the number behind *Vertices."));
    return static_cast<std::uint32_t>(number - 1);
  }

  void add_edge(std::uint32_t source, std::uint32_t target, double weight, bool directed) {
    document_.edges.push_back({source, target, weight, directed, line_, relation_});
  }

  void read_row() {
    switch (section_) {
      case Section::none:
      case Section::network:
        refuse("text stands before the first section; *Vertices must come first.");
      case Section::vertices:
        if (words_.size() > 1) document_.nodes[vertex(words_[0])].label = text::trimmed(words_[1]);
        return;
      case Section::arcs:
      case Section::edges: {
        if (words_.size() < 2) refuse("an edge has one end only; give both.");
        const double weight = words_.size() > 2 ? document_number(path_, line_, words_[2], "the weight") : 1;
        const std::uint32_t source = vertex(words_[0]), target = vertex(words_[1]);
        return add_edge(source, target, weight, section_ == Section::arcs);
      }
      case Section::arcs_list:
      case Section::edges_list:
        for (std::size_t k = 1; k < words_.size(); ++k)
          add_edge(vertex(words_[0]), vertex(words_[k]), 1, section_ == Section::arcs_list);
        return;
      case Section::matrix:
        return read_matrix_row();
      case Section::values:
        if (row_ == count_) refuse("there are more values than vertices.");
        return nodes_.set(document_.nodes[row_++], column_, words_[0]);
    }
  }

  void read_matrix_row() {
    if (row_ == count_) refuse("the matrix has more rows than there are vertices.");
    if (words_.size() != count_)
      refuse(concat("this row of the matrix has ", counted(std::ssize(words_), "number"), ", but must have ", count_,
                    "."));
    for (std::size_t k = 0; k < count_; ++k) {
      const double weight = document_number(path_, line_, words_[k], "the weight");
      if (weight != 0) add_edge(static_cast<std::uint32_t>(row_), static_cast<std::uint32_t>(k), weight, true);
    }
    ++row_;
  }

  std::string path_;
  std::string_view text_;
  GraphDocument document_;
  DocumentNodes nodes_;
  std::vector<std::string> words_;
  std::string column_;  // of the values
  std::size_t at_ = 0, line_ = 0, count_ = 0, row_ = 0;
  Section section_ = Section::none;
  std::uint32_t relation_ = 0;
};

}  // namespace

GraphDocument read_pajek(const std::string& path, const std::string& text) { return PajekReader(path, text).read(); }

}  // namespace fovea::datasets::network
