#pragma once
/// What a model learns: named matrices, stored one after the other, so that an optimiser, a checkpoint and a file see
/// one long vector.

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

/// One learned matrix: where it stands in the long vector.
struct ParameterPlace {
  Index begin = 0, rows = 0, columns = 0;
  Index size() const { return rows * columns; }
};

/// How an optimiser treats a parameter.
enum class Decay { yes, no };

template <typename Real>
class Parameters {
 public:
  struct Entry {
    std::string name;  ///< "encoder.0.attention.query.weight": unique
    ParameterPlace place;
    Decay decay = Decay::yes;  ///< whether weight decay acts on it; biases, gains and rates are left alone
    bool learns = true;        ///< false: frozen
  };

  /// A new matrix with the given start. Throws ArgumentError where the name is taken, a value is not finite, or there
  /// would be more values than limit() allows. learns = false: frozen from the start.
  ParameterPlace add(const std::string& name, const Matrix<Real>& start, Decay decay = Decay::yes, bool learns = true);

  /// Allows `most` values in all (without a limit: any number), so that a model whose size comes from a file nobody
  /// trusts cannot take more memory than that file. Throws ArgumentError below size().
  void limit(Index most);
  /// Throws ArgumentError where so many values more would break the limit: for a layer to ask before it makes the
  /// start.
  void require_room(Index values) const;

  Index size() const { return static_cast<Index>(values_.size()); }  ///< of the long vector
  std::span<Real> values() { return values_; }
  std::span<const Real> values() const { return values_; }
  Eigen::Map<Matrix<Real>> matrix(const ParameterPlace& place);
  Eigen::Map<const Matrix<Real>> matrix(const ParameterPlace& place) const;

  const std::vector<Entry>& entries() const { return entries_; }
  /// Throws ArgumentError with the nearest name where there is none of that name.
  const Entry& at(std::string_view name) const;
  /// Lets parameters whose names start so learn, or not.
  void set_learning(std::string_view prefix, bool learns);

 private:
  std::vector<Entry> entries_;
  std::vector<Real> values_;
  Index most_ = std::numeric_limits<Index>::max();
};

}  // namespace fovea::learning
