#include "fovea/tests/benchmarks/ours/lag_kind_problem.hpp"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/kinds/kinds.hpp"

namespace fovea::bench {

namespace {

using support::kinds::Calendar;
using support::kinds::KnownLink;
using support::kinds::KnownTable;

constexpr int kDigits = 8;

void write_table(const KnownTable& known, std::ofstream file) {
  const bool dated = known.calendar != Calendar::none;
  const datasets::series::SeriesTable& table = known.table;
  const auto separator = [&](Index column) { return column > 0 || dated ? "," : ""; };
  file << (dated ? "date" : "") << std::setprecision(kDigits);
  for (Index s = 0; s < table.series(); ++s) file << separator(s) << table.names[s];
  file << '\n';
  for (Index t = 0; t < table.steps(); ++t) {
    file << date_of_row(known.calendar, t);
    for (Index s = 0; s < table.series(); ++s) {
      file << separator(s);
      if (!std::isnan(table.values(t, s))) file << table.values(t, s);
    }
    file << '\n';
  }
  require(file.good(), "a table cannot be written");
}

void write_truth(const KnownTable& known, std::ofstream file) {
  const auto name = [&](Index column) { return known.table.names[column]; };
  file << "cause,effect,lag\n";
  for (const KnownLink& link : known.links)
    file << name(link.cause) << ',' << name(link.effect) << ',' << link.lag << '\n';
  require(file.good(), "a table's truth cannot be written");
}

class LagKindWork : public Work {
 public:
  explicit LagKindWork(const Request& request)
      : kind_(request.text("kind")),
        sets_(request.count("sets")),
        random_(static_cast<std::uint64_t>(request.count("seed", 1))) {}
  void run() override {
    tables_.clear();
    for (Index set = 0; set < sets_; ++set) tables_.push_back(support::kinds::draw_table(kind_, set, random_));
  }
  std::vector<float> answer() const override { return {}; }
  void write(const std::string& folder) const override {
    for (Index set = 0; set < sets_; ++set) {
      const std::string path = concat(folder, "/", kind_, "_", set);
      const KnownTable& known = tables_[set];
      write_table(known, std::ofstream(path + ".csv"));
      write_truth(known, std::ofstream(path + ".truth.csv"));
    }
  }
  Index rows() const override { return sets_; }
  double pairs() const override { return static_cast<double>(sets_); }
  double largest_error() const override { throw ArgumentError("request: a drawn table has no error."); }

 private:
  std::string kind_;
  Index sets_;
  Random random_;
  std::vector<KnownTable> tables_;
};

}  // namespace

std::unique_ptr<Work> lag_kind_work(const Request& request) { return std::make_unique<LagKindWork>(request); }

}  // namespace fovea::bench
