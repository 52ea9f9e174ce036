#include "fovea/core/learning/layers/configured_modifiers.hpp"

#include <algorithm>
#include <map>

#include "fovea/core/attention/registry.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"

namespace fovea::learning {

namespace {

using Kind = ModifierSetting::Kind;

Range range_of(const ModifierSetting& setting) {
  Range range = Range::between(setting.low, setting.high);
  range.low_open = setting.low_open;
  return range;
}

void declare(Schema& keys, const ModifierSetting& setting) {
  const std::string key(setting.key), unit(setting.unit);
  std::vector<std::int64_t> wholes;
  for (const double number : setting.fallback) wholes.push_back(static_cast<std::int64_t>(number));
  switch (setting.kind) {
    case Kind::flag:
      keys.flag(key, setting.fallback.at(0) != 0, setting.meaning);
      return;
    case Kind::whole:
      keys.integer(key, wholes.at(0), range_of(setting), unit, setting.meaning);
      return;
    case Kind::real:
      keys.real(key, setting.fallback.at(0), range_of(setting), unit, setting.meaning);
      return;
    case Kind::wholes:
      keys.integers(key, wholes, range_of(setting), unit, setting.meaning);
      return;
    case Kind::reals:
      keys.reals(key, setting.fallback, range_of(setting), unit, setting.meaning);
      return;
  }
}

std::vector<double> numbers_of(const ConfigTable& table, const ModifierSetting& setting) {
  switch (setting.kind) {
    case Kind::flag:
      return {table.flag(setting.key) ? 1.0 : 0.0};
    case Kind::whole:
      return {static_cast<double>(table.integer(setting.key))};
    case Kind::real:
      return {table.real(setting.key)};
    case Kind::wholes: {
      const std::vector<std::int64_t>& wholes = table.integers(setting.key);
      return {wholes.begin(), wholes.end()};
    }
    default:
      return table.reals(setting.key);
  }
}

TableVariant variant_of(const ModifierEntry<float>& entry) {
  const ModifierSettings<float>& settings = entry.settings;
  TableVariant variant{std::string(entry.name), std::string(entry.formula), Schema(), std::string(settings.refusal)};
  if (!settings.make) return variant;
  variant.meaning = concat(settings.meaning, " (", entry.source, ")");
  for (const ModifierSetting& setting : settings.keys) declare(variant.keys, setting);
  if (settings.start) variant.keys.flag("learned", true, "whether training changes its parameter");
  return variant;
}

template <typename Real>
const ModifierEntry<Real>& entry_of(const std::string& type) {
  const auto table = modifiers<Real>();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == type; });
  require(found != table.end(), "modifiers_of: there is no modifier '", type, "'.");
  return *found;
}

/// What the modifier asks for.
template <typename Real>
ModifierRows<Real> rows_of(ModifierAsks asks, const Tokens& queries, const Tokens& keys) {
  ModifierRows<Real> rows;
  if (asks == ModifierAsks::nothing) return rows;
  rows.sets = {queries.offsets, keys.offsets};
  if (asks == ModifierAsks::times) {
    TimesOfSets<Real> times = times_of_sets<Real>(queries, keys);
    rows.query_times = std::move(times.queries);
    rows.key_times = std::move(times.keys);
  } else if (asks == ModifierAsks::coordinates) {
    rows.query_coordinates = queries.coordinates;
    rows.key_coordinates = keys.coordinates;
  }
  return rows;
}

/// One token, for which a modifier is made to see whether it can be.
Tokens one_token(const ModifierPlace& place) {
  Tokens token;
  token.offsets = {0, 1};
  token.times = {0};
  token.coordinates = Matrix<double>::Zero(1, place.dimensions);
  return token;
}

template <typename Real>
ModifierOfLayer<Real> modifier_of(const ConfigTable& table, const std::string& name, const ModifierPlace& place) {
  const ModifierSettings<Real>& settings = entry_of<Real>(table.type()).settings;
  require(settings.asks != ModifierAsks::times || place.times, name,
          " needs the times of the tokens, but they have none.");
  require(settings.asks != ModifierAsks::coordinates || place.dimensions > 0, name,
          " needs the coordinates of the tokens, but they have none.");
  ModifierValues values;
  values.heads = place.heads;
  for (const ModifierSetting& setting : settings.keys) values.set(setting.key, numbers_of(table, setting));
  const Tokens token = one_token(place);
  const auto first = settings.make(values, rows_of<Real>(settings.asks, token, token));
  ModifierOfLayer<Real> modifier;
  if (settings.start) {
    modifier.start = settings.start(values);
    modifier.learned = table.flag("learned");
  }
  if (settings.asks == ModifierAsks::nothing) {
    modifier.make = [first](const Tokens&, const Tokens&) { return first; };
  } else {
    modifier.make = [values, make = settings.make, asks = settings.asks](const Tokens& queries, const Tokens& keys) {
      return make(values, rows_of<Real>(asks, queries, keys));
    };
  }
  return modifier;
}

}  // namespace

void declare_modifiers(Schema& schema, const std::string& key) {
  std::vector<TableVariant> variants;
  for (const ModifierEntry<float>& entry : modifiers<float>()) variants.push_back(variant_of(entry));
  schema.tables(key, std::move(variants), "changes of the attention scores before the softmax");
}

template <typename Real>
std::vector<ModifierOfLayer<Real>> modifiers_of(const Config& config, std::string_view key,
                                                const ModifierPlace& place) {
  std::vector<ModifierOfLayer<Real>> list;
  std::map<std::string, int> counts;
  Complaints complaints;
  const std::vector<ConfigTable>& tables = config.tables(key);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string& type = tables[i].type();
    const int count = ++counts[type];
    try {
      list.push_back(modifier_of<Real>(tables[i], concat(key, '.', i, " of the type '", type, "'"), place));
      list.back().name = count == 1 ? type : concat(type, '_', count);
    } catch (const ArgumentError& error) {
      complaints.add(tables[i].source(), error.what());
    }
  }
  complaints.raise();
  return list;
}

template std::vector<ModifierOfLayer<float>> modifiers_of(const Config&, std::string_view, const ModifierPlace&);
template std::vector<ModifierOfLayer<double>> modifiers_of(const Config&, std::string_view, const ModifierPlace&);

}  // namespace fovea::learning
