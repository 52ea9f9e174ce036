#include "fovea/tests/benchmarks/ours/lag_pair_problem.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/domains/lag/pair/outcome.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"

namespace fovea::bench {

namespace {

double moment_of(const Request& request, const std::string& field, double otherwise) {
  return request.text(field, "").empty() ? otherwise : request.number(field);
}

datasets::series::Curve between(const datasets::series::Curve& curve, double from, double to) {
  datasets::series::Curve part{curve.name, {}, {}, {}};
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    if (curve.time[i] < from || curve.time[i] > to) continue;
    part.time.push_back(curve.time[i]);
    part.value.push_back(curve.value[i]);
    part.error.push_back(curve.error[i]);
  }
  return part;
}

datasets::series::Curve curve_of(const datasets::series::SeriesFile& file, const Request& request,
                                 const std::string& role) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const datasets::series::CurveGroup& group : file.groups)
    for (const datasets::series::Curve& curve : group.curves)
      if (group.name == request.text("group", group.name) && curve.name == request.text(role))
        return between(curve, moment_of(request, "from", -infinite), moment_of(request, "to", infinite));
  throw ArgumentError(concat("request: no curve '", request.text(role), "' in ", request.text("file")));
}

class LagPairWork : public Work {
 public:
  explicit LagPairWork(const Request& request) {
    const datasets::series::SeriesFile file = datasets::series::read_series(request.text("file"));
    driver_ = curve_of(file, request, "driver");
    response_ = curve_of(file, request, "response");
  }
  void run() override { outcome_ = lag::pair::study_pair(driver_, response_, {}, Random(1)); }
  std::vector<float> answer() const override {
    const std::vector<double> numbers = answer_in_double();
    return {numbers.begin(), numbers.end()};
  }
  std::vector<double> answer_in_double() const override {
    const lag::pair::LagPosterior& found = outcome_->posterior;
    return {found.lag,
            found.interval68.low,
            found.interval68.high,
            found.interval95.low,
            found.interval95.high,
            outcome_->alarm.probability,
            outcome_->centroid.lag};
  }
  void write(const std::string& folder) const override {
    const std::vector<double> numbers = answer_in_double();
    write_numbers(concat(folder, "/lags"), numbers.data(), static_cast<Index>(numbers.size()));
  }
  Index rows() const override { return static_cast<Index>(driver_.time.size() + response_.time.size()); }
  double pairs() const override {
    return static_cast<double>(driver_.time.size()) * static_cast<double>(response_.time.size());
  }
  double largest_error() const override { throw ArgumentError("request: the error of a lag is not known here."); }

 private:
  datasets::series::Curve driver_, response_;
  std::optional<lag::pair::PairOutcome> outcome_;
};

}  // namespace

std::unique_ptr<Work> lag_pair_work(const Request& request) { return std::make_unique<LagPairWork>(request); }

}  // namespace fovea::bench
