#pragma once
/// What an experiment hands in: arrays, headline numbers, checks against known answers, figures, notes.
/// Everything is kept in one Dataset, so that the report can be drawn from the result file alone.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"
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
  /// The page's verdict in one sentence, shown first.
  void verdict(std::string sentence);

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
  const std::string& verdict() const { return verdict_; }

  /// A trained model that the experiment leaves beside its results, in model.h5; nullptr: none.
  void keep_model(Dataset model) { model_ = std::make_shared<const Dataset>(std::move(model)); }
  const Dataset* model() const { return model_.get(); }

  /// Checks, headlines, figures, notes and verdict as one JSON document (kept in data.documents["presentation"]),
  /// and back.
  std::string presentation() const;
  void read_presentation(const std::string& json);

 private:
  std::vector<Check> checks_;
  std::vector<Headline> headlines_;
  std::vector<Figure> figures_;
  std::vector<std::string> notes_;
  std::string verdict_;
  std::shared_ptr<Results> machine_;
  std::shared_ptr<const Dataset> model_;
};

}  // namespace fovea
