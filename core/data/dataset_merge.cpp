#include "fovea/core/data/dataset_merge.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

constexpr std::uint8_t kMissingFlag = 255;

template <typename Item>
Item missing() {
  if constexpr (std::is_floating_point_v<Item>) return std::numeric_limits<Item>::quiet_NaN();
  if constexpr (std::is_same_v<Item, std::uint8_t>) return kMissingFlag;
  return Item{};
}

/// Equal bit for bit; NaN equals NaN (a Dataset has but one).
bool same_values(const Values& a, const Values& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        const auto& right = std::get<std::decay_t<decltype(left)>>(b);
        return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                          [](const auto& x, const auto& y) { return x == y || (x != x && y != y); });
      },
      a);
}

std::size_t product(const std::vector<std::size_t>& sizes) {
  std::size_t count = 1;
  for (const std::size_t size : sizes) count *= size;
  return count;
}

/// Copies an array of shape `from` into the front corner of one of shape `to`.
template <typename Item>
void copy_block(const Item* source, const std::vector<std::size_t>& from, const std::vector<std::size_t>& to,
                Item* target) {
  std::vector<std::size_t> index(from.size(), 0);
  for (std::size_t left = product(from); left > 0; --left) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < to.size(); ++axis) place = place * to[axis] + index[axis];
    target[place] = *source++;
    for (std::size_t axis = from.size(); axis-- > 0 && ++index[axis] == from[axis];) index[axis] = 0;
  }
}

/// Flags get a name for the value that stands for "missing".
void name_missing_flag(Variable& variable) {
  const auto values = variable.attributes.find("flag_values"), meanings = variable.attributes.find("flag_meanings");
  if (values == variable.attributes.end() || meanings == variable.attributes.end()) return;
  values->second += ", " + std::to_string(kMissingFlag);
  meanings->second += " missing";
}

/// A dimension of the points, and its size in each that was added; 0: not there.
struct SizesOf {
  std::string name;
  std::size_t largest = 0;
  std::vector<std::size_t> sizes;
};

/// A variable of the points that were added so far.
struct Gathered {
  Variable first;                     ///< as it came first; its values are in `values`
  Values values;                      ///< of all points that have it, one after the other; of an equal coordinate once
  std::vector<std::uint32_t> points;  ///< which they are, of those added
  bool is_coordinate = false;
  bool differs = false;  ///< a coordinate, between points
  bool agrees = true;    ///< in dimensions and type
};

/// times: how often values of this size are expected in all.
void append(Values& values, const Values& further, std::size_t times) {
  std::visit(
      [&](auto& list) {
        const auto& items = std::get<std::decay_t<decltype(list)>>(further);
        const std::size_t needed = list.size() + items.size();
        if (needed > list.capacity()) list.reserve(std::max(needed, items.size() * times));
        list.insert(list.end(), items.begin(), items.end());
      },
      values);
}

void take_values(Gathered& gathered, const Variable& own, std::size_t times) {
  if (own.dimensions != gathered.first.dimensions || own.values.index() != gathered.first.values.index()) {
    gathered.agrees = false;
    gathered.differs = gathered.is_coordinate;
    return;
  }
  if (gathered.is_coordinate && !gathered.differs) {
    if (same_values(gathered.values, own.values)) return;
    gathered.differs = true;
    const Values once = gathered.values;
    for (std::size_t again = 1; again < gathered.points.size(); ++again) append(gathered.values, once, times);
  }
  append(gathered.values, own.values, times);
}

/// The values of one variable over all points; those of points that lack some are missing.
template <typename Item>
std::vector<Item> spread(const std::vector<Item>& values, const std::vector<std::vector<std::size_t>>& shapes,
                         const std::vector<std::size_t>& places, const std::vector<std::size_t>& shape,
                         std::size_t points) {
  const std::size_t size = product(shape);
  std::vector<Item> all(points * size, missing<Item>());
  const Item* source = values.data();
  for (std::size_t k = 0; k < places.size(); ++k) {
    copy_block(source, shapes[k], shape, all.data() + places[k] * size);
    source += product(shapes[k]);
  }
  return all;
}

using Texts = std::map<std::string, std::string>;

void keep_common(Texts& kept, const Texts& texts) {
  std::erase_if(kept, [&](const auto& entry) {
    const auto other = texts.find(entry.first);
    return other == texts.end() || other->second != entry.second;
  });
}

std::size_t steps_inside(const std::vector<MergeAxis>& axes, std::size_t axis) {
  std::size_t steps = 1;
  for (std::size_t inner = axis + 1; inner < axes.size(); ++inner) steps *= axes[inner].size();
  return steps;
}

void check_count(const std::vector<MergeAxis>& axes, std::size_t points) {
  std::size_t expected = 1;
  for (const MergeAxis& axis : axes) expected *= axis.size();
  require(points == expected, "merge_points: there are ", points, " points, but the axes have ", expected,
          " combinations; give one for each, nullptr for a missing one.");
}

void add_index_coordinate(Dataset& merged, const std::string& dimension, const std::string& name, std::size_t size) {
  std::vector<std::int64_t> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<std::int64_t>(i);
  merged.add({name, {name}, std::move(numbers), "1", "place in " + dimension + ", which differs between points", {}});
}

template <typename Item, typename Key>
void add_once(std::vector<Item>& list, const Item& item, Key Item::*key) {
  const bool known = std::any_of(list.begin(), list.end(), [&](const Item& other) { return other.*key == item.*key; });
  if (!known) list.push_back(item);
}

}  // namespace

std::size_t MergeAxis::size() const {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

std::string MergeAxis::text(std::size_t index) const {
  return std::visit([&](const auto& list) { return exact_text(list.at(index)); }, values);
}

std::string point_label(const std::vector<MergeAxis>& axes, std::size_t point) {
  std::string label;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size() < 2) continue;
    const std::size_t index = point / steps_inside(axes, axis) % axes[axis].size();
    label += (label.empty() ? "" : ", ") + axes[axis].key + "=" + axes[axis].text(index);
  }
  return label;
}

struct PointMerger::State {
  std::vector<MergeAxis> axes;
  std::vector<std::string> names;  ///< of the axes' scalars in the points
  std::vector<bool> repeats;       ///< of each axis: whether such scalars say just the axis' value
  std::vector<std::size_t> added;
  std::vector<SizesOf> dimensions;
  std::vector<Gathered> variables;
  std::unordered_map<std::string, std::size_t> places;  ///< of the variables
  Texts attributes, documents;

  std::size_t size() const {
    std::size_t points = 1;
    for (const MergeAxis& axis : axes) points *= axis.size();
    return points;
  }

  const SizesOf* dimension(const std::string& name) const {
    const auto found =
        std::find_if(dimensions.begin(), dimensions.end(), [&](const SizesOf& d) { return d.name == name; });
    return found == dimensions.end() ? nullptr : &*found;
  }

  /// Whether the dimension's coordinate differs between points, so that its values are a variable now.
  bool is_indexed(const std::string& name) const {
    const auto found = places.find(name);
    return found != places.end() && variables[found->second].differs;
  }

  std::string merged_name(const std::string& name) const {
    return is_indexed(name) ? concat(name, kPlaceInGrid) : name;
  }

  void add_dimensions(const Dataset& data) {
    for (const Dimension& own : data.dimensions()) {
      auto place =
          std::find_if(dimensions.begin(), dimensions.end(), [&](const SizesOf& d) { return d.name == own.name; });
      if (place == dimensions.end()) place = dimensions.insert(place, {own.name, 0, {}});
      place->sizes.resize(added.size(), 0);
      place->sizes.back() = own.size;
      place->largest = std::max(place->largest, own.size);
    }
  }

  void add_variable(const Variable& own) {
    const auto [place, is_new] = places.try_emplace(own.name, variables.size());
    if (is_new) {
      variables.push_back({own, own.values, {}, own.dimensions == std::vector<std::string>{own.name}});
      std::visit([](auto& list) { list = {}; }, variables.back().first.values);
    } else {
      take_values(variables[place->second], own, size());
    }
    variables[place->second].points.push_back(static_cast<std::uint32_t>(added.size() - 1));
  }

  /// Whether the scalar says just the axis' value, so that it would be told twice.
  void compare_with_axes(std::size_t point, const Dataset& data) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (!repeats[axis] || !data.has(names[axis])) continue;
      const Variable& own = data.at(names[axis]);
      const std::size_t index = point / steps_inside(axes, axis) % axes[axis].size();
      repeats[axis] = own.dimensions.empty() && std::visit([](const auto& list) { return exact_text(list.at(0)); },
                                                           own.values) == axes[axis].text(index);
    }
  }

  std::vector<std::string> axis_names() const {
    std::vector<std::string> merged;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const bool is_dimension = std::any_of(dimensions.begin(), dimensions.end(),
                                            [&](const SizesOf& d) { return merged_name(d.name) == names[axis]; });
      merged.push_back(is_dimension || !repeats[axis] ? "sweep_" + names[axis] : names[axis]);
    }
    return merged;
  }

  Variable merged_variable(const std::vector<std::string>& front, Gathered& gathered) const {
    const Variable& first = gathered.first;
    require(gathered.agrees, "merge_points: variable '", first.name,
            "' has other dimensions or another type in another point; it must be the same in all.");
    Variable merged{first.name, front, {}, first.units, first.long_name, first.attributes};
    std::vector<std::size_t> shape, at;
    for (const std::string& name : first.dimensions) {
      merged.dimensions.push_back(merged_name(name));
      shape.push_back(dimension(name)->largest);
    }
    std::vector<std::vector<std::size_t>> shapes;
    for (const std::uint32_t k : gathered.points) {
      at.push_back(added[k]);
      shapes.emplace_back();
      for (const std::string& name : first.dimensions) shapes.back().push_back(dimension(name)->sizes[k]);
    }
    merged.values = std::move(gathered.values);
    const std::size_t points = size();
    if (std::visit([](const auto& list) { return list.size(); }, merged.values) == points * product(shape))
      return merged;
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&merged.values))
      merged.values = std::vector<double>(whole->begin(), whole->end());  // whole numbers have no NaN
    if (std::holds_alternative<std::vector<std::uint8_t>>(merged.values)) name_missing_flag(merged);
    std::visit([&](auto& list) { list = spread(list, shapes, at, shape, points); }, merged.values);
    return merged;
  }
};

PointMerger::PointMerger(const std::vector<MergeAxis>& axes) : state_(std::make_unique<State>()) {
  state_->axes = axes;
  state_->repeats.assign(axes.size(), true);
  for (const MergeAxis& axis : axes) {
    state_->names.push_back(axis.key);
    std::replace(state_->names.back().begin(), state_->names.back().end(), '.', '_');
  }
}

PointMerger::~PointMerger() = default;

void PointMerger::add(std::size_t point, const Dataset& data) {
  require(state_->added.empty() || point > state_->added.back(), "merge_points: point ", point, " comes after point ",
          state_->added.empty() ? 0 : state_->added.back(), "; give them in their order.");
  if (state_->added.empty()) {
    state_->attributes = data.attributes;
    state_->documents = data.documents;
  } else {
    keep_common(state_->attributes, data.attributes);
    keep_common(state_->documents, data.documents);
  }
  state_->added.push_back(point);
  state_->add_dimensions(data);
  for (const Variable& variable : data.variables()) state_->add_variable(variable);
  state_->compare_with_axes(point, data);
}

std::string PointMerger::merged_name(const std::string& dimension) const { return state_->merged_name(dimension); }

Dataset PointMerger::finish() {
  const std::vector<std::string> names = state_->axis_names();
  Dataset merged;
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const MergeAxis& own = state_->axes[axis];
    merged.add({names[axis], {names[axis]}, own.values, own.units, own.long_name, {}});
  }
  for (SizesOf& dimension : state_->dimensions) {
    dimension.sizes.resize(state_->added.size(), 0);
    const std::string name = state_->merged_name(dimension.name);
    if (state_->is_indexed(dimension.name))
      add_index_coordinate(merged, dimension.name, name, dimension.largest);
    else
      merged.dimension(name, dimension.largest);
  }
  for (Gathered& variable : state_->variables) {
    if (variable.is_coordinate && !variable.differs) {
      variable.first.values = std::move(variable.values);
      merged.add(std::move(variable.first));
    } else if (std::find(names.begin(), names.end(), variable.first.name) == names.end()) {
      merged.add(state_->merged_variable(names, variable));
    }
  }
  merged.attributes = std::move(state_->attributes);
  merged.documents = std::move(state_->documents);
  return merged;
}

Dataset merge_points(const std::vector<MergeAxis>& axes, const std::vector<const Dataset*>& points) {
  check_count(axes, points.size());
  PointMerger merger(axes);
  for (std::size_t point = 0; point < points.size(); ++point)
    if (points[point] != nullptr) merger.add(point, *points[point]);
  return merger.finish();
}

ResultsMerger::ResultsMerger(const std::vector<MergeAxis>& axes) : axes_(axes), data_(axes) {
  for (const MergeAxis& axis : axes) size_ *= axis.size();
}

void ResultsMerger::add(std::size_t point, const Results& results) {
  data_.add(point, results.data);
  for (const Headline& headline : results.headlines()) add_once(headlines_, headline, &Headline::variable);
  for (const Figure& figure : results.figures()) add_once(figures_, figure, &Figure::name);
  for (Check check : results.checks()) {
    if (size_ > 1) check.name += " (" + point_label(axes_, point) + ")";
    merged_.check(std::move(check));
  }
  for (const std::string& note : results.notes()) merged_.note(note);
  for (const std::string& sentence : results.reading()) merged_.read(sentence);
  for (const SheetLine& line : results.sheet()) merged_.sheet(line);
  for (Finding finding : results.findings()) {
    if (size_ > 1) finding.points.push_back(point_label(axes_, point));
    merged_.record(std::move(finding));
  }
  if (size_ == 1) merged_.verdict(results.given_verdict());
  if (results.machine() == nullptr) return;
  if (!machine_) machine_ = std::make_unique<ResultsMerger>(axes_);
  machine_->add(point, *results.machine());
}

Results ResultsMerger::finish() {
  for (Figure& figure : figures_)
    for (std::string* name : {&figure.x, &figure.y, &figure.hue}) *name = data_.merged_name(*name);
  merged_.data = data_.finish();
  for (Headline& headline : headlines_) merged_.headline(std::move(headline));
  for (Figure& figure : figures_) merged_.figure(std::move(figure));
  if (machine_) merged_.on_this_machine() = machine_->finish();
  return std::move(merged_);
}

Results merge_results(const std::vector<MergeAxis>& axes, const std::vector<const Results*>& points) {
  check_count(axes, points.size());
  ResultsMerger merger(axes);
  for (std::size_t point = 0; point < points.size(); ++point)
    if (points[point] != nullptr) merger.add(point, *points[point]);
  return merger.finish();
}

}  // namespace fovea
