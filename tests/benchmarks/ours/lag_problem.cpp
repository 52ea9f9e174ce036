#include "fovea/tests/benchmarks/ours/lag_problem.hpp"

#include <numeric>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"

namespace fovea::bench {

namespace {

class LagWork : public Work {
 public:
  explicit LagWork(const Request& request)
      : table_(datasets::series::read_series(request.text("file")).table),
        method_(lag::methods::method_of(request.text("method", "attention"))),
        max_lag_(request.count("max_lag", 0)) {
    settings_.contemporaneous = request.count("within_a_step", 1) > 0;
    if (!request.text("level", "").empty()) settings_.level = request.number("level");
  }
  void run() override {
    lag::series::LagChoice choice =
        max_lag_ > 0 ? lag::series::LagChoice{steps_back(max_lag_)} : lag::series::choose_lags(table_);
    settings_.lags = std::move(choice.lags);
    settings_.lags_tried = choice.tried;
    findings_ = method_.find(table_, settings_, Random(1));
  }
  std::vector<float> answer() const override {
    const std::vector<double> numbers = answer_in_double();
    return {numbers.begin(), numbers.end()};
  }
  std::vector<double> answer_in_double() const override {
    std::vector<double> numbers;
    for (const lag::methods::Link& link : findings_.links)
      for (const double number :
           {static_cast<double>(link.effect), static_cast<double>(link.cause), static_cast<double>(link.lag),
            link.strength, link.p_value, link.counts ? 1.0 : 0.0, link.directed ? 1.0 : 0.0})
        numbers.push_back(number);
    return numbers;
  }
  void write(const std::string& folder) const override {
    const std::vector<double> numbers = answer_in_double();
    write_numbers(concat(folder, "/links"), numbers.data(), static_cast<Index>(numbers.size()));
  }
  Index rows() const override { return table_.steps(); }
  double pairs() const override { return settings_.lags.empty() ? 0 : static_cast<double>(settings_.lags.back()); }
  double largest_error() const override { throw ArgumentError("request: the error of links is not known here."); }

 private:
  static std::vector<Index> steps_back(Index longest) {
    std::vector<Index> lags(longest);
    std::iota(lags.begin(), lags.end(), Index{1});
    return lags;
  }

  datasets::series::SeriesTable table_;
  const lag::methods::MethodEntry& method_;
  Index max_lag_;
  lag::methods::LagSettings settings_;
  lag::methods::Findings findings_;
};

}  // namespace

std::unique_ptr<Work> lag_work(const Request& request) { return std::make_unique<LagWork>(request); }

}  // namespace fovea::bench
