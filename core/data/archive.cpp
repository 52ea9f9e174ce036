#include "fovea/core/data/archive.hpp"

#include <algorithm>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_bytes.hpp"

namespace fovea {

namespace {

const std::string kFormatName = "state_format", kFormat = "2";
const std::string kLengths = "lengths";  // of all lists, in the order in which they were visited
constexpr const char* kAnotherRun = "; it belongs to another run.";

std::size_t size_of(const Values& values) {
  return std::visit([](const auto& column) { return column.size(); }, values);
}

void require_format(const Dataset& saved) {
  const auto found = saved.attributes.find(kFormatName);
  const std::string format = found == saved.attributes.end() ? "1" : found->second;
  if (format != kFormat)
    throw DataError(concat("checkpoint: it has format ", format,
                           " of another version of fovea, but this version reads ", kFormat,
                           ", so the run cannot be resumed; start it again with fovea run and --force."));
}

}  // namespace

struct Archive::State {
  struct Taken {
    const Values* values = nullptr;
    std::size_t count = 0;  ///< of the values, restored so far
  };

  const Dataset* from = nullptr;       ///< nullptr: saving
  std::map<std::string, Values> made;  ///< when saving
  std::map<std::string, Taken> taken;  ///< when restoring
  std::size_t most = 0;                ///< no list is longer: the number of all values there are

  void open(const Dataset& saved) {
    from = &saved;
    for (const Variable& variable : saved.variables()) {
      taken[variable.name] = {&variable.values, 0};
      most += variable.size();
    }
  }

  template <typename Item>
  void put(const std::string& name, std::span<const Item> items) {
    if (items.empty()) return;
    Values& values = made.try_emplace(name, std::vector<Item>()).first->second;
    auto* const column = std::get_if<std::vector<Item>>(&values);
    require(column != nullptr, "Archive: '", name, "' is used for values of two types; rename one of them.");
    column->insert(column->end(), items.begin(), items.end());
  }

  /// The next `count` values of a name.
  template <typename Item>
  std::span<const Item> next(const std::string& name, std::size_t count) {
    if (count == 0) return {};
    const auto found = taken.find(name);
    if (found == taken.end()) throw DataError(concat("checkpoint: there is no /", name, kAnotherRun));
    const auto* const column = std::get_if<std::vector<Item>>(found->second.values);
    if (column == nullptr) throw DataError(concat("checkpoint: /", name, " is of another type", kAnotherRun));
    std::size_t& done = found->second.count;
    if (column->size() - done < count)
      throw DataError(
          concat("checkpoint: /", name, " has ", column->size(), " values, but needs ", done + count, kAnotherRun));
    done += count;
    return std::span<const Item>(*column).subspan(done - count, count);
  }

  template <typename Item>
  void pass(const std::string& name, std::span<Item> items) {
    if (from == nullptr) {
      put<Item>(name, items);
    } else {
      const std::span<const Item> saved = next<Item>(name, items.size());
      std::copy(saved.begin(), saved.end(), items.begin());
    }
  }

  void require_all_taken() const {
    for (const auto& [name, part] : taken) {
      const std::size_t size = size_of(*part.values);
      if (part.count != size)
        throw DataError(
            concat("checkpoint: /", name, " has ", size, " values, but ", part.count, " are asked for", kAnotherRun));
    }
  }

  Dataset dataset() {
    Dataset data;
    data.attributes[kFormatName] = kFormat;
    for (auto& [name, values] : made) {
      const std::size_t size = size_of(values);
      std::vector<std::string> dimensions;
      if (size != 1) {  // a file has an object for each dimension: equal lengths share one, a single value has none
        dimensions.push_back(concat("length_", size));
        data.dimension(dimensions[0], size);
      }
      const bool text = std::holds_alternative<std::vector<std::string>>(values);
      data.add({name, std::move(dimensions), std::move(values), text ? "" : "1", "state: " + name, {}});
    }
    return data;
  }
};

bool Archive::restores() const { return state_->from != nullptr; }

Archive Archive::within(const std::string& name) const { return {*state_, full(name)}; }

std::size_t Archive::count(std::size_t size) const {
  auto number = static_cast<std::int64_t>(size);
  state_->pass(kLengths, std::span(&number, 1));
  if (number < 0)
    throw DataError(concat("checkpoint: /", kLengths, " has ", number, ", but must be >= 0", kAnotherRun));
  return number;
}

std::size_t Archive::length(std::size_t size) const {
  const std::size_t entries = count(size);
  if (restores() && entries > state_->most)
    throw DataError(concat("checkpoint: a list of ", prefix_.empty() ? "the state" : prefix_, " has ", entries,
                           " entries, more than there are values", kAnotherRun));
  return entries;
}

template <typename Item>
void Archive::list(const std::string& name, std::vector<Item>& values) const {
  const std::size_t count = length(values.size());
  if (restores()) {
    const std::span<const Item> saved = state_->next<Item>(full(name), count);
    values.assign(saved.begin(), saved.end());
  } else {
    state_->put<Item>(full(name), values);
  }
}

template <typename Item>
void Archive::fixed_list(const std::string& name, std::span<Item> values) const {
  const std::size_t count = length(values.size());
  if (count != values.size())
    throw DataError(
        concat("checkpoint: /", full(name), " has ", count, " values, but must have ", values.size(), kAnotherRun));
  state_->pass(full(name), values);
}

void Archive::operator()(const std::string& name, bool& value) const {
  std::uint8_t number = value ? 1 : 0;
  state_->pass(full(name), std::span(&number, 1));
  value = number != 0;
}
void Archive::operator()(const std::string& name, std::int64_t& value) const {
  state_->pass(full(name), std::span(&value, 1));
}
void Archive::operator()(const std::string& name, double& value) const {
  state_->pass(full(name), std::span(&value, 1));
}
void Archive::operator()(const std::string& name, std::string& value) const {
  state_->pass(full(name), std::span(&value, 1));
}
void Archive::operator()(const std::string& name, std::vector<double>& values) const { list(name, values); }
void Archive::operator()(const std::string& name, std::vector<float>& values) const { list(name, values); }
void Archive::operator()(const std::string& name, std::span<double> values) const { fixed_list(name, values); }
void Archive::operator()(const std::string& name, std::span<float> values) const { fixed_list(name, values); }

void Archive::operator()(const std::string& name, Matrix<double>& matrix) const {
  const std::size_t rows = count(matrix.rows());
  const std::size_t columns = count(matrix.cols());
  if (restores()) {
    if (columns > 0 && rows > state_->most / columns)
      throw DataError(concat("checkpoint: /", full(name), " is ", rows, " x ", columns, ", but there are only ",
                             state_->most, " values", kAnotherRun));
    matrix.resize(static_cast<Index>(rows), static_cast<Index>(columns));
  }
  state_->pass(full(name), std::span(matrix.data(), rows * columns));
}

void Archive::operator()(const std::string& name, Dataset& data) const {
  std::vector<std::uint8_t> bytes;
  if (!restores())
    write_canonical(data, [&](std::string_view piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  list(name, bytes);
  if (restores()) data = read_canonical({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Archive::expect(const std::string& name, const std::string& text) const {
  std::string saved = text;
  (*this)(name, saved);
  if (saved != text)
    throw DataError(concat("checkpoint: /", full(name), " is '", saved, "', but must be '", text, "'", kAnotherRun));
}

Dataset saved_state(const std::function<void(Archive)>& visit) {
  Archive::State state;
  visit(Archive(state, ""));
  return state.dataset();
}

void restore_state(const Dataset& saved, const std::function<void(Archive)>& visit) {
  require_format(saved);
  Archive::State state;
  state.open(saved);
  visit(Archive(state, ""));
  state.require_all_taken();
}

}  // namespace fovea
