/// HepMC 2 ASCII (IO_GenEvent; Dobbs & Hansen 2001, manual of HepMC 2.06):
///
///   HepMC::IO_GenEvent-START_EVENT_LISTING
///   E number interactions scale aQCD aQED process signal_vertex vertices beam1 beam2 n_random ... n_weights ...
///   U GEV|MEV MM|CM
///   V barcode id x y z ct orphans outgoing n_weights ...      followed by its particles, orphans first
///   P barcode pdg px py pz E m status theta phi end_vertex n_flow ...
///   N, C, H, F: names of weights, cross-section, heavy ions, densities: passed over
///   HepMC::IO_GenEvent-END_EVENT_LISTING

#include <map>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/particles/text/hepmc_text.hpp"

namespace fovea::datasets::particles::text {

namespace {

constexpr std::string_view kStart2 = "HepMC::IO_GenEvent-START_EVENT_LISTING",
                           kEnd2 = "HepMC::IO_GenEvent-END_EVENT_LISTING";

struct Vertex2 {
  std::vector<std::int64_t> ends;  ///< of its outgoing particles: 0 or a vertex
};

class HepMC2Text : public HepMCText {
 public:
  HepMC2Text(const std::string& path, FileFacts facts, const ReadOptions& options)
      : HepMCText(path, std::move(facts), options, kStart2, kEnd2) {}

 private:
  void begin_event() override {
    vertices_.clear();
    owed_ = orphans_ = 0;
    take_event_line();
  }
  void take_line(std::string_view line) override {
    if (line.starts_with("V ")) take_vertex();
    if (line.starts_with("P ")) take_particle();
  }
  std::int64_t checked_event() override {
    check_vertices();
    return number_;
  }

  void take_event_line() {
    LineFields fields(lines_, "the event");
    fields.word();
    number_ = fields.whole("number");
    fields.skip(6, "line of numbers");
    count_ = fields.whole("number of vertices");
    fields.skip(2, "beam particles");
    fields.skip(fields.whole("number of random states"), "random state");
    fields.skip(fields.whole("number of weights"), "weight");
    if (count_ < 0)
      lines_.refuse(concat("event ", number_, " is to have ", count_, " vertices; there cannot be fewer than 0."));
  }

  void take_vertex() {
    refuse_owed();
    LineFields fields(lines_, "the vertex");
    fields.word();
    vertex_ = fields.whole("barcode");
    if (vertex_ >= 0) lines_.refuse(concat("vertex ", vertex_, " must have a barcode below 0."));
    if (!vertices_.emplace(vertex_, Vertex2{}).second)
      lines_.refuse(concat("vertex ", vertex_, " comes a second time in event ", number_, "."));
    fields.skip(5, "place");
    orphans_ = fields.whole("number of orphans");
    const std::int64_t outgoing = fields.whole("number of outgoing particles");
    if (orphans_ < 0 || outgoing < 0)
      lines_.refuse(concat("vertex ", vertex_, " is to have ", orphans_, " orphans and ", outgoing,
                           " outgoing particles; neither can be negative."));
    owed_ = outgoing;
  }

  void take_particle() {
    if (orphans_ == 0 && owed_ == 0)
      lines_.refuse(vertices_.empty() ? "is a particle before any vertex; each belongs to one."
                                      : concat("is one particle more than vertex ", vertex_, " is to have."));
    LineFields fields(lines_, "the particle");
    fields.word();
    const std::string whose = concat("particle ", fields.whole("barcode"));
    const std::int64_t pdg = pdg_number(fields);
    const Momentum p = momentum_in(fields);
    fields.number("mass");
    const std::int64_t status = fields.whole("status");
    fields.number("theta");
    fields.number("phi");
    const std::int64_t end = fields.whole("end vertex");
    if (orphans_ > 0) {
      --orphans_;  // it comes from nowhere and ends here
    } else {
      --owed_;
      vertices_[vertex_].ends.push_back(end);
    }
    if (status == 1)
      add_final(p, pdg, whose);
    else
      ++repairs_.not_final;
  }

  void refuse_owed() const {
    if (orphans_ + owed_ > 0)
      lines_.refuse(concat("vertex ", vertex_, " ends here, but ", orphans_ + owed_, " of its particles are missing."));
  }

  void check_vertices() const {
    refuse_owed();
    const std::string event = concat("event ", number_, " ");
    if (static_cast<std::int64_t>(vertices_.size()) != count_)
      lines_.refuse(concat(event, "ends here with ", vertices_.size(), " vertices, but its first line says ", count_,
                           "; a part is missing or doubled."));
    std::unordered_map<std::int64_t, std::size_t> nodes;
    std::vector<std::int64_t> barcodes;
    for (const auto& [barcode, vertex] : vertices_) {
      nodes.emplace(barcode, nodes.size());
      barcodes.push_back(barcode);
    }
    std::vector<std::vector<std::size_t>> sources(nodes.size());
    for (const auto& [barcode, vertex] : vertices_)
      for (const std::int64_t end : vertex.ends) {
        const auto found = nodes.find(end);
        if (end != 0 && found == nodes.end())
          lines_.refuse(concat(event, "has a particle that ends in vertex ", end, ", which is not there."));
        if (end != 0) sources[found->second].push_back(nodes.at(barcode));
      }
    if (const auto node = node_on_circle(sources))
      lines_.refuse(concat(event, "has a vertex ", barcodes[*node], " on or behind a circle of vertices; a particle ",
                           "cannot be its own ancestor."));
  }

  std::int64_t number_ = 0, count_ = 0, vertex_ = 0, orphans_ = 0, owed_ = 0;
  std::map<std::int64_t, Vertex2> vertices_;
};

}  // namespace

bool knows_hepmc2(const FileHead& head) { return starts_with_word(head, "HepMC::"); }

std::unique_ptr<ParticleReader> open_hepmc2(const FileHead& head, const ReadOptions& options) {
  if (head.bytes.find(kStart2) == std::string::npos)
    throw DataError(concat(head.path, ": is HepMC, but neither ASCII 3 nor IO_GenEvent (2); write it as one of them."));
  return open_hepmc<HepMC2Text>(head, options, "HepMC 2 ASCII");
}

}  // namespace fovea::datasets::particles::text
