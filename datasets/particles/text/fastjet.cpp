/// Event files of FastJet: lines "px py pz E", further columns allowed; comments begin with #; #END ends an event,
/// #SUBSTART begins a part of it, of which the first is the hard collision.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/text/event_text.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::particles::text {

namespace {

using fovea::datasets::text::trimmed;

class FastJetText : public EventText {
 public:
  using EventText::EventText;

 private:
  bool next_event() override {
    std::int64_t part = 0;
    Index starts = 0;
    bool has_line = false;
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.starts_with("#END")) return finish(true);
      if (line.starts_with("#SUBSTART")) {
        has_line = true;
        if (events_ == 0 || columns_ == 0) facts_.sub_events = true;  // events without particles have no parts
        if (!facts_.sub_events)
          lines_.refuse("#SUBSTART: the first event has no parts, but this one has; all must have them, or none.");
        part = starts++ == 0 && builder_.open_particles() == 0 ? 0 : part + 1;
      }
      if (line.empty() || line.starts_with('#')) continue;
      has_line = true;
      take_particle(part);
    }
    return finish(has_line);  // the last event may lack its #END
  }

  bool skip_event() override {
    parts_.clear();
    while (lines_.next())
      if (trimmed(lines_.line()).starts_with("#END")) return ++events_, true;
    return true;  // it was the last
  }

  bool finish(bool is_event) {
    if (facts_.sub_events)
      for (const std::int64_t part : parts_) builder_.add_part(part);
    parts_.clear();
    if (is_event) builder_.end_set(events_++, repairs_);
    return is_event;
  }

  void take_particle(std::int64_t part) {
    const std::string whose = "the particle";
    LineFields fields(lines_, whose);
    const Momentum p = momentum_in(fields);
    Index columns = 4;
    while (!fields.word().empty()) ++columns;
    if (columns_ == 0 && columns > 4)
      note_once(concat(columns - 4, columns == 5 ? " further column is" : " further columns are", " not read"));
    if (columns_ == 0) columns_ = columns;
    if (columns != columns_)
      lines_.refuse(concat("has ", columns, " columns, but the lines before have ", columns_, "; all need as many."));
    if (const std::string problem = momentum_problem(p, repairs_); !problem.empty())
      lines_.refuse(concat(whose, " ", problem, "; leave this event out."));
    builder_.add(p);
    parts_.push_back(part);
  }

  Index columns_ = 0;
  std::vector<std::int64_t> parts_;  // of the event's particles
  std::int64_t events_ = 0;
};

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

/// With every one of these letters replaced.
std::string replaced(std::string_view line, std::string_view letters, char by) {
  std::string text(line);
  for (char& letter : text)
    if (letters.find(letter) != std::string_view::npos) letter = by;
  return text;
}

/// Four numbers, the last of them an energy that fits the others.
bool is_momentum_line(std::string_view line) {
  std::array<double, 4> values{};
  for (double& value : values) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    const std::size_t end = std::min(line.size(), line.find_first_of(" \t", first));
    if (!is_number(line.substr(first, end - first), value) || !std::isfinite(value)) return false;
    line.remove_prefix(end);
  }
  Repairs none;
  return values[3] > 0 && momentum_problem({values[0], values[1], values[2], values[3]}, none).empty();
}

/// Whether the columns px, py and pz are named in a line.
bool names_momenta(std::string_view line) {
  const std::string small = datasets::text::lower_case(line);
  return small.find("px") != small.npos && small.find("py") != small.npos && small.find("pz") != small.npos;
}

/// What keeps a line of numbers from being one of an event file, and how to write it anew; empty: something else.
StrangeNumbers strangeness_of(std::string_view line, bool has_names) {
  const std::string ways =
      has_names ? " | tail -n +2 > EVENTS.dat (a line of names must begin with #)" : " > EVENTS.dat";
  if (line.find(", ") == std::string_view::npos && line.find(',') != std::string_view::npos &&
      is_momentum_line(replaced(replaced(line, ";\t", ' '), ",", '.')))
    return {
        "its numbers have decimal commas; FastJet's event files have points, and blanks between the numbers: "
        "tr ',;' '. ' < FILE" +
            ways,
        true};
  if (has_names && is_momentum_line(line))
    return {"its first line has names; those of FastJet's event files begin with #: tail -n +2 FILE > EVENTS.dat",
            true};
  if (is_momentum_line(replaced(line, ";,", ' ')))
    return {
        "its lines are four numbers with commas or semicolons between them; FastJet's event files have blanks: "
        "tr ',;' '  ' < FILE" +
            ways,
        has_names};
  if (is_momentum_line(replaced(line, "Dd", 'e')))
    return {"its numbers have Fortran's exponents (1.5D+01); write them with E: tr 'Dd' 'EE' < FILE" + ways, true};
  return {};
}

}  // namespace

bool knows_fastjet(const FileHead& head) {
  constexpr int kLooked = 50;
  std::string_view text = without_mark(head.bytes);
  bool has_mark = false;
  for (int seen = 0; seen < kLooked && !text.empty();) {
    const std::size_t end = std::min(text.size(), text.find('\n'));
    std::string_view line = trimmed(text.substr(0, end));
    if (line.ends_with('\r')) line.remove_suffix(1);
    text.remove_prefix(std::min(text.size(), end + 1));
    has_mark = has_mark || line.starts_with("#SUBSTART") || line.starts_with("#END");
    if (line.empty() || line.starts_with('#')) continue;
    if (is_momentum_line(line)) return true;
    if (line.find_first_not_of("0123456789+-.eEnaifNAIF \t") != std::string_view::npos && !has_mark) return false;
    ++seen;
  }
  return has_mark;
}

StrangeNumbers strange_numbers(const FileHead& head) {
  std::string_view text = without_mark(head.bytes);
  bool has_names = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.size(), text.find('\n'));
    std::string_view line = trimmed(text.substr(0, end));
    if (line.ends_with('\r')) line.remove_suffix(1);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty() || line.starts_with('#')) continue;
    if (!has_names && names_momenta(line)) {
      has_names = true;
      continue;
    }
    return strangeness_of(line, has_names);
  }
  return {};
}

std::unique_ptr<ParticleReader> open_fastjet(const FileHead& head, const ReadOptions& options) {
  FileFacts facts;
  facts.format = "FastJet event file";
  facts.kind = SetKind::events;
  if (options.unit.empty())
    facts.notes.push_back("the file does not state its unit: GeV is taken"), facts.unit_known_by = "assumed";
  auto reader = std::make_unique<FastJetText>(head.path, facts, options);
  reader->begin();
  return reader;
}

bool starts_with_word(const FileHead& head, std::string_view word) {
  const std::string_view text = without_mark(head.bytes);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with(word);
}

}  // namespace fovea::datasets::particles::text
