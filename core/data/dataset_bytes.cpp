#include "fovea/core/data/dataset_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

static_assert(std::endian::native == std::endian::little, "the canonical bytes are those of a little-endian machine");
constexpr std::string_view kWord = "fovea-dataset-1", kNumbersWord = "fovea-numbers-1", kWordsWord = "fovea-words-1";

using Take = std::function<void(std::string_view)>;
using TextMap = std::map<std::string, std::string>;

class Writer {
 public:
  explicit Writer(const Take& take) : take_(take) {}

  void number(std::uint64_t value) { raw(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    take_(value);
  }
  void texts(const TextMap& map) {
    number(map.size());
    for (const auto& [name, value] : map) {
      text(name);
      text(value);
    }
  }
  void values(const Values& list) {
    number(list.index());
    std::visit(
        [&](const auto& items) {
          number(items.size());
          using Item = typename std::decay_t<decltype(items)>::value_type;
          if constexpr (std::is_same_v<Item, std::string>)
            for (const std::string& item : items) text(item);
          else
            raw(items.data(), items.size() * sizeof(Item));
        },
        list);
  }
  void dimension(const Dimension& dimension) {
    text(dimension.name);
    number(dimension.size);
  }
  void array(const Variable& variable) {
    text(variable.name);
    number(variable.dimensions.size());
    for (const std::string& name : variable.dimensions) text(name);
    values(variable.values);
    text(variable.units);
  }
  void meaning(const Variable& variable) {
    text(variable.long_name);
    texts(variable.attributes);
  }
  void texts_of_whole(const Dataset& data) {
    TextMap attributes = data.attributes;
    attributes.try_emplace("Conventions", kConventions);
    texts(attributes);
    texts(data.documents);
  }

 private:
  void raw(const void* bytes, std::size_t size) {
    if (size > 0) take_({static_cast<const char*>(bytes), size});
  }
  const Take& take_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, piece(sizeof value).data(), sizeof value);
    return value;
  }
  /// A count of things that take at least one byte each.
  std::size_t count(std::size_t bytes_each = 1) {
    const std::uint64_t value = number();
    if (value > rest_.size() / bytes_each) throw DataError("the bytes of a data set end too early");
    return value;
  }
  std::string text() { return std::string(piece(count())); }
  TextMap texts() {
    TextMap map;
    for (std::size_t left = count(); left > 0; --left) {
      std::string name = text();
      map[std::move(name)] = text();
    }
    return map;
  }
  Values values() {
    switch (number()) {
      case 0:
        return numbers<double>();
      case 1:
        return numbers<float>();
      case 2:
        return numbers<std::int64_t>();
      case 3:
        return numbers<std::uint8_t>();
      case 4:
        return list_of_texts();
      default:
        throw DataError("the bytes of a data set name an unknown type");
    }
  }
  std::vector<std::string> list_of_texts() {
    std::vector<std::string> list(count(sizeof(std::uint64_t)));
    for (std::string& item : list) item = text();
    return list;
  }
  bool done() const { return rest_.empty(); }
  std::string_view piece(std::size_t size) {
    if (size > rest_.size()) throw DataError("the bytes of a data set end too early");
    const std::string_view front = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return front;
  }

 private:
  template <typename Number>
  std::vector<Number> numbers() {
    std::vector<Number> list(count(sizeof(Number)));
    const std::string_view bytes = piece(list.size() * sizeof(Number));
    if (!list.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }
  std::string_view rest_;
};

template <typename Item>
std::vector<const Item*> by_name(const std::vector<Item>& items) {
  std::vector<const Item*> sorted;
  for (const Item& item : items) sorted.push_back(&item);
  std::sort(sorted.begin(), sorted.end(), [](const Item* a, const Item* b) { return a->name < b->name; });
  return sorted;
}

Variable read_variable(Reader& reader) {
  Variable variable;
  variable.name = reader.text();
  variable.dimensions = reader.list_of_texts();
  variable.values = reader.values();
  variable.units = reader.text();
  variable.long_name = reader.text();
  variable.attributes = reader.texts();
  return variable;
}

}  // namespace

void write_canonical(const Dataset& data, const Take& take) {
  Writer writer(take);
  take(kWord);
  writer.number(data.dimensions().size());
  for (const Dimension& dimension : data.dimensions()) writer.dimension(dimension);
  writer.number(data.variables().size());
  for (const Variable& variable : data.variables()) {
    writer.array(variable);
    writer.meaning(variable);
  }
  writer.texts_of_whole(data);
}

void write_numbers(const Dataset& data, const Take& take) {
  Writer writer(take);
  take(kNumbersWord);
  writer.number(data.dimensions().size());
  for (const Dimension* dimension : by_name(data.dimensions())) writer.dimension(*dimension);
  writer.number(data.variables().size());
  for (const Variable* variable : by_name(data.variables())) writer.array(*variable);
}

void write_words(const Dataset& data, const Take& take) {
  Writer writer(take);
  take(kWordsWord);
  writer.number(data.variables().size());
  for (const Variable* variable : by_name(data.variables())) {
    writer.text(variable->name);
    writer.meaning(*variable);
  }
  writer.texts_of_whole(data);
}

Dataset read_canonical(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.piece(kWord.size()) != kWord) throw DataError("the bytes are not those of a data set");
  Dataset data;
  for (std::size_t left = reader.count(); left > 0; --left) {
    const std::string name = reader.text();
    data.dimension(name, reader.number());
  }
  for (std::size_t left = reader.count(); left > 0; --left) data.add(read_variable(reader));
  data.attributes = reader.texts();
  data.documents = reader.texts();
  if (!reader.done()) throw DataError("the bytes of a data set go on after its end");
  return data;
}

}  // namespace fovea
