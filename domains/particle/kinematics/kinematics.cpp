/// The experiment "particle.kinematics": do masses, angles and boosts of sets of particles come out as they must?
///
/// One point writes, of made decays Z -> mu mu and t -> b W -> b q q': densities of the masses (z_density over z_mass,
/// top_density and w_density over parton_mass) beside the laws they were drawn from; the opening of the W's quarks over
/// its pT (opening, least_opening, opening_bound over w_pt); errors of ln m^2 of collinear pairs in float over delta_r;
/// and what turning about the beam and boosts along it change.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/kinematics/bins.hpp"
#include "fovea/domains/particle/kinematics/measures.hpp"
#include "fovea/domains/particle/kinematics/recorded.hpp"

namespace fovea::particle::kinematics {

namespace {

namespace particles = datasets::particles;
using datasets::simulated::MadeDecays;
using particles::Momentum;

constexpr Bins kZBins{70, 110, 80}, kPartonBins{60, 190, 130};

/// Of the first lepton in the Z's rest frame: the cosine to the beam is not stored, but follows from both.
double mean_square_of_cosine(const MadeDecays& made) {
  double sum = 0;
  for (Index i = 0; i < made.sets.count(); ++i) {
    const Momentum one = particles::momentum_of(made.sets.momenta, 2 * i);
    const Momentum z = one + particles::momentum_of(made.sets.momenta, 2 * i + 1);
    const double m = particles::mass(z), along = z.px * one.px + z.py * one.py + z.pz * one.pz;
    const double back = along / (m * (z.energy + m)) - one.energy / m;  // the boost by -P
    const double px = one.px + back * z.px, py = one.py + back * z.py, pz = one.pz + back * z.pz;
    sum += pz * pz / (px * px + py * py + pz * pz);
  }
  return sum / static_cast<double>(made.sets.count());
}

void add_z(Index count, const Random& random, Results& results) {
  const datasets::simulated::ZPlan plan;
  const MadeDecays made = z_decays(count, plan, random);
  const std::vector<double> masses = set_masses(made.sets);
  results.coordinate("z_mass", kZBins.centres(), "GeV", "mass of two leptons");
  results.add("z_density", {"z_mass"}, kZBins.density(masses), "1/GeV", "simulated decays Z -> mu mu");
  results.add("z_law", {"z_mass"}, kZBins.resonance(plan.mass, plan.width, plan.reach), "1/GeV",
              "Cauchy law of the resonance");
  results.scalar("z_median", middle_of(masses), "GeV", "median mass of the muon pairs");
  results.scalar("z_true", plan.mass, "GeV", "mass of the Z that was put in");
  results.scalar("z_mass_error", largest_gap(masses, made.masses), "GeV", "largest |m(E, p) - m drawn| of the pairs");
  results.scalar("cosine_square", mean_square_of_cosine(made), "1", "mean of cos^2 theta* of the muon");
}

/// Of the W's two quarks: their dR over the W's pT.
void add_openings(const MadeDecays& made, double w_mass, Results& results) {
  const Bins bins{150, 650, 20};
  std::vector<std::vector<double>> openings(bins.count);
  double least_ratio = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < made.sets.count(); ++i) {
    const auto parton = [&](Index k) {
      return Momentum{made.sets.truth(i, 4 * k), made.sets.truth(i, 4 * k + 1), made.sets.truth(i, 4 * k + 2),
                      made.sets.truth(i, 4 * k + 3)};
    };
    const Momentum quark = parton(2), other = parton(3), w = quark + other;
    const double pt = particles::pt(w), bound = 2 * std::atan(particles::mass(w) / pt);
    const double opening = particles::delta_r(particles::rapidity(quark), particles::phi(quark),
                                              particles::rapidity(other), particles::phi(other));
    least_ratio = std::min(least_ratio, opening / bound);
    if (pt < bins.low || pt >= bins.high) continue;
    openings[static_cast<std::size_t>((pt - bins.low) / bins.width())].push_back(opening);
  }
  const std::vector<double> centres = bins.centres();
  using Opened = const std::vector<double>&;
  rows(
      "w_pt", openings, [&](Opened, std::size_t k) { return centres[k]; }, "pT of the W", "GeV")
      .number("opening", &middle_of, "median dR of the two quarks")
      .number(
          "least_opening", [](Opened all) { return all.empty() ? kNan : *std::min_element(all.begin(), all.end()); },
          "least dR")
      .number(
          "opening_bound", [&](Opened, std::size_t k) { return 2 * std::atan(w_mass / centres[k]); }, "2 atan(m / pT)")
      .write(results);
  results.scalar("least_opening_ratio", least_ratio, "1", "least dR of W -> q q' over 2 atan(m / pT)");
}

void add_seam(const MadeDecays& made, Results& results) {
  double covered = 0, crossing = 0, turned_change = 0, unwrapped_change = 0;
  const ParticleSets turned = turned_sets(made.sets, std::numbers::pi / 3);
  for (Index i = 0; i < made.sets.count(); ++i) {
    covered += covered_share(made.sets, i) / static_cast<double>(made.sets.count());
    crossing += crosses_seam(made.sets, i) ? 1 / static_cast<double>(made.sets.count()) : 0;
    turned_change = std::max(turned_change, std::abs(width_of(turned, i, true) - width_of(made.sets, i, true)));
    unwrapped_change =
        std::max(unwrapped_change, std::abs(width_of(made.sets, i, false) - width_of(made.sets, i, true)));
  }
  results.scalar("seam_predicted", covered, "1", "mean share of the circle that the three partons cover");
  results.scalar("seam_share", crossing, "1", "share of top decays on both sides of phi = pi");
  results.scalar("turned_change", turned_change, "1", "largest change of the width under a turn about the beam");
  results.scalar("unwrapped_change", unwrapped_change, "1", "largest error of the width where dphi is not wrapped");
}

void add_tops(Index count, const Random& random, Results& results) {
  const datasets::simulated::TopPlan plan;
  const MadeDecays made = top_decays(count, plan, random);
  const std::vector<double> masses = set_masses(made.sets);
  std::vector<double> w_masses;
  for (Index i = 0; i < count; ++i) {
    Momentum w;
    for (const Index k : {8, 12})
      w += Momentum{made.sets.truth(i, k), made.sets.truth(i, k + 1), made.sets.truth(i, k + 2),
                    made.sets.truth(i, k + 3)};
    w_masses.push_back(particles::mass(w));
  }
  results.coordinate("parton_mass", kPartonBins.centres(), "GeV", "mass");
  results.add("top_density", {"parton_mass"}, kPartonBins.density(masses), "1/GeV", "m(b q q')");
  results.add("w_density", {"parton_mass"}, kPartonBins.density(w_masses), "1/GeV", "m(q q')");
  results.add("top_law", {"parton_mass"}, kPartonBins.resonance(plan.mass, plan.width, plan.reach), "1/GeV", "top law");
  results.add("w_law", {"parton_mass"}, kPartonBins.resonance(plan.w_mass, plan.w_width, plan.reach), "1/GeV", "W law");
  results.scalar("top_mass_error", largest_gap(masses, made.masses), "GeV", "largest |m(b q q') - m drawn|");
  results.scalar("w_mass_error", largest_gap(w_masses, made.w_masses), "GeV", "largest |m(q q') - m drawn|");
  add_openings(made, plan.w_mass, results);
  add_seam(made, results);
}

void add_boosts(Index count, const Random& random, Results& results) {
  const MadeDecays made = z_decays(count, datasets::simulated::ZPlan{}, random);
  const ParticleSets boosted = boosted_sets(made.sets, 1.5);
  double pt_change = 0, y_change = 0, eta_change = 0;
  const auto difference = [](const ParticleSets& sets, Index i, double (*of)(const Momentum&)) {
    return of(particles::momentum_of(sets.momenta, 2 * i)) - of(particles::momentum_of(sets.momenta, 2 * i + 1));
  };
  for (Index i = 0; i < count; ++i) {
    const auto change = [&](double (*of)(const Momentum&)) {
      return std::abs(difference(boosted, i, of) - difference(made.sets, i, of));
    };
    pt_change = std::max(pt_change, change(&particles::pt));
    y_change = std::max(y_change, change(&particles::rapidity));
    eta_change = std::max(eta_change, change(&particles::pseudorapidity));
  }
  results.scalar("boost_mass", largest_gap(set_masses(boosted), set_masses(made.sets)), "GeV",
                 "largest change of a mass under a boost of 1.5 along the beam");
  results.scalar("boost_pt", pt_change, "GeV", "largest change of a difference of pT");
  results.scalar("boost_rapidity", y_change, "1", "largest change of a difference of rapidity");
  results.scalar("boost_pseudorapidity", eta_change, "1", "largest change of a difference of pseudorapidity");
}

void add_rounding(Index pairs, const Random& random, Results& results) {
  const MassErrors errors = mass_errors(pairs, 16, random);
  rows("delta_r", errors.bins, &MassErrors::Bin::delta_r, "dR of the pair")
      .number("usual_median", &MassErrors::Bin::usual_median, "usual sums: median")
      .number("usual_largest", &MassErrors::Bin::usual_largest, "usual sums: largest")
      .number("stable_largest", &MassErrors::Bin::stable_largest, "stable formula: largest")
      .write(results);
  results.scalar("wrong_share", errors.wrong_share, "1",
                 "pairs whose ln m^2 from sums in float is wrong by more than 1");
}

void add_kinematics_figures(Results& merged) {
  merged.figure({.kind = "lines",
                 .name = "z_peak",
                 .title = "The mass of two muons",
                 .caption = "Made decays Z -> mu mu. Dashed: the law that the masses were drawn from.",
                 .variables = {"z_density"},
                 .references = {"z_law"},
                 .x = "z_mass"});
  merged.figure({.kind = "lines",
                 .name = "top_and_w",
                 .title = "Top quarks and W bosons from their partons",
                 .caption = "Masses of b q q' and of q q' in simulated decays t -> b W -> b q q'. Dashed: the laws.",
                 .variables = {"top_density", "w_density"},
                 .references = {"top_law", "w_law"},
                 .x = "parton_mass",
                 .value_label = "density [1/GeV]"});
  merged.figure({.kind = "lines",
                 .name = "opening",
                 .title = "A W of high pT keeps its quarks together",
                 .caption = "dR of the two quarks against the pT of the W: median and least. Dashed: 2 atan(m / pT), "
                            "the least for the mass of the W; lighter W bosons lie below.",
                 .variables = {"opening", "least_opening"},
                 .references = {"opening_bound"},
                 .x = "w_pt",
                 .value_label = "dR"});
  merged.figure({.kind = "lines",
                 .name = "rounding",
                 .title = "m^2 of collinear pairs in float",
                 .caption = "Error of ln m^2 against the opening. Sums of four-vectors cancel where particles are "
                            "collinear; the stable formula does not. 20 stands for m^2 <= 0.",
                 .variables = {"usual_median", "usual_largest", "stable_largest"},
                 .x = "delta_r",
                 .log_x = true,
                 .log_y = true,
                 .value_label = "error of ln m^2"});
}

void add_made_checks(Results& merged) {
  const auto largest = [&](const char* name) { return view(merged.data, name).largest(); };
  const auto mean = [&](const char* name) { return view(merged.data, name).mean().mean; };
  const std::string review = "PDG review, kinematics", derived = "derived in domains/particle/README.md";
  constexpr double kRounding = 1e-9;
  merged.check(
      {"z_mass", "largest error of m(E, p) of a muon pair (GeV)", review, 0, largest("z_mass_error"), absolute(1e-8)});
  // the median of a Cauchy law has a standard error of pi width / (4 sqrt n): 0.02 for 10,000
  merged.check({"z_peak", "median mass of the muon pairs (GeV)", "Breit & Wigner 1936", mean("z_true"),
                mean("z_median"), absolute(0.1)});
  merged.check({"flat", "mean of cos^2 theta*, flat in the rest frame", review, 1.0 / 3, mean("cosine_square"),
                absolute(0.015)});
  merged.check({"top_mass", "largest error of m(b q q') (GeV)", review, 0, largest("top_mass_error"), absolute(1e-8)});
  merged.check({"w_mass", "largest error of m(q q') (GeV)", review, 0, largest("w_mass_error"), absolute(1e-8)});
  merged.check({"opening", "least dR of W -> q q' over 2 atan(m / pT)", derived, 1,
                view(merged.data, "least_opening_ratio").range().first, absolute(0.005)});
  merged.check({"seam", "share of top decays on both sides of phi = pi", derived, mean("seam_predicted"),
                mean("seam_share"), absolute(0.015)});
  merged.check({"turn", "largest change of the width under a turn about the beam", review, 0, largest("turned_change"),
                absolute(kRounding)});
  merged.check({"boost_mass", "largest change of a mass under a boost along the beam (GeV)", review, 0,
                largest("boost_mass"), absolute(1e-8)});
  merged.check({"boost_rapidity", "largest change of a difference of rapidity under this boost", review, 0,
                largest("boost_rapidity"), absolute(kRounding)});
  merged.check({"rounding", "largest error of ln m^2 by the stable formula in float", derived, 0,
                largest("stable_largest"), absolute(4e-5)});
}

/// What the keys data.* say: files.
struct RecordedFiles {
  std::vector<std::string> leptons;
  std::string tops;
};
const Keys<RecordedFiles>& recorded_keys() {
  static const auto keys =
      Keys<RecordedFiles>()
          .files("data.leptons", &RecordedFiles::leptons,
                 "files of two or four leptons a candidate, such as CMS's CSV; none: simulated decays alone")
          .file("data.tops", &RecordedFiles::tops, "a file of jets whose truth is t, b, q, q'");
  return keys;
}

struct KinematicsSettings {
  Index decays = 10000;
  RecordedFiles files;
  Index pairs = 2000;
};
const Keys<KinematicsSettings>& kinematics_keys() {
  using S = KinematicsSettings;
  static const auto keys =
      Keys<S>()
          .key("decays", &S::decays, Range::between(100, 1000000), "", "simulated decays of each kind")
          .group(recorded_keys(), &S::files)
          .key("pairs", &S::pairs, Range::between(10, 100000), "", "collinear pairs in each of 16 bins of dR");
  return keys;
}

class Kinematics : public Experiment {
 public:
  std::string_view name() const override { return "particle.kinematics"; }
  std::string_view summary() const override {
    return "masses, angles and boosts of sets of particles come out as they must, also in float";
  }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    kinematics_keys().declare(schema);
    return schema;
  }

  Inputs open(const Config& config) const override {
    const RecordedFiles files = recorded_keys().read(config);
    if (files.leptons.empty() && files.tops.empty()) return {};
    return as_inputs(read_recorded(files.leptons, files.tops));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results, Workbench&) const override {
    const KinematicsSettings settings = kinematics_keys().read(config);
    add_z(settings.decays, random.stream("z"), results);
    add_tops(settings.decays, random.stream("top"), results);
    add_boosts(settings.decays, random.stream("boosts"), results);
    add_rounding(settings.pairs, random.stream("rounding"), results);
    if (!inputs.empty()) add_recorded(*inputs.as<Recorded>(), kZBins, kPartonBins, results);
  }

  void conclude(Results& merged) const override {
    add_made_checks(merged);
    add_recorded_checks(merged);
    add_kinematics_figures(merged);
    add_recorded_figures(merged);
    merged.headline({.variable = "z_median", .label = "Z peak (GeV)", .predicted = "z_true", .check = "z_peak"});
    merged.headline({.variable = "seam_share",
                     .label = "Top decays over the seam",
                     .predicted = "seam_predicted",
                     .meaning = "Partons on both sides of phi = pi: differences of angles must be wrapped.",
                     .check = "seam"});
    merged.headline({.variable = "wrong_share",
                     .label = "Pairs with a wrong ln m^2 from sums in float",
                     .meaning = "Wrong by more than 1; the stable formula has none."});
    give_verdict(merged, "Masses, angles and boosts come out as they must", "rounding and the errors of the samples");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_kinematics() { return std::make_unique<Kinematics>(); }

}  // namespace fovea::particle::kinematics
