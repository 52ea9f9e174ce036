/// The part of the config reader that knows lists of tables: [[model.modifiers]] and the values inside.

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_builder.hpp"
#include "fovea/core/config/config_check.hpp"
#include "fovea/core/config/inner_key.hpp"

namespace fovea {

namespace {

using Kind = ConfigNode::Kind;

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

std::vector<std::string> keys_of(const TableVariant& variant) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : variant.keys.parameters()) keys.push_back(parameter.key);
  return keys;
}

std::string unknown_key(const TableVariant& variant, const std::string& name, const std::string& key) {
  const std::vector<std::string> keys = keys_of(variant);
  const std::string near = nearest(key, keys);
  std::string sentence = concat("unknown key '", shown(name), "' of the type '", variant.type, "'");
  if (!near.empty()) return sentence + suggestion(near);
  return sentence + (keys.empty() ? ", which has no keys." : "; it has " + quoted(keys) + ".");
}

/// Checks the tables of a list, one after the other.
class TableChecker {
 public:
  TableChecker(const Parameter& list, const std::string& folder, Complaints& complaints)
      : list_(list), folder_(folder), complaints_(complaints) {}

  std::optional<ConfigTable> table(const std::string& name, const ConfigNode& node) {
    const TableVariant* variant = variant_of(name, node);
    if (variant == nullptr) return std::nullopt;
    ConfigTable checked(variant->type, variant->keys, node.source);
    bool right = true;
    for (const ConfigMember& member : node.members)
      if (member.key != "type") right = take(checked, *variant, name, member) && right;
    if (!right) return std::nullopt;
    return checked;
  }

 private:
  const TableVariant* variant_of(const std::string& name, const ConfigNode& node) {
    if (node.kind != Kind::table) {
      complaints_.add(node.source,
                      concat(name, " = ", node.written, " is ", node.kind_text(),
                             ", but must be a table with a type, such as {type = \"", list_.types()[0], "\"}."));
      return nullptr;
    }
    const ConfigNode* type = node.find("type");
    if (type == nullptr) return without_type(name, node);
    Parameter choice;
    choice.type = ValueType::choice;
    choice.choices = list_.types();
    choice.meaning = list_.meaning;
    const TableVariant* refused = type->kind == Kind::text ? list_.variant(type->text) : nullptr;
    if (refused != nullptr && !refused->refusal.empty()) {
      complaints_.add(type->source, concat(name, ".type = ", type->written, ", but ", refused->refusal, "."));
      return nullptr;
    }
    const auto checked = check_value(choice, name + ".type", *type, folder_, complaints_);
    return checked ? list_.variant(std::get<std::string>(*checked)) : nullptr;
  }

  const TableVariant* without_type(const std::string& name, const ConfigNode& node) {
    for (const ConfigMember& member : node.members) {
      if (nearest(member.key, {"type"}).empty()) continue;
      complaints_.add(member.source,
                      concat("unknown key '", shown(name + "." + member.key), "'; did you mean 'type'?"));
      return nullptr;
    }
    complaints_.add(node.source, concat(name, " has no type, but must have one of ", quoted(list_.types()), " (",
                                        list_.meaning, ")."));
    return nullptr;
  }

  bool take(ConfigTable& table, const TableVariant& variant, const std::string& name, const ConfigMember& member) {
    const std::string full = name + "." + member.key;
    const Parameter* parameter = variant.keys.find(member.key);
    if (parameter == nullptr) {
      complaints_.add(member.source, unknown_key(variant, full, member.key));
      return false;
    }
    auto value = check_value(*parameter, full, member.value, folder_, complaints_);
    if (value) table.set(member.key, std::move(*value), member.value.source);
    return value.has_value();
  }

  const Parameter& list_;
  const std::string& folder_;
  Complaints& complaints_;
};

}  // namespace

std::optional<ConfigValue> check_tables(const Parameter& list, const std::string& name, const ConfigNode& node,
                                        const std::string& folder, Complaints& complaints) {
  const auto refuse = [&](const std::string& sentence) {
    complaints.add(node.source, sentence);
    return std::nullopt;
  };
  if (node.kind != Kind::list) {
    const std::string is = node.kind == Kind::table ? " is a table" : " = " + node.written + " is " + node.kind_text();
    return refuse(concat(name, is, ", but must be ", rule_text(list), " (", list.meaning, ")."));
  }
  if (node.items.size() > kMostTables)
    return refuse(concat(name, " has ", node.items.size(), " tables, but must have at most ", kMostTables, "."));
  TableChecker checker(list, folder, complaints);
  std::vector<ConfigTable> tables;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    if (auto table = checker.table(concat(name, '.', i), node.items[i])) tables.push_back(std::move(*table));
  if (tables.size() < node.items.size()) return std::nullopt;
  return tables;
}

const Parameter* ConfigBuilder::list_with(const std::string& key) const {
  for (const Parameter& list : config_.schema().parameters())
    if (list.type == ValueType::tables && lies_in(list.key, key)) return &list;
  return nullptr;
}

namespace {

/// " The table of that name is LIST.2." where the word behind the list's key is the name of one of its tables; else "".
std::string table_named(const Parameter& list, const std::vector<ConfigTable>& held, const std::string& key) {
  const std::string rest = key.size() > list.key.size() ? key.substr(list.key.size() + 1) : "";
  const std::string word = rest.substr(0, rest.find('.'));
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Parameter* name = list.variant(held[i].type())->keys.find("name");
    if (name == nullptr || name->type != ValueType::text || word.empty() || held[i].text("name") != word) continue;
    return concat(" The table of that name is ", list.key, ".", i, ".");
  }
  return "";
}

}  // namespace

/// Says why a key that lies in a list of tables names no value of it.
void ConfigBuilder::no_inner_value(const Parameter& list, const std::string& key, const Source& source) {
  if (refused_lists_.count(list.key) > 0) return;
  const std::optional<InnerKey> inner = inner_key(list.key, key);
  const std::vector<ConfigTable>& held = config_.tables(list.key);
  if (!inner || inner->key.empty())
    return complaints.add(source, concat("'", shown(key), "' must be ", list.key, ".NUMBER.KEY, such as ", list.key,
                                         ".0.KEY for the first table; a whole list is given as [[", list.key, "]].",
                                         table_named(list, held, key)));
  if (inner->table >= held.size())
    return complaints.add(source, concat("there is no '", shown(key), "': ", list.key, " has ", held.size(),
                                         held.size() == 1 ? " table" : " tables", ", counted from 0."));
  const TableVariant& variant = *list.variant(held[inner->table].type());
  if (inner->key == "type")
    return complaints.add(source, concat("'", key, "' = \"", variant.type,
                                         "\" cannot be changed alone, because a type has keys of its own; give the "
                                         "whole list."));
  complaints.add(source, unknown_key(variant, key, std::string(inner->key)));
}

void ConfigBuilder::apply_inner(const Parameter& list, const std::string& key, const ConfigMember& member) {
  const bool deeper = member.value.kind == Kind::table && !member.value.members.empty();
  if (deeper && (key == list.key || inner_key(list.key, key))) {
    for (const ConfigMember& inner : member.value.members) apply_inner(list, key + "." + inner.key, inner);
    return;
  }
  const Parameter* parameter = config_.parameter(key);
  if (parameter == nullptr) return no_inner_value(list, key, member.source);
  if (!seen_.insert(key).second) return complaints.add(member.source, "the key '" + key + "' is given twice.");
  apply_value(*parameter, key, member.value);
}

bool ConfigBuilder::given_inside(const std::string& list) const {
  const auto next = seen_.lower_bound(list + ".");
  return next != seen_.end() && lies_in(list, *next);
}

}  // namespace fovea
