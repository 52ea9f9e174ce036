/// The experiment "imaging.radiomics": which features agree when the same lesions are measured twice?
///
/// Simulated lesions, each with two measurements that differ in noise, contour and the place of the grid. With one-way
/// mean squares between (MSB) and within (MSW) lesions, the intraclass correlation is ICC(1) = (MSB - MSW) / (MSB +
/// MSW) (Shrout & Fleiss 1979); its interval by Fisher's z with standard error 1 / sqrt(n - 3/2) (Fisher 1925, section
/// 39).

#include <cmath>
#include <map>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/imaging/experiments.hpp"
#include "fovea/domains/imaging/radiomics/kernels/pair_sums.hpp"
#include "fovea/domains/imaging/radiomics/repeat_findings.hpp"
#include "fovea/domains/imaging/radiomics/simulated.hpp"

namespace fovea::imaging::radiomics {

namespace {

struct RepeatSettings {
  Index lesions = 24;
  double noise = 10, contour = 0.5, voxel = 2;
  Settings processing{};
};

const Keys<RepeatSettings>& repeat_keys() {
  using S = RepeatSettings;
  static const auto keys =
      Keys<S>()
          .key("lesions", &S::lesions, Range::between(4, 1000), "", "simulated lesions, each measured twice")
          .key("noise", &S::noise, Range::at_least(0), "HU", "standard deviation of the noise of a voxel")
          .key("contour", &S::contour, Range::between(0, 4), "mm", "standard deviation of the place of a contour")
          .key("voxel", &S::voxel, Range::between(0.5, 6), "mm", "size of the simulated voxels")
          .group(settings_keys(), &S::processing);
  return keys;
}

/// A feature of all lesions, twice.
struct Repeated {
  std::string tag, family;
  std::vector<std::array<double, 2>> values;
  double correlation = kNan, low = kNan, high = kNan;

  bool known() const { return !std::isnan(correlation); }
  bool reliable() const { return low > kGoodReliability; }
};

void set_correlation(Repeated& feature) {
  const double n = static_cast<double>(feature.values.size());
  double mean = 0, between = 0, within = 0;
  for (const auto& [a, b] : feature.values) mean += (a + b) / (2 * n);
  for (const auto& [a, b] : feature.values) {
    between += 2 * ((a + b) / 2 - mean) * ((a + b) / 2 - mean) / (n - 1);
    within += (a - b) * (a - b) / (2 * n);
  }
  constexpr double kRounding = 1e-12;  // the spread of equal values, relative to their size
  if (!(between + within > kRounding * kRounding * mean * mean)) return;
  feature.correlation = (between - within) / (between + within);
  const double width = normal_quantile(0.975) / std::sqrt(n - 1.5), z = std::atanh(feature.correlation);
  feature.low = std::tanh(z - width);
  feature.high = std::tanh(z + width);
}

std::string family_of(const std::string& tag) {
  for (const Family& family : families())
    if (tag.starts_with(std::string(family.prefix) + '_')) return std::string(family.name);
  return "";
}

Lesion measured_lesion(const RepeatSettings& settings, const Random& random, Index lesion, int time) {
  const Random of_lesion = random.stream(concat("lesion ", lesion)), of_time = of_lesion.stream(concat("time ", time));
  Measurement measurement{settings.noise, settings.contour * of_time.normal(0), {}};
  for (std::uint64_t axis = 0; axis < 3; ++axis)
    measurement.shift[axis] = settings.voxel * (of_time.uniform(1, axis) - 0.5);
  return simulated_lesion(of_lesion, measurement, settings.voxel, of_time.stream("noise"));
}

std::vector<Repeated> measured_features(const RepeatSettings& settings, const Random& random, Workbench& bench) {
  std::vector<std::vector<Feature>> all(static_cast<std::size_t>(2 * settings.lesions));
  for_each_task(static_cast<Index>(all.size()), true, [&](Index k) {
    const Lesion made = measured_lesion(settings, random, k / 2, static_cast<int>(k % 2));
    all[static_cast<std::size_t>(k)] =
        features(processed(made.image, made.mask, settings.processing), settings.processing.dimensions());
  });
  bench.progress(0.9);
  std::vector<Repeated> repeated;
  for (std::size_t f = 0; f < all[0].size(); ++f) {
    Repeated one{all[0][f].tag, family_of(all[0][f].tag), {}};
    for (std::size_t k = 0; k < all.size(); k += 2) one.values.push_back({all[k][f].value, all[k + 1][f].value});
    set_correlation(one);
    repeated.push_back(std::move(one));
  }
  return repeated;
}

/// Of the features of a family that have a correlation.
struct FamilySummary {
  std::string name;
  Index features = 0, reliable = 0;
  std::vector<double> correlations;

  double share() const { return static_cast<double>(reliable) / static_cast<double>(features); }
  struct Spread {
    double value, low, high;
  };
  Spread spread() const {
    return {sorted_quantile(correlations, 0.5), sorted_quantile(correlations, 0.1), sorted_quantile(correlations, 0.9)};
  }
};

std::vector<FamilySummary> family_summaries(const std::vector<Repeated>& repeated) {
  std::vector<FamilySummary> all;
  for (const Repeated& one : repeated) {
    if (!one.known()) continue;
    if (all.empty() || all.back().name != one.family) all.push_back({one.family, 0, 0, {}});
    ++all.back().features;
    all.back().reliable += one.reliable() ? 1 : 0;
    all.back().correlations.push_back(one.correlation);
  }
  for (FamilySummary& family : all) std::sort(family.correlations.begin(), family.correlations.end());
  return all;
}

/// Moran's I once more, by the engine: sum_j v_j / d_ij as attention by log distance.
double moran_by_attention(const Region& region) {
  std::vector<double> x = region.values();
  const Moments all = moments(x);
  const auto n = static_cast<Index>(x.size());
  Matrix<double> places(n, 3), values(n, 1);
  for (Index i = 0; i < n; ++i) {
    const auto place = region.place(region.voxels[static_cast<std::size_t>(i)]);
    for (Index axis = 0; axis < 3; ++axis)
      places(i, axis) =
          static_cast<double>(place[static_cast<std::size_t>(axis)]) * region.spacing[static_cast<std::size_t>(axis)];
    values(i, 0) = x[static_cast<std::size_t>(i)] - all.mean;
  }
  const double itself = *std::min_element(region.spacing.begin(), region.spacing.end());  // below it nothing lies
  AttentionSpec<double> spec;
  spec.score = {log_distance_score<double>(itself), {}};
  const auto found = attend<double>(places, places, values, spec);
  const Vector<double> weights = found.log_sum_exp.col(0).array().exp();
  const double products = values.col(0).dot(found.outputs.col(0).cwiseProduct(weights) - values.col(0) / itself);
  return products / ((weights.array() - 1 / itself).sum() * all.variance);
}

std::vector<double> middle_slice(const Lesion& lesion, bool of_mask) {
  const auto& grid = lesion.image.grid;
  std::vector<double> slice;
  for (Index k = grid.at(0, 0, grid.size[2] / 2); k < grid.at(0, 0, grid.size[2] / 2 + 1); ++k) {
    const auto voxel = static_cast<std::size_t>(k);
    slice.push_back(of_mask && lesion.mask.inside[voxel] == 0 ? kNan : lesion.image.values[voxel]);
  }
  return slice;
}

void add_pictures(const Lesion& first, const Lesion& second, Results& results) {
  const auto& grid = first.image.grid;
  results.data.dimension("slice_row", grid.size[1]), results.data.dimension("slice_column", grid.size[0]);
  const auto add = [&](const std::string& name, const Lesion& lesion, bool of_mask, const std::string& meaning) {
    results.add(name, {"slice_row", "slice_column"}, middle_slice(lesion, of_mask), "HU", meaning);
    results.data.at(name).attributes = {{"valid_min", "-100"}, {"valid_max", "150"}};
  };
  add("first_image", first, false, "first measurement");
  add("first_region", first, true, "its region");
  add("second_image", second, false, "second measurement");
  add("second_region", second, true, "its region");
  results.figure({.kind = "image",
                  .name = "lesion",
                  .title = "One lesion, measured twice",
                  .caption =
                      "The middle slices of the first simulated lesion. Noise, contour and the place of the grid "
                      "differ; the lesion is the same.",
                  .variables = {"first_image", "first_region", "second_image", "second_region"},
                  .x = "slice_column",
                  .y = "slice_row"});
}

void add_tables(const std::vector<Repeated>& repeated, const std::vector<FamilySummary>& families, Results& results) {
  rows("family", families, &FamilySummary::name, "family of features")
      .integer("family_features", &FamilySummary::features, "features with a correlation")
      .integer("family_reliable", &FamilySummary::reliable, "of them reliable")
      .interval("family_correlation", &FamilySummary::spread, "intraclass correlation, median")
      .ends("middle 80 % of the features, lower end", "middle 80 % of the features, upper end")
      .write(results)
      .intervals(results, "family_correlation",
                 {.title = "Agreement of two measurements, by family",
                  .caption = "Intraclass correlation of the features of a family: the median, and where the middle "
                             "80 % lie. 1: both measurements order and scale the lesions alike; 0: not at all."})
      .table(results,
             {.name = "families",
              .title = "Reliable features of each family",
              .caption = concat("Reliable: the 95 % interval of the correlation lies above ", kGoodReliability, "."),
              .digits = 3});
  rows("feature", repeated, &Repeated::tag, "feature")
      .number("correlation", &Repeated::correlation, "intraclass correlation")
      .number("correlation_low", &Repeated::low, "95 % interval, lower end")
      .number("correlation_high", &Repeated::high, "95 % interval, upper end")
      .write(results)
      .table(results, {.name = "features",
                       .title = "Every feature",
                       .caption = "Without numbers: the feature is the same for all lesions, or has no value for one.",
                       .fold = "Every feature",
                       .digits = 3});
}

class Repeat final : public KeyedExperiment<RepeatSettings, repeat_keys> {
 public:
  std::string_view name() const override { return "imaging.radiomics"; }
  std::string_view summary() const override {
    return "which features agree when the same simulated lesions are measured twice";
  }
  int result_version() const override { return 1; }

  void check_settings(const RepeatSettings& settings, const Complain& complain) const override {
    radiomics::check_settings(settings.processing, complain);
  }

  void measure(const RepeatSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const std::vector<Repeated> repeated = measured_features(settings, random, bench);
    const std::vector<FamilySummary> families = family_summaries(repeated);
    Index known = 0, reliable = 0;
    for (const FamilySummary& family : families) known += family.features, reliable += family.reliable;
    results.scalar("reliable", static_cast<double>(reliable), "1", "reliable features");
    results.scalar("known", static_cast<double>(known), "1", "features with a correlation");
    results.headline({.variable = "reliable",
                      .label = "Reliable features",
                      .meaning = concat("of ", known, ": the 95 % interval of the intraclass correlation lies above ",
                                        kGoodReliability)});
    const Lesion first = measured_lesion(settings, random, 0, 0);
    add_tables(repeated, families, results);
    add_pictures(first, measured_lesion(settings, random, 0, 1), results);
    const Region region = processed(first.image, first.mask, settings.processing);
    constexpr double kSumsInAnotherOrder = 1e-9;
    results.check({"moran_by_attention", "Moran's I of the first lesion, and the same from attention by log distance",
                   "derived in domains/imaging/radiomics/README.md", moran_by_attention(region),
                   autocorrelation(region).moran, absolute(kSumsInAnotherOrder)});
    const auto by_share = [](const FamilySummary& a, const FamilySummary& b) { return a.share() < b.share(); };
    const auto [least, most] = std::minmax_element(families.begin(), families.end(), by_share);
    if (families.empty()) return;
    results.finding(FeaturesRepeat{reliable, known, settings.lesions, settings.noise, settings.contour, most->name,
                                   least->name, most->share(), least->share()});
    results.finding(NoFeatureRepeats{reliable, known, settings.lesions, settings.noise, settings.contour});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_radiomics() { return std::make_unique<Repeat>(); }

}  // namespace fovea::imaging::radiomics
