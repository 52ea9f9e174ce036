/// HepMC 3 ASCII (Buckley et al. 2021, section 3.3):
///
///   HepMC::Version ...
///   HepMC::Asciiv3-START_EVENT_LISTING
///   E number vertices particles [@ x y z t]
///   U GEV|MEV MM|CM
///   P id parent pdg px py pz E m status        parent: > 0 a particle, < 0 a vertex, 0 none
///   V id status [incoming,...] [@ x y z t]     only of vertices with several incoming particles, or a place
///   W, A, T, N, C, H, F: weights, attributes, tools: passed over
///   HepMC::Asciiv3-END_EVENT_LISTING

#include <map>
#include <set>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/particles/text/hepmc_text.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::text {

namespace {

using fovea::datasets::text::shown_text;

constexpr std::string_view kStart3 = "HepMC::Asciiv3-START_EVENT_LISTING", kEnd3 = "HepMC::Asciiv3-END_EVENT_LISTING";

/// What the lines of one event said so far.
struct Record3 {
  std::int64_t number = 0, vertices = 0, particles = 0;
  std::vector<std::int64_t> parents;                           ///< of each particle, in the order of ids
  std::map<std::int64_t, std::vector<std::int64_t>> incoming;  ///< of each vertex that has a line
};

class HepMC3Text : public HepMCText {
 public:
  HepMC3Text(const std::string& path, FileFacts facts, const ReadOptions& options)
      : HepMCText(path, std::move(facts), options, kStart3, kEnd3) {}

 private:
  void begin_event() override {
    record_ = {};
    take_event_line();
  }
  void check_units_line(bool had_one) override {
    if (had_one) lines_.refuse(concat("is a second line U in event ", record_.number, "; an event has one."));
    if (!record_.parents.empty()) lines_.refuse("is a line U behind particles; units must stand before them.");
  }
  void take_line(std::string_view line) override {
    if (line.starts_with("P ")) take_particle();
    if (line.starts_with("V ")) take_vertex();
  }
  std::int64_t checked_event() override {
    check_record();
    return record_.number;
  }

  void take_event_line() {
    LineFields fields(lines_, "the event");
    fields.word();
    record_.number = fields.whole("number");
    record_.vertices = fields.whole("number of vertices");
    record_.particles = fields.whole("number of particles");
    if (record_.vertices < 0 || record_.particles < 0)
      lines_.refuse(concat("event ", record_.number, " is to have ", record_.vertices, " vertices and ",
                           record_.particles, " particles; neither can be negative."));
  }

  void take_particle() {
    const auto expected = static_cast<std::int64_t>(record_.parents.size()) + 1;
    const std::string whose = concat("particle ", expected);
    LineFields fields(lines_, whose);
    fields.word();
    const std::int64_t id = fields.whole("id");
    if (id != expected)
      lines_.refuse(concat("particle ", id, " stands where particle ", expected, " is expected; ids count from 1."));
    record_.parents.push_back(fields.whole("parent"));
    const std::int64_t pdg = pdg_number(fields);
    const Momentum p = momentum_in(fields);
    fields.number("mass");
    if (fields.whole("status") == 1)
      add_final(p, pdg, whose);
    else
      ++repairs_.not_final;
  }

  void take_vertex() {
    LineFields fields(lines_, "the vertex");
    fields.word();
    const std::int64_t id = fields.whole("id");
    if (id >= 0 || id < -record_.vertices)
      lines_.refuse(
          concat("vertex ", id, " is unknown: event ", record_.number, " has -1 to ", -record_.vertices, "."));
    if (record_.incoming.count(id) > 0) lines_.refuse(concat("vertex ", id, " has two lines; it must have one."));
    fields.whole("status");
    std::string_view list = fields.word("list of incoming particles");
    if (!list.starts_with('[') || !list.ends_with(']'))
      lines_.refuse(concat("the incoming particles of vertex ", id, " are '", shown_text(list),
                           "', but must be a list such as [1,2]."));
    list = list.substr(1, list.size() - 2);
    std::vector<std::int64_t>& incoming = record_.incoming[id];
    while (!list.empty()) {
      const std::size_t end = std::min(list.size(), list.find(','));
      std::int64_t particle = 0;
      if (!is_whole(list.substr(0, end), particle))
        lines_.refuse(concat("an incoming particle of vertex ", id, " is '", shown_text(list.substr(0, end)),
                             "', but must be a whole number."));
      incoming.push_back(particle);
      list.remove_prefix(std::min(list.size(), end + 1));
    }
  }

  /// The counts, and that every particle comes from something that is there.
  void check_record() const {
    const auto particles = static_cast<std::int64_t>(record_.parents.size());
    const std::string event = concat("event ", record_.number, " ");
    if (particles != record_.particles)
      lines_.refuse(concat(event, "ends here with ", particles, " particles, but its first line says ",
                           record_.particles, "; a part is missing or doubled."));
    std::set<std::int64_t> without_line;
    std::vector<std::vector<std::size_t>> sources(record_.parents.size() + record_.incoming.size());
    std::unordered_map<std::int64_t, std::size_t> nodes;
    for (const auto& [vertex, incoming] : record_.incoming) {
      const std::size_t node = record_.parents.size() + nodes.size();
      nodes.emplace(vertex, node);
      for (const std::int64_t particle : incoming) {
        if (particle < 1 || particle > particles)
          lines_.refuse(concat(event, "has a vertex ", vertex, " with incoming particle ", particle,
                               ", but the particles are 1 to ", particles, "."));
        sources[node].push_back(particle - 1);
      }
    }
    for (std::size_t i = 0; i < record_.parents.size(); ++i) {
      const std::int64_t parent = record_.parents[i];
      const auto vertex = nodes.find(parent);
      if (parent > particles || (parent < 0 && vertex == nodes.end()))
        lines_.refuse(concat(event, "has a particle ", i + 1, " with parent ", parent, ", which is not there."));
      if (parent > 0) without_line.insert(parent);
      if (parent > 0) sources[i].push_back(parent - 1);
      if (parent < 0) sources[i].push_back(vertex->second);
    }
    check_vertices(without_line.size() + record_.incoming.size());
    if (const auto node = node_on_circle(sources); node && *node < record_.parents.size())
      lines_.refuse(concat(event, "has a particle ", *node + 1, " that is its own ancestor; vertices form a circle."));
  }

  void check_vertices(std::size_t found) const {
    if (std::cmp_greater(found, record_.vertices))
      lines_.refuse(concat("event ", record_.number, " ends here with ", found, " vertices, but its first line says ",
                           record_.vertices, "."));
  }

  Record3 record_;
};

}  // namespace

bool knows_hepmc3(const FileHead& head) {
  return head.bytes.find(kStart3) != std::string::npos && starts_with_word(head, "HepMC::");
}

std::unique_ptr<ParticleReader> open_hepmc3(const FileHead& head, const ReadOptions& options) {
  return open_hepmc<HepMC3Text>(head, options, "HepMC 3 ASCII");
}

}  // namespace fovea::datasets::particles::text
