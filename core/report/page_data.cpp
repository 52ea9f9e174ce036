#include "fovea/core/report/page_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostWritten = 2000;  ///< of a coordinate that is written value by value
constexpr std::uint16_t kNarrowLevels = 254, kWideLevels = 65534;
constexpr std::size_t kMostLabels = 20000;  ///< of one figure at all positions of the sliders
constexpr std::size_t kShortList = 3000;    ///< arrays up to this size are written as decimals

/// An array of the page and what is done to make it small.
struct Entry {
  Averaged array;
  const FigureKind* kind = nullptr;
  PageForm form;
  const Figure* figure = nullptr;            ///< the first that draws it
  std::map<std::string, std::size_t> steps;  ///< dimension -> step
  std::size_t original = 0;                  ///< number of values before thinning
  std::vector<std::size_t> figures;          ///< who draws it
  bool smallest = false;                     ///< cannot be thinned further
  std::string json;                          ///< as it stands on the page

  bool is_axis(const std::string& dimension) const {
    return std::find(form.axes.begin(), form.axes.end(), dimension) != form.axes.end();
  }
};

std::string dumped(const OrderedJson& json) { return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace); }

double rounded(double value, int digits) {
  if (!std::isfinite(value) || value == 0) return value;
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return std::strtod(text, nullptr);
}

OrderedJson decimals(const std::vector<double>& values, int digits) {
  OrderedJson list = OrderedJson::array();
  for (const double value : values) list.push_back(rounded(value, digits));
  return list;
}

/// The same with infinite values as words, which JSON has no numbers for; data.js reads them.
OrderedJson open_decimals(const std::vector<double>& values, int digits) {
  OrderedJson list = decimals(values, digits);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isinf(values[i])) list[i] = values[i] > 0 ? "Infinity" : "-Infinity";
  return list;
}

OrderedJson packed(const Quantised& q, std::size_t row, bool wide) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(q.codes.size() * 2);
  for (const std::uint16_t code : q.codes) {
    bytes.push_back(static_cast<std::uint8_t>(code & 255));
    if (wide) bytes.push_back(static_cast<std::uint8_t>(code >> 8));
  }
  return {{"q", wide ? "u16" : "u8"},
          {"row", row},
          {"low", decimals(q.low, 7)},
          {"high", decimals(q.high, 7)},
          {"b", base64(bytes)}};
}

/// Node numbers: each is its own code, because an edge's end must not be rounded.
bool are_codes(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return v >= 0 && v < kWideLevels && v == std::floor(v); });
}

OrderedJson exact_codes(const std::vector<double>& values) {
  Quantised q{{}, {0}, {kWideLevels}};
  for (const double value : values) q.codes.push_back(static_cast<std::uint16_t>(value));
  return packed(q, values.size(), true);
}

/// Values of one view: the product of the sizes of the axes.
std::size_t view_size(const Entry& entry) {
  std::size_t size = 1;
  for (const std::string& axis : entry.form.axes) size *= entry.array.size_of(axis);
  return std::max<std::size_t>(size, 1);
}

OrderedJson encoded_values(const Entry& entry, const std::vector<double>& values, int digits) {
  if (entry.form.open) return open_decimals(values, digits);
  if (values.size() <= kShortList || entry.form.values == PageForm::Values::decimals) return decimals(values, digits);
  if (are_codes(values)) return exact_codes(values);
  const bool wide = entry.form.values == PageForm::Values::levels;
  const std::size_t row = entry.form.fixed ? values.size() : view_size(entry);
  return packed(quantised(values, row, wide ? kWideLevels : kNarrowLevels), row, wide);
}

/// Where the values lie along a thinned dimension.
OrderedJson thinned_coordinate(const Dataset& data, const std::string& dimension, std::size_t step, bool means) {
  const Averaged all = coordinate_of(data, dimension);
  const Averaged kept = thinned(all, dimension, step, means);
  return all.words.empty() ? decimals(kept.mean, 7) : OrderedJson(kept.words);
}

void encode_pictures(const Dataset& data, const Entry& entry, OrderedJson& json) {
  const Pictures pictures = entry.kind->pictures(data, *entry.figure, entry.array);
  for (const std::string& file : pictures.png) json["png"].push_back(base64({file.begin(), file.end()}));
  for (const Pictures::Class& one : pictures.classes)
    json["classes"].push_back({{"value", one.value}, {"name", one.name}, {"color", one.color}});
  if (pictures.numbers) json["numbers"] = {{"low", pictures.numbers->low}, {"high", pictures.numbers->high}};
  json["missing"] = pictures.missing;
  json["upward"] = pictures.upward;
}

void encode(const Dataset& data, Entry& entry) {
  const Averaged& array = entry.array;
  OrderedJson json = {{"dims", array.dimensions}, {"shape", array.shape}, {"name", array.name},
                      {"label", array.label},     {"units", array.units}, {"n", array.replicas}};
  if (array.meaning != array.label) json["meaning"] = array.meaning;
  if (!array.words.empty()) {
    json["words"] = array.words;
  } else if (entry.form.values == PageForm::Values::pictures) {
    encode_pictures(data, entry, json);
  } else {
    json["mean"] = encoded_values(entry, array.mean, 6);
    if (!array.error.empty() && (entry.form.values != PageForm::Values::colours || array.error.size() <= kShortList))
      json["error"] = encoded_values(entry, array.error, 3);
    std::vector<std::size_t> least;
    for (std::size_t flat = 0; flat < array.mean.size(); ++flat)
      if (array.is_least(flat)) least.push_back(flat);
    if (!least.empty()) json["least"] = least;
  }
  for (const auto& [dimension, step] : entry.steps) {
    json["steps"][dimension] = step;
    if (entry.is_axis(dimension)) json["at"][dimension] = thinned_coordinate(data, dimension, step, entry.form.means);
  }
  entry.json = dumped(json);
}

void thin(Entry& entry, const std::string& dimension, std::size_t step) {
  entry.array = thinned(std::move(entry.array), dimension, step, entry.form.means);
  auto [place, added] = entry.steps.try_emplace(dimension, 1);
  place->second *= step;
}

/// The longest axis that is not short yet, or else the longest other dimension; empty if there is none.
std::string longest_to_thin(const Entry& entry) {
  constexpr std::size_t kShortAxis = 32;
  std::string longest;
  for (const bool axes : {true, false}) {
    if (axes && !entry.form.thins_axes) continue;
    for (std::size_t i = 0; i < entry.array.shape.size(); ++i) {
      const std::string& name = entry.array.dimensions[i];
      if (entry.is_axis(name) != axes || entry.array.shape[i] < (axes ? 2 * kShortAxis : 2)) continue;
      if (longest.empty() || entry.array.shape[i] > entry.array.size_of(longest)) longest = name;
    }
    if (!longest.empty()) break;
  }
  return longest;
}

/// Halves an array along its longest axis, or along its longest other dimension once the axes are short. False if it
/// cannot be made smaller.
bool halve(Entry& entry) {
  const std::string longest = longest_to_thin(entry);
  if (longest.empty()) return false;
  const std::vector<std::string>& together = entry.form.together;
  if (std::find(together.begin(), together.end(), longest) != together.end())
    for (const std::string& name : together)
      if (name != longest) thin(entry, name, 2);
  thin(entry, longest, 2);
  return true;
}

bool same_array(const Averaged& a, const Averaged& b) {
  return a.dimensions == b.dimensions && a.words == b.words && a.mean.size() == b.mean.size() &&
         (a.mean.empty() || std::memcmp(a.mean.data(), b.mean.data(), a.mean.size() * sizeof(double)) == 0);
}

class PageData {
 public:
  /// budget: most bytes of the whole text.
  PageData(const Results& results, std::size_t budget) : results_(results), data_(results.data), budget_(budget) {
    for (std::size_t i = 0; i < results.figures().size(); ++i) add_figure(i);
  }

  std::string text() {
    for (auto& [key, entry] : entries_) encode(data_, entry);
    if (array_bytes() > budget_) shrink(budget_);
    std::string out = assembled();
    while (out.size() > budget_) {
      // Titles, coordinates and notes stay as long as they are; the arrays share the rest.
      const std::size_t arrays = array_bytes(), others = out.size() - arrays;
      if (!shrink(budget_ > others ? budget_ - others : 0)) break;
      out = assembled();
    }
    return out;
  }

 private:
  std::size_t array_bytes() const {
    std::size_t sum = 0;
    for (const auto& [key, entry] : entries_) sum += entry.json.size();
    return sum;
  }

  /// Thins the largest array again and again until the arrays fit; false if nothing could be made smaller.
  bool shrink(std::size_t limit) {
    bool changed = false;
    while (!changed || array_bytes() > limit) {
      Entry* largest = nullptr;
      for (auto& [key, entry] : entries_) {
        if (!entry.form.fixed && !entry.smallest && (largest == nullptr || entry.json.size() > largest->json.size()))
          largest = &entry;
      }
      if (largest == nullptr) return changed;
      if (halve(*largest)) {
        encode(data_, *largest);
        changed = true;
      } else {
        largest->smallest = true;
      }
    }
    return changed;
  }

  Entry make_entry(const FigureKind& kind, const Figure& figure, Averaged array) const {
    Entry entry;
    entry.kind = &kind;
    entry.figure = &figure;
    entry.form = kind.form(figure, array);
    entry.original = array.size();
    entry.array = reordered(std::move(array), entry.form.axes);
    const std::size_t most = entry.form.most, along = entry.array.size_of(entry.form.most_along);
    if (most > 0 && along > most) thin(entry, entry.form.most_along, (along + most - 1) / most);
    // A value takes a byte or more, so what has more values than that does not stay whole.
    const bool thinnable = !entry.form.fixed && entry.form.values != PageForm::Values::pictures;
    while (thinnable && entry.array.size() > budget_ && halve(entry)) continue;
    return entry;
  }

  std::string add_array(const FigureKind& kind, const Figure& figure, std::size_t number, Averaged array) {
    std::string key = array.name;
    Entry entry = make_entry(kind, figure, std::move(array));
    while (entries_.contains(key)) {
      Entry& old = entries_.at(key);
      if (same_array(old.array, entry.array) && old.kind == entry.kind) {
        old.figures.push_back(number);
        return key;
      }
      key += '~';
    }
    entry.figures.push_back(number);
    for (const std::string& dimension : entry.array.dimensions) used_.insert(dimension);
    entries_[key] = std::move(entry);
    return key;
  }

  void add_figure(std::size_t number) {
    const Figure& figure = results_.figures()[number];
    const FigureKind& kind = kind_of(data_, figure);
    FigureData drawn = kind.arrays(data_, figure);
    std::string note = kind.limit(drawn, figure);
    const bool labelled = !figure.labels.empty() && drawn.arrays.at(figure.labels).size() <= kMostLabels;
    if (!labelled && !figure.labels.empty())
      note += "The labels are omitted because there are too many; the result file has them. ";
    std::map<std::string, std::string> taken;
    const auto key = [&](const std::string& name) {  // "" also for what a figure of this kind does not draw
      const auto found = drawn.arrays.find(name);
      const auto [place, is_new] = taken.try_emplace(name);
      if (is_new && found != drawn.arrays.end())
        place->second = add_array(kind, figure, number, std::move(found->second));
      return place->second;
    };
    const auto keys = [&](const std::vector<std::string>& wanted) {
      OrderedJson list = OrderedJson::array();
      for (const std::string& name : wanted) list.push_back(key(name));
      return list;
    };
    figures_.push_back({{"kind", figure.kind},
                        {"name", figure.name},
                        {"title", figure.title},
                        {"caption", figure.caption},
                        {"note", note},
                        {"x", figure.x},
                        {"y", figure.y},
                        {"hue", figure.hue},
                        {"channel", figure.channel},
                        {"logX", has_log_x(data_, figure)},
                        {"logY", figure.log_y},
                        {"variables", keys(figure.variables)},
                        {"references", keys(figure.references)},
                        {"marks", keys(marks_on_x(data_, figure))},
                        {"positionX", key(figure.position_x)},
                        {"positionY", key(figure.position_y)},
                        {"edgeSource", key(figure.edge_source)},
                        {"edgeTarget", key(figure.edge_target)},
                        {"directed", figure.directed},
                        {"labels", key(labelled ? figure.labels : "")},
                        {"edgeWeight", key(figure.edge_weight)},
                        {"bandLow", key(figure.band_low)},
                        {"bandHigh", key(figure.band_high)},
                        {"failed", key(figure.failed)},
                        {"valueLabel", label_of_values(data_, figure)},
                        {"digits", figure.digits}});
    for (const auto& [role, name] : drawn.roles) figures_.back()[role] = key(name);
    for (const std::string& slider : drawn.sliders) {
      if (std::find(sliders_.begin(), sliders_.end(), slider) == sliders_.end()) sliders_.push_back(slider);
    }
  }

  OrderedJson dimension(const std::string& name) const {
    OrderedJson out;
    const auto sizes = data_.dimensions();
    if (std::none_of(sizes.begin(), sizes.end(), [&](const Dimension& d) { return d.name == name; })) return out;
    const Averaged coordinate = coordinate_of(data_, name);
    out = {{"size", coordinate.size()}, {"label", coordinate.label}, {"units", coordinate.units}};
    if (coordinate.meaning != coordinate.label) out["meaning"] = coordinate.meaning;
    if (data_.has(name)) out["own"] = true;  // not just 0, 1, 2, ...
    if (is_time(data_, name)) out["time"] = true;
    if (!coordinate.words.empty()) {
      out["words"] = coordinate.words;
    } else if (const std::vector<double>& v = coordinate.mean; v.size() > kMostWritten) {
      out["from"] = v.front();
      out["by"] = (v.back() - v.front()) / static_cast<double>(v.size() - 1);
    } else {
      out["values"] = decimals(v, 8);
    }
    return out;
  }

  std::string thinning_note(std::size_t figure) const {
    std::string note;
    std::set<std::string> said;
    for (const auto& [key, entry] : entries_) {
      if (entry.array.size() >= entry.original ||
          std::find(entry.figures.begin(), entry.figures.end(), figure) == entry.figures.end())
        continue;
      std::string how;
      for (const auto& [dimension, step] : entry.steps) {
        const bool means = entry.form.means && entry.is_axis(dimension);
        how += concat(how.empty() ? "" : ", ", means ? "means of " : "one in ", step, " along ", dimension);
      }
      if (said.insert(how).second) note += "Thinned for this page: " + how + "; the result file has all values. ";
    }
    return note;
  }

  std::string assembled() const {
    OrderedJson sizes = OrderedJson::object();
    for (const std::string& name : used_) {
      if (OrderedJson described = dimension(name); !described.empty()) sizes[name] = std::move(described);
    }
    OrderedJson all{{"figures", figures_}, {"start", OrderedJson::object()}};
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      all["figures"][i]["note"] = figures_[i]["note"].get<std::string>() + thinning_note(i);
    }
    for (const auto& [name, index] : start_selection(data_, results_.figures(), sliders_)) all["start"][name] = index;
    all["lines"] = {{"colors", kLineColors.size()}, {"apart", kApartColors}, {"dashes", kLineDashes}};
    for (const auto& [name, map] :
         {std::pair{"sequential", &sequential_map()}, std::pair{"diverging", &diverging_map()}}) {
      std::string digits;
      for (const Color color : *map) digits += hex(color).substr(1);
      all["maps"][name] = digits;
    }
    std::string arrays;
    for (const auto& [key, entry] : entries_) arrays += concat(arrays.empty() ? "" : ",", dumped(key), ':', entry.json);
    const std::string text = concat("{\"dims\":", dumped(sizes), ",\"arrays\":{", arrays, "},", dumped(all).substr(1));
    // Inside <script>, "</script>" and "<!--" would end or bend the element; JSON may write '<' as an escape.
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
  }

  const Results& results_;
  const Dataset& data_;
  std::size_t budget_;
  std::map<std::string, Entry> entries_;
  std::vector<OrderedJson> figures_;
  std::vector<std::string> sliders_;
  std::set<std::string> used_;
};

}  // namespace

std::string page_data(const Results& results, std::size_t budget) { return PageData(results, budget).text(); }

}  // namespace fovea
