#include "fovea/domains/opinion/simulate/events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::simulate {

namespace {

struct EventWord {
  EventKind kind;
  const char* word;
  const char* plural;
  bool other, weight, opinion;  ///< cells that have a meaning
};
constexpr std::array kWords{EventWord{EventKind::join, "join", "joins", false, false, true},
                            EventWord{EventKind::leave, "leave", "leaves", false, false, false},
                            EventWord{EventKind::edge, "edge", "edges", true, true, false},
                            EventWord{EventKind::cut, "cut", "cuts", true, false, false},
                            EventWord{EventKind::set, "set", "sets", false, false, true}};
constexpr double kLargest = 1e50;  // of opinions, as for start.file

class EventReader {
 public:
  explicit EventReader(const std::string& path)
      : path_(path), dialect_(datasets::series::dialect_of(path)), table_(path, dialect_) {
    refuse_unknown_columns();
    for (const char* needed : {"step", "event", "agent"}) table_.column(needed);
  }

  EventTable read() {
    EventTable table{path_, {}, datasets::series::reading_notes(path_)};
    while (table_.next()) table.rows.push_back(row());
    if (table.rows.empty()) throw DataError(concat(path_, ": has no event; leave events.file out."));
    return table;
  }

 private:
  void refuse_unknown_columns() const {
    const std::vector<std::string> known{"step", "event", "agent", "other", "weight", "opinion"};
    for (const std::string& column : table_.columns()) {
      if (std::find(known.begin(), known.end(), column) != known.end()) continue;
      const std::string near = nearest(column, known);
      throw DataError(concat(path_, ": has a column '", datasets::text::shown_text(column), "', which nothing reads; ",
                             near.empty() ? "remove it." : concat("did you mean '", near, "'?")));
    }
  }

  std::string word(const char* column) const {
    return table_.has(column) ? std::string(datasets::text::trimmed(table_.text(table_.column(column)))) : "";
  }
  double number(const char* column) const {
    return table_.has(column) ? datasets::series::number_of(table_, table_.column(column), dialect_) : kNan;
  }
  [[noreturn]] void refuse(const char* column, const std::string& sentence) const {
    table_.refuse(table_.column(column), sentence);
  }

  const EventWord& kind() const {
    const std::string given = word("event");
    std::vector<std::string> known;
    for (const EventWord& one : kWords) {
      if (given == one.word) return one;
      known.emplace_back(one.word);
    }
    const std::string near = nearest(given, known);
    refuse("event",
           concat("the event is '", datasets::text::shown_text(given), "', but must be join, leave, edge, cut or set.",
                  near.empty() ? "" : concat(" Did you mean '", near, "'?")));
  }

  EventRow row() {
    const EventWord& kind = this->kind();
    EventRow row{table_.row(), 0, kind.kind, word("agent"), word("other"), number("weight"), number("opinion")};
    const double step = number("step");
    if (!(step >= 0 && step == std::floor(step) && step <= 1e15))
      refuse("step", "the step must be a whole number >= 0: the event takes effect before it.");
    row.step = static_cast<std::int64_t>(step);
    if (row.agent.empty()) refuse("agent", "the agent is missing; each event needs one.");
    if (kind.other && row.other.empty()) refuse_missing("other", kind, "needs the agent at the other end");
    if (kind.kind == EventKind::set && std::isnan(row.opinion)) refuse_missing("opinion", kind, "needs the opinion");
    const auto unused = [&](const char* column, bool used, bool given) {
      if (!used && given) refuse(column, concat("the event ", kind.word, " does not read it; leave the cell empty."));
    };
    unused("other", kind.other, !row.other.empty());
    unused("weight", kind.weight, !std::isnan(row.weight));
    unused("opinion", kind.opinion, !std::isnan(row.opinion));
    if (row.weight == 0) refuse("weight", "the weight is 0; the event cut ends an edge.");
    if (!std::isnan(row.weight) && !(std::abs(row.weight) <= 1e100)) refuse("weight", "the weight must be finite.");
    if (!std::isnan(row.opinion) && !(std::abs(row.opinion) <= kLargest))
      refuse("opinion", "an opinion must be in [-1e50, 1e50].");
    if (!seen_.insert({row.step, row.kind, row.agent, row.other}).second)
      refuse("agent", concat("this ", kind.word, " is in the file twice for step ", row.step, "; keep one row."));
    return row;
  }

  [[noreturn]] void refuse_missing(const char* column, const EventWord& kind, const char* what) const {
    const std::string sentence = concat("the event ", kind.word, " ", what, ".");
    if (table_.has(column)) refuse(column, sentence);
    refuse("event", concat(sentence, " The table has no column '", column, "'."));
  }

  const std::string& path_;
  datasets::text::CsvOptions dialect_;
  datasets::text::CsvReader table_;
  std::set<std::tuple<std::int64_t, EventKind, std::string, std::string>> seen_;
};

/// Goes through the events as a run will, without opinions.
class Rehearsal {
 public:
  Rehearsal(const EventTable& table, const EventSetting& setting) : table_(table), setting_(setting) {
    for (std::size_t i = 0; i < setting.names.size(); ++i) number_.emplace(setting.names[i], static_cast<Index>(i));
    const dynamics::Update& update = dynamics::find_model(setting.model.model).rule.update;
    if (setting.graph == nullptr && update.least_agents > 0) least_ = update.least_agents;
    if (setting.graph == nullptr && update.by_panel) least_ = setting.model.panel;
  }

  std::vector<Event> events() {
    std::vector<std::size_t> order(table_.rows.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return table_.rows[a].step < table_.rows[b].step; });
    std::vector<Event> events;
    for (const std::size_t k : order) events.push_back(named(table_.rows[k]));
    there_ = there_at_start(events, setting_.agents.count());
    check_those_left(table_.rows[order[0]], " at the start");
    if (setting_.graph != nullptr) network_.emplace(*setting_.graph);
    for (std::size_t k = 0; k < events.size(); ++k) {
      if (events[k].step >= setting_.steps) continue;
      act(table_.rows[order[k]], events[k]);
      const bool last_of_step = k + 1 == events.size() || events[k + 1].step != events[k].step;
      if (last_of_step) check_those_left(table_.rows[order[k]], "");
    }
    return events;
  }

 private:
  [[noreturn]] void refuse(const EventRow& row, const std::string& sentence) const {
    throw DataError(concat(table_.path, ":row ", row.row, ": ", sentence));
  }

  Index agent_named(const EventRow& row, const std::string& name) const {
    const auto found = number_.find(name);
    if (found != number_.end()) return found->second;
    const std::string near = nearest(name, setting_.names);
    refuse(row, concat("there is no agent '", datasets::text::shown_text(name), "'",
                       near.empty() ? "; agents that come later must be in start.file or the network from the start."
                                    : concat(". Did you mean '", near, "'?")));
  }

  Event named(const EventRow& row) const {
    Event event{row.step,   row.kind, agent_named(row, row.agent), -1, std::isnan(row.weight) ? 1 : row.weight,
                row.opinion};
    if (!row.other.empty()) event.other = agent_named(row, row.other);
    if (event.agent == event.other) refuse(row, "an edge must join two different agents.");
    if (!std::isnan(row.opinion) && setting_.agents.start.cols() != 1)
      refuse(row, concat("gives an opinion, but model.components = ", setting_.agents.start.cols(),
                         "; leave it empty, and the agent has that of the start."));
    const bool tie = event.kind == EventKind::edge || event.kind == EventKind::cut;
    if (tie && setting_.graph == nullptr)
      refuse(row, "is of an edge, but there is no network: everybody hears everybody; give network.kind.");
    const bool repels = setting_.graph != nullptr && setting_.graph->directed &&
                        dynamics::find_model(setting_.model.model).rule.score == dynamics::Score::alike;
    if (event.weight < 0 && setting_.model.rewiring.probability > 0)
      refuse(row, concat("the weight is ", event.weight,
                         ", but with rewiring.probability > 0 an edge keeps its weight as it moves, also to those whom "
                         "one chooses; give one > 0."));
    if (event.weight < 0 && !repels)
      refuse(row, concat("the weight is ", event.weight,
                         ", but only degroot and friedkin_johnsen on a directed network know negative weights as "
                         "repulsion; give one > 0."));
    return event;
  }

  std::uint8_t& there(Index agent) { return there_[agent]; }

  void act(const EventRow& row, const Event& event) {
    if (event.kind == EventKind::join) {
      if (there(event.agent) != 0) refuse(row, concat("'", row.agent, "' joins, but is there already."));
      there(event.agent) = 1;
      return;
    }
    if (there(event.agent) == 0) refuse_absent(row, row.agent);
    if (event.other >= 0 && there(event.other) == 0) refuse_absent(row, row.other);
    if (event.kind == EventKind::leave) there(event.agent) = 0;
    if (event.other < 0) return;
    const Index edge = network_->edge_between(event.agent, event.other);
    if (event.kind == EventKind::edge && edge < 0) network_->add_edge(event.agent, event.other);
    if (event.kind != EventKind::cut) return;
    const bool may_move = setting_.model.rewiring.probability > 0;
    if (edge < 0 && !may_move)
      refuse(row, concat("cuts the edge of '", row.agent, "' and '", row.other, "', but there is none."));
    if (edge >= 0) network_->remove_edge(edge);
  }

  [[noreturn]] void refuse_absent(const EventRow& row, const std::string& name) const {
    refuse(row, concat("'", name, "' is not there at step ", row.step, "; let it join first, in a row above."));
  }

  void check_those_left(const EventRow& row, const char* when) const {
    Index left = 0, counting = 0;
    for (std::size_t i = 0; i < there_.size(); ++i) {
      left += there_[i] != 0 ? 1 : 0;
      counting += there_[i] != 0 && (setting_.agents.counted.empty() || setting_.agents.counted[i] != 0) ? 1 : 0;
    }
    if (left < least_ || counting == 0)
      refuse(row,
             concat(left, left == 1 ? " agent is" : " agents are", " there", *when == '\0' ? " after it" : when, ", ",
                    counting, " of them no bot or medium; at least ", least_, " must be, and one that counts."));
  }

  const EventTable& table_;
  const EventSetting& setting_;
  std::unordered_map<std::string, Index> number_;
  std::vector<std::uint8_t> there_;
  std::optional<society::ChangingNetwork> network_;
  Index least_ = 2;
};

}  // namespace

EventTable read_events(const std::string& path) { return EventReader(path).read(); }

std::vector<Event> events_of(const EventTable& table, const EventSetting& setting) {
  return Rehearsal(table, setting).events();
}

std::vector<std::uint8_t> there_at_start(const std::vector<Event>& events, Index agents) {
  std::vector<std::uint8_t> there(agents, 1), told(there.size(), 0);
  for (const Event& event : events) {
    const std::size_t agent = event.agent;
    if ((event.kind != EventKind::join && event.kind != EventKind::leave) || told[agent] != 0) continue;
    told[agent] = 1;
    if (event.kind == EventKind::join) there[agent] = 0;
  }
  return there;
}

std::string listed_events(const std::vector<Event>& events) {
  std::string text;
  for (const EventWord& one : kWords) {
    const auto count =
        std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == one.kind; });
    if (count > 0) text += concat(text.empty() ? "" : ", ", counted(count, one.word, one.plural));
  }
  return text;
}

}  // namespace fovea::opinion::simulate
