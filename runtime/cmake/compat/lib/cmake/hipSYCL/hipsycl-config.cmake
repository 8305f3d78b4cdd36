# Sinter for projects that say find_package(hipSYCL), a former name of AdaptiveCpp.
set(_sinter_acpp_prefix HIPSYCL)
set(_sinter_acpp_targets hipSYCL::hipSYCL-rt hipSYCL::hipSYCL-common)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-acpp.cmake")
