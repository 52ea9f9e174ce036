#pragma once
/// What `lag.network` found, as arrays, figures and sentences.
///
/// Over "link", every (cause, effect, lag) between two series that counts in the whole table or in a window, by effect,
/// cause, lag: link_cause, link_effect (numbers of series), link_name, link_lag; link_strength, link_q (NaN: does not
/// count in the whole table); link_stability, the share of draws in which it counts with the same lag. Over ("window",
/// "link"): window_strength, NaN where it does not count. Over ("window", "pair"): window_lag, that of the strongest
/// link, NaN for none. Over "pair": lag_before, lag_after, change_time (NaN: one lag all the time).

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/lag/network/windows.hpp"

namespace fovea::lag::network {

struct NetworkFindings {
  /// The table must outlive this.
  explicit NetworkFindings(const datasets::series::SeriesTable& of) : table(of) {}

  const datasets::series::SeriesTable& table;
  methods::LagSettings settings;
  std::string method, meaning;
  methods::Findings whole;
  std::vector<Window> windows;
  std::vector<methods::Findings> in_window;  ///< one a window
  std::vector<methods::Findings> draws;      ///< one a draw of the bootstrap
  double block = 1;                          ///< mean length of its blocks, steps
  std::vector<std::string> notes;
};

/// Links between two series that count in the whole table or in a window, by effect, cause, lag, with the numbers of
/// the whole table (p_value and q_value 1 and counts false where it was not tested).
std::vector<methods::Link> links_of_network(const NetworkFindings& network);

void write_network(const NetworkFindings& network, Results& results);

}  // namespace fovea::lag::network
