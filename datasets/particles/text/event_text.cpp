#include "fovea/datasets/particles/text/event_text.hpp"

#include <algorithm>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/collector.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::text {

EventText::EventText(const std::string& path, FileFacts facts, const ReadOptions& options)
    : lines_(path), facts_(std::move(facts)), leave_out_bad_(options.leave_out_bad) {
  facts_.path = path;
  unit_is_given_ = !options.unit.empty();
  if (!unit_is_given_) return;
  if (options.unit != "GeV" && options.unit != "MeV")
    throw DataError(concat(path, ": the unit is given as '", options.unit, "', but must be GeV or MeV."));
  facts_.unit = options.unit;
  facts_.unit_known_by = "as asked for";
  to_gev_ = options.unit == "MeV" ? 1e-3 : 1;
}

void EventText::begin() {
  has_first_ = next_good_event();
  if (!has_first_) throw DataError(concat(lines_.path(), ": has no event; it needs one at least."));
}

ParticleSets EventText::read(Index most) {
  while (!is_at_end_ && builder_.sets() < most) is_at_end_ = !next_good_event();
  return builder_.take();
}

bool EventText::next_good_event() {
  while (true) {
    const Repairs before = repairs_;
    const Index sets = builder_.sets();
    try {
      return next_event();
    } catch (const DataError& fault) {
      if (builder_.sets() != sets) throw;  // it had ended: the fault is of what follows
      if (lines_.number() == 0 || !skip_event()) throw;
      builder_.drop_open();
      repairs_ = before;
      take_bad_set(fault, leave_out_bad_, repairs_);
    }
  }
}

void EventText::add_final(const Momentum& p, std::int64_t id, const std::string& whose) {
  if (is_neutrino(id)) {
    ++repairs_.invisible;
    return;
  }
  if (const std::string problem = momentum_problem(p, repairs_); !problem.empty())
    lines_.refuse(concat(whose, " ", problem, "; leave this event out."));
  builder_.add(p, id);
}

Momentum EventText::momentum_in(LineFields& fields) const {
  const double px = fields.number("px"), py = fields.number("py"), pz = fields.number("pz");
  return {to_gev_ * px, to_gev_ * py, to_gev_ * pz, to_gev_ * fields.number("E")};
}

void EventText::take_unit(std::string_view unit) {
  if (unit != "GEV" && unit != "MEV")
    lines_.refuse(
        concat("the unit of momenta is '", fovea::datasets::text::shown_text(unit), "', but must be GEV or MEV."));
  if (unit_is_given_ && unit != (facts_.unit == "MeV" ? "MEV" : "GEV"))
    note_once(
        concat("energies are read in ", facts_.unit, " as was asked for, not in ", unit == "MEV" ? "MeV" : "GeV"));
  if (unit_is_given_) return;
  to_gev_ = unit == "MEV" ? 1e-3 : 1;
  if (builder_.sets() == 0 && !has_first_) facts_.unit = unit == "MEV" ? "MeV" : "GeV";
}

std::int64_t EventText::pdg_number(LineFields& fields) {
  const std::int64_t id = fields.whole("PDG number");
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (id < -kMost || id > kMost) lines_.refuse(concat("the PDG number is ", id, ", but lies in 32 bits."));
  return id;
}

void EventText::note_once(const std::string& note) {
  if (std::find(facts_.notes.begin(), facts_.notes.end(), note) == facts_.notes.end()) facts_.notes.push_back(note);
}

std::optional<std::size_t> node_on_circle(const std::vector<std::vector<std::size_t>>& sources) {
  std::vector<std::vector<std::size_t>> targets(sources.size());
  std::vector<std::size_t> waiting(sources.size()), free;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    waiting[i] = sources[i].size();
    if (waiting[i] == 0) free.push_back(i);
    for (const std::size_t from : sources[i]) targets[from].push_back(i);
  }
  std::size_t taken = 0;
  for (; taken < free.size(); ++taken)
    for (const std::size_t to : targets[free[taken]])
      if (--waiting[to] == 0) free.push_back(to);
  if (taken == sources.size()) return std::nullopt;
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (waiting[i] > 0) return i;
  return std::nullopt;
}

}  // namespace fovea::datasets::particles::text
