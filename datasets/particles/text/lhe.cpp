/// Les Houches events (Alwall et al. 2007): XML, each event
///
///   <event>
///   NUP IDPRUP XWGTUP SCALUP AQEDUP AQCDUP
///   NUP lines: IDUP ISTUP MOTHUP1 MOTHUP2 ICOLUP1 ICOLUP2 px py pz E m VTIMUP SPINUP
///   further tags, and comments that begin with #
///   </event>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/text/event_text.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::text {

namespace {

using fovea::datasets::text::trimmed;

class LheText : public EventText {
 public:
  using EventText::EventText;

 private:
  bool next_event() override {
    if (!find_event()) return false;
    LineFields fields = next_particle_line("the event's first line");
    const std::int64_t count = fields.whole("number of particles (NUP)");
    if (count < 0) lines_.refuse(concat("an event is to have ", count, " particles; there cannot be fewer than 0."));
    mothers_.clear();
    for (std::int64_t i = 1; i <= count; ++i) take_particle(i, count);
    check_mothers(count);
    finish_event(count);
    builder_.end_set(events_++, repairs_);
    return true;
  }

  bool skip_event() override {
    for (bool more = lines_.number() > 0; more; more = lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.starts_with("</event>")) return ++events_, true;
      if (line.starts_with("</LesHouchesEvents")) return false;
    }
    return false;
  }

  /// Goes to the line <event>, outside comments; false behind </LesHouchesEvents>.
  bool find_event() {
    bool is_comment = false;
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.find("<!--") != std::string_view::npos) is_comment = true;
      if (line.find("-->") != std::string_view::npos) is_comment = false;
      if (is_comment) continue;
      if (line.starts_with("</LesHouchesEvents")) return false;
      if (line == "<event>" || line.starts_with("<event ")) return true;
    }
    refuse_cut();
  }

  [[noreturn]] void refuse_cut() const {
    throw DataError(concat(lines_.path(), ": ends behind line ", lines_.number(),
                           " without </LesHouchesEvents>; it was cut, get it again."));
  }

  LineFields next_particle_line(const std::string& whose) {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty() || line.starts_with('#')) continue;
      if (line.starts_with('<')) lines_.refuse(concat(whose, " is missing; a tag stands in its place."));
      return {lines_, whose};
    }
    refuse_cut();
  }

  void take_particle(std::int64_t i, std::int64_t count) {
    const std::string whose = concat("particle ", i, " of ", count);
    LineFields fields = next_particle_line(whose);
    const std::int64_t pdg = pdg_number(fields), status = fields.whole("status");
    const std::int64_t first = fields.whole("first mother"), last = fields.whole("last mother");
    fields.skip(2, "colour");
    const Momentum p = momentum_in(fields);
    fields.number("mass");
    mothers_.push_back({});
    for (const std::int64_t mother : {first, last}) {
      if (mother < 0 || mother > count)
        lines_.refuse(concat(whose, " has mother ", mother, ", but the particles are 1 to ", count, "."));
      if (mother > 0) mothers_.back().push_back(mother - 1);
    }
    if (status == 1)
      add_final(p, pdg, whose);
    else
      ++repairs_.not_final;
  }

  void check_mothers(std::int64_t count) const {
    if (const auto node = node_on_circle(mothers_))
      lines_.refuse(concat("particle ", *node + 1, " of ", count, " is on or behind a circle of mothers; none can be ",
                           "its own ancestor."));
  }

  /// Further tags hold what they like; without one, a line of numbers is a particle that NUP forgot.
  void finish_event(std::int64_t count) {
    bool has_tag = false;
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.starts_with("</event>")) return;
      if (line.starts_with("<event") || line.starts_with("</LesHouchesEvents"))
        lines_.refuse("an event has no </event>; it was cut here.");
      if (line.starts_with('<')) has_tag = true;
      if (!has_tag && !line.empty() && !line.starts_with('#'))
        lines_.refuse(concat("is a line behind the ", count, " particles that the event's first line (NUP) says."));
    }
    refuse_cut();
  }

  std::vector<std::vector<std::size_t>> mothers_;
  std::int64_t events_ = 0;
};

}  // namespace

bool knows_lhe(const FileHead& head) {
  return starts_with_word(head, "<") && head.bytes.find("<LesHouchesEvents") != std::string::npos;
}

std::unique_ptr<ParticleReader> open_lhe(const FileHead& head, const ReadOptions& options) {
  FileFacts facts;
  facts.format = "Les Houches events (LHE)";
  facts.kind = SetKind::events;
  facts.ids = true;
  facts.notes.push_back(
      "partons and leptons of the hard process, before showers and hadrons: kinematics can be examined; jets would be "
      "clusters of these");
  auto reader = std::make_unique<LheText>(head.path, facts, options);
  reader->begin();
  return reader;
}

}  // namespace fovea::datasets::particles::text
