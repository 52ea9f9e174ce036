// FOVEA_ORACLE(entry, name, statement, source, measure). In the order of the entries.
FOVEA_ORACLE(E1, contraction,
             "plain averaging multiplies the diameter by at most 1 - exp(-D^2 / 2T) in a step: no true camps",
             "derived in domains/opinion/theory.md", measure_contraction)
FOVEA_ORACLE(E2, two_camps,
             "two camps: the gap d becomes d (1 - p1 - p2), for equal camps d tanh(d^2 / 4T)",
             "derived in domains/opinion/theory.md", measure_two_camps)
FOVEA_ORACLE(E2, lifetimes,
             "camps are metastable: lifetime ~ (T / 2 d^2) exp(d^2 / 2T)",
             "derived in domains/opinion/theory.md", measure_lifetimes)
FOVEA_ORACLE(E3, gaussian_crowd,
             "a Gaussian crowd stays one: s becomes s^3 / (s^2 + T)",
             "Cheng 1995; Carreira-Perpinan 2006", measure_gaussian_crowd)
FOVEA_ORACLE(E4, ripples,
             "a ripple on an even crowd grows by 1 + T k^2 exp(-T k^2 / 2)",
             "derived in domains/opinion/theory.md", measure_ripples)
FOVEA_ORACLE(E4, window_ripples,
             "Hegselmann and Krause: a ripple grows by 1 + sin z / z - cos z, z = k eps",
             "derived in domains/opinion/theory.md", measure_window_ripples)
FOVEA_ORACLE(E5, folds,
             "consensus with anchors breaks at the fold of tau = s u^2 (1 - u) / (u - s), with a jump",
             "derived in domains/opinion/theory.md", measure_folds)
FOVEA_ORACLE(E6, saturated_camps,
             "camps under saturation end at the largest a^2 / artanh(a / (K tanh(alpha a)))",
             "derived in domains/opinion/theory.md", measure_saturated_camps)
FOVEA_ORACLE(E7, dot_product_crowd,
             "the score x y moves a Gaussian crowd to m + s^2 x / T",
             "Castin, Ablin, Carrillo & Peyre 2025", measure_dot_product_crowd)
FOVEA_ORACLE(E7, noisy_crowd,
             "with pull back and noise: s^2 = T / (2 lambda) (1 - sqrt(1 - 4 lambda D / T)), drift below D / (1 - "
             "lambda)",
             "derived in domains/opinion/theory.md", measure_noisy_crowd)
FOVEA_ORACLE(E8, circle_modes,
             "on the circle mode k grows at k^2 I_k / (beta I_0), unnormalised k^2 I_k / beta",
             "Geshkovski, Letrouit, Polyanskiy & Rigollet 2023", measure_circle_modes)
FOVEA_ORACLE(E8, orthonormal_tokens,
             "orthonormal tokens on the sphere keep one common cosine, which obeys an equation of its own",
             "Geshkovski, Letrouit, Polyanskiy & Rigollet 2023", measure_orthonormal_tokens)
FOVEA_ORACLE(E9, tricritical,
             "order on the circle sets in continuously up to beta = 2.4469183, above it with a jump",
             "Mun & Rosenzweig 2026", measure_tricritical)
FOVEA_ORACLE(E9, binder_crossing,
             "order on the circle sets in at D = I_1 / beta, where the Binder cumulant is 1 - pi / 6",
             "derived in domains/opinion/theory.md; Mun & Rosenzweig 2026", measure_binder_crossing)
FOVEA_ORACLE(E9, noise_hysteresis,
             "a loop in the noise at beta = 4, none at beta = 1",
             "Mun & Rosenzweig 2026", measure_noise_hysteresis)
FOVEA_ORACLE(E10, confidence_flips,
             "evenly spaced, bound 1: consensus up to a length of 5.23, camps to 5.67, consensus again",
             "Lorenz 2006; Wedin 2021", measure_confidence_flips)
FOVEA_ORACLE(E11, deffuant,
             "Deffuant's pairs agree where eps >= 1/2 on [0, 1]",
             "Ben-Naim, Krapivsky & Redner 2003", measure_deffuant)
FOVEA_ORACLE(E12, identities,
             "one score switch: other models are special cases of attention",
             "derived in domains/opinion/theory.md", measure_identities)
FOVEA_ORACLE(E12, freezing,
             "T to 0 freezes the Gaussian crowd, and makes the loudest the leaders of the dot product",
             "derived in domains/opinion/theory.md", measure_freezing)
FOVEA_ORACLE(E13, voters,
             "voters end at +1 with the share that began there, after N (-p ln p - (1 - p) ln (1 - p)) steps for many",
             "Holley & Liggett 1975; Sood & Redner 2005", measure_voters)
FOVEA_ORACLE(E13, q_voters,
             "three asked, independence p: m^2 = (1 - 3 p) / (1 - p), order up to p = (q - 1) / (q - 1 + 2^(q - 1)) = 1/3",
             "Nyczka, Sznajd-Weron & Cislo 2012", measure_q_voters)
FOVEA_ORACLE(E13, majorities,
             "majorities of three and agreeing pairs: m' = m (1 - m^2) / 2; pairs on a ring end at +1 with p^2 / (p^2 + (1 "
             "- p)^2)",
             "Krapivsky & Redner 2003; Slanina & Lavicka 2003; Lambiotte & Redner 2008", measure_majorities)
FOVEA_ORACLE(E14, coevolution,
             "voters who move edges: at phi = 0 the giant component agrees, at phi = 1 the opinions of the start are left",
             "Holme & Newman 2006; Erdos & Renyi 1960", measure_coevolution)
FOVEA_ORACLE(E14, fragmentation,
             "their society falls apart at phi = 0.458(8): S N^a = f((phi - phi_c) N^b), a = 0.61(5)",
             "Holme & Newman 2006", measure_fragmentation)
FOVEA_ORACLE(E14, community_sizes, "there the numbers of communities of s voters fall as s^-3.5(3)", "Holme & Newman 2006",
             measure_community_sizes)
FOVEA_ORACLE(E14, feed,
             "k others drawn with p ~ distance^-gamma: V' = V ((1 - c N / (N - 1))^2 + c^2 (N - 2) / (k (N - 1))) at gamma = 0",
             "derived in domains/opinion/theory.md", measure_feed)
FOVEA_ORACLE(E15, spins_regular,
             "spins on random networks where all have q neighbours order below T = 2 / ln(q / (q - 2))",
             "Bethe 1935; Johnston & Plechac 1998", measure_spins_regular)
FOVEA_ORACLE(E15, spins_random,
             "on random networks of mean degree c below T = 1 / artanh(1 / c)",
             "Dorogovtsev, Goltsev & Mendes 2002; Leone, Vazquez, Vespignani & Zecchina 2002", measure_spins_random)
FOVEA_ORACLE(E15, spins_ring, "spins on a ring do not order", "Ising 1925", measure_spins_ring)
FOVEA_ORACLE(E15, oscillators,
             "Kuramoto's oscillators with noise D on random networks of mean degree c order below I_1(K / D) / I_0(K / D) "
             "= 1 / c",
             "derived in domains/opinion/theory.md", measure_oscillators)
FOVEA_ORACLE(data, senate,
             "the party gap of the US Senate: least in 1941, and as published since",
             "Lewis et al., voteview.com", measure_senate)
FOVEA_ORACLE(data, polblogs,
             "political blogs link to their own side: assortativity 0.811351",
             "Adamic & Glance 2005; Newman 2003", measure_polblogs)
