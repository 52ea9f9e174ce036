// The normalisers there are, in alphabetical order: one line each. FOVEA_NORMALIZER(name) stands for name_entry().
FOVEA_NORMALIZER(entmax15)
FOVEA_NORMALIZER(hard)
FOVEA_NORMALIZER(sampled)
FOVEA_NORMALIZER(softmax)
FOVEA_NORMALIZER(sparsemax)
