/// What is said of the transitions that were found: the verdict, headlines and notes.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/page/doubts.hpp"
#include "fovea/domains/opinion/phase/page/findings.hpp"
#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

namespace fovea::opinion::phase {

namespace {

std::string camps_text(double camps) { return concat(plain_text(camps, 3), camps == 1 ? " camp" : " camps"); }

/// A known crossing, or end of a branch in one direction; nullptr: none.
const KnownTransition* known_end(const std::vector<KnownTransition>& known, bool crossing, Direction direction) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const KnownTransition& one) {
    return one.crossing == crossing && (crossing || one.direction == direction) && !one.flip;
  });
  return found == known.end() ? nullptr : &*found;
}

double predicted_end(const std::vector<KnownTransition>& known, bool crossing, Direction direction) {
  const KnownTransition* end = known_end(known, crossing, direction);
  return end == nullptr ? kNan : end->at;
}

/// What the sizes do not show of a jump, or of the place where order begins.
void doubt(const SizeLimit& limit, const std::string& place, Results& results) {
  const std::size_t count = limit.sizes.size();
  if (count == 0) return;
  const auto largest = static_cast<std::size_t>(limit.sizes.back());
  const auto before = count == 1 ? largest : static_cast<std::size_t>(limit.sizes[count - 2]);
  results.finding(PlaceOfOneSize{place, count, largest});
  results.finding(PlaceMovesWithSize{place, limit.converges, count, before, largest, limit.last_change});
}

/// Where the walk of a direction leaves its branch. With noise that of the largest crowd alone: fluctuations end a
/// branch before its fold, and how much earlier follows no power of the size (it depends on the steps walked as well).
SizeLimit branch_end(const PhaseFindings& findings, Direction direction, bool noisy) {
  JumpOfSizes jumps = over_sizes(findings, direction);
  if (!jumps.empty() && jumps.back().second == nullptr) jumps.clear();  // the largest crowd has none
  if (noisy && !jumps.empty()) jumps.erase(jumps.begin(), jumps.end() - 1);
  return size_limit(jumps);
}

// In a sentence; the table has them all.
constexpr std::size_t kMostFlips = 6;

/// The largest changes of one size, at most kMostFlips, by their place; and how many there are.
std::pair<std::vector<FoundJump>, std::size_t> largest_jumps(const PhaseFindings& findings, Index size) {
  std::vector<FoundJump> jumps;
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == size) jumps.push_back(jump);
  const std::size_t all = jumps.size();
  const auto change = [](const FoundJump& jump) { return std::abs(jump.order_after - jump.order_before); };
  std::stable_sort(jumps.begin(), jumps.end(),
                   [&](const FoundJump& a, const FoundJump& b) { return change(a) > change(b); });
  jumps.resize(std::min(all, kMostFlips));
  std::sort(jumps.begin(), jumps.end(), [](const FoundJump& a, const FoundJump& b) { return a.at() < b.at(); });
  return {std::move(jumps), all};
}

/// The verdict of one question.
class PhaseJudge {
 public:
  PhaseJudge(const PhaseQuestion& question, const std::vector<KnownTransition>& known, const PhaseFindings& findings,
             Results& results)
      : control_(question.control),
        search_(question.search),
        known_(known),
        found_(findings),
        sizes_(sizes_of(findings)),
        results_(results) {}

  void find_none() {
    if (search_.noisy && sizes_.size() == 1) return find_peak();
    if (search_.noisy) return compare();
    double low = kNan, high = kNan;
    for (const PhasePoint& point : found_.points)
      low = std::fmin(low, point.order), high = std::fmax(high, point.order);
    results_.finding(NoTransition{{control_, search_.low, search_.high, low, high, false}});
  }

  void find_crossing() {
    const FoundCrossing& c = found_.crossing;
    results_.finding(
        CumulantsCross{control_, c.control, 0.5 * (c.high - c.low), predicted_end(known_, true, Direction::down),
                       c.binder, 0.5 * (c.binder_high - c.binder_low), c.correction, found_.peaks, search_.networks});
    results_.finding(CrossingOfTwoSizes{sizes_.size()});
    results_.finding(SizesOffOneCurve{c.chi_square, static_cast<double>(c.degrees), c.widened});
  }

  /// Order that begins without a jump, at rest.
  void find_onset() {
    const SizeLimit up = size_limit(over_sizes(found_, Direction::up)),
                    down = size_limit(over_sizes(found_, Direction::down));
    results_.finding(OrderLeavesZero{ends_of(up, down)});
    doubt(up, "That place with rising " + control_.name, results_);
    doubt(down, "That place with falling " + control_.name, results_);
  }

  /// Both branches end, each where it is carried to.
  void find_loop() {
    const SizeLimit up = branch_end(found_, Direction::up, search_.noisy),
                    down = branch_end(found_, Direction::down, search_.noisy);
    results_.finding(FirstOrderTransition{ends_of(up, down), largest(), search_.noisy, found_.peaks});
    results_.finding(OnlySmallerCrowds{largest(), found_.jumps.size(), up.sizes.size() + down.sizes.size()});
    if (search_.noisy) return;
    doubt(down, "The jump with falling " + control_.name, results_);
    doubt(up, "The jump with rising " + control_.name, results_);
  }

  /// Every flip of the largest crowd, or the largest of many, with the error of the sizes.
  void find_flips() {
    const auto [jumps, all] = largest_jumps(found_, sizes_.back());
    std::string places;
    std::vector<SizeLimit> limits;
    for (const FoundJump& jump : jumps) {
      limits.push_back(size_limit(over_sizes(found_, jump)));
      places += concat(places.empty() ? "" : ", ", control_.behind_name(limits.back().value, limits.back().error), " (",
                       camps_text(jump.camps_before), " below, ", camps_text(jump.camps_after), " above)");
    }
    results_.finding(FinalStateChanges{control_.name, places, all, jumps.size(), largest()});
    results_.finding(OnlySmallerCrowds{largest(), found_.jumps.size(), all});
    for (std::size_t k = 0; k < jumps.size(); ++k)
      doubt(limits[k], concat("That at ", plain_text(jumps[k].at(), 3)), results_);
  }

 private:
  std::size_t largest() const { return static_cast<std::size_t>(sizes_.back()); }

  BranchEnds ends_of(const SizeLimit& up, const SizeLimit& down) const {
    return {control_,
            up.value,
            up.error,
            predicted_end(known_, false, Direction::up),
            down.value,
            down.error,
            predicted_end(known_, false, Direction::down)};
  }

  /// Where the fluctuations of one crowd are largest, between the neighbours on the grid.
  void find_peak() {
    const auto [below, above] = around_peak(found_, sizes_.back());
    results_.finding(OneNoisySize{control_, 1, largest(), std::isnan(below) ? search_.low : below,
                                  std::isnan(above) ? search_.high : above});
  }

  void compare() {
    const SizeComparison sizes = compare_sizes(found_);
    const NothingLocated nothing{control_, search_.low,    search_.high,     sizes.least, sizes.most,
                                 true,     sizes.absent(), sizes.disordered, sizes.small, sizes.large};
    results_.finding(NoTransition{nothing});
    results_.finding(NotResolved{nothing, sizes.changes, sizes.reverses_from, sizes.reverses_to, sizes.peak_below,
                                 sizes.peak_above});
  }

  const PhaseControl& control_;
  const PhaseSettings& search_;
  const std::vector<KnownTransition>& known_;
  const PhaseFindings& found_;
  std::vector<Index> sizes_;
  Results& results_;
};

}  // namespace

void write_phase_verdict(const PhaseQuestion& question, const std::vector<KnownTransition>& known,
                         const PhaseFindings& findings, Results& results) {
  PhaseJudge judge(question, known, findings, results);
  const bool found = findings.kind != TransitionKind::none, noisy = question.search.noisy;
  const AveragingHasNoTransition averaging{question.plain_averaging, found,
                                           static_cast<double>(question.search.steps_max), question.search.tolerance};
  if (results.finding(averaging)) return;
  if (!found) return judge.find_none();
  if (findings.kind == TransitionKind::continuous) return noisy ? judge.find_crossing() : judge.find_onset();
  is_carried(findings) ? judge.find_loop() : judge.find_flips();
}

namespace {

/// The scalar with the prediction; "" for none.
std::string prediction_name(const KnownTransition* known) { return known == nullptr ? "" : "predicted_" + known->name; }

void write_crossing(const PhaseQuestion& question, const std::vector<KnownTransition>& known,
                    const PhaseFindings& findings, Results& results) {
  const FoundCrossing& crossing = findings.crossing;
  if (std::isnan(crossing.control)) return;
  const std::string& unit = question.control.unit;
  results.scalar("crossing", crossing.control, unit, "crossing");
  results.scalar("crossing_half_width", 0.5 * (crossing.high - crossing.low), unit, "half width of its 95 % interval");
  results.scalar("crossing_cumulant", crossing.binder, "1", "U4 at the crossing");
  results.scalar("crossing_cumulant_half_width", 0.5 * (crossing.binder_high - crossing.binder_low), "1",
                 "half width of its 95 % interval");
  results.scalar("crossing_correction", crossing.correction, "1",
                 "g: U4 of N agents at the crossing is higher by g N^(-1/2)");
  results.scalar("crossing_chi_square", crossing.chi_square / crossing.degrees, "1",
                 "chi^2 of the fit per degree of freedom");
  results.scalar("crossing_widened", crossing.widened, "1",
                 "factor on the intervals, above 1 where the sizes do not follow one curve");
  results.headline({.variable = "crossing",
                    .label = "Transition",
                    .predicted = prediction_name(known_end(known, true, Direction::down)),
                    .half_width = "crossing_half_width",
                    .meaning = "Crossing of the Binder cumulants of all sizes, with its 95 % bootstrap interval."});
  results.headline({.variable = "crossing_cumulant",
                    .label = "U4 at the crossing",
                    .half_width = "crossing_cumulant_half_width",
                    .meaning = crossing.correction != 0
                                   ? "For infinitely many agents. The value identifies the universality class."
                                   : "The value identifies the universality class."});
  const std::vector<double>& pairs = crossing.pair_control;
  if (pairs.empty()) return;
  results.data.dimension("pair", pairs.size());
  results.add("pair_crossing", {"pair"}, pairs, unit, "crossing of neighbouring sizes");
}

/// Whom the place of a headline speaks of, and what its error is.
std::string end_meaning(const SizeLimit& limit, bool noisy) {
  if (noisy)
    return "Of the largest crowd; fluctuations end a branch before its fold, so larger crowds keep to it longer.";
  if (limit.converges) return "For infinitely many agents; the error is that of the bracket and of the sizes.";
  if (limit.sizes.size() == 1) return "Of one size; the error says nothing of others.";
  return "Of the largest crowd: the sizes do not converge, and the error is their last change.";
}

void write_ends(const PhaseQuestion& question, const std::vector<KnownTransition>& known, const PhaseFindings& findings,
                Results& results) {
  const std::string& unit = question.control.unit;
  const bool noisy = question.search.noisy;
  for (const Direction direction : {Direction::down, Direction::up}) {
    const FoundJump* jump = main_jump(findings, direction);
    if (jump == nullptr) continue;
    const std::string way = direction == Direction::up ? "up" : "down";
    results.scalar("jump_" + way, jump->at(), unit, direction == Direction::up ? "jump up" : "jump down");
    results.scalar("jump_" + way + "_error", 0.5 * (jump->high - jump->low), unit, "half width");
    const SizeLimit limit = branch_end(findings, direction, noisy);
    results.scalar("jump_" + way + "_limit", limit.value, unit,
                   noisy ? "largest jump, of the largest crowd"
                         : "largest jump, for infinitely many agents where the sizes converge");
    results.scalar("jump_" + way + "_limit_error", limit.error, unit,
                   noisy ? "its error, of the bracket" : "its error, bracket and sizes together");
    results.scalar("jump_" + way + "_converges", limit.converges ? 1 : 0, "1", "1: the sizes converge");
    results.headline({.variable = "jump_" + way + "_limit",
                      .label = concat(jump->smooth ? "Order leaves 0 with " : "Largest jump with ",
                                      way == "up" ? "rising " : "falling ", question.control.name),
                      .predicted = prediction_name(known_end(known, false, direction)),
                      .half_width = "jump_" + way + "_limit_error",
                      .meaning = end_meaning(limit, noisy)});
  }
}

void write_search_notes(const PhaseQuestion& question, const PhaseFindings& findings, Results& results) {
  const PhaseSettings& search = question.search;
  const FoundCrossing& crossing = findings.crossing;
  const bool crosses = search.noisy && findings.kind == TransitionKind::continuous;
  results.finding(PlacesAreMeans{search.noisy, search.drawn, static_cast<std::size_t>(search.replicas)});
  results.finding(MeanFieldOnNetwork{crosses, question.on_network()});
  if (crosses)
    results.finding(CrossingTooWide{0.5 * (crossing.high - crossing.low) / std::abs(crossing.control), search.precision,
                                    0.5 * (crossing.binder_high - crossing.binder_low), search.binder_precision,
                                    static_cast<std::size_t>(search.rounds_max)});
  const auto waiting = std::count_if(findings.points.begin(), findings.points.end(),
                                     [](const PhasePoint& point) { return !point.at_rest; });
  results.finding(SearchNotAtRest{static_cast<std::size_t>(waiting), findings.points.size(),
                                  static_cast<std::size_t>(search.steps_max)});
  results.note(concat(findings.steps, " steps in total, ", findings.rounds, " refinements."));
}

}  // namespace

void write_transitions(const PhaseQuestion& question, const std::vector<KnownTransition>& known,
                       const PhaseFindings& findings, Results& results) {
  write_crossing(question, known, findings, results);
  write_ends(question, known, findings, results);
  for (const KnownTransition& one : known)
    results.scalar("predicted_" + one.name, one.at, question.control.unit, "predicted");
  write_search_notes(question, findings, results);
}

}  // namespace fovea::opinion::phase
