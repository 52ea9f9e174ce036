// FOVEA_MEASURE(name, unit, power, shift, low, high, needs_network, where it is NaN, definition, source,
//               value for the MeasuredCrowd `crowd`). Alphabetical.
// Definitions in full: measures.hpp, weighted.hpp, core/statistics/tests/dip_test.hpp, graph.hpp, controversy.hpp.
FOVEA_MEASURE(agreement, "1", 0, 0, -1, 1, false, "",
              "van der Eijk's A over categories: 1 for one category, 0 for an even spread, -1 for one half at each end",
              "van der Eijk 2001", agreement_on_scale(crowd))
FOVEA_MEASURE(assortativity, "1", 0, 0, -1, 1, true, "no edges, one side has all edges",
              "(tr e - |e^2|) / (1 - |e^2|), e the shares of edges between sides", "Newman 2003",
              society::assortativity(*crowd.context().graph, crowd.sides()))
FOVEA_MEASURE(bimodality, "1", 0, 0, 0, 1, false, "all opinions are equal",
              "(skewness^2 + 1) / kurtosis: 1/3 normal, 5/9 uniform, 1 two equal points", "Pfister et al. 2013",
              crowd.line() ? crowd.line()->bimodality : bimodality(crowd.opinions()))
FOVEA_MEASURE(camp_distance, "opinion", 1, 0, 0, kNoBound, false, "camps are not determined",
              "distance between the two largest camps; 0 for one camp", "single linkage",
              distance_of_camps(crowd, camp_distance))
FOVEA_MEASURE(camps, "1", 0, 0, 0, kNoBound, false, "camps are not determined",
              "clusters of agents joined by short gaps, with at least the least share of the agents", "single linkage",
              of_camps(crowd, [&](const Camps& camps) { return camps.at_least(crowd.settings().least_share); }))
FOVEA_MEASURE(der, "opinion^(1 - alpha)", 0.5, 0, 0, kNoBound, false, "",
              "integral of f(x)^(1 + alpha) f(y) |x - y|, kernel density f, alpha = 1/2", "Duclos, Esteban & Ray 2004",
              der(masses_of(crowd.ascending()), crowd.settings().der_alpha))
FOVEA_MEASURE(dip, "1", 0, 0, 0, 0.25, false, "",
              "smallest distance from a unimodal distribution: 1/4 for two equal points", "Hartigan & Hartigan 1985",
              dip(crowd.ascending()))
FOVEA_MEASURE(distance_of_means, "opinion", 1, 0, 0, kNoBound, false, "fewer than two sides",
              "distance between the mean opinions of two sides; of more sides the mean over pairs of people of "
              "different sides", "definition", between_sides(crowd, "distance_of_means"))
FOVEA_MEASURE(distance_of_medians, "opinion", 1, 0, 0, kNoBound, false, "fewer than two sides",
              "the same of the median opinions", "definition", between_sides(crowd, "distance_of_medians"))
FOVEA_MEASURE(echo_chamber, "1", 0, 0, -kNoBound, 1, false,
              "no attention weights are known, camps are not determined",
              "(e - p) / (1 - p), e share of attention to one's own camp, p that of random mixing; 0 for one camp",
              "Coleman 1958",
              attention_at_home(crowd))
FOVEA_MEASURE(ei_index, "1", 0, 0, -1, 1, true, "no edges", "(E - I) / (E + I), edge weight between and within the sides",
              "Krackhardt & Stern 1988", society::ei_index(*crowd.context().graph, crowd.sides()))
FOVEA_MEASURE(esteban_ray, "opinion", 1, 0, 0, kNoBound, false, "camps are not determined",
              "sum of pi_a^(1 + alpha) pi_b d_ab over camps, alpha = 1.3", "Esteban & Ray 1994",
              esteban_ray_of_camps(crowd))
FOVEA_MEASURE(eta_squared, "1", 0, 0, 0, 1, false, "fewer than two sides, all opinions are equal",
              "share of the variance that lies between the sides", "Pearson 1905", between_sides(crowd, "eta_squared"))
FOVEA_MEASURE(largest_camp_share, "1", 0, 0, 0, 1, false, "camps are not determined",
              "share of the agents in the largest camp", "single linkage", share_of_largest_camp(crowd))
FOVEA_MEASURE(mean, "opinion", 1, 1, -kNoBound, kNoBound, false, "", "mean of the first component", "definition",
              crowd.line() ? crowd.line()->mean : crowd.opinions().col(0).mean())
FOVEA_MEASURE(modularity, "1", 0, 0, -0.5, 1, true, "",
              "share of edge weight within the sides minus that expected from the degrees", "Newman & Girvan 2004",
              society::modularity(*crowd.context().graph, crowd.sides()))
FOVEA_MEASURE(nearest_camps, "opinion", 1, 0, 0, kNoBound, false, "camps are not determined",
              "distance between the two nearest camps; 0 for one camp", "single linkage",
              distance_of_camps(crowd, nearest_camps))
FOVEA_MEASURE(order, "1", 0, 0, 0, 1, false, "opinions are not directions",
              "length of the mean direction on circle or sphere: 0 isotropic, 1 fully aligned",
              "Kuramoto 1984", order_of_directions(crowd))
FOVEA_MEASURE(overlap, "1", 0, 0, 0, 1, false, "fewer than two sides",
              "common area of the distributions of two sides over parts of the scale: 1 alike, 0 apart; of more sides "
              "the mean over pairs", "Weitzman 1970", between_sides(crowd, "overlap"))
FOVEA_MEASURE(random_walk_controversy, "1", 0, 0, -1, 1, true, "no hubs, a side is missing in the largest component",
              "P00 P11 - P10 P01, P_ab: probability that a walk ending at a hub of b began on side a",
              "Garimella et al. 2018", controversy_of_sides(crowd))
FOVEA_MEASURE(sd, "opinion", 1, 0, 0, kNoBound, false, "", "square root of the variance", "definition",
              std::sqrt(variance_of(crowd)))
FOVEA_MEASURE(value_assortativity, "1", 0, 0, -1, 1, true, "no edges, opinions at the ends of edges are equal",
              "correlation of the opinions at the two ends of an edge", "Newman 2003",
              society::value_assortativity(*crowd.context().graph, crowd.first()))
FOVEA_MEASURE(variance, "opinion^2", 2, 0, 0, kNoBound, false, "", "mean squared distance from the mean, per component",
              "definition", variance_of(crowd))
FOVEA_MEASURE(variance_between, "opinion^2", 2, 0, 0, kNoBound, false, "fewer than two sides",
              "variance of the mean opinions of the sides, weighted by their shares", "definition",
              between_sides(crowd, "variance_between"))
FOVEA_MEASURE(wolfson, "opinion", 1, 0, 0, kNoBound, false, "",
              "mean of the upper half minus that of the lower, minus the mean distance: the index times the median",
              "Wolfson 1994", wolfson(masses_of(crowd.ascending())))
