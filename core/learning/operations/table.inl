// The operations there are, in alphabetical order: one line each. FOVEA_OPERATION(name) stands for name_entry().
FOVEA_OPERATION(add)
FOVEA_OPERATION(attention)
FOVEA_OPERATION(gru_states)
FOVEA_OPERATION(linear)
FOVEA_OPERATION(patches)
FOVEA_OPERATION(time_features)
