#pragma once
/// What is known in mean field about opinions that are taken over, and about contacts drawn anew in each step.

namespace fovea::opinion::theory {

/// q-voters that are independent with probability p, everybody asking everybody. With c the share of +1,
///   dc/dt = (1 - p) (c^q (1 - c) - c (1 - c)^q) + p (1/2 - c)        (Nyczka, Sznajd-Weron & Cislo 2012, eq. 8).
/// The p at which disorder, c = 1/2, loses stability as p falls: (q - 1) / (q - 1 + 2^(q - 1)). q in [1, 64].
double q_voter_threshold(int q);

/// The largest p at which an ordered state can rest: the maximum over c > 1/2 of A / (A + c - 1/2), A = c^q (1 - c) -
/// c (1 - c)^q. For q <= 5 that is q_voter_threshold(q), at c = 1/2, and the transition is continuous; for larger q it
/// is above it, order and disorder are both stable between the two, and the transition is first order. q in [2, 64].
double q_voter_order_ends(int q);

/// The mean opinion 2c - 1 of the ordered state at rest, 0 above q_voter_order_ends(q). q in [2, 64], p in [0, 1].
double q_voter_order(int q, double p);

/// Activities with density ~ a^-exponent on [least, 1] and contacts that are heard back with probability reciprocity.
/// Without homophily opinions near 0 grow at K alpha m e - 1, m contacts of an active agent and
///   e = ((1 + r) <a> + sqrt((1 - r)^2 <a>^2 + 4 r <a^2>)) / 2        (derived in domains/opinion/models.md).
/// least in (0, 1), reciprocity in [0, 1].
double contact_gain(double exponent, double least, double reciprocity);

}  // namespace fovea::opinion::theory
