// FOVEA_LAG_METHOD(name, title, conditional, at_rate, source, meaning). Ours first, then alphabetical; methods.md has
// the equations.
FOVEA_LAG_METHOD(
    attention, "attention", true, true, "Wang, Sarkar, Carbonetto & Stephens 2020 (single effects); Otsu 1979",
    "partial correlation given the keys that the attention over the past selects and what is held fixed; the weaker of "
    "a "
    "t-test and a test on the rows that allows for tails and variances; Benjamini-Hochberg over pairs of series, then "
    "over the lags of those that stand; checked on surrogates; where hidden factors are found, only the upper of two "
    "classes of pairs is "
    "significant")
FOVEA_LAG_METHOD(cross_correlation, "cross-correlation", false, true, "Bartlett 1946",
                 "correlation, tested against independent series with these autocorrelations; self-links against noise")
FOVEA_LAG_METHOD(pcmci, "PCMCI", true, true, "Runge, Nowack, Kretschmer, Flaxman & Sejdinovic 2019",
                 "partial correlation given the lagged parents of both ends (selected at .2), t-test, "
                 "Benjamini-Hochberg over all links; lag 0 without a direction")
FOVEA_LAG_METHOD(pcmci_plus, "PCMCI+", true, false, "Runge 2020",
                 "partial correlation given lagged parents and neighbours at lag 0, t-test; a link is significant if "
                 "it is in the graph at .01, whatever the number of tests; lag 0 directed by the majority rule")
FOVEA_LAG_METHOD(prewhitened_cross_correlation, "prewhitened cross-correlation", false, true,
                 "Haugh 1976; Quenouille 1949",
                 "correlation of the residuals of each series given its own past (order by AIC); self-links: partial "
                 "autocorrelation")
FOVEA_LAG_METHOD(transfer_entropy, "transfer entropy", false, true, "Schreiber 2000; Barnett, Barrett & Seth 2009",
                 "partial correlation r given the effect's own past, entropy -log(1 - r^2) / 2, t-test; "
                 "one cause at a time")
FOVEA_LAG_METHOD(transfer_entropy_neighbours, "transfer entropy by neighbours", false, true,
                 "Frenzel & Pompe 2007; Kraskov, Stoegbauer & Grassberger 2004",
                 "sqrt(1 - exp(-2 I)) of the information I about the effect given its own past, by nearest "
                 "neighbours of ranks; against shifted causes; one cause at a time, no self-links")
FOVEA_LAG_METHOD(var, "VAR", true, true, "Granger 1969; Luetkepohl 2005",
                 "partial correlation given all series at all lags, t-test of each coefficient")
FOVEA_LAG_METHOD(var_granger, "VAR-Granger", true, true, "Granger 1969; Geweke 1982",
                 "one link a pair at its lag of largest |t|; F-test of all lags of the cause together, given all "
                 "other series at all lags; strength: partial correlation at that lag")
