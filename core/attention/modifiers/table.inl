// The modifiers there are, in alphabetical order: one line each. FOVEA_MODIFIER(name) stands for name_entry().
FOVEA_MODIFIER(causal)
FOVEA_MODIFIER(neighbour_list)
FOVEA_MODIFIER(temperature)
FOVEA_MODIFIER(time_decay)
FOVEA_MODIFIER(window)
