#include "fovea/domains/nowcast/cases/settings.hpp"

namespace fovea::nowcast {

const Keys<RecessionSettings>& recession_keys() {
  using S = RecessionSettings;
  static const auto keys =
      Keys<S>()
          .files("data.panel", &S::panels,
                 "FRED-MD, another wide CSV of monthly series, or a folder of vintages YYYY-MM.csv; empty: simulated")
          .file("data.recessions", &S::recessions,
                "CSV of NBER's peaks and troughs, or of months with 0 and 1; empty: those of the simulated panel")
          .key("data.names", inside(&S::series, &SeriesSettings::names),
               "columns of the panel that have other names than in FRED-MD: \"PAYEMS=employment\"")
          .key("data.lags", inside(&S::series, &SeriesSettings::lags),
               "release lags in months other than those of domains/nowcast: \"PAYEMS=2\", or \"*=1\" for all")
          .key("data.codes", inside(&S::series, &SeriesSettings::codes),
               "transformation codes 1 to 7 (McCracken & Ng 2016) other than the file's: \"PAYEMS=5\"")
          .key("data.window", inside(&S::cases, &CaseSettings::window), Range::between(1, 240), "months",
               "how long events are attended to")
          .key("data.horizon", inside(&S::cases, &CaseSettings::horizon), Range::between(0, 36), "months",
               "how far ahead a recession is predicted")
          .key("data.label_delay", inside(&S::cases, &CaseSettings::delay), Range::between(0, 60), "months",
               "after which it is taken for known whether a month was in recession")
          .key("test.first", &S::first, "first month that is nowcast; earlier ones teach alone, later ones calibrate")
          .key("test.start", &S::start, "first month that is scored")
          .key("test.refit", &S::refit, Range::between(1, 120), "months", "after which the model learns again")
          .key("check.future", &S::check_future,
               "whether months drawn at random are nowcast again with all later values and labels replaced by noise");
  return keys;
}

RecessionSettings recession_settings(const Config& config) {
  RecessionSettings settings = recession_keys().read(config);
  settings.seed = config.seed.value_or(1);
  if (!settings.panels.empty()) settings.panel = settings.panels.front();
  return settings;
}

}  // namespace fovea::nowcast
