#include "fovea/core/lab/directory/run_digest.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/headline_values.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostNumbers = 4;  ///< of one headline; more are their range

/// Listed once for both directions.
template <typename Number, typename Visit>
void visit_number(Number& number, const Visit& visit) {
  visit("label", number.label);
  visit("variable", number.variable);
  visit("units", number.units);
  visit("value", number.value);
  visit("error", number.error);
  visit("predicted", number.predicted);
  visit("low", number.low);
  visit("high", number.high);
  visit("count", number.count);
}

template <typename Digest, typename Visit>
void visit_digest(Digest& digest, const Visit& visit) {
  visit("title", digest.title);
  visit("verdict", digest.verdict);
  visit("picture", digest.picture);
  visit("checks", digest.checks);
  visit("failed_checks", digest.failed_checks);
  visit("preview", digest.preview);
}

/// NaN and infinity have no JSON: what is null, or is not there, stays NaN.
void write(OrderedJson& json, const char* name, double value) {
  if (std::isfinite(value)) json[name] = value;
}
template <typename Value>
void write(OrderedJson& json, const char* name, const Value& value) {
  json[name] = value;
}
void read(const OrderedJson& json, const char* name, double& value) {
  if (json.contains(name)) value = json.at(name).get<double>();
}
template <typename Value>
void read(const OrderedJson& json, const char* name, Value& value) {
  value = json.at(name).get<Value>();
}

DigestNumber range_of(const Dataset& data, const Headline& headline, const std::vector<HeadlineValue>& values) {
  DigestNumber number{
      .label = headline.label, .variable = headline.variable, .units = data.at(headline.variable).units};
  number.count = 0;
  for (const HeadlineValue& one : values) {
    if (!std::isfinite(one.value)) continue;
    ++number.count;
    number.value = one.value;  // which is it, where it is the only one
    number.low = std::isnan(number.low) ? one.value : std::min(number.low, one.value);
    number.high = std::isnan(number.high) ? one.value : std::max(number.high, one.value);
  }
  return number;
}

std::vector<DigestNumber> numbers_of(const Results& results, const Dataset& data) {
  std::vector<DigestNumber> numbers;
  for (const Headline& headline : results.headlines()) {
    const std::vector<HeadlineValue> values = headline_values(data, headline);
    if (values.size() > kMostNumbers) {
      numbers.push_back(range_of(data, headline, values));
      continue;
    }
    for (const HeadlineValue& one : values)
      numbers.push_back({.label = headline.label + (one.place.empty() ? "" : " (" + one.place + ")"),
                         .variable = headline.variable,
                         .units = data.at(headline.variable).units,
                         .value = one.value,
                         .error = one.error,
                         .predicted = one.predicted,
                         .least = one.least});
  }
  return numbers;
}

std::string picture_of(const Results& results) {
  for (const Figure& figure : results.figures())
    if (kind_named(figure).is_picture()) return "figures/" + file_name_text(figure.name) + ".svg";
  return {};
}

std::string document_of(const Dataset& data, const std::string& name) {
  const auto found = data.documents.find(name);
  return found == data.documents.end() ? "" : found->second;
}

}  // namespace

std::string DigestNumber::text() const {
  return count > 1 ? rounded_text(low, 3) + (low < high ? " to " + rounded_text(high, 3) : "")
                   : (least ? "<= " : "") + text_with_error(value, error);
}

double DigestNumber::order() const { return count > 1 ? low : value; }

std::string DigestKey::text() const { return key + (swept ? " in {" + value + "}" : " = " + value); }

std::vector<DigestKey> changed_keys(const std::string& resolved, const std::string& defaults) {
  std::vector<DigestKey> keys;
  for (const ConfigLine& line : config_lines(resolved, defaults))
    if ((line.changed || line.swept) && line.key != "title")
      keys.push_back({line.key, line.value, line.standard, line.swept});
  return keys;
}

RunDigest digest_of(const Results& results) {
  const Dataset data = with_names(results.data);
  RunDigest digest;
  if (const auto title = data.attributes.find("title"); title != data.attributes.end()) digest.title = title->second;
  digest.verdict = results.verdict();
  digest.picture = picture_of(results);
  digest.preview = results.found<Preview>().has_value();
  digest.checks = results.checks().size();
  if (!digest.preview)
    digest.failed_checks = static_cast<std::size_t>(std::count_if(results.checks().begin(), results.checks().end(),
                                                                  [](const Check& check) { return !check.holds(); }));
  digest.numbers = numbers_of(results, data);
  digest.keys = changed_keys(document_of(data, "resolved_toml"), document_of(data, "defaults_toml"));
  return digest;
}

std::string to_json(const RunDigest& digest) {
  OrderedJson json = OrderedJson::object();
  visit_digest(digest, [&](const char* name, const auto& member) { write(json, name, member); });
  json["numbers"] = OrderedJson::array();
  for (const DigestNumber& number : digest.numbers) {
    OrderedJson one = OrderedJson::object();
    visit_number(number, [&](const char* name, const auto& member) { write(one, name, member); });
    json["numbers"].push_back(std::move(one));
  }
  json["keys"] = OrderedJson::array();
  for (const DigestKey& key : digest.keys)
    json["keys"].push_back({{"key", key.key}, {"value", key.value}, {"default", key.standard}, {"swept", key.swept}});
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

RunDigest parse_digest(const std::string& text) {
  const OrderedJson json = OrderedJson::parse(text);
  RunDigest digest;
  visit_digest(digest, [&](const char* name, auto& member) { read(json, name, member); });
  for (const OrderedJson& one : json.at("numbers")) {
    DigestNumber number;
    visit_number(number, [&](const char* name, auto& member) { read(one, name, member); });
    digest.numbers.push_back(std::move(number));
  }
  for (const OrderedJson& one : json.at("keys"))
    digest.keys.push_back({one.at("key"), one.at("value"), one.at("default"), one.at("swept")});
  return digest;
}

}  // namespace fovea
