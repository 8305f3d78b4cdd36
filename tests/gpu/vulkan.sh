# Functions for scripts that use Vulkan, for sh.

# Names NVIDIA's library to Vulkan's loader; writes the registration to a file in the folder $1. The
# library for EGL works without X11, for want of which the one that is usually registered does not.
register_vulkan() {
  [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return 0
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -F libEGL_nvidia.so.0 >/dev/null || return 0
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
    libEGL_nvidia.so.0 >"$1/icd.json"
  VK_DRIVER_FILES=$1/icd.json VK_ICD_FILENAMES=$1/icd.json
  export VK_DRIVER_FILES VK_ICD_FILENAMES
}
