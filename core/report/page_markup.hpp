#pragma once
/// Pieces of the page's markup. What is given is escaped already.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/presentation.hpp"

namespace fovea {

inline std::string tag(std::string_view element, std::string_view content, std::string_view attributes = {}) {
  return concat("<", element, attributes.empty() ? "" : " ", attributes, ">", content, "</", element, ">");
}

inline std::string section(std::string_view title, std::string_view id, const std::string& content) {
  return concat("<section class=\"text\" aria-labelledby=\"", id, "\"><h2 id=\"", id, "\">", title, "</h2>", content,
                "</section>\n");
}

inline std::string row(const std::vector<std::string>& cells, std::string_view attributes = {}) {
  std::string text;
  for (const std::string& cell : cells) text += tag("td", cell);
  return tag("tr", text, attributes);
}

inline std::string head_row(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += tag("th", name, "scope=\"col\"");
  return tag("tr", text);
}

inline std::string table(const std::vector<std::string>& head, const std::string& rows, std::string_view name) {
  return concat("<div class=\"scroll\"><table class=\"", name, "\"><thead>", head_row(head), "</thead><tbody>", rows,
                "</tbody></table></div>");
}

inline std::string tolerance_text(const Check& check) {
  return check.tolerance.relative ? rounded_text(check.tolerance.size * 100, 3) + " %"
                                  : "\xC2\xB1 " + rounded_text(check.tolerance.size, 3);
}

}  // namespace fovea
