# Qhull (Debian: libqhull-dev) finds the convex hull of a mask.
find_path(QHULL_INCLUDE_DIR libqhull_r/libqhull_r.h REQUIRED)
find_library(QHULL_LIBRARY qhull_r REQUIRED)
target_include_directories(${target} SYSTEM PRIVATE ${QHULL_INCLUDE_DIR})
target_link_libraries(${target} PRIVATE ${QHULL_LIBRARY})
