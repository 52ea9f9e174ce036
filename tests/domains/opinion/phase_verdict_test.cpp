/// What the verdict of opinion.phase says of its errors.

#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/page/doubts.hpp"
#include "fovea/domains/opinion/phase/page/findings.hpp"
#include "fovea/domains/opinion/phase/rounds.hpp"
#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::phase_verdicts {
namespace {

phase::PhaseFindings points_of(const std::vector<Index>& sizes, bool two_ways) {
  phase::PhaseFindings found;
  for (const Index size : sizes)
    for (const double control : {0.1, 0.2, 0.3, 0.4}) {
      phase::PhasePoint point;
      point.size = size;
      point.control = control;
      point.order = 1 - control;
      point.susceptibility = control == 0.3 ? 5 : 1;
      found.points.push_back(point);
      point.direction = phase::Direction::down;
      if (two_ways) found.points.push_back(point);
    }
  return found;
}

phase::FoundJump jump_at(double at, Index size, double half_width = 0.001) {
  phase::FoundJump jump;
  jump.low = at - half_width, jump.high = at + half_width;
  jump.size = size;
  jump.order_before = 0.9, jump.order_after = 0.1;
  jump.camps_before = 2, jump.camps_after = 1;
  return jump;
}

phase::PhaseFindings crossing_of(const std::vector<Index>& sizes) {
  phase::PhaseFindings found = points_of(sizes, true);
  found.kind = phase::TransitionKind::continuous;
  found.crossing.control = 0.33, found.crossing.low = 0.32, found.crossing.high = 0.34;
  found.crossing.binder = 0.27, found.crossing.binder_low = 0.25, found.crossing.binder_high = 0.29;
  found.crossing.degrees = 10;
  found.peaks = 1;
  return found;
}

phase::PhaseQuestion question_of(const std::string& toml) {
  return phase::phase_question(support::config_of("opinion.phase", toml));
}

const phase::PhaseQuestion& voters() {
  static const phase::PhaseQuestion question = question_of(
      "model.name = \"q_voter\"\nstart.kind = \"two_opinions\"\nphase.control = \"independence\"\n"
      "phase.low = 0.2\nphase.high = 0.5\n");
  return question;
}

const phase::PhaseQuestion& flips() {
  static const phase::PhaseQuestion question =
      question_of("model.name = \"hegselmann_krause\"\nphase.control = \"confidence\"\nstart.kind = \"even\"\n");
  return question;
}

Results judged(const phase::PhaseQuestion& question, const phase::PhaseFindings& found) {
  Results results;
  phase::write_phase_verdict(question, phase::known_transitions(question), found, results);
  return results;
}

std::string verdict_of(const phase::PhaseQuestion& question, const phase::PhaseFindings& found) {
  return judged(question, found).verdict();
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a crossing says what its sizes do not show", "[phase][verdict]") {
  const std::string three = verdict_of(voters(), crossing_of({100, 200, 400}));
  CHECK(three.starts_with("Continuous transition at p = 0.330(10) (95 % interval; predicted 0.33333)."));
  CHECK_FALSE(says(three, "converges"));
  CHECK(says(verdict_of(voters(), crossing_of({100, 200})), "so the interval holds for these two alone."));
  phase::PhaseFindings apart = crossing_of({100, 200, 400});
  apart.crossing.chi_square = 40, apart.crossing.widened = 2;
  CHECK(says(verdict_of(voters(), apart),
             "(chi^2 = 40 for 10 degrees of freedom), so the interval was made 2 times as wide, and these sizes do not "
             "show where it converges."));
}

TEST_CASE("where the sizes do not follow one curve the intervals of their crossing are widened", "[phase][verdict]") {
  phase::FoundCrossing apart = crossing_of({100, 200, 400}).crossing;
  apart.chi_square = 40;  // p = 2e-5 for 10 degrees of freedom
  phase::widen(apart);
  CHECK(apart.widened == 2);
  CHECK(std::abs(apart.low - 0.31) < 1e-12);
  CHECK(std::abs(apart.high - 0.35) < 1e-12);
  CHECK(std::abs(apart.binder_low - 0.23) < 1e-12);
  phase::FoundCrossing together = crossing_of({100, 200, 400}).crossing;
  together.chi_square = 20;  // p = 0.03
  phase::widen(together);
  CHECK(together.widened == 1);
  CHECK(together.low == 0.32);
}

TEST_CASE("of one noisy size the verdict gives the peak of its fluctuations and no transition", "[phase][verdict]") {
  const std::string verdict = verdict_of(voters(), points_of({100}, true));
  CHECK(
      verdict.starts_with("There is one size, 100 agents: cumulants of one size do not cross, and nothing can be said "
                          "of other sizes."));
  CHECK(says(verdict, "independence between 0.2 and 0.4"));
}

TEST_CASE("with noise the sizes decide between no transition and none that is resolved", "[phase][verdict]") {
  const auto crowds = [](double order_power, double error) {
    phase::PhaseFindings found = points_of({100, 1600}, true);
    for (phase::PhasePoint& point : found.points) {
      const auto n = static_cast<double>(point.size);
      point.order = 2 * std::pow(n, -order_power), point.order_error = error * point.order;
      point.binder = 0, point.binder_error = error;
    }
    return found;
  };
  CHECK(verdict_of(voters(), crowds(0.5, 0.02)) ==
        "No transition for independence from 0.2 to 0.5: the Binder cumulants of 100 and of 1600 agents do not reverse "
        "their order, and the order parameter of 1600 agents, 0.05 to 0.05, falls with the number of agents N at every "
        "value, closer to N^(-1/2) than to N^(-1/4).");
  CHECK(says(verdict_of(voters(), crowds(0, 0.02)), "2 to 2, does not change beyond its error."));
  // neither errors nor a slow fall show that it is absent
  for (const auto& [power, error] : {std::pair{0.5, 0.5}, std::pair{0.25, 0.02}}) {
    const std::string verdict = verdict_of(voters(), crowds(power, error));
    CHECK(verdict.starts_with("Not resolved with these sizes: for independence from 0.2 to 0.5 the Binder cumulants"));
    CHECK(says(verdict, "does not decide whether a transition is absent. It fluctuates most between 0.2 and 0.4."));
  }
  phase::PhaseFindings ordered = crowds(0.5, 0.02);
  for (phase::PhasePoint& point : ordered.points)
    if (point.control < 0.25) point.order = 1, point.order_error = 0.01;
  CHECK(says(verdict_of(voters(), ordered), "but the order parameter of 1600 agents changes from 0.05 to 1."));
  for (phase::PhasePoint& point : ordered.points) {
    const bool large = point.size == 1600;
    point.binder = point.control < 0.25 ? (large ? 0.66 : 0.4) : point.control < 0.35 ? 0.3 : (large ? 0.0 : 0.2);
  }
  CHECK(verdict_of(voters(), ordered)
            .starts_with("Not resolved with these sizes: for independence between 0.2 and 0.4 the Binder cumulants of "
                         "100 and of 1600 agents reverse their order, as at a continuous transition, but no crossing "
                         "of all sizes was located."));
}

TEST_CASE("peaks of a histogram over many networks are no sign of a first-order transition", "[phase][verdict]") {
  const phase::PhaseQuestion networks = question_of(
      "model.name = \"q_voter\"\nstart.kind = \"two_opinions\"\nphase.control = \"independence\"\n"
      "phase.low = 0.2\nphase.high = 0.5\nnetwork.kind = \"erdos_renyi\"\nnetwork.mean_degree = 8.0\n");
  phase::PhaseFindings found = crossing_of({100, 200, 400});
  found.peaks = 2;
  CHECK(says(verdict_of(voters(), found), "two peaks there, which would indicate a first-order transition."));
  CHECK_FALSE(says(verdict_of(networks, found), "first-order"));
  CHECK(says(verdict_of(networks, found), "Walks take different networks, so that peaks"));
}

TEST_CASE("among networks a crossing that draws lose, or that lies at 0, is none", "[phase][verdict]") {
  CrossingInterval found;
  found.lost = 0.01, found.binder_low = 0.1;
  CHECK(phase::stands_out(found));
  found.lost = 0.2;
  CHECK_FALSE(phase::stands_out(found));
  found.lost = 0, found.binder_low = -0.01;
  CHECK_FALSE(phase::stands_out(found));
}

TEST_CASE("each flip has the error of its sizes, and the unit of its control", "[phase][verdict]") {
  phase::PhaseFindings found = points_of({100, 200, 400}, false);
  found.kind = phase::TransitionKind::first_order;
  found.jumps = {jump_at(0.29, 100), jump_at(0.27, 200), jump_at(0.26, 400)};
  const std::string verdict = verdict_of(flips(), found);
  CAPTURE(verdict);
  CHECK(says(verdict, "eps = 0.250(11) opinion (2 camps below, 1 camp above)"));  // 0.25 + 4 / N; errors are rounded up
  CHECK_FALSE(says(verdict, "converges"));
  found.jumps[2] = jump_at(0.24, 400);
  CHECK(
      says(verdict_of(flips(), found),
           "That at 0.24 still moves with the number of agents (from 200 to 400 by 0.03), and these sizes do not show "
           "where it converges."));
  found.jumps = {jump_at(0.24, 400)};
  CHECK(says(verdict_of(flips(), found), "was found with 400 agents alone, so its error says nothing of other sizes."));
  // They are named as they lie, whatever the order of the search.
  found.jumps = {jump_at(0.26, 400), jump_at(0.22, 400)};
  const std::string two = verdict_of(flips(), found);
  CHECK(two.find("eps = 0.2200") < two.find("eps = 0.2600"));
  // Another number of camps is another flip.
  found.jumps = {jump_at(0.29, 100), jump_at(0.27, 200), jump_at(0.26, 400)};
  found.jumps[1].camps_before = 3;
  CHECK(phase::size_limit(phase::over_sizes(found, found.jumps[2])).sizes == std::vector<Index>{100, 400});
}

TEST_CASE("order that begins without a jump is a continuous transition, with the error of its sizes",
          "[phase][verdict]") {
  const phase::PhaseQuestion question = question_of(
      "model.name = \"saturation\"\nphase.control = \"steepness\"\nphase.order = \"strength\"\n"
      "phase.branches = \"fresh\"\nphase.high = 3\n");
  phase::PhaseFindings found = points_of({100, 200, 400}, false);
  found.kind = phase::TransitionKind::continuous;
  for (const Index size : {100, 200, 400}) found.jumps.push_back(jump_at(1, size));
  for (phase::FoundJump& jump : found.jumps) jump.smooth = true;
  CHECK(verdict_of(question, found) ==
        "Continuous transition: with rising steepness the order parameter leaves 0 at alpha = 1.0000(10) 1/opinion "
        "(predicted 1).");
}

TEST_CASE("controls are called by their names and units", "[phase][verdict]") {
  CHECK(question_of("").control.at(0.008969, 0.000003) == "T = 0.008969(3) opinion^2");
  CHECK(question_of("phase.control = \"noise\"\nmodel.name = \"transformer_line\"\n").control.at(0.5, 0.1) ==
        "D = 0.50(10) opinion^2");
  CHECK(question_of("phase.control = \"network.between\"\nnetwork.kind = \"block_model\"\n")
            .control.behind_name(2.0, 0.3) == "2.0(3)");
  CHECK(question_of("phase.control = \"temperature\"\n").control.behind_name(2.0, 0.3) == "T = 2.0(3) opinion^2");
  CHECK(question_of("phase.control = \"activity_exponent\"\nmodel.name = \"baumann\"\n").control.name ==
        "activity exponent");
  CHECK(question_of("phase.control = \"temperature\"\nmodel.name = \"formula\"\n").control.at(3.9, 0.1) ==
        "T = 3.90(10)");
  CHECK(question_of("phase.control = \"temperature\"\nstart.kind = \"two_opinions\"\n").control.unit == "1");
}

// Among evenly spaced starts the largest jump may be another transition in each size.
TEST_CASE("headline and figure follow the transition of the largest crowd through the sizes", "[phase][verdict]") {
  const auto flip = [](double at, Index size, double camps_before, double camps_after, double order_after) {
    phase::FoundJump jump = jump_at(at, size);
    jump.camps_before = camps_before, jump.camps_after = camps_after, jump.order_after = order_after;
    return jump;
  };
  phase::PhaseFindings found = points_of({100, 200, 400}, false);
  found.kind = phase::TransitionKind::first_order;
  found.jumps = {flip(0.14, 100, 3, 2, 0.2), flip(0.2, 100, 2, 1, 0.4),  flip(0.14, 200, 3, 2, 0.2),
                 flip(0.2, 200, 2, 1, 0.4),  flip(0.14, 400, 3, 2, 0.4), flip(0.2, 400, 2, 1, 0.2)};
  Results results;
  phase::write_phase(flips(), found, results);
  CHECK(results.data.at("jump_up_limit").reals()[0] == 0.2);
  CHECK(std::abs(results.data.at("jump_up_limit_error").reals()[0] - 0.001) < 1e-12);
  CHECK(results.data.at("jump_up_of_size").reals() == std::vector<double>{0.2, 0.2, 0.2});
  // States that are carried follow one branch: its end is the main jump of each size, whatever the camps.
  phase::PhaseFindings loop = points_of({100, 200, 400}, true);
  loop.jumps = found.jumps;
  CHECK(phase::size_limit(phase::over_sizes(loop, phase::Direction::up)).sizes.size() == 3);
  CHECK(phase::over_sizes(loop, phase::Direction::up)[0].second->at() == 0.14);
}

// Fluctuations end a branch before its fold, so sizes that agree do not say where infinitely many agents would leave
// it.
TEST_CASE("of a loop with noise the ends are those of the largest crowd", "[phase][verdict]") {
  phase::PhaseFindings found = points_of({100, 200, 400}, true);
  found.kind = phase::TransitionKind::first_order;
  for (const Index size : {100, 200, 400}) {
    found.jumps.push_back(jump_at(size == 400 ? 0.21 : 0.25, size));
    found.jumps.back().direction = phase::Direction::down;
    found.jumps.push_back(jump_at(0.3, size));
  }
  CHECK(verdict_of(voters(), found) ==
        "First-order transition: with falling independence the order parameter jumps at p = 0.2100(10), with rising "
        "independence at p = 0.3000(10), for 400 agents. Between them there is hysteresis. Fluctuations end a branch "
        "before its fold, so the loop of infinitely many agents is at least as wide.");
  Results results;
  phase::write_transitions(voters(), phase::known_transitions(voters()), found, results);
  CHECK(std::abs(results.data.at("jump_down_limit_error").reals()[0] - 0.001) < 1e-12);
  CHECK(results.data.at("jump_up_converges").reals()[0] == 0);
}

TEST_CASE("of many transitions the verdict names the six largest", "[phase][verdict]") {
  phase::PhaseFindings found = points_of({400}, false);
  found.kind = phase::TransitionKind::first_order;
  for (int k = 0; k < 20; ++k) {
    found.jumps.push_back(jump_at(0.11 + 0.01 * k, 400));
    found.jumps.back().order_before = 0.1 + 0.02 * (k + 1);
  }
  const std::string verdict = verdict_of(flips(), found);
  CAPTURE(verdict);
  CHECK(verdict.starts_with("20 transitions of the final state with confidence"));
  CHECK(says(verdict, "400 agents; the 6 largest are eps = 0.2500(10)"));
  CHECK_FALSE(says(verdict, "0.2400"));
}

TEST_CASE("an end that only smaller crowds have is not the loop's", "[phase][verdict]") {
  phase::PhaseFindings found = points_of({100, 200}, true);
  found.kind = phase::TransitionKind::first_order;
  found.jumps = {jump_at(0.3, 100), jump_at(0.21, 100), jump_at(0.21, 200)};
  for (const std::size_t down : {1, 2}) found.jumps[down].direction = phase::Direction::down;
  const std::string verdict = verdict_of(voters(), found);
  CAPTURE(verdict);
  CHECK(says(verdict, "with falling independence the order parameter jumps at p = 0.2100(10), for 200 agents."));
  CHECK_FALSE(says(verdict, "rising"));
}

}  // namespace fovea::opinion::phase_verdicts
