#pragma once
/// What an experiment hands in: arrays, headline numbers, checks against known answers, figures, findings, notes.
/// Everything is kept in one Dataset, so that the report can be drawn from the result file alone.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/finding.hpp"
#include "fovea/core/data/presentation.hpp"

namespace fovea {

class Results {
 public:
  Dataset data;

  void coordinate(const std::string& name, Values values, const std::string& units, const std::string& long_name);
  void add(const std::string& name, std::vector<std::string> dimensions, Values values, const std::string& units,
           const std::string& long_name);
  void scalar(const std::string& name, double value, const std::string& units, const std::string& long_name);

  void check(Check check);
  void headline(Headline headline);
  void figure(Figure figure);
  void lead(std::vector<Figure> figures);  ///< the same, before all others: the first is the page's main figure
  /// A sentence for the reader, such as "not at rest after 2000 steps; expected lifetime 5.9e3 steps".
  void note(std::string sentence);
  /// A sentence on what was read and what was left out: the first screen of the page, in this order.
  void read(std::string sentence);
  /// Behind the last line of its item; of several points with other facts all stand there.
  void sheet(SheetLine line);
  /// The page's title where the config has none and sweeps nothing, instead of the experiment's summary.
  void title(std::string text) { data.attributes["title"] = std::move(text); }
  /// The page's verdict in one sentence, shown first, in place of the findings of this role.
  void verdict(std::string sentence);
  /// Takes back all verdicts, whatever gave them, and puts this before the titles of all figures; also of what depends
  /// on the machine.
  void withdraw_verdicts(const std::string& before_titles);
  /// Records the finding if its condition holds, and gives whether it does. See finding.hpp.
  template <typename Kind>
  bool finding(const Kind& found) {
    const bool holds = found.holds();
    if (holds) record(finding_of(found));
    return holds;
  }
  /// Without a look at the condition: of another run, or of a point of a sweep. Its sentence stands where its role
  /// says.
  void record(Finding finding);

  /// What depends on the machine and the hour, such as times: results of their own, with checks, headlines and figures
  /// of their own. They are kept in machine.h5, apart from result.h5 and its hash, and shown on the same page.
  Results& on_this_machine();
  const Results* machine() const { return machine_.get(); }  ///< nullptr: nothing depends on it
  /// The same with what depends on the machine behind all else: what a reader sees.
  Results with_machine() const;

  const std::vector<Check>& checks() const { return checks_; }
  const std::vector<Headline>& headlines() const { return headlines_; }
  const std::vector<Figure>& figures() const { return figures_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& reading() const { return reading_; }
  const std::vector<SheetLine>& sheet() const { return sheet_; }
  std::vector<std::string> warnings() const;  ///< of the findings of this role, each once, single points' among them
  /// What was given as such, else the findings of this role in their order; those of single points of a sweep are not
  /// among them.
  std::string verdict() const;
  const std::string& given_verdict() const { return verdict_; }  ///< empty: it is made of findings
  const std::vector<Finding>& findings() const { return findings_; }
  const Finding* found(std::string_view kind) const;  ///< the first of this kind; nullptr: none
  template <typename Kind>
  std::optional<Kind> found() const {
    const Finding* finding = found(Kind::kKind);
    return finding == nullptr ? std::nullopt : std::optional<Kind>(finding_as<Kind>(*finding));
  }

  /// A trained model that the experiment leaves beside its results, in model.h5; nullptr: none.
  void keep_model(Dataset model) { model_ = std::make_shared<const Dataset>(std::move(model)); }
  const Dataset* model() const { return model_.get(); }

  /// Checks, headlines, figures, findings, notes and verdict as one JSON document (kept in
  /// data.documents["presentation"]), and back.
  std::string presentation() const;
  void read_presentation(const std::string& json);

 private:
  std::vector<Check> checks_;
  std::unordered_set<std::size_t> check_names_;  ///< their hashes: what is not among them is new
  std::vector<Headline> headlines_;
  std::vector<Figure> figures_;
  std::vector<std::string> notes_, reading_;
  std::vector<SheetLine> sheet_;
  std::vector<Finding> findings_;
  std::string verdict_;  ///< given as such
  std::shared_ptr<Results> machine_;
  std::shared_ptr<const Dataset> model_;
};

}  // namespace fovea
