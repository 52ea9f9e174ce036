// The kinds of figures, alphabetical: each is NAME.cpp and NAME.js in this folder.
FOVEA_FIGURE_KIND(heatmap)
FOVEA_FIGURE_KIND(histogram)
FOVEA_FIGURE_KIND(image)
FOVEA_FIGURE_KIND(intervals)
FOVEA_FIGURE_KIND(lines)
FOVEA_FIGURE_KIND(network)
FOVEA_FIGURE_KIND(table)
