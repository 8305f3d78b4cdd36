# Functions for scripts that use Vulkan, for sh.

# Names NVIDIA's library to Vulkan's loader where nothing is registered, as in containers; writes
# the registration to a file in the folder $1.
register_vulkan() {
  [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return 0
  for library in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json; do
    [ -e "$library" ] && return 0
  done
  for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -F "$library" >/dev/null || continue
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$library" >"$1/icd.json"
    VK_DRIVER_FILES=$1/icd.json VK_ICD_FILENAMES=$1/icd.json
    export VK_DRIVER_FILES VK_ICD_FILENAMES
    return 0
  done
}
