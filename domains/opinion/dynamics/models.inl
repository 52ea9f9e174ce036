// FOVEA_MODEL(name, equation of one step, what it reads, source, score, normaliser, value, update). Alphabetical.
// h_i = sum_j w_ij value(x_j); the parts are in rules.hpp.
FOVEA_MODEL(algorithmic_bias,
            "x_i <- x_i + (1 - s) mu (x_j - x_i) and j likewise, where |x_j - x_i| < eps; j drawn ~ distance^-homophily",
            "confidence, convergence, homophily, distance_floor, stubbornness",
            "Sirbu, Pedreschi, Giannotti & Kertesz 2019", log_distance, softmax, opinion, pairs)
FOVEA_MODEL(attention, "x <- (1 - s) h + s x(0) + noise xi, w = softmax(score / T)",
            "score, temperature, distance_floor, stubbornness, noise", "Cheng 1995; Friedkin & Johnsen 1990",
            chosen, softmax, opinion, replace)
FOVEA_MODEL(baumann,
            "dx = (1 - s) (-x + K sum_j A_ij tanh(alpha x_j)) dt; A drawn in each step ~ distance^-homophily",
            "contacts, homophily, distance_floor, reciprocity, activity_exponent, activity_least, coupling, steepness, "
            "stubbornness, time_step",
            "Baumann, Lorenz-Spreen, Sokolov & Starnini 2020", log_distance, crowd, saturated, contacts)
FOVEA_MODEL(deffuant, "x_i <- x_i + (1 - s) mu (x_j - x_i) and j likewise, where |x_j - x_i| < eps; pairs at random",
            "confidence, convergence, stubbornness", "Deffuant, Neau, Amblard & Weisbuch 2000",
            alike, softmax, opinion, pairs)
FOVEA_MODEL(degroot, "x <- h, w = W_ij / sum_k W_ik: fixed weights", "noise", "DeGroot 1974",
            alike, softmax, opinion, replace)
FOVEA_MODEL(formula,
            "as the keys formula.* of the config say: influence, value and update; `fovea list formula` has their names",
            "temperature, confidence, stubbornness, coupling, steepness, homophily, sharpness, convergence, time_step, "
            "noise",
            "the config", formula, softmax, opinion, formula)
FOVEA_MODEL(friedkin_johnsen, "x <- (1 - s) h + s x(0) + noise xi, w = W_ij / sum_k W_ik", "stubbornness, noise",
            "Friedkin & Johnsen 1990", alike, softmax, opinion, replace)
FOVEA_MODEL(hegselmann_krause, "x <- (1 - s) mean of all x_j with |x_j - x_i| <= eps + s x(0) + noise xi",
            "confidence, stubbornness, noise", "Hegselmann & Krause 2002", top_hat, softmax, opinion, replace)
FOVEA_MODEL(jager_amblard,
            "x_i <- x_i + (1 - s) mu (x_j - x_i) where |x_j - x_i| < eps, - where it exceeds the rejection, and j "
            "likewise; pairs at random, within [-1, 1]",
            "confidence, rejection, convergence, stubbornness", "Jager & Amblard 2004", log_distance, softmax, opinion,
            repel)
FOVEA_MODEL(majority,
            "N / G times: G agents drawn at random all take the opinion of most of them; on a network N times: one takes "
            "that of most of itself and its neighbours",
            "panel, stubbornness", "Galam 2002; Krapivsky & Redner 2003", log_distance, softmax, opinion, group)
FOVEA_MODEL(q_voter,
            "N times: one asks q others at random and takes their opinion where all agree; with probability p it takes "
            "one of the start's opinions at random instead",
            "panel, independence, stubbornness",
            "Castellano, Munoz & Pastor-Satorras 2009; Nyczka, Sznajd-Weron & Cislo 2012", log_distance, softmax,
            opinion, adopt)
FOVEA_MODEL(saturation, "dx = (-x + (1 - s) K h + s x(0)) dt + sqrt(2 noise) dW, h = sum_j w_ij tanh(alpha x_j)",
            "score, temperature, distance_floor, coupling, steepness, stubbornness, time_step, noise",
            "Baumann et al. 2020, with attention in place of contacts", chosen, softmax, saturated, relax)
FOVEA_MODEL(smooth_bounded_confidence,
            "dx = (-x + (1 - s) K h + s x(0)) dt + sqrt(2 noise) dW, w ~ 1 / (1 + exp(sharpness (d^2 - eps^2)))",
            "confidence, sharpness, coupling, stubbornness, time_step, noise", "Brooks, Chodrow & Porter 2024",
            sigmoid, softmax, opinion, relax)
FOVEA_MODEL(sznajd,
            "N times: two at random that agree win over a third one; on a network the ends of an edge win over all their "
            "neighbours",
            "stubbornness", "Sznajd-Weron & Sznajd 2000; Slanina & Lavicka 2003", log_distance, softmax, opinion,
            outflow)
FOVEA_MODEL(transformer_circle,
            "dtheta = (1 - s) K sum_j w_ij sin(theta_j - theta_i) dt + sqrt(2 noise) dW, w = softmax(cos(.) / T)",
            "temperature, coupling, stubbornness, time_step, noise", "Geshkovski et al. 2023 (SA)",
            dot_product, softmax, opinion, turn)
FOVEA_MODEL(transformer_circle_unnormalised,
            "the same with w = exp(cos(.) / T) / N", "temperature, coupling, stubbornness, time_step, noise",
            "Geshkovski et al. 2023 (USA)", dot_product, crowd, opinion, turn)
FOVEA_MODEL(transformer_line, "dx = (-x + (1 - s) K h + s x(0)) dt + sqrt(2 noise) dW, w = softmax(x_i . x_j / T)",
            "temperature, coupling, stubbornness, time_step, noise", "Geshkovski et al. 2023",
            dot_product, softmax, opinion, relax)
FOVEA_MODEL(transformer_line_unnormalised, "the same with w = exp(x_i . x_j / T) / N",
            "temperature, coupling, stubbornness, time_step, noise", "Geshkovski et al. 2023",
            dot_product, crowd, opinion, relax)
FOVEA_MODEL(transformer_sphere, "dx = P_x [(1 - s) K h dt + sqrt(2 noise) dW], |x| = 1, w = softmax(x_i . x_j / T)",
            "temperature, coupling, stubbornness, time_step, noise", "Geshkovski et al. 2023 (SA)",
            dot_product, softmax, opinion, project)
FOVEA_MODEL(transformer_sphere_unnormalised, "the same with w = exp(x_i . x_j / T) / N",
            "temperature, coupling, stubbornness, time_step, noise", "Geshkovski et al. 2023 (USA)",
            dot_product, crowd, opinion, project)
FOVEA_MODEL(voter,
            "N times: one takes the opinion of another at random; with probability p one of the start's opinions at "
            "random instead",
            "independence, stubbornness", "Clifford & Sudbury 1973; Holley & Liggett 1975; Granovsky & Madras 1995",
            log_distance, softmax, opinion, adopt)
