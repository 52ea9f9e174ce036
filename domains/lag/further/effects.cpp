#include "fovea/domains/lag/further/effects.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/further/changing.hpp"
#include "fovea/domains/lag/further/variances.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::further {

namespace {

// Of as many products as there are steps, for each pair and lag.
constexpr double kSumsOfPair = 6;

/// All of what one call works on.
class Search {
 public:
  Search(const Matrix<double>& innovations, const datasets::series::SeriesTable& table, const FurtherSettings& settings)
      : table_(table),
        settings_(with_targets(settings, table)),
        panel_(innovations, table),
        left_(panel_.innovations) {}

  FurtherFindings find() {
    if (panel_.windows() < 2) {
      if (settings_.changing || settings_.variance)
        note(concat("Effects that change in time and effects on the variance were not looked for: that takes ",
                    2 * kFewestRows, " rows, but there are ", table_.steps(), "."));
      return std::move(found_);
    }
    if (settings_.changing && affordable("Effects that change in time")) find_changing();
    if (settings_.variance && affordable("Effects on the variance")) find_variances();
    return std::move(found_);
  }

 private:
  static FurtherSettings with_targets(FurtherSettings settings, const datasets::series::SeriesTable& table) {
    if (settings.targets.empty())
      for (Index j = 0; j < table.series(); ++j) settings.targets.push_back(j);
    return settings;
  }

  void note(std::string sentence) { found_.notes.push_back(std::move(sentence)); }
  const std::string& name(Index series) const { return table_.names[series]; }

  bool affordable(const char* what) {
    const double sums = static_cast<double>(table_.series() * table_.steps()) *
                        static_cast<double>(settings_.targets.size() * settings_.lags.size());
    if (kSumsOfPair * sums <= settings_.budget) return true;
    note(
        concat(what, " were not looked for: so many series, lags and rows take too long. Name fewer targets or lags."));
    return false;
  }

  void add(const methods::Link& link, std::string sentence) {
    found_.links.push_back(link);
    found_.sentences.push_back(std::move(sentence));
  }

  // In this order: a change is taken out of what is left before effects on its size are sought.
  void find_changing() {
    ChangingEffects kind(panel_, left_, settings_);
    const auto accept = [&](const methods::Link& link) {
      add(link, concat("the effect of ", name(link.cause), " on ", name(link.effect), " after ",
                       series::lag_text(table_, link.lag), ' ', kind.course(link)));
      kind.remove(link);
    };
    without_echoes(kind.family(), settings_.level, accept,
                   [&](const methods::Link& link) { return kind.p_value(link); });
  }

  void find_variances() {
    VarianceEffects kind(panel_, left_, settings_);
    if (kind.common().found)
      note(concat("The sizes of most series' variations rise and fall together (mean correlation ",
                  rounded_text(kind.common().mean, 2),
                  " within a step), so that it cannot be told which of them acts on the variance of another: no effect "
                  "on a variance is reported."));
    const auto accept = [&](const methods::Link& link) {
      add(link, concat(name(link.cause), " moves the size of ", name(link.effect), "'s variations after ",
                       series::lag_text(table_, link.lag), ", not its level: ", kind.answer(link, table_.names)));
      kind.remove(link);
    };
    without_echoes(kind.family(found_.links), settings_.level, accept,
                   [&](const methods::Link& link) { return kind.p_value(link); });
  }

  const datasets::series::SeriesTable& table_;
  const FurtherSettings settings_;
  const Panel panel_;
  Matrix<double> left_;
  FurtherFindings found_;
};

}  // namespace

FurtherFindings further_effects(const Matrix<double>& innovations, const datasets::series::SeriesTable& table,
                                const FurtherSettings& settings) {
  return Search(innovations, table, settings).find();
}

}  // namespace fovea::lag::further
