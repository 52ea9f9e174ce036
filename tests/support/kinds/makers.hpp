#pragma once
/// The makers behind the registry of kinds.cpp, which says in a line what each draws; a source file a family.

#include "fovea/tests/support/kinds/kinds.hpp"

namespace fovea::support::kinds {

// shared_courses.cpp
KnownTable daily_course(Index set, const Random& random);
KnownTable hours_of_week(Index set, const Random& random);
KnownTable level_shift(Index set, const Random& random);
KnownTable linear_trends(Index set, const Random& random);
KnownTable month_pattern(Index set, const Random& random);
KnownTable slow_factor(Index set, const Random& random);
KnownTable weekday_pattern(Index set, const Random& random);
KnownTable yearly_course(Index set, const Random& random);

// uneven_variance.cpp
KnownTable common_jumps(Index set, const Random& random);
KnownTable common_volatility(Index set, const Random& random);
KnownTable garch(Index set, const Random& random);
KnownTable growing_deviation(Index set, const Random& random);
KnownTable growing_variance(Index set, const Random& random);

// odd_values.cpp
KnownTable binary_chains(Index set, const Random& random);
KnownTable cauchy(Index set, const Random& random);
KnownTable held_values(Index set, const Random& random);
KnownTable missing_blocks(Index set, const Random& random);
KnownTable poisson(Index set, const Random& random);
KnownTable rare_events(Index set, const Random& random);
KnownTable rounded(Index set, const Random& random);
KnownTable sparse_rain(Index set, const Random& random);
KnownTable student_2(Index set, const Random& random);

// plain_memory.cpp
KnownTable near_unit_roots(Index set, const Random& random);
KnownTable plain_memory(Index set, const Random& random);
KnownTable random_walks(Index set, const Random& random);
KnownTable short_and_wide(Index set, const Random& random);

// kept_for_end.cpp
KnownTable clipped_sensor(Index set, const Random& random);
KnownTable drifting_season(Index set, const Random& random);
KnownTable long_memory(Index set, const Random& random);
KnownTable seasonal_counts(Index set, const Random& random);
KnownTable shared_outages(Index set, const Random& random);
KnownTable two_cycles(Index set, const Random& random);

// driven_tables.cpp
KnownTable driven_bent(Index set, const Random& random);
KnownTable driven_flow(Index set, const Random& random);
KnownTable driven_heavy(Index set, const Random& random);
KnownTable driven_linear(Index set, const Random& random);
KnownTable driven_noisy(Index set, const Random& random);
KnownTable driven_product(Index set, const Random& random);
KnownTable driven_season(Index set, const Random& random);
KnownTable driven_sparse(Index set, const Random& random);
KnownTable driven_uneven(Index set, const Random& random);

// rivers.cpp, haemodynamics.cpp, hidden_effects.cpp
KnownTable rivers(Index set, const Random& random);
KnownTable haemodynamic(Index set, const Random& random);
KnownTable product_effect(Index set, const Random& random);
KnownTable sign_by_third(Index set, const Random& random);
KnownTable sign_flip(Index set, const Random& random);
KnownTable sine_effect(Index set, const Random& random);
KnownTable slow_sign(Index set, const Random& random);
KnownTable variance_effect(Index set, const Random& random);
KnownTable within_step(Index set, const Random& random);

}  // namespace fovea::support::kinds
