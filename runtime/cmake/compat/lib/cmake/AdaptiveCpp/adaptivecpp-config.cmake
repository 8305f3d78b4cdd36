# Sinter for projects that say find_package(AdaptiveCpp).
set(_sinter_acpp_prefix ACPP)
set(_sinter_acpp_targets AdaptiveCpp::acpp-rt AdaptiveCpp::acpp-common)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-acpp.cmake")
