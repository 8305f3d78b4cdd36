# Accepts every requested version.
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-compat-version.cmake")
