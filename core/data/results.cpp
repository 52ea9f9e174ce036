#include "fovea/core/data/results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: they stand as texts. Other numbers keep every bit (shortest form that reads back).
OrderedJson number_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_of(const OrderedJson& json) {
  if (json == "NaN" || json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return json.get<double>();
}

OrderedJson to_json(const Check& check) {
  return {{"name", check.name},
          {"meaning", check.meaning},
          {"source", check.source},
          {"predicted", number_json(check.predicted)},
          {"measured", number_json(check.measured)},
          {"tolerance", number_json(check.tolerance.size)},
          {"relative", check.tolerance.relative},
          {"holds", check.holds()}};
}

Check check_of(const OrderedJson& json) {
  return {json.at("name").get<std::string>(),   json.at("meaning").get<std::string>(),
          json.at("source").get<std::string>(), number_of(json.at("predicted")),
          number_of(json.at("measured")),       {number_of(json.at("tolerance")), json.at("relative").get<bool>()}};
}

/// The members that are plain texts, lists of texts or flags; listed once for both directions.
template <typename Visit>
void visit_members(Headline& h, const Visit& visit) {
  visit("variable", h.variable);
  visit("label", h.label);
  visit("predicted", h.predicted);
  visit("half_width", h.half_width);
  visit("meaning", h.meaning);
}

template <typename Visit>
void visit_members(Figure& f, const Visit& visit) {
  visit("name", f.name);
  visit("title", f.title);
  visit("caption", f.caption);
  visit("variables", f.variables);
  visit("references", f.references);
  visit("x", f.x);
  visit("y", f.y);
  visit("hue", f.hue);
  visit("log_x", f.log_x);
  visit("log_y", f.log_y);
  visit("marks", f.marks);
  visit("position_x", f.position_x);
  visit("position_y", f.position_y);
  visit("edge_source", f.edge_source);
  visit("edge_target", f.edge_target);
}

/// Members that files written by older versions lack.
template <typename Visit>
void visit_added_members(Headline&, const Visit&) {}

template <typename Visit>
void visit_added_members(Figure& f, const Visit& visit) {
  visit("labels", f.labels);
  visit("directed", f.directed);
  visit("edge_weight", f.edge_weight);
  visit("band_low", f.band_low);
  visit("band_high", f.band_high);
  visit("value_label", f.value_label);
  visit("digits", f.digits);
}

/// Members that are written only where they are set, so that results without them keep their bytes.
template <typename Visit>
void visit_rare_members(Headline& h, const Visit& visit) {
  visit("check", h.check);
}

template <typename Visit>
void visit_rare_members(Figure& f, const Visit& visit) {
  visit("channel", f.channel);
  visit("groups", f.groups);
  visit("failed", f.failed);
  visit("fold", f.fold);
}

template <typename Item>
OrderedJson members_json(Item item) {
  OrderedJson json = OrderedJson::object();
  const auto write = [&](const char* name, const auto& member) { json[name] = member; };
  visit_members(item, write);
  visit_added_members(item, write);
  visit_rare_members(item, [&](const char* name, const auto& member) {
    if (!member.empty()) json[name] = member;
  });
  return json;
}

template <typename Item>
Item members_of(const OrderedJson& json) {
  Item item;
  visit_members(item, [&](const char* name, auto& member) { json.at(name).get_to(member); });
  const auto read = [&](const char* name, auto& member) {
    if (json.contains(name)) json.at(name).get_to(member);
  };
  visit_added_members(item, read);
  visit_rare_members(item, read);
  return item;
}

OrderedJson to_json(const Headline& headline) { return members_json(headline); }

OrderedJson to_json(const Figure& figure) {
  OrderedJson json = members_json(figure);
  json["kind"] = figure.kind;
  return json;
}

Figure figure_of(const OrderedJson& json) {
  Figure figure = members_of<Figure>(json);
  json.at("kind").get_to(figure.kind);
  return figure;
}

FindingRole role_of(const std::string& text) {
  for (const FindingRole role : {FindingRole::verdict, FindingRole::promise, FindingRole::fact, FindingRole::warning})
    if (text == to_text(role)) return role;
  return FindingRole::note;
}

Finding finding_of_json(const OrderedJson& json) {
  Finding finding{.kind = json.at("kind").get<std::string>(), .role = role_of(json.at("role").get<std::string>())};
  for (const auto& [name, value] : json.at("numbers").items()) finding.numbers.emplace_back(name, number_of(value));
  for (const auto& [name, value] : json.at("words").items()) finding.words.emplace_back(name, value.get<std::string>());
  json.at("sentence").get_to(finding.sentence);
  if (json.contains("points")) json.at("points").get_to(finding.points);
  return finding;
}

template <typename Item>
OrderedJson list_json(const std::vector<Item>& items) {
  OrderedJson list = OrderedJson::array();
  for (const Item& item : items) list.push_back(to_json(item));
  return list;
}

}  // namespace

bool Check::holds() const { return std::abs(measured - predicted) <= tolerance.around(predicted); }

void Results::coordinate(const std::string& name, Values values, const std::string& units,
                         const std::string& long_name) {
  data.add({name, {name}, std::move(values), units, long_name, {}});
}

void Results::add(const std::string& name, std::vector<std::string> dimensions, Values values, const std::string& units,
                  const std::string& long_name) {
  data.add({name, std::move(dimensions), std::move(values), units, long_name, {}});
}

void Results::scalar(const std::string& name, double value, const std::string& units, const std::string& long_name) {
  add(name, {}, std::vector<double>{value}, units, long_name);
}

void Results::check(Check check) {
  const bool is_new =
      check_names_.insert(std::hash<std::string>()(check.name)).second ||
      std::none_of(checks_.begin(), checks_.end(), [&](const Check& c) { return c.name == check.name; });
  require(is_new, "Results: there is a check '", check.name, "' already; give it another name.");
  checks_.push_back(std::move(check));
}

void Results::headline(Headline headline) { headlines_.push_back(std::move(headline)); }

void Results::figure(Figure figure) {
  for (const Figure& other : figures_)
    require(other.name != figure.name, "Results: there is a figure '", figure.name, "' already; give it another name.");
  for (std::string* axis : {&figure.x, &figure.y})
    if (const std::string place = concat(*axis, kPlaceInGrid); !data.has_dimension(*axis) && data.has_dimension(place))
      *axis = place;
  figures_.push_back(std::move(figure));
}

void Results::lead(std::vector<Figure> figures) {
  std::swap(figures, figures_);
  for (Figure& other : figures) figure(std::move(other));
}

void Results::note(std::string sentence) {
  if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(std::move(sentence));
}

void Results::read(std::string sentence) {
  if (std::find(reading_.begin(), reading_.end(), sentence) == reading_.end()) reading_.push_back(std::move(sentence));
}

void Results::sheet(SheetLine line) {
  auto behind = sheet_.end();
  for (auto other = sheet_.begin(); other != sheet_.end(); ++other) {
    if (other->item != line.item) continue;
    if (other->fact == line.fact) return;
    behind = other + 1;
  }
  sheet_.insert(behind, std::move(line));
}

std::vector<std::string> Results::warnings() const {
  std::vector<std::string> all;
  for (const Finding& finding : findings_)
    if (finding.role == FindingRole::warning && std::find(all.begin(), all.end(), finding.sentence) == all.end())
      all.push_back(finding.sentence);
  return all;
}

void Results::verdict(std::string sentence) { verdict_ = std::move(sentence); }

void Results::withdraw_verdicts(const std::string& before_titles) {
  verdict_.clear();
  for (Figure& figure : figures_) figure.title = before_titles + figure.title;
  std::erase_if(findings_, [](const Finding& finding) { return finding.role == FindingRole::verdict; });
  if (machine_) on_this_machine().withdraw_verdicts(before_titles);
}

void Results::record(Finding finding) {
  if (finding.role == FindingRole::note) note(finding.sentence);
  for (Finding& other : findings_) {
    if (!other.says_the_same_as(finding) || other.points.empty() != finding.points.empty()) continue;
    other.points.insert(other.points.end(), finding.points.begin(), finding.points.end());
    return;
  }
  findings_.push_back(std::move(finding));
}

std::string Results::verdict() const {
  if (!verdict_.empty()) return verdict_;
  std::string text;
  for (const Finding& finding : findings_)
    if (finding.role == FindingRole::verdict && finding.points.empty())
      text += (text.empty() ? "" : " ") + finding.sentence;
  return text;
}

const Finding* Results::found(std::string_view kind) const {
  const auto at =
      std::find_if(findings_.begin(), findings_.end(), [&](const Finding& finding) { return finding.kind == kind; });
  return at == findings_.end() ? nullptr : &*at;
}

Results& Results::on_this_machine() {
  if (!machine_ || machine_.use_count() > 1) machine_ = std::make_shared<Results>(machine_ ? *machine_ : Results());
  return *machine_;
}

Results Results::with_machine() const {
  Results all = *this;
  if (!machine_) return all;
  all.machine_.reset();
  for (const Dimension& dimension : machine_->data.dimensions()) all.data.dimension(dimension.name, dimension.size);
  for (const Variable& variable : machine_->data.variables())
    if (!all.data.has(variable.name)) all.data.add(variable);
  for (const Check& check : machine_->checks_) all.check(check);
  for (const Headline& headline : machine_->headlines_) all.headline(headline);
  for (const Figure& figure : machine_->figures_) all.figure(figure);
  for (const std::string& note : machine_->notes_) all.note(note);
  for (const Finding& finding : machine_->findings_) all.record(finding);
  return all;
}

std::string Results::presentation() const {
  OrderedJson json;
  json["verdict"] = verdict();
  json["headlines"] = list_json(headlines_);
  json["checks"] = list_json(checks_);
  json["figures"] = list_json(figures_);
  json["notes"] = notes_;
  if (!reading_.empty()) json["reading"] = reading_;
  for (const SheetLine& line : sheet_) json["sheet"].push_back({line.item, line.asks, line.fact});
  if (!findings_.empty()) json["findings"] = OrderedJson::parse(findings_json(findings_));
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace);
}

void Results::read_presentation(const std::string& text) {
  try {
    const OrderedJson json = OrderedJson::parse(text);
    Results read;
    for (const OrderedJson& item : json.at("headlines")) read.headlines_.push_back(members_of<Headline>(item));
    for (const OrderedJson& item : json.at("checks")) {
      read.checks_.push_back(check_of(item));
      read.check_names_.insert(std::hash<std::string>()(read.checks_.back().name));
    }
    for (const OrderedJson& item : json.at("figures")) read.figures_.push_back(figure_of(item));
    json.at("notes").get_to(read.notes_);
    if (json.contains("reading")) json.at("reading").get_to(read.reading_);
    if (json.contains("sheet"))
      for (const OrderedJson& line : json.at("sheet")) read.sheet_.push_back({line.at(0), line.at(1), line.at(2)});
    if (json.contains("findings"))
      for (const OrderedJson& item : json.at("findings")) read.findings_.push_back(finding_of_json(item));
    const auto verdict = json.at("verdict").get<std::string>();
    if (verdict != read.verdict()) read.verdict_ = verdict;
    read.data = std::move(data);
    read.machine_ = std::move(machine_);
    *this = std::move(read);
  } catch (const nlohmann::json::exception& error) {
    throw DataError(concat("presentation: is damaged (", error.what(), ")."));
  }
}

}  // namespace fovea
