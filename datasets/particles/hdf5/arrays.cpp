#include "fovea/datasets/particles/hdf5/arrays.hpp"

#include <cctype>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/collector.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return concat('[', datasets::text::listed(shape), ']');
}

std::string wanted_shape(const ArrayRule& rule) {
  std::string text = "[" + (rule.rows ? exact_text(*rule.rows) : std::string("N"));
  const char* letter = "MKL";
  for (const std::uint64_t size : rule.row) text += size == 0 ? concat(", ", *letter++) : concat(", ", size);
  return text + "]";
}

bool has_shape(const Hdf5Entry& array, const ArrayRule& rule) {
  if (array.shape.size() != rule.row.size() + 1 || (rule.rows && array.rows() != *rule.rows)) return false;
  for (std::size_t axis = 0; axis < rule.row.size(); ++axis)
    if (array.shape[axis + 1] != rule.row[axis] && (rule.row[axis] != 0 || array.shape[axis + 1] == 0)) return false;
  return true;
}

std::string kind_text(const Hdf5Entry& entry) {
  if (entry.is_group) return "is a group";
  switch (entry.kind) {
    case Hdf5Kind::integers:
      return "holds whole numbers";
    case Hdf5Kind::reals:
      return "holds reals";
    case Hdf5Kind::texts:
      return "holds texts";
    case Hdf5Kind::compound:
      return "has compound rows";
    default:
      return "is of another type";
  }
}

}  // namespace

const Hdf5Entry* array_if_any(const Hdf5Rows& file, const std::string& path, const ArrayRule& rule) {
  const Hdf5Entry* array = file.find(path);
  if (array == nullptr) return nullptr;
  const auto refuse = [&](const std::string& what) {
    throw DataError(concat(file.path(), ": ", path, " ", what, "."));
  };
  if (!array->problem.empty()) refuse(array->problem);
  const bool numbers = array->kind == Hdf5Kind::integers || array->kind == Hdf5Kind::reals;
  if (array->is_group || !numbers || (rule.whole && array->kind != Hdf5Kind::integers))
    refuse(kind_text(*array) + ", but must be an array of " + (rule.whole ? "whole " : "") + "numbers");
  if (!has_shape(*array, rule))
    refuse(concat("has the shape ", shape_text(array->shape), ", but must have ", wanted_shape(rule),
                  rule.rows ? concat(" as ", rule.rows_of, " says") : ""));
  return array;
}

const Hdf5Entry& array_of(const Hdf5Rows& file, const std::string& path, const ArrayRule& rule) {
  if (const Hdf5Entry* array = array_if_any(file, path, rule)) return *array;
  throw DataError(
      concat(file.path(), ": has no array ", path, ", which must have the shape ", wanted_shape(rule), "."));
}

Matrix<double> rows_of(const Hdf5Rows& file, const Hdf5Entry& array, Index first, Index end, std::string_view field) {
  const auto from = static_cast<std::uint64_t>(first), to = static_cast<std::uint64_t>(end);
  const Index rows = end - first;
  if (array.number_bytes <= 4 && array.kind == Hdf5Kind::reals) {
    const std::vector<float> numbers = file.read<float>(array, from, to, field);
    const Index width = rows == 0 ? 0 : static_cast<Index>(numbers.size()) / rows;
    return Eigen::Map<const Matrix<float>>(numbers.data(), rows, width).cast<double>();
  }
  const std::vector<double> numbers = file.read<double>(array, from, to, field);
  const Index width = rows == 0 ? 0 : static_cast<Index>(numbers.size()) / rows;
  return Eigen::Map<const Matrix<double>>(numbers.data(), rows, width);
}

std::vector<std::string> column_names(const std::string& text, std::string* unit) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string word = text.substr(start, end - start);
    word.erase(0, word.find_first_not_of(" \t"));
    const std::size_t open = word.find('['), close = word.find(']');
    if (unit != nullptr && unit->empty() && open != std::string::npos && close != std::string::npos && close > open)
      *unit = word.substr(open + 1, close - open - 1);
    names.push_back(word.substr(0, word.find_first_of(" \t[(")));
    start = end + 1;
  }
  return names;
}

std::vector<std::string> class_names(const std::string& text) {
  constexpr std::size_t kMostClasses = 1000;
  struct Mark {
    std::size_t start, number, name;
  };
  std::vector<Mark> marks;
  for (std::size_t equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    std::size_t start = equals, number = 0;
    while (start > 0 && std::isdigit(static_cast<unsigned char>(text[start - 1])) != 0 && equals - start < 3) --start;
    for (std::size_t i = start; i < equals; ++i) number = 10 * number + (text[i] - '0');
    if (start < equals && (start == 0 || text[start - 1] == ' ' || text[start - 1] == ','))
      marks.push_back({start, number, equals + 1});
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::size_t end = i + 1 < marks.size() ? marks[i + 1].start : text.size();
    std::string name = text.substr(marks[i].name, end - marks[i].name);
    name = name.substr(0, name.find_last_not_of(" ,;") + 1);
    if (marks[i].number >= kMostClasses) return {};
    names.resize(std::max(names.size(), marks[i].number + 1));
    names[marks[i].number] = datasets::text::shown_text(name);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = exact_text(i);
  return names;
}

double checked_label(double label, const std::vector<std::string>& classes, const ParticleSpot& spot) {
  if (label == -1) return std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<double>(classes.size());
  if (label >= 0 && label < count && label == std::floor(label)) return label;
  std::string known;
  for (std::size_t i = 0; i < classes.size(); ++i) known += concat(i == 0 ? "" : ", ", i, " = ", classes[i]);
  spot.refuse(
      concat("the label is ", plain_text(label), ", but must be one of ", known, ", or -1 where it is not known"));
}

}  // namespace fovea::datasets::particles::hdf5
