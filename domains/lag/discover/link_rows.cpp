#include "fovea/domains/lag/discover/link_rows.hpp"

#include <cmath>
#include <type_traits>

#include "fovea/core/data/rows.hpp"

namespace fovea::lag::discover {

namespace {

/// Every column once, in the order of CSV and JSON. Table: a RowTable, which makes arrays and cells of the rows, or a
/// LinkReader, which fills them.
template <typename Table>
void declare_columns(Table& table, const LinkArrays& has) {
  const Shown door{.array = false}, page{.csv = false, .json = false}, small{.array = has.small},
      effect{.array = has.effects}, effect_page{.array = has.effects, .csv = false, .json = false},
      view{.array = has.views, .csv = false, .json = false};
  const std::string lower = ", lower end of 95 %", upper = ", upper end of 95 %",
                    one = "effect of one unit of the cause", sum = "effect, sum over the significant lags of the cause",
                    lag = "lag of the pair";
  using Row = LinkRow;
  table.prefix("link_");
  table.text("cause", &Row::cause, "cause").text("effect", &Row::effect, "effect");
  table.number("lag", &Row::lag, "lag", "steps").shown(page).integer("lag", &Row::lag, "lag").shown(door);
  table.number("time", &Row::time, "lag, in time", has.time_unit).shown(page);
  table.number("strength", &Row::strength, "strength");
  table.number("p", &Row::p, "p-value").as("p_value").number("q", &Row::q, "q-value").as("q_value");
  table.text("q_words", &Row::q_words, "q-value").shown(page);
  table.flag("self", &Row::self, "1 for a series with itself");
  table.flag("counts", &Row::counts, "significant").shown(door);
  table.flag("significant", &Row::counts, "significant").shown({.array = false, .csv = false});
  table.flag("promised", &Row::promised, "promised: at most the level of such links are false on average");
  table
      .text(
          "promise", [](const Row& row) { return row.promised ? "yes" : "no"; }, "promised")
      .shown(page);
  const auto direction = [](const Row& row) { return row.directed ? "->" : ""; };
  table.text("direction", direction, "direction").shown(door);
  table.number("log10_p", &Row::log10_p, kLog10P).shown(small).number("log10_q", &Row::log10_q, kLog10Q).shown(small);
  table.number("effect_size", &Row::effect_size, one, "").shown(effect);
  table.number("effect_low", &Row::effect_low, one + lower, "").shown(effect);
  table.number("effect_high", &Row::effect_high, one + upper, "").shown(effect);
  table.text("unit", &Row::unit, "unit of the effect").shown(effect);
  table.number("total_size", &Row::total_size, sum, "").shown(effect);
  table.number("total_low", &Row::total_low, sum + lower, "").shown(effect);
  table.number("total_high", &Row::total_high, sum + upper, "").shown(effect);
  table.number("lag_low", &Row::lag_low, lag + lower, "steps").shown(effect);
  table.number("lag_high", &Row::lag_high, lag + upper, "steps").shown(effect);
  table.text("kind", &Row::said, "kind").shown(page);
  table.text("answer", &Row::kind, "how the effect answers: steady, changing, product or variance").as("kind");
  table.text("with", &Row::with, "other cause of a product").shown({.json = false});
  table.number("with_lag", &Row::with_lag, "its lag", "steps").shown({.json = false});
  table.json_field("with", [](const Row& row) {
    if (row.with.empty()) return Json{"null"};
    return JsonObject().add("cause", row.with).add("lag", static_cast<std::int64_t>(row.with_lag)).done();
  });
  table.text("test", &Row::test, "test");
  table.number("attention", &Row::attention, "attention").shown(view);
  table.number("gradient", &Row::gradient, "gradient").shown(view);
  table.text("lags", &Row::lags, "credible lags, which hold 95 % of the weight").shown(view);
  table.text("beside", &Row::beside, "other methods that find it too")
      .shown({.array = has.beside, .csv = false, .json = false});
  table.text("remark", &Row::remark, "agreement of test, attention and gradient").shown(page);
  table.text("effect_words", &Row::effect_words, "effect (95 %)").shown(effect_page);
  table.text("total_words", &Row::total_words, "sum over lags (95 %)").shown(effect_page);
  table.text("lag_words", &Row::lag_words, "95 % of the lag, in " + has.lag_unit).shown(effect_page);
  table.number("bent_p", &Row::bent_p, "p-value of no bent response beside the effect").shown(effect_page);
}

/// Fills the members that are columns from the arrays that a result has; asked as a RowTable is.
class LinkReader {
 public:
  LinkReader(const Dataset& data, std::vector<LinkRow>& links) : data_(data), links_(links) {}
  LinkReader& prefix(std::string text) { return prefix_ = std::move(text), *this; }
  LinkReader& number(const std::string& name, auto get, const auto&...) { return fill(name, get); }
  LinkReader& text(const std::string& name, auto get, const auto&...) { return fill(name, get); }
  LinkReader& integer(const auto&...) { return *this; }
  LinkReader& flag(const std::string& name, auto get, const auto&...) { return fill(name, get); }
  LinkReader& json_field(const auto&...) { return *this; }
  LinkReader& as(const char*) { return *this; }
  LinkReader& shown(const Shown&) { return *this; }

 private:
  template <typename Get>
  LinkReader& fill(const std::string& name, Get get) {
    if constexpr (std::is_member_object_pointer_v<Get>) {
      using Member = std::remove_cvref_t<std::invoke_result_t<Get, LinkRow&>>;
      using Kept = std::conditional_t<std::is_arithmetic_v<Member>, double, Member>;
      if (!data_.has(prefix_ + name)) return *this;
      const auto& cells = std::get<std::vector<Kept>>(data_.at(prefix_ + name).values);
      for (std::size_t i = 0; i < links_.size(); ++i) links_[i].*get = static_cast<Member>(cells[i]);
    }
    return *this;
  }
  const Dataset& data_;
  std::vector<LinkRow>& links_;
  std::string prefix_;
};

}  // namespace

Columns link_columns(const std::vector<LinkRow>& links, const LinkArrays& arrays) {
  const auto number = [](const LinkRow&, std::size_t place) { return static_cast<std::int64_t>(place) + 1; };
  auto table = rows("link", links, number, "link, those between series first, by q-value");
  table.shown({.csv = false, .json = false});
  declare_columns(table, arrays);
  return table;
}

std::vector<LinkRow> read_links(const Dataset& data) {
  if (!data.has("link")) return {};
  std::vector<LinkRow> links(data.at("link").size());
  LinkReader reader(data, links);
  declare_columns(reader, {});
  for (std::size_t i = 0; i < links.size(); ++i) {
    links[i].directed = links[i].said != kMovesWith && links[i].said != kMovesAgainst;
    links[i].log10_p = log10_at(data, "link_log10_p", i, links[i].p);
    links[i].log10_q = log10_at(data, "link_log10_q", i, links[i].q);
  }
  return links;
}

const std::vector<std::string>& words(const Dataset& data, const std::string& name) {
  return std::get<std::vector<std::string>>(data.at(name).values);
}

double log10_at(const Dataset& data, const std::string& array, std::size_t place, double probability) {
  const double value = data.has(array) ? data.at(array).reals()[place] : std::log10(probability);
  return std::isfinite(value) ? value : kNan;
}

}  // namespace fovea::lag::discover
