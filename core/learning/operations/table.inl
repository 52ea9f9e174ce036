// The operations there are, in alphabetical order: one line each. FOVEA_OPERATION(name) stands for name_entry().
FOVEA_OPERATION(add)
FOVEA_OPERATION(linear)
