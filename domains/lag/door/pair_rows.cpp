#include "fovea/domains/lag/door/pair_rows.hpp"

#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"
#include "fovea/domains/lag/findings.hpp"

namespace fovea::lag::door {

std::string PairRow::bound() const { return is_least_p(false_alarm, least) ? "<=" : ""; }

std::vector<PairRow> pair_rows(const Results& results) {
  std::vector<PairRow> pairs(words(results.data, "pair").size());
  const auto number = [&](const char* name, std::size_t pair) { return results.data.at(name).reals()[pair]; };
  const auto interval = [&](const std::string& low, const std::string& high, std::size_t pair) {
    return ValueInterval{number("lag", pair), number(low.c_str(), pair), number(high.c_str(), pair)};
  };
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {words(results.data, "driver")[i],
                words(results.data, "response")[i],
                "",
                number("lag", i),
                interval("lag_low68", "lag_high68", i),
                interval("lag_low95", "lag_high95", i),
                number("false_alarm", i),
                number("counts", i) > 0,
                least_values(results.data.at("false_alarm")).at({}, {}, 0)};
  for (const Finding& finding : results.findings())
    if (finding.kind == PairOfGroup::kKind) {
      const auto of = finding_as<PairOfGroup>(finding);
      pairs.at(of.pair).group = of.group;
    }
  return pairs;
}

Columns pair_columns(const std::vector<PairRow>& pairs) {
  const Shown csv{.json = false};
  const auto both = [](const ValueInterval& one) { return json_list({json(one.low), json(one.high)}); };
  auto table = rows(Over("pair"), pairs);
  table.text("driver", &PairRow::driver, "driver").text("response", &PairRow::response, "response");
  table.number("lag", &PairRow::lag, "lag");
  table.range("68", &PairRow::within68, "from (68 %)", "to (68 %)").end_names("low68", "high68").shown(csv);
  table.range("95", &PairRow::within95, "from (95 %)", "to (95 %)").end_names("low95", "high95").shown(csv);
  table.json_field("interval68", [&](const PairRow& row) { return both(row.within68); });
  table.json_field("interval95", [&](const PairRow& row) { return both(row.within95); });
  table.number("false_alarm", &PairRow::false_alarm, "false alarm");
  table.text("false_alarm_bound", &PairRow::bound, "bound");
  table.text("group", &PairRow::group, "group").flag("counts", &PairRow::counts, "related at the level");
  table.flag("significant", &PairRow::counts, "related at the level").shown({.csv = false});
  table.flag("promised", &PairRow::counts, "promised: the level is that of each pair");
  return table;
}

}  // namespace fovea::lag::door
