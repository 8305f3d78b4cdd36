#!/usr/bin/env bash
# Measures the errors of functions on this machine's devices.
#
#   numerics.sh [cuda|vulkan|host] [OPTIONS OF numerics]
#
# cuda    the GPU, with libdevice if it is found and without (the default)
# vulkan  the first device of Vulkan, with the archive's loader unless one is installed
# host    the CPU
#
# Options are those of tests/numerics/numerics; the default is --count 32 --seconds 2: all of f32,
# or as many numbers as the time allows. Writes OUT/ptx-libdevice.tsv, ptx.tsv, vulkan.tsv or
# host.tsv (OUT is the folder out/numerics beside this script unless it is set), which belong into
# tests/numerics/results of the repository.
# Exit status: 0 all errors are within their bounds, 1 not so, 2 wrong usage or no such device.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
device=cuda
case ${1:-} in
cuda | vulkan | host)
  device=$1
  shift
  ;;
esac
[ $# -gt 0 ] || set -- --count 32 --seconds 2
OUT=${OUT:-$ROOT/out/numerics}
mkdir -p "$OUT" || exit 2
SINTER_CACHE_DIR=$(mktemp -d) || exit 2
trap 'rm -rf "$SINTER_CACHE_DIR"' EXIT
LIBRARIES=$ROOT/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if [ "$device" = vulkan ]; then
  LIBRARIES=$LIBRARIES:$ROOT/lib/vulkan
  # shellcheck source=/dev/null
  . "$ROOT/vulkan.sh" && register_vulkan "$SINTER_CACHE_DIR"
fi
export SINTER_CACHE_DIR SINTER_VISIBILITY_MASK=$device
export LD_LIBRARY_PATH=$LIBRARIES
worst=0

# Measures to a file; the rest is the command line.
measure() {
  local file=$1 status
  shift
  "$ROOT/tests/numerics/numerics" "$@" --output "$OUT/$file"
  status=$?
  echo "$file: exit status $status, $(wc -l <"$OUT/$file") lines, $(awk -F'\t' '$7 > 0' "$OUT/$file" | wc -l) above their bounds"
  awk -F'\t' '$7 > 0' "$OUT/$file"
  [ $status -le $worst ] || worst=$status
}

if [ "$device" != cuda ]; then
  measure "$device.tsv" "$@"
else
  SINTER_LIBDEVICE=none measure ptx.tsv "$@"
  if "$ROOT/bin/sinter-info" 2>&1 | grep -q '^math functions for NVIDIA GPUs: /'; then
    measure ptx-libdevice.tsv "$@"
  else
    echo "ptx-libdevice.tsv: skipped, there is no libdevice; SINTER_LIBDEVICE can name one"
  fi
fi
exit $worst
