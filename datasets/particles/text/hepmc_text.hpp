#pragma once
/// What HepMC 2 and 3 ASCII have in common: events between a line that starts a listing and one that ends it, each
/// beginning with a line E, with lines U of units among its own. Internal to datasets/particles/text.

#include <memory>
#include <string_view>

#include "fovea/datasets/particles/formats.hpp"
#include "fovea/datasets/particles/text/event_text.hpp"

namespace fovea::datasets::particles::text {

class HepMCText : public EventText {
 public:
  /// start, end: of a listing.
  HepMCText(const std::string& path, FileFacts facts, const ReadOptions& options, std::string_view start,
            std::string_view end)
      : EventText(path, std::move(facts), options), start_(start), end_(end) {}

 protected:
  /// The line E of an event, which is the current one.
  virtual void begin_event() = 0;
  /// Before the units of a line U are taken. had_one: the event has such a line already.
  virtual void check_units_line(bool had_one) { static_cast<void>(had_one); }
  /// Any other line of the event.
  virtual void take_line(std::string_view line) = 0;
  /// Checks the event, whose lines have all been taken; its number.
  virtual std::int64_t checked_event() = 0;

 private:
  bool next_event() final;
  bool skip_event() final;
  /// Goes to the next line E; false at the end of the last listing.
  bool find_event();
  void next_or_cut();
  [[noreturn]] void refuse_cut() const;

  std::string_view start_, end_;
  bool is_at_event_ = false, is_listing_ = false;
  bool has_ended_ = false;  ///< the line behind the event at hand was read
};

/// Reads the first event of a file of events with PDG numbers.
template <typename Reader>
std::unique_ptr<ParticleReader> open_hepmc(const FileHead& head, const ReadOptions& options, const char* format) {
  FileFacts facts;
  facts.format = format;
  facts.kind = SetKind::events;
  facts.ids = true;
  auto reader = std::make_unique<Reader>(head.path, facts, options);
  reader->begin();
  return reader;
}

}  // namespace fovea::datasets::particles::text
