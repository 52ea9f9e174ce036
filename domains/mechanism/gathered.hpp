#pragma once
/// What a statement puts down: variables gathered piece by piece, and the numbers and figures of its page.

#include <map>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/data/view.hpp"

namespace fovea::mechanism {

/// The variables of one point, gathered while one network after the other is trained and examined.
///
///   Gathered found;
///   found.append("error", errors);                                                 once for each network
///   found.add_to(results, "error", {"network", "relation"}, "1", "mean squared error");
class Gathered {
 public:
  void append(const std::string& name, double value) { values_[name].push_back(value); }
  void append(const std::string& name, const std::vector<double>& values);
  template <typename Real>
  void append(const std::string& name, const Matrix<Real>& values) {  ///< row by row
    std::vector<double>& all = values_[name];
    for (Index k = 0; k < values.size(); ++k) all.push_back(values.data()[k]);
  }
  /// Throws ArgumentError where nothing was appended.
  const std::vector<double>& at(const std::string& name) const;
  /// Adds the variable of that name to the results.
  void add_to(Results& results, const std::string& name, std::vector<std::string> dimensions, const std::string& units,
              const std::string& long_name) const;

 private:
  std::map<std::string, std::vector<double>> values_;
};

/// The coordinate first, first + 1, ..., last.
void add_numbers(Results& results, const std::string& name, std::int64_t first, std::int64_t last,
                 const std::string& units, const std::string& long_name);

/// Adds the variable `name` over these dimensions: the mean of the variable `from` over all else, the seeds at least.
void add_means(Results& merged, const std::string& from, const std::string& name, std::vector<std::string> dimensions,
               const std::string& long_name);

/// Adds the figure with its words: title and caption. Without a name it has that of its first variable.
void show(Results& merged, Figure figure, const std::string& title, const std::string& caption);

/// Adds a headline with the scalar that it shows, the mean, and `variable`_error, its standard error.
void add_headline(Results& merged, Headline headline, const MeanWithError& found, const std::string& units,
                  const std::string& long_name, const std::string& error_name = "its standard error over the seeds");

/// The share of the values that are above the bound, or above the value at their place in `others`, as many.
double share_above(const std::vector<double>& values, double bound);
double share_above(const std::vector<double>& values, const std::vector<double>& others);

/// How far from chance one who guesses comes with so many questions: right answers are binomial, and 3.29 deviations
/// leave one guesser in a thousand outside.
Tolerance tolerance_of_guessing(double chance, double questions);

}  // namespace fovea::mechanism
