#pragma once
/// The measurements of the oracle's table, by file.

namespace fovea::opinion::oracle {

class OracleSheet;

// oracle_camps.cpp
void measure_contraction(OracleSheet& sheet);
void measure_two_camps(OracleSheet& sheet);
void measure_lifetimes(OracleSheet& sheet);
// oracle_crowd.cpp
void measure_gaussian_crowd(OracleSheet& sheet);
void measure_ripples(OracleSheet& sheet);
void measure_window_ripples(OracleSheet& sheet);
// oracle_anchors.cpp
void measure_folds(OracleSheet& sheet);
// oracle_saturation.cpp
void measure_saturated_camps(OracleSheet& sheet);
// oracle_noise.cpp
void measure_dot_product_crowd(OracleSheet& sheet);
void measure_noisy_crowd(OracleSheet& sheet);
// oracle_circle.cpp
void measure_circle_modes(OracleSheet& sheet);
void measure_orthonormal_tokens(OracleSheet& sheet);
// oracle_tricritical.cpp
void measure_tricritical(OracleSheet& sheet);
// oracle_order.cpp
void measure_binder_crossing(OracleSheet& sheet);
void measure_noise_hysteresis(OracleSheet& sheet);
// oracle_confidence.cpp
void measure_confidence_flips(OracleSheet& sheet);
void measure_deffuant(OracleSheet& sheet);
// oracle_unification.cpp
void measure_identities(OracleSheet& sheet);
void measure_freezing(OracleSheet& sheet);
// oracle_imitation.cpp
void measure_voters(OracleSheet& sheet);
void measure_q_voters(OracleSheet& sheet);
void measure_majorities(OracleSheet& sheet);
// oracle_coevolution.cpp
void measure_coevolution(OracleSheet& sheet);
void measure_fragmentation(OracleSheet& sheet);
void measure_community_sizes(OracleSheet& sheet);
void measure_feed(OracleSheet& sheet);
// oracle_networks.cpp
void measure_spins_regular(OracleSheet& sheet);
void measure_spins_random(OracleSheet& sheet);
void measure_spins_ring(OracleSheet& sheet);
void measure_oscillators(OracleSheet& sheet);
// oracle_data.cpp
void measure_senate(OracleSheet& sheet);
void measure_polblogs(OracleSheet& sheet);

}  // namespace fovea::opinion::oracle
