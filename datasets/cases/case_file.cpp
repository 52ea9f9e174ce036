#include "fovea/datasets/cases/case_file.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::cases {

namespace {

constexpr std::size_t kMostFeatures = 10000;

/// "name [unit]": both without the blanks around them.
struct Column {
  std::string name, unit = "1";
};
Column column_of(const std::string& title) {
  const std::size_t open = title.rfind('[');
  const std::string_view whole = text::trimmed(title);
  if (open == std::string::npos || open == 0 || whole.empty() || whole.back() != ']') return {std::string(whole), "1"};
  const std::string_view unit =
      text::trimmed(std::string_view(title).substr(open + 1, title.find_last_of(']') - open - 1));
  return {std::string(text::trimmed(std::string_view(title).substr(0, open))), unit.empty() ? "1" : std::string(unit)};
}

/// What all rows of a case must say alike.
struct Common {
  std::string id, group, part;
  double target = kNan, weight = 1;
};

class CaseFile : public study::CaseReader {
 public:
  CaseFile(std::string path, CaseFileOptions options)
      : path_(std::move(path)), options_(std::move(options)), csv_(path_) {
    for (std::size_t c = 0; c < csv_.columns().size(); ++c) place(column_of(csv_.columns()[c]), c);
    if (!id_) throw DataError(concat(path_, ": has no column 'id', which says which rows are one case."));
    if (features_.size() > kMostFeatures)
      throw DataError(
          concat(path_, ": has ", features_.size(), " features, but at most ", kMostFeatures, " are read."));
    waiting_ = csv_.next();
  }

  study::Cases read(Index most) override {
    study::Cases cases;
    cases.features = features_;
    cases.time_unit = time_ ? time_unit_ : "";
    values_.clear();
    while (waiting_ && cases.count() < most) read_case(cases);
    cases.values =
        Eigen::Map<const Matrix<float>>(values_.data(), cases.tokens(), static_cast<Index>(features_.size()));
    return cases;
  }

 private:
  void place(const Column& column, std::size_t at) {
    const std::map<std::string, std::optional<std::size_t>*> special{{"id", &id_},         {"time", &time_},
                                                                     {"group", &group_},   {"part", &part_},
                                                                     {"weight", &weight_}, {options_.target, &target_}};
    const auto found = special.find(column.name);
    if (found == special.end()) {
      features_.push_back({column.name, column.unit, {}});
      places_.push_back(at);
      return;
    }
    if (*found->second) throw DataError(concat(path_, ": has two columns '", column.name, "'; keep one."));
    *found->second = at;
    if (column.name == "time") time_unit_ = column.unit;
  }

  Common common() const {
    Common row;
    row.id = std::string(text::trimmed(csv_.text(*id_)));
    if (row.id.empty()) csv_.refuse(*id_, "the id is empty; every row belongs to a case.");
    if (group_) row.group = std::string(text::trimmed(csv_.text(*group_)));
    if (part_) row.part = std::string(text::trimmed(csv_.text(*part_)));
    if (target_) row.target = csv_.number_or_nan(*target_);
    if (weight_) row.weight = csv_.number(*weight_);
    return row;
  }

  void check_common(const Common& first) const {
    const Common row = common();
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    const auto refuse = [&](const std::optional<std::size_t>& column) {
      csv_.refuse(*column, concat("differs from the first row of case '", text::shown_text(first.id),
                                  "'; it must be the same in all rows of a case."));
    };
    if (row.group != first.group) refuse(group_);
    if (row.part != first.part) refuse(part_);
    if (!same(row.weight, first.weight)) refuse(weight_);
    if (options_.level == study::TargetLevel::per_case && !same(row.target, first.target)) refuse(target_);
  }

  /// False for a row that says of its case that it has no token.
  bool read_token(study::Cases& cases) {
    const double time = time_ ? csv_.number_or_nan(*time_) : 0;
    const std::size_t before = values_.size();
    bool any = false;
    for (const std::size_t at : places_) {
      const double x = csv_.number_or_nan(at);
      if (std::isinf(x)) csv_.refuse(at, "is infinite; leave it empty if it is not known.");
      const auto value = static_cast<float>(x);
      if (std::isinf(value)) csv_.refuse(at, "is too large for a float; choose another unit.");
      any = any || !std::isnan(x);
      values_.push_back(value);
    }
    if (!any && (!time_ || std::isnan(time))) {
      values_.resize(before);
      return false;
    }
    if (time_ && !std::isfinite(time)) csv_.refuse(*time_, "the time must be a finite number.");
    if (time_) cases.times.push_back(time);
    return true;
  }

  void read_case(study::Cases& cases) {
    const Common first = common();
    if (!seen_.insert(std::hash<std::string>{}(first.id)).second)
      csv_.refuse(*id_, concat("case '", text::shown_text(first.id),
                               "' comes again after other cases; the rows of a case must stand together."));
    Index tokens = 0;
    do {
      check_common(first);
      if (read_token(cases)) {
        if (++tokens > options_.most_tokens)
          csv_.refuse(*id_,
                      concat("case '", text::shown_text(first.id), "' has more than ", options_.most_tokens, " rows."));
        if (target_ && options_.level == study::TargetLevel::per_token) {
          cases.targets.push_back(csv_.number_or_nan(*target_));
          if (weight_) cases.weights.push_back(first.weight);
        }
      }
      waiting_ = csv_.next();
    } while (waiting_ && text::trimmed(csv_.text(*id_)) == first.id);
    finish(first, tokens, cases);
  }

  void finish(const Common& first, Index tokens, study::Cases& cases) const {
    cases.offsets.push_back(cases.tokens() + tokens);
    cases.ids.push_back(first.id);
    if (group_) cases.groups.push_back(first.group);
    if (part_) cases.parts.push_back(first.part);
    if (!target_ || options_.level == study::TargetLevel::per_token) return;
    cases.targets.push_back(first.target);
    if (weight_) cases.weights.push_back(first.weight);
  }

  std::string path_;
  CaseFileOptions options_;
  text::CsvReader csv_;
  std::optional<std::size_t> id_, time_, group_, part_, weight_, target_;
  std::string time_unit_;
  std::vector<study::Feature> features_;
  std::vector<std::size_t> places_;
  std::vector<float> values_;
  std::unordered_set<std::size_t> seen_;
  bool waiting_ = false;
};

}  // namespace

std::unique_ptr<study::CaseReader> read_case_file(const std::string& path, const CaseFileOptions& options) {
  return std::make_unique<CaseFile>(path, options);
}

}  // namespace fovea::datasets::cases
