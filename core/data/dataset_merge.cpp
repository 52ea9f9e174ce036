#include "fovea/core/data/dataset_merge.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <type_traits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

using Points = std::vector<const Dataset*>;
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

/// What is known about the points' own dimensions before anything is copied.
class Layout {
 public:
  explicit Layout(const Points& points) {
    for (const Dataset* point : points)
      if (point != nullptr) take(*point);
  }

  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  /// Whether the dimension's coordinate differs between points, so that its values are a variable now.
  bool is_indexed(const std::string& dimension) const { return differing_.contains(dimension); }
  std::string merged_name(const std::string& dimension) const {
    return is_indexed(dimension) ? concat(dimension, kPlaceInGrid) : dimension;
  }
  std::size_t size_of(const std::string& dimension) const {
    return std::find_if(dimensions_.begin(), dimensions_.end(), [&](const auto& d) { return d.name == dimension; })
        ->size;
  }

 private:
  void take(const Dataset& point) {
    for (const Dimension& dimension : point.dimensions()) {
      const auto known = std::find_if(dimensions_.begin(), dimensions_.end(),
                                      [&](const auto& other) { return other.name == dimension.name; });
      if (known == dimensions_.end())
        dimensions_.push_back(dimension);
      else
        known->size = std::max(known->size, dimension.size);
      if (!point.has(dimension.name)) continue;
      const Values* values = &point.at(dimension.name).values;
      const auto [place, is_new] = coordinates_.try_emplace(dimension.name, values);
      if (!is_new && !same_values(*place->second, *values)) differing_.insert(dimension.name);
    }
  }

  std::vector<Dimension> dimensions_;
  std::map<std::string, const Values*> coordinates_;
  std::set<std::string> differing_;
};

/// Copies an array of shape `from` into the front corner of one of shape `to`.
template <typename Item>
void copy_block(const std::vector<Item>& source, const std::vector<std::size_t>& from,
                const std::vector<std::size_t>& to, Item* target) {
  std::vector<std::size_t> index(from.size(), 0);
  for (const Item& item : source) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < to.size(); ++axis) place = place * to[axis] + index[axis];
    target[place] = item;
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

/// One variable over all points; `shape` is its own merged shape.
template <typename Item>
void fill(Variable& merged, const Points& points, const std::vector<std::size_t>& shape) {
  const std::size_t size = product(shape);
  std::vector<Item> values(points.size() * size, missing<Item>());
  std::size_t given = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p] == nullptr || !points[p]->has(merged.name)) continue;
    const Variable& own = points[p]->at(merged.name);
    const auto& source = std::get<std::vector<Item>>(own.values);
    copy_block(source, points[p]->shape(own), shape, values.data() + p * size);
    given += source.size();
  }
  const bool is_whole = given == values.size();
  merged.values = std::move(values);
  if (is_whole) return;
  if constexpr (std::is_same_v<Item, std::uint8_t>) name_missing_flag(merged);
}

/// Whole numbers have no NaN: the same as doubles.
void turn_into_doubles(const Points& points, const std::string& name, std::vector<Dataset>& copies, Points& converted) {
  copies.reserve(points.size());
  for (const Dataset* point : points) {
    if (point == nullptr || !point->has(name)) {
      converted.push_back(nullptr);
      continue;
    }
    const Variable& own = point->at(name);
    const auto& whole = std::get<std::vector<std::int64_t>>(own.values);
    Dataset copy;
    for (const std::string& dimension : own.dimensions) copy.dimension(dimension, point->size_of(dimension));
    copy.add({name, own.dimensions, std::vector<double>(whole.begin(), whole.end()), "", "", {}});
    converted.push_back(&copies.emplace_back(std::move(copy)));
  }
}

bool is_whole(const Points& points, const std::string& name, std::size_t size) {
  return std::all_of(points.begin(), points.end(), [&](const Dataset* point) {
    return point != nullptr && point->has(name) && point->at(name).size() == size;
  });
}

void check_agreement(const Points& points, const Variable& first) {
  for (const Dataset* point : points) {
    if (point == nullptr || !point->has(first.name)) continue;
    const Variable& own = point->at(first.name);
    require(own.dimensions == first.dimensions && own.values.index() == first.values.index(),
            "merge_points: variable '", first.name,
            "' has other dimensions or another type in another point; it must be the same in all.");
  }
}

Variable merge_variable(const std::vector<std::string>& axes, const Points& points, const Layout& layout,
                        const Variable& first) {
  check_agreement(points, first);
  Variable merged{first.name, axes, {}, first.units, first.long_name, first.attributes};
  std::vector<std::size_t> shape;
  for (const std::string& dimension : first.dimensions) {
    merged.dimensions.push_back(layout.merged_name(dimension));
    shape.push_back(layout.size_of(dimension));
  }
  if (std::holds_alternative<std::vector<std::int64_t>>(first.values) &&
      !is_whole(points, first.name, product(shape))) {
    std::vector<Dataset> copies;
    Points converted;
    turn_into_doubles(points, first.name, copies, converted);
    fill<double>(merged, converted, shape);
    return merged;
  }
  std::visit([&](const auto& list) { fill<typename std::decay_t<decltype(list)>::value_type>(merged, points, shape); },
             first.values);
  return merged;
}

/// Every variable of any point, in the order in which they first appear.
std::vector<const Variable*> all_variables(const Points& points) {
  std::vector<const Variable*> list;
  std::set<std::string_view> seen;
  for (const Dataset* point : points)
    if (point != nullptr)
      for (const Variable& variable : point->variables())
        if (seen.insert(variable.name).second) list.push_back(&variable);
  return list;
}

std::size_t steps_inside(const std::vector<MergeAxis>& axes, std::size_t axis) {
  std::size_t steps = 1;
  for (std::size_t inner = axis + 1; inner < axes.size(); ++inner) steps *= axes[inner].size();
  return steps;
}

/// Whether each point's scalar `name` says just the axis' value, so that it would be told twice.
bool repeats_axis(const std::vector<MergeAxis>& axes, std::size_t axis, const std::string& name, const Points& points) {
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p] == nullptr || !points[p]->has(name)) continue;
    const Variable& own = points[p]->at(name);
    if (!own.dimensions.empty()) return false;
    const std::size_t index = p / steps_inside(axes, axis) % axes[axis].size();
    const std::string text = std::visit([](const auto& list) { return exact_text(list.at(0)); }, own.values);
    if (text != axes[axis].text(index)) return false;
  }
  return true;
}

std::vector<std::string> axis_names(const std::vector<MergeAxis>& axes, const Points& points, const Layout& layout) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::string name = axes[axis].key;
    std::replace(name.begin(), name.end(), '.', '_');
    const bool is_dimension = std::any_of(layout.dimensions().begin(), layout.dimensions().end(),
                                          [&](const Dimension& d) { return layout.merged_name(d.name) == name; });
    names.push_back(is_dimension || !repeats_axis(axes, axis, name, points) ? "sweep_" + name : name);
  }
  return names;
}

using Texts = std::map<std::string, std::string>;

/// The entries that all points have with the same text.
Texts common(const Points& points, Texts Dataset::*member) {
  Texts kept;
  bool first = true;
  for (const Dataset* point : points) {
    if (point == nullptr) continue;
    if (std::exchange(first, false)) kept = point->*member;
    std::erase_if(kept, [&](const auto& entry) {
      const auto other = (point->*member).find(entry.first);
      return other == (point->*member).end() || other->second != entry.second;
    });
  }
  return kept;
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

Dataset merge_points(const std::vector<MergeAxis>& axes, const Points& points) {
  check_count(axes, points.size());
  const Layout layout(points);
  const std::vector<std::string> names = axis_names(axes, points, layout);
  Dataset merged;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    merged.add({names[axis], {names[axis]}, axes[axis].values, axes[axis].units, axes[axis].long_name, {}});
  for (const Dimension& dimension : layout.dimensions()) {
    const std::string name = layout.merged_name(dimension.name);
    if (layout.is_indexed(dimension.name))
      add_index_coordinate(merged, dimension.name, name, dimension.size);
    else
      merged.dimension(name, dimension.size);
  }
  for (const Variable* variable : all_variables(points)) {
    const bool is_coordinate = variable->dimensions == std::vector<std::string>{variable->name};
    if (is_coordinate && !layout.is_indexed(variable->name))
      merged.add(*variable);
    else if (std::find(names.begin(), names.end(), variable->name) == names.end())
      merged.add(merge_variable(names, points, layout, *variable));
  }
  merged.attributes = common(points, &Dataset::attributes);
  merged.documents = common(points, &Dataset::documents);
  return merged;
}

Results merge_results(const std::vector<MergeAxis>& axes, const std::vector<const Results*>& points) {
  Points data;
  for (const Results* point : points) data.push_back(point == nullptr ? nullptr : &point->data);
  Results merged;
  merged.data = merge_points(axes, data);
  const Layout layout(data);
  std::vector<Headline> headlines;
  std::vector<Figure> figures;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p] == nullptr) continue;
    for (const Headline& headline : points[p]->headlines()) add_once(headlines, headline, &Headline::variable);
    for (Figure figure : points[p]->figures()) {
      for (std::string* name : {&figure.x, &figure.y, &figure.hue}) *name = layout.merged_name(*name);
      add_once(figures, figure, &Figure::name);
    }
    for (Check check : points[p]->checks()) {
      if (points.size() > 1) check.name += " (" + point_label(axes, p) + ")";
      merged.check(std::move(check));
    }
    for (const std::string& note : points[p]->notes()) merged.note(note);
    for (const std::string& sentence : points[p]->reading()) merged.read(sentence);
    for (const SheetLine& line : points[p]->sheet()) merged.sheet(line);
    for (Finding finding : points[p]->findings()) {
      if (points.size() > 1) finding.points.push_back(point_label(axes, p));
      merged.record(std::move(finding));
    }
    if (points.size() == 1) merged.verdict(points[p]->given_verdict());
  }
  for (Headline& headline : headlines) merged.headline(std::move(headline));
  for (Figure& figure : figures) merged.figure(std::move(figure));
  std::vector<const Results*> machines;
  for (const Results* point : points) machines.push_back(point == nullptr ? nullptr : point->machine());
  if (std::any_of(machines.begin(), machines.end(), [](const Results* machine) { return machine != nullptr; }))
    merged.on_this_machine() = merge_results(axes, machines);
  return merged;
}

}  // namespace fovea
