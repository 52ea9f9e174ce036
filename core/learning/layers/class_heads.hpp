#pragma once
/// The learned heads of class_pooling(): half-lives and sharpness of each class, or shared by all of them.

#include <vector>

#include "fovea/core/learning/class_pooling.hpp"
#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

/// How the heads of every class start, and what of them learns.
struct ClassHeadsSettings {
  Index classes = 1;
  std::vector<double> half_lives;       ///< H, > 0, in the unit of the times; infinity: no decay, and none is learned
  std::vector<double> sharpness;        ///< H, per unit of the values
  std::vector<double> exponents;        ///< empty: half-lives. H, > 0: power laws, of which half_lives are the scales
  std::vector<double> mass_half_lives;  ///< K, > 0
  bool learn_times = true;              ///< half-lives, scales and exponents; false: fixed
  bool learn_sharpness = true;
  bool shared_times = false;  ///< one half-life (scale and exponent) a head for all classes
  /// How many times as fast as other parameters the logarithms of half-lives, scales and exponents learn: what is
  /// stored is the logarithm divided by it.
  double time_rate = 1;
};

/// Parameters: NAME.sharpness, NAME.log_half_life (NAME.log_scale, NAME.log_exponent), NAME.log_mass_half_life; C x
/// columns or, where shared, 1 x columns. Weight decay acts on none of them.
template <typename Real>
class ClassHeads {
 public:
  /// Throws ArgumentError where lengths differ or a start is out of range.
  ClassHeads(Parameters<Real>& parameters, const std::string& name, const ClassHeadsSettings& settings);

  /// class_pooling() with these heads: Q x C columns().
  Variable<Real> operator()(Variable<Real> values, const ClassEvents& events, const TimedQueries& queries) const;

  /// The columns of these heads on values, then those of `squares` on their squares. A tape whose parameters do not
  /// learn takes both on one way (class_pooling_with_squares()).
  Variable<Real> with_squares(Variable<Real> values, const ClassHeads& squares, const ClassEvents& events,
                              const TimedQueries& queries) const;

  Index columns() const { return pooled_columns(sharpness_.columns, mass_.columns); }  ///< of each class
  /// C x H, in the unit of the times; of a power law the scales. Infinite without decay.
  Matrix<double> half_lives(const Parameters<Real>& parameters) const;

 private:
  Variable<Real> of_classes(Tape<Real>& tape, const ParameterPlace& place) const;
  ParameterPlace sharpness_, time_, exponent_, mass_;
  bool power_law_;
  double time_rate_;
  std::vector<Index> row_of_class_;  ///< of shared parameters: 0 for each
};

}  // namespace fovea::learning
