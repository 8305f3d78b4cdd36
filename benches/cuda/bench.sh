#!/bin/sh
# Builds the peers with nvcc and measures all suites: tables on stdout, the log in $OUT/bench.log,
# results in $OUT/cuda.*. With `vulkan`, measures kernels through Vulkan beside PTX instead, which
# needs no nvcc; results in $OUT/vulkan.*.
#
#   bench.sh [options of `sinter-benches cuda`, for example --only stream]
#   bench.sh vulkan [options of `sinter-benches vulkan`]
#
# Needs the NVIDIA driver, nvcc, and the libraries of the install tree beside this folder or in
# $SINTER_LIB.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
mkdir -p "$out"
library=${SINTER_LIB:-}
for folder in "$here/../lib" "$here/../dist/lib" "$here"/../*/lib; do
  [ -z "$library" ] && [ -e "$folder/libsinter.so" ] && library=$(cd "$folder" && pwd)
done
[ -n "$library" ] || { echo "no libsinter.so beside $here; set SINTER_LIB to its folder" >&2; exit 2; }
PATH=$PATH:/usr/local/cuda/bin
export PATH
suite=cuda
if [ "${1:-}" = vulkan ]; then
  suite=vulkan
  shift
  # The archive of tests has it; elsewhere a driver of Vulkan must be registered.
  # shellcheck source=/dev/null
  [ -e "$here/../vulkan.sh" ] && . "$here/../vulkan.sh" && register_vulkan "$out"
fi
# A hanging program must not prevent the tables of the others.
timeout "${BENCH_SECONDS:-480}" "$here/sinter-benches" $suite --prebuilt "$here" --library "$library" --output "$out" "$@" \
  2>"$out/bench.log"
status=$?
# A killed process has not printed its results so far.
[ $status -eq 124 ] && cat "$out/$suite.md"
[ $status -eq 0 ] || { echo; echo "exit status $status; the end of the log:"; tail -n 25 "$out/bench.log"; }
exit $status
