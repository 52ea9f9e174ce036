// FOVEA_LAG_METHOD(name, conditional, source, meaning). Ours first, then alphabetical; README.md has the equations.
FOVEA_LAG_METHOD(attention, true, "Wang, Sarkar, Carbonetto & Stephens 2020 (single effects); Otsu 1979",
                 "partial correlation given the keys that the attention over the past chose, t-test, Benjamini-Hochberg "
                 "over all links but self-links; where hidden factors are found only the upper of two classes of t counts")
FOVEA_LAG_METHOD(pcmci, true, "Runge, Nowack, Kretschmer, Flaxman & Sejdinovic 2019",
                 "partial correlation given the lagged parents of both ends (condition selection at .2), t-test, "
                 "Benjamini-Hochberg over all links; lag 0 without a direction")
FOVEA_LAG_METHOD(pcmci_plus, true, "Runge 2020",
                 "partial correlation given lagged parents and neighbours at lag 0, t-test; a link counts when it "
                 "is in the graph at .01, without regard to the number of tests; lag 0 directed by the majority rule")
