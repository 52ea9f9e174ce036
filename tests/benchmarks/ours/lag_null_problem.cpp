#include "fovea/tests/benchmarks/ours/lag_null_problem.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"
#include "fovea/tests/support/kinds/independent_series.hpp"

namespace fovea::bench {

namespace {

class LagNullWork : public Work {
 public:
  explicit LagNullWork(const Request& request)
      : plan_{request.count("series"), request.count("steps"), request.number("autocorrelation"),
              static_cast<int>(request.count("degrees", 0))},
        sets_(request.count("sets")),
        random_(static_cast<std::uint64_t>(request.count("seed", 1))),
        method_(lag::methods::method_of(request.text("method", "attention"))) {}
  void run() override {
    numbers_.clear();
    for (Index set = 0; set < sets_; ++set) look_through(random_.stream(concat("set ", set)));
  }
  std::vector<float> answer() const override { return {numbers_.begin(), numbers_.end()}; }
  std::vector<double> answer_in_double() const override { return numbers_; }
  void write(const std::string& folder) const override {
    write_numbers(concat(folder, "/null"), numbers_.data(), static_cast<Index>(numbers_.size()));
  }
  Index rows() const override { return sets_; }
  double pairs() const override { return static_cast<double>(sets_ * plan_.series * (plan_.series - 1)); }
  double largest_error() const override { throw ArgumentError("request: the error of links is not known here."); }

 private:
  void look_through(const Random& random) {
    const datasets::series::SeriesTable table = support::kinds::independent_series(plan_, random);
    lag::methods::LagSettings settings;
    lag::series::LagChoice choice = lag::series::choose_lags(table);
    settings.lags = std::move(choice.lags);
    settings.lags_tried = choice.tried;
    lag::methods::Findings findings = method_.find(table, settings, random);
    std::erase_if(findings.links, [](const lag::methods::Link& link) { return link.self() || link.lag == 0; });
    const auto counting = std::count_if(findings.links.begin(), findings.links.end(),
                                        [](const lag::methods::Link& link) { return link.counts; });
    const std::uint64_t drawn = random.stream("which link").below(findings.links.size(), 0);
    numbers_.insert(numbers_.end(), {static_cast<double>(counting), findings.links[drawn].p_value});
  }

  support::kinds::IndependentSeriesPlan plan_;
  Index sets_;
  Random random_;
  const lag::methods::MethodEntry& method_;
  std::vector<double> numbers_;
};

}  // namespace

std::unique_ptr<Work> lag_null_work(const Request& request) { return std::make_unique<LagNullWork>(request); }

}  // namespace fovea::bench
