# Says which versions there are.
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-compat-version.cmake")
