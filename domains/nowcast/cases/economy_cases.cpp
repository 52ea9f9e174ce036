#include "fovea/domains/nowcast/cases/economy_cases.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/split.hpp"
#include "fovea/datasets/panels/vintages.hpp"
#include "fovea/datasets/simulated/economies/simulated_panel.hpp"
#include "fovea/domains/nowcast/findings.hpp"

namespace fovea::nowcast {

namespace {

using datasets::panels::MonthlyPanel;
using datasets::panels::Recessions;

/// What is known at the end of each month, of one panel or of vintages.
class Economy {
 public:
  explicit Economy(const RecessionSettings& settings) : settings_(settings) {
    if (settings.panel.empty()) {
      auto simulated = datasets::simulated::simulated_panel(Random(settings.seed).stream("economy"));
      recessions_ = std::move(simulated.recessions);
      take(simulated.panel);
    } else {
      open();
    }
    if (!settings.recessions.empty()) recessions_ = datasets::panels::read_recessions(settings.recessions);
    if (!settings.recessions.empty()) note_recessions();
    if (settings.series.noise_after && recessions_) make_noise();
  }
  Index first() const { return first_; }
  Index last() const { return last_; }
  bool vintages() const { return vintages_.has_value(); }
  const Recessions* recessions() const { return recessions_ ? &*recessions_ : nullptr; }
  const std::vector<std::string>& notes() const { return notes_; }

  /// Of one panel, what its release lags say; of vintages, the latest file that there was.
  const KnownMonths& known(Index month) {
    if (!vintages_) return known_;
    const datasets::panels::Vintage* vintage = vintages_->known_at(month);
    if (vintage == nullptr) vintage = &vintages_->files.front();
    if (vintage->path == read_) return known_;
    read_ = vintage->path;
    std::vector<std::string> ignored;
    SeriesSettings series = settings_.series;
    if (series.noise_after) series.noise_after = month > *series.noise_after ? std::optional<Index>(0) : std::nullopt;
    known_ = known_months(known_series(read_vintage(*vintage, codes_of(series), usual_codes(series)), series, ignored));
    return known_;
  }

 private:
  void take(const MonthlyPanel& panel) {
    first_ = panel.first_month;
    last_ = panel.last_month();
    notes_.insert(notes_.end(), panel.notes.begin(), panel.notes.end());
    known_ = known_months(known_series(panel, settings_.series, notes_));
  }
  void open() {
    const auto codes = codes_of(settings_.series), usual = usual_codes(settings_.series);
    if (!std::filesystem::is_directory(settings_.panel))
      return take(datasets::panels::read_panel(settings_.panel, codes, usual));
    vintages_ = datasets::panels::find_vintages(settings_.panel);
    notes_ = vintages_->notes;
    take(read_vintage(vintages_->files.front(), codes, usual));
    last_ = vintages_->files.back().month;
    read_ = vintages_->files.front().path;
    if (const Index begin = vintages_->files.front().month; first_ < begin)
      notes_.push_back(concat(std::filesystem::path(read_).filename().string(),
                              ": is the first vintage; months before ", datasets::panels::month_text(begin),
                              " are taken from it, with values as revised by then."));
  }
  /// Labels that are known later are drawn.
  void make_noise() {
    const Random random = Random(settings_.seed).stream("labels");
    for (std::size_t i = 0; i < recessions_->in.size(); ++i)
      if (recessions_->first_month + static_cast<Index>(i) + settings_.cases.delay > *settings_.series.noise_after)
        recessions_->in[i] = random.uniform(static_cast<std::uint64_t>(i)) < 0.5 ? 1 : 0;
  }
  void note_recessions() {
    MonthlyPanel months{settings_.panel, first_, {{"all", {}, std::vector<double>(last_ - first_ + 1)}}};
    const auto unknown = datasets::panels::unknown_months(months, *recessions_);
    notes_.insert(notes_.end(), recessions_->notes.begin(), recessions_->notes.end());
    notes_.insert(notes_.end(), unknown.begin(), unknown.end());
  }

  const RecessionSettings& settings_;
  std::optional<datasets::panels::Vintages> vintages_;
  std::optional<Recessions> recessions_;
  KnownMonths known_;
  std::string read_;
  std::vector<std::string> notes_;
  Index first_ = 0, last_ = 0;
};

std::string names_of_columns() {
  std::string all;
  for (const Column& column : classical_columns())
    if (all.find(column.series) == std::string::npos) all += (all.empty() ? "" : ", ") + column.series;
  return all;
}

/// The month from which on labels of both kinds are known; -1: never.
Index both_known(const RecessionSettings& settings, const Recessions& recessions, Index first, Index last) {
  bool seen[2] = {};
  for (Index month = first + settings.cases.horizon; month + settings.cases.delay <= last; ++month) {
    if (const double label = recessions.at(month); !std::isnan(label)) seen[label == 1] = true;
    if (seen[0] && seen[1]) return month + settings.cases.delay;
  }
  return -1;
}

void put_blocks(const RecessionSettings& settings, study::Cases& cases) {
  const Index first = month_of_date(settings.first), start = month_of_date(settings.start);
  for (const double end : cases.ends) {
    const Index month = month_of(end);
    cases.folds.push_back(month < first ? study::kNeverTested : (month - first) / settings.refit);
    cases.parts.push_back(month < first ? "training" : month < start ? "validation" : "test");
  }
}

/// The cases once for each recession that is near and whole among them; those near none teach alone.
study::Cases around_episodes(const study::Cases& months, std::vector<RecessionEpisode> episodes) {
  std::erase_if(episodes, [&](const RecessionEpisode& episode) {
    return episode.first < month_of(months.ends.front()) || episode.last > month_of(months.ends.back());
  });
  std::vector<Index> items, folds;
  std::vector<std::string> groups;
  std::vector<double> weights;
  MonthsByRecession parted{std::ssize(episodes), 0, 0};
  for (Index item = 0; item < months.count(); ++item) {
    const Index month = month_of(months.ends[item]);
    std::vector<Index> near;
    for (std::size_t e = 0; e < episodes.size(); ++e)
      if (month >= episodes[e].first - kAround && month <= episodes[e].last + kAround)
        near.push_back(static_cast<Index>(e));
    parted.far += near.empty() ? 1 : 0, parted.twice += near.size() > 1 ? 1 : 0;
    if (near.empty()) near.push_back(study::kNeverTested);
    for (const Index fold : near) {
      items.push_back(item), folds.push_back(fold);
      groups.push_back(fold == study::kNeverTested ? "far from recessions"
                                                   : datasets::panels::month_text(episodes[fold].first));
      weights.push_back(1 / static_cast<double>(near.size()));
    }
  }
  study::Cases cases = study::selected(months, items);
  cases.reading = months.reading;
  cases.reading.group = "part";
  cases.reading.finding(parted);
  cases.folds = std::move(folds);
  cases.groups = std::move(groups);
  cases.weights = std::move(weights);
  return cases;
}

}  // namespace

void check_months(const RecessionSettings& settings, FoldsBy folds) {
  using datasets::panels::month_text;
  if (settings.panel.empty()) return;
  if (settings.recessions.empty())
    throw DataError(concat(settings.panel, ": data.panel without data.recessions, of which a model learns; name both, ",
                           "or none for a simulated economy."));
  const Economy economy(settings);
  const Index first = economy.first(), last = economy.last();
  const Index both = both_known(settings, *economy.recessions(), first, last);
  if (both < 0)
    throw DataError(concat(settings.recessions, ": of the months ", month_text(first), " to ", month_text(last), " of ",
                           settings.panel, " those in recession and those out of it are not both known by ",
                           month_text(last), " (data.label_delay = ", settings.cases.delay, "); both must teach."));
  if (folds != FoldsBy::time) return;
  const Index begin = std::max(first, month_of_date(settings.first)), months = last - begin + 1;
  if (begin < both)
    throw DataError(concat(settings.panel, ": nowcasts begin with ", month_text(begin), " (test.first = '",
                           settings.first, "'), but that there are recessions and months without is known from ",
                           month_text(both), " on; let test.first be that month or a later one."));
  if (month_of_date(settings.start) > last)
    throw DataError(concat(settings.panel, ": test.start = '", settings.start, "', but its months end with ",
                           month_text(last), "; let test.start be one of them."));
  if (const Index blocks = (months + settings.refit - 1) / settings.refit; blocks > study::kMostBlocks)
    throw DataError(concat(settings.panel, ": test.refit = ", settings.refit, " makes ", blocks,
                           " blocks of the months ", month_text(begin), " to ", month_text(last), ", but there may be ",
                           study::kMostBlocks, "; take test.refit = ",
                           (months + study::kMostBlocks - 1) / study::kMostBlocks, " or more, or a later test.first."));
}

study::Cases economy_cases(const RecessionSettings& settings, FoldsBy folds) {
  Economy economy(settings);
  study::Cases cases = month_cases(
      economy.first(), economy.last(), [&](Index month) -> const KnownMonths& { return economy.known(month); },
      economy.recessions(), settings.cases);
  if (cases.count() == 0)
    throw DataError(concat(settings.panel, ": no month has ", settings.cases.fewest, " of the ",
                           classical_columns().size(), " columns that nowcasts use; they are of ", names_of_columns(),
                           ", to which data.names can give other names."));
  for (const std::string& note : economy.notes()) cases.reading.notes.push_back(note);
  cases.reading.finding(RevisedValues{!settings.panel.empty() && !economy.vintages()});
  if (economy.recessions() == nullptr) return cases;
  std::vector<RecessionEpisode> episodes = episodes_of(*economy.recessions());
  std::erase_if(episodes, [&](const RecessionEpisode& episode) {
    return episode.last < economy.first() || episode.first > economy.last() + settings.cases.horizon;
  });
  std::vector<RecessionEpisode> scored = episodes;  // whose months are drawn together in intervals
  std::erase_if(scored, [&](const auto& episode) { return episode.last < month_of_date(settings.start); });
  for (const double end : cases.ends) {
    const auto& all = scored.empty() || month_of(end) < month_of_date(settings.start) ? episodes : scored;
    cases.groups.push_back(all.empty() ? "no recession"
                                       : datasets::panels::month_text(all[nearest_episode(all, month_of(end))].first));
  }
  cases.reading.group = "episode";
  if (folds == FoldsBy::time)
    put_blocks(settings, cases);
  else
    cases = around_episodes(cases, episodes);
  return cases;
}

Matrix<double> columns_as_known(const RecessionSettings& settings, const std::vector<Column>& columns, Index first,
                                Index months) {
  Economy economy(settings);
  Matrix<double> all(months, std::ssize(columns));
  for (Index t = 0; t < months; ++t)
    for (std::size_t c = 0; c < columns.size(); ++c)
      all(t, static_cast<Index>(c)) = value_of(columns[c], economy.known(first + t).series, first + t);
  return all;
}

}  // namespace fovea::nowcast
