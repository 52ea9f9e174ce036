// The score functions there are, in alphabetical order: one line each. FOVEA_SCORE(name) stands for name_entry().
FOVEA_SCORE(additive)
FOVEA_SCORE(cosine)
FOVEA_SCORE(dot_product)
FOVEA_SCORE(gaussian)
FOVEA_SCORE(gaussian_widths)
FOVEA_SCORE(general)
FOVEA_SCORE(log_distance)
FOVEA_SCORE(unscaled_dot_product)
