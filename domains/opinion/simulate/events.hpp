#pragma once
/// Agents, edges and media that come and go while a crowd is in motion: a table of events.
///
///   step,event,agent,other,weight,opinion
///   50,join,medium 1,,,
///   60,edge,Ann,Bob,2,
///   80,leave,Carl,,,
///
/// Each takes effect before its step, in the order of the rows; what each does: models.md, "Events in time".

#include <string>
#include <vector>

#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::simulate {

enum class EventKind { join, leave, edge, cut, set };

struct Event {
  std::int64_t step = 0;
  EventKind kind = EventKind::join;
  Index agent = 0;
  Index other = -1;    ///< edge, cut
  double weight = 1;   ///< edge
  double opinion = 0;  ///< join, set; NaN: none is given
};

/// A row as it stands in the file.
struct EventRow {
  std::size_t row = 0;  ///< its line
  std::int64_t step = 0;
  EventKind kind = EventKind::join;
  std::string agent, other;
  double weight = 0, opinion = 0;  ///< NaN: empty
};

struct EventTable {
  std::string path;
  std::vector<EventRow> rows;
  std::vector<std::string> notes;  ///< on how it was read
};

/// The columns step, event and agent, and any of other, weight and opinion; .csv or .csv.gz in the dialects of files of
/// series. Throws DataError with file, row and column: a column that nothing reads, an unknown event, a cell that is
/// missing or has no meaning for the event, a number out of its range, the same event twice.
EventTable read_events(const std::string& path);

/// What the events are checked against.
struct EventSetting {
  const std::vector<std::string>& names;  ///< of all agents, bots and media
  const dynamics::Agents& agents;         ///< all of them
  const society::Graph* graph = nullptr;  ///< theirs; nullptr: there is no network
  const dynamics::ModelSettings& model;
  std::int64_t steps = 0;  ///< of the run: later events do not happen
};

/// By step, later ones than the run too: who is to join then is not there. Throws DataError with file and row for an
/// unknown agent (with the nearest name), one that joins twice or acts while it is not there, an edge without a
/// network, a cut of an edge that is not there (unless the model moves edges), an opinion of several components, and
/// where too few would be left.
std::vector<Event> events_of(const EventTable& table, const EventSetting& setting);

/// Who is there at the start: not those whose first coming or going is a join. One mark an agent.
std::vector<std::uint8_t> there_at_start(const std::vector<Event>& events, Index agents);

/// "2 joins, 1 cut"; events: some of them.
std::string listed_events(const std::vector<Event>& events);

}  // namespace fovea::opinion::simulate
