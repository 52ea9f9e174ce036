/// JSON documents as the page shows them.

#include <nlohmann/json.hpp>

#include "fovea/core/report/page_data.hpp"

namespace fovea {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string dumped_json(const OrderedJson& json, int indent) {
  return json.dump(indent, ' ', indent < 0, OrderedJson::error_handler_t::replace);
}

void collect_leaves(const OrderedJson& json, const std::string& path,
                    std::vector<std::pair<std::string, std::string>>& out) {
  if (!json.is_structured()) {
    out.emplace_back(path, json.is_string() ? json.get<std::string>() : dumped_json(json, -1));
    return;
  }
  for (const auto& [key, value] : json.items()) collect_leaves(value, path.empty() ? key : path + "." + key, out);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> json_leaves(const std::string& json) {
  std::vector<std::pair<std::string, std::string>> leaves;
  const OrderedJson parsed = OrderedJson::parse(json, nullptr, false);
  if (!parsed.is_discarded()) collect_leaves(parsed, "", leaves);
  return leaves;
}

std::string pretty_json(const std::string& json) {
  const OrderedJson parsed = OrderedJson::parse(json, nullptr, false);
  return parsed.is_discarded() ? json : dumped_json(parsed, 2);
}

}  // namespace fovea
