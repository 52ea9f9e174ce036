/// The verdict of simulations.

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

namespace {

using Ends = std::pair<double, double>;

std::string between(const Ends& ends) {
  if (plain_text(ends.first) == plain_text(ends.second)) return plain_text(ends.first);
  return plain_text(ends.first) + " to " + plain_text(ends.second);
}

std::string whole_between(const Ends& ends) {
  const auto whole = [](double value) { return std::to_string(std::llround(value)); };
  return whole(ends.first) + (ends.first == ends.second ? "" : " to " + whole(ends.second));
}

std::string steps_between(const Ends& ends) { return whole_between(ends) + (ends.second == 1 ? " step" : " steps"); }

std::string percent_between(const Ends& shares) { return between({100 * shares.first, 100 * shares.second}) + " %"; }

/// A key that was swept over numbers.
struct SweptNumber {
  std::string axis, name;
  double low = 0, high = 0;
  std::size_t at_low = 0, at_high = 0;  ///< the places of both
};

/// The key of a dimension: "rewiring_probability" is rewiring.probability; a number of formulas has its own name.
std::string key_of(const std::string& axis, const Variable& coordinate) {
  static const Schema schema = simulate_schema();
  const std::string name = axis.starts_with("sweep_") ? axis.substr(6) : axis;
  for (const Parameter& parameter : schema.parameters()) {
    std::string joined = parameter.key;
    std::replace(joined.begin(), joined.end(), '.', '_');
    if (joined == name) return parameter.key;
  }
  return coordinate.long_name;
}

std::optional<SweptNumber> swept_number(const Results& merged, const std::string& axis) {
  const Variable& coordinate = merged.data.at(axis);
  const bool whole = std::holds_alternative<std::vector<std::int64_t>>(coordinate.values);
  if (!whole && !std::holds_alternative<std::vector<double>>(coordinate.values)) return std::nullopt;
  const std::vector<double> values = view(merged.data, axis).values();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return SweptNumber{axis,
                     key_of(axis, coordinate),
                     *low,
                     *high,
                     static_cast<std::size_t>(low - values.begin()),
                     static_cast<std::size_t>(high - values.begin())};
}

/// What a run or a sweep came to.
class Verdict {
 public:
  explicit Verdict(const Results& merged) : merged_(merged) {
    for (const std::string& axis : merged.data.at("final_sd").dimensions)
      if (axis != "seed" && merged.data.size_of(axis) > 1) axes_.push_back(axis);
    if (axes_.size() == 1) swept_ = swept_number(merged, axes_[0]);
    imitates_ = takes_over(merged);
  }

  std::string text() const {
    if (swept_) return concat(at_both_ends(), motion(), network(), poles());
    return concat(camps(), network(), axes_.empty() ? peaks() : "", poles());
  }

 private:
  Ends range(const char* name) const { return view(merged_.data, name).range(); }

  /// The means at the least and at the largest value of the key.
  Ends means(const char* name) const {
    const std::vector<double> all = view(merged_.data, name).means({swept_->axis});
    return {all[swept_->at_low], all[swept_->at_high]};
  }

  bool knows_camps() const {
    const Ends camps = range("final_camps");
    return camps.first <= camps.second;
  }

  /// "the number of camps goes from 8.2 to 60"
  static std::string goes(const std::string& what, const Ends& ends, const char* unit = "") {
    const std::string first = plain_text(ends.first), last = plain_text(ends.second);
    return first == last ? concat(what, " is ", first, unit, " at both ends")
                         : concat(what, " goes from ", first, " to ", last, unit);
  }

  std::string at_both_ends() const {
    std::string text =
        concat("From ", swept_->name, " = ", plain_text(swept_->low), " to ", plain_text(swept_->high), " ");
    if (!knows_camps())
      return concat(text, goes("the standard deviation of the opinions", means("final_sd")), of_runs());
    const Ends share = means("final_largest_camp_share");
    return concat(text, goes("the number of camps", means("final_camps")), ", and ",
                  goes("the share of the largest", {100 * share.first, 100 * share.second}, " %"), of_runs());
  }

  /// " (means of 5 runs)."
  std::string of_runs() const {
    const std::size_t runs = view(merged_.data, "final_sd").size() / merged_.data.size_of(swept_->axis);
    return runs > 1 ? concat(" (means of ", runs, " runs).") : ".";
  }

  std::string motion() const {
    const Ends rest = range("at_rest");
    const std::string steps = steps_between(range("steps_taken"));
    if (rest.first == 1) return concat(" All runs came to rest, after ", steps, ".");
    if (rest.second == 0) return concat(" All runs were still moving after ", steps, ".");
    return concat(" Some runs came to rest, others were still moving after ",
                  plain_text(range("steps_taken").second, 9), " steps.");
  }

  std::string happenings() const {
    std::string text;
    const Ends shocks = range("shocks");
    if (shocks.second > 0) text += shocks.second == 1 ? " and a shock" : " and " + whole_between(shocks) + " shocks";
    if (!merged_.data.has("events")) return text;
    const Ends events = range("events");
    if (events.second > 0) text += events.second == 1 ? " and an event" : " and " + whole_between(events) + " events";
    return text;
  }

  /// "3 camps at rest after 14 steps; ..."
  std::string camps() const {
    const Ends camps = range("final_camps"), rest = range("at_rest");
    std::string text = "The crowd is";
    if (knows_camps()) text = camps.second == 0 ? "No camp" : between(camps) + (camps.second == 1 ? " camp" : " camps");
    text += rest.first == 1 ? " at rest after " : rest.second == 0 ? " still moving after " : " after ";
    text += steps_between(range("steps_taken")) + happenings();
    if (camps.first >= 1) {
      text += concat(". The largest holds ", percent_between(range("final_largest_camp_share")), " of the agents");
      if (camps.first >= 2 && axes_.empty() && !imitates_)
        text += concat(", and the two largest are ", between(range("final_camp_distance")), " apart");
    }
    if (imitates_) return text + ".";  // opinions that are taken over are names
    return concat(text, ". The standard deviation of the opinions is ", between(range("final_sd")), ".");
  }

  /// What became of a network that changes.
  std::string network() const {
    if (!merged_.data.has("final_network_parts")) return "";
    const Ends parts = range("final_network_parts"), crossing = range("final_edges_between_camps");
    std::string text;
    if (crossing.first <= crossing.second)
      text = crossing.second == 0 ? " At the end no edge joins two camps."
                                  : concat(" At the end ", percent_between(crossing), " of the edges join two camps.");
    if (swept_) return text;
    return concat(" Agents moved ", whole_between(range("final_edges_moved")), " edges.", text, " The network has ",
                  whole_between(parts), parts.second == 1 ? " part" : " parts",
                  parts.second == 1 ? "."
                                    : concat("; the largest holds ", percent_between(range("final_largest_part_share")),
                                             " of the agents."));
  }

  /// Where camps by gaps and peaks of the density disagree.
  std::string peaks() const {
    if (!merged_.data.has("final_modes") || imitates_) return "";
    const Ends peaks = range("final_modes"), camps = range("final_camps");
    if (peaks == camps || peaks.first > peaks.second) return "";
    return concat(" The density of the opinions has ", between(peaks), peaks.second == 1 ? " peak" : " peaks",
                  peaks.second > camps.second ? ", with agents between them." : ".");
  }

  std::string poles() const {
    if (!merged_.data.has("final_pole_low")) return "";
    const View low = view(merged_.data, "final_pole_low"), high = view(merged_.data, "final_pole_high");
    if (!axes_.empty()) {
      double most = 0;
      for (std::size_t k = 0; k < low.size(); ++k) most = std::max(most, low.values()[k] + high.values()[k]);
      if (!(most > 0)) return "";
      return concat(" Up to ", plain_text(100 * most),
                    " % of the agents end more extreme than anyone was at the start.");
    }
    const double below = low.mean().mean, above = high.mean().mean;
    if (!(below + above > 0)) return "";
    return concat(" ", plain_text(100 * (below + above)),
                  " % of the agents are more extreme than anyone was at the start (", plain_text(100 * below),
                  " % below, ", plain_text(100 * above), " % above).");
  }

  const Results& merged_;
  std::vector<std::string> axes_;  ///< dimensions of what was swept besides seeds
  std::optional<SweptNumber> swept_;
  bool imitates_ = false;
};

}  // namespace

std::string simulation_verdict(const Results& merged) { return Verdict(merged).text(); }

}  // namespace fovea::opinion::simulate
