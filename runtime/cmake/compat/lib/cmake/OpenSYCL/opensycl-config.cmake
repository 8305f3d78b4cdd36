# Sinter for projects that say find_package(OpenSYCL), a former name of AdaptiveCpp.
set(_sinter_acpp_prefix OPENSYCL)
set(_sinter_acpp_targets OpenSYCL::hipSYCL-rt OpenSYCL::hipSYCL-common)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-acpp.cmake")
