/// Lines of words: edge lists of igraph (NCOL), networkx and KONECT, lists of neighbours, matrices, MatrixMarket.

#include <algorithm>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/network/documents/parts.hpp"
#include "fovea/datasets/network/edge_list.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::network {

namespace {

using Words = std::vector<std::string>;

bool is_number(const std::string& word) { return series::number_in(word, false).has_value(); }

/// What the words of all lines have in common.
struct Shape {
  std::size_t lines = 0, fewest = 0, most = 0;
  std::size_t first_line = 0, odd_line = 0;        // the first that has another number of words than the first
  bool dictionaries = false, first_again = false;  // an end of the first line is one of a later line
  bool numbers = true, whole_ends = true;          // but for the first line
  bool third_numbers = true, third_whole = true;   // but for the first line
  Words first, second;
};

class LinesReader {
 public:
  LinesReader(const std::string& path, std::string_view text) : path_(path), text_(text), nodes_(path, document_) {}

  GraphDocument read() {
    const std::string_view mark = text_.substr(0, text_.find('\n'));
    text::lower_case(mark).starts_with("%%matrixmarket") ? read_market(std::string(mark)) : read_words(mark);
    return std::move(document_);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& sentence) const { refuse_line(path_, line, sentence); }

  /// Calls visit() for each line that is no comment, its words in words_.
  template <typename Visit>
  void each_line(const Visit& visit) {
    line_ = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::string_view line = text_.substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      line = text::trimmed(line);
      at = end + 1;
      ++line_;
      if (line.empty() || line[0] == '#' || line[0] == '%') {
        split_words(line, words_);
        headings_ += words_.size() == 2 && words_[0] == "#" && (line_ == 1 || (headings_ > 0 && visited_)) ? 1 : 0;
        continue;
      }
      const std::size_t brace = line.ends_with('}') ? std::min(line.find('{'), line.size()) : line.size();
      dictionary_ = line.substr(brace);
      split(text::trimmed(line.substr(0, brace)));
      visit();
      visited_ = true;
    }
  }

  /// Between tabs, where the first line has some: names may have blanks then.
  void split(std::string_view line) {
    if (!tabs_) tabs_ = line.find('\t') != std::string_view::npos;
    if (!*tabs_) return split_words(line, words_);
    words_.clear();
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      std::string_view word = text::trimmed(line.substr(at, end - at));
      if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
      words_.emplace_back(word);
      at = end + 1;
    }
  }

  Shape shape() {
    Shape shape;
    each_line([&] {
      const std::size_t count = words_.size();
      shape.dictionaries = shape.dictionaries || !dictionary_.empty();
      if (++shape.lines == 1) {
        shape.first = words_;
        shape.first_line = line_;
        shape.fewest = shape.most = count;
        return;
      }
      if (shape.lines == 2) shape.second = words_;
      if (count != shape.first.size() && shape.odd_line == 0) shape.odd_line = line_;
      shape.fewest = std::min(shape.fewest, count);
      shape.most = std::max(shape.most, count);
      for (std::size_t k = 0; k < std::min<std::size_t>(count, 2); ++k) {
        const auto ends = shape.first.begin() + std::min<std::ptrdiff_t>(2, std::ssize(shape.first));
        shape.first_again = shape.first_again || std::find(shape.first.begin(), ends, words_[k]) != ends;
        shape.whole_ends = shape.whole_ends && whole_number(words_[k]);
      }
      shape.numbers = shape.numbers && std::all_of(words_.begin(), words_.end(), is_number);
      if (count < 3) return;
      shape.third_numbers = shape.third_numbers && is_number(words_[2]);
      shape.third_whole = shape.third_whole && whole_number(words_[2]);
    });
    return shape;
  }

  void read_words(std::string_view mark) {
    const Shape all = shape();
    if (all.lines == 0) refuse(0, "holds nothing but comments; it needs edges, a line each.");
    if (headings_ > 1)
      refuse(1, "is a list of igraph's LGL (# node, and its neighbours below); write it as NCOL or GraphML.");
    const bool konect = begin_konect(text::lower_case(mark));
    const bool even = all.fewest == all.most;
    if (const auto ends = ends_of(all.first)) return read_edges_of_words("a table of edges", all.first, *ends, true);
    if (all.dictionaries ? all.most != 2 || !even : all.most < 2)
      refuse(all.odd_line > 0 ? all.odd_line : all.first_line,
             all.dictionaries ? "has dictionaries behind other than two words (a multi-line list of networkx?); "
                                "write it by networkx.write_edgelist()."
                              : "has one word in each line; an edge needs both of its ends.");
    const bool r_names =
        all.first.size() + 1 == all.second.size() && all.second[0] == all.first[0] && all.lines == all.second.size();
    if (!konect && (r_names || is_square(all))) return read_square(r_names);
    if (!konect && all.lines > 2) refuse_names(all);
    if (is_list_of_neighbours(all)) return read_neighbours();
    if (all.most > 3 && !konect)
      refuse(all.first_line, concat("has ", all.most,
                                    " words in each line: edges with attributes, or nodes with their neighbours? Name "
                                    "the columns in a first line (source target weight ...), or the file .adjlist."));
    const char* kind = konect             ? "a KONECT network"
                       : all.dictionaries ? "an edge list with dictionaries of attributes,"
                       : all.most > 2     ? "an edge list of source, target and weight,"
                                          : "an edge list of source and target,";
    read_edges_of_words(kind, {"source", "target", "weight", "time"}, {0, 1}, false);
  }

  /// As many rows as columns of numbers, also below names.
  static bool is_square(const Shape& all) {
    if (all.fewest != all.most || all.most < 3 || !all.numbers) return false;
    const bool named = std::none_of(all.first.begin(), all.first.end(), is_number);
    return all.lines == all.most + (named ? 1 : 0) && (named || all.most > 3);
  }

  /// The first line holds words where all others hold numbers, or none of its words is met again.
  void refuse_names(const Shape& all) const {
    const Words& first = all.first;
    const bool words_above_numbers = (all.whole_ends && !is_number(first[0])) ||
                                     (first.size() > 2 && all.fewest > 2 && all.third_numbers && !is_number(first[2]));
    if (words_above_numbers || (!all.first_again && !all.whole_ends && first.size() > 1 && !is_number(first.back())))
      refuse(all.first_line,
             concat("'", text::shown_text(first[0]), " ", text::shown_text(first.size() > 1 ? first[1] : ""),
                    "' seems to name the columns, as no line below has these words; call those of both ends source and "
                    "target. If it is an edge, write a line 'source target' above it."));
  }

  /// By the name of the file, by a node without neighbours or with many; else two and three words in a line are edges
  /// with and without a weight, where the third is a number and no node's.
  bool is_list_of_neighbours(const Shape& all) const {
    if (all.dictionaries || all.most < 2) return false;
    if (path_.find(".adjlist") != std::string::npos) return true;
    if (all.fewest == all.most) {
      if (all.most == 3 && !all.third_numbers)
        refuse(all.first_line,
               "has a third word that is no number: no weight. Name the columns in a first line (source target "
               "relation), or the file .adjlist if it has nodes with their neighbours.");
      return false;
    }
    if (all.fewest == 1 || all.most > 3 || !all.third_numbers) return true;
    if (all.whole_ends && all.third_whole)
      refuse(all.odd_line, concat("has another number of words than line ", all.first_line,
                                  ": edges with and without a weight, or nodes with their neighbours? Give each edge a "
                                  "weight, or name the file .adjlist."));
    return false;
  }

  bool begin_konect(const std::string& mark) {
    Words words;
    split_words(mark, words);
    const bool known =
        words.size() > 2 && words[0] == "%" && (words[1] == "sym" || words[1] == "asym" || words[1] == "bip");
    if (known && words[1] == "bip")
      refuse(1,
             "is a bipartite network of KONECT, whose two kinds of nodes are both numbered from 1; give one kind "
             "other names, as a table source,target,weight.");
    document_.directions_unsaid = !known;
    directed_ = !known || words[1] == "asym";
    return known || path_.substr(path_.find_last_of('/') + 1).starts_with("out.");
  }

  void add_edge(const std::string& source, const std::string& target, double weight = 1) {
    const std::uint32_t from = nodes_.find_or_add(source, line_);
    document_.edges.push_back({from, nodes_.find_or_add(target, line_), weight, directed_, line_});
  }

  /// names: of the columns, the first two of which are the ends unless the file has them in its first line.
  void read_edges_of_words(const std::string& kind, const Words& names, std::pair<std::size_t, std::size_t> ends,
                           bool header) {
    document_.kind = concat(kind, *tabs_ ? " with tabs" : " with blanks");
    std::size_t row = 0;
    each_line([&] {
      if (++row == 1 && header) return;
      if (words_.size() < 2 || (header && words_.size() != names.size()))
        refuse(line_, concat("has ", counted(std::ssize(words_), "word"), "; give both ends of the edge",
                             header ? concat(", and something in each of the ", names.size(), " columns.") : "."));
      add_edge(words_[ends.first], words_[ends.second]);
      DocumentEdge& edge = document_.edges.back();
      for (std::size_t k = 0; k < std::min(words_.size(), names.size()); ++k)
        if (k != ends.first && k != ends.second) set_edge(path_, document_, edge, names[k], words_[k]);
      if (!dictionary_.empty()) read_dictionary(edge);
    });
  }

  void read_neighbours() {
    document_.kind = "a list of nodes with their neighbours (adjacency list)";
    each_line([&] {
      nodes_.find_or_add(words_[0], line_);
      for (std::size_t k = 1; k < words_.size(); ++k) add_edge(words_[0], words_[k]);
    });
  }

  void read_square(bool r_names) {
    MatrixRows rows(path_, false);
    std::size_t row = 0;
    each_line([&] { ++row == 1 && r_names ? rows.name_columns(words_) : rows.add(words_, line_); });
    document_ = rows.finish();
  }

  /// {'weight': 3.0, 'kind': "a, b", 'since': None}, as Python writes it.
  void read_dictionary(DocumentEdge& edge) {
    std::string_view rest = dictionary_.substr(1);
    const auto skip = [&](std::string_view letters) {
      rest.remove_prefix(std::min(rest.find_first_not_of(letters), rest.size()));
    };
    const auto item = [&](std::string_view ends) {
      skip(" ");
      const char quote = rest.empty() ? ' ' : rest[0];
      const bool quoted = quote == '\'' || quote == '"';
      const std::size_t end = quoted ? rest.find(quote, 1) : rest.find_first_of(ends);
      if (end == std::string_view::npos)
        refuse(line_, concat("the dictionary ", text::shown_text(dictionary_), " has no end; was it cut?"));
      const std::string_view found = text::trimmed(rest.substr(quoted ? 1 : 0, end - (quoted ? 1 : 0)));
      rest.remove_prefix(end + (quoted ? 1 : 0));
      return found;
    };
    for (skip(" "); !rest.empty() && rest[0] != '}'; skip(" ,")) {
      const std::string_view name = item(":");
      skip(" :");
      if (rest.starts_with('{') || rest.starts_with('['))
        refuse(line_, concat("the dictionary ", text::shown_text(dictionary_), " holds another; write plain values."));
      set_edge(path_, document_, edge, name, item(",}"));
    }
  }

  /// %%MatrixMarket matrix coordinate real symmetric
  void read_market(const std::string& mark) {
    Words named;
    split_words(text::lower_case(mark), named);
    named.resize(5);
    const std::string &form = named[2], &field = named[3], &symmetry = named[4];
    if (form != "coordinate" || (field != "real" && field != "integer" && field != "pattern") ||
        (symmetry != "general" && symmetry != "symmetric"))
      refuse(1, concat("is MatrixMarket '", text::shown_text(text::trimmed(std::string_view(mark).substr(14))),
                       "'; of such files 'coordinate' of real, integer or pattern, general or symmetric, is read: "
                       "scipy.io.mmwrite(FILE, scipy.sparse.coo_matrix(A))."));
    std::optional<std::size_t> left;
    directed_ = true;
    each_line([&] {
      if (!left) return void(left = begin_market());
      const std::size_t words = field == "pattern" ? 2 : 3;
      if (words_.size() != words || *left == 0)
        refuse(line_,
               *left == 0 ? "has more entries than its size says." : concat("an entry needs ", words, " numbers."));
      add_entry(field == "pattern" ? 1 : document_number(path_, line_, words_[2], "the entry"));
      --*left;
    });
    if (left.value_or(1) > 0) refuse(0, "has fewer entries than its size says; was it cut?");
    document_.kind = concat("a MatrixMarket matrix (", field, ", ", symmetry, ")");
    if (symmetry == "general") return settle_directions(document_);
    for (DocumentEdge& edge : document_.edges) edge.directed = false;
  }

  void add_entry(double weight) {
    for (const std::string* node : {&words_[0], &words_[1]})
      if (!nodes_.has(*node))
        refuse(line_,
               concat("the node ", text::shown_text(*node), " is not among 1, ..., ", document_.nodes.size(), "."));
    if (weight != 0) add_edge(words_[0], words_[1], weight);
  }

  /// Rows, columns, entries.
  std::size_t begin_market() {
    std::vector<std::size_t> size;
    for (const std::string& word : words_)
      if (const auto number = whole_number(word)) size.push_back(*number);
    constexpr std::size_t kMost = 100'000'000;
    if (size.size() != 3 || words_.size() != 3 || size[0] < 1 || size[0] > kMost)
      refuse(line_, "must hold the numbers of rows (at most 1e8), columns and entries.");
    if (size[0] != size[1])
      refuse(line_, concat("is a matrix of ", size[0], " rows and ", size[1],
                           " columns, of two kinds of nodes (bipartite); write its entries as a table "
                           "source,target,weight."));
    for (std::size_t k = 1; k <= size[0]; ++k) nodes_.add(std::to_string(k), line_);
    return size[2];
  }

  std::string path_;
  std::string_view text_, dictionary_;
  GraphDocument document_;
  DocumentNodes nodes_;
  Words words_;
  std::optional<bool> tabs_;
  std::size_t line_ = 0, headings_ = 0;  // headings: comments of one word, on the first line and below others
  bool visited_ = false;
  bool directed_ = true;
};

}  // namespace

GraphDocument read_lines(const std::string& path, std::string text) {
  if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return LinesReader(path, text).read();
}

}  // namespace fovea::datasets::network
