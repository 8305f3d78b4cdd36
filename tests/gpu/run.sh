#!/usr/bin/env bash
# Runs the tests of this archive on the devices of this machine.
#
#   run.sh [quick|all|sanitizer|libdevice|libclc|probe] [PART OF A NAME]
#
# quick      one test of each group, the driver's tests and the samples
# all        every test, and the tests of mathematics also without NVIDIA's libdevice (the default)
# sanitizer  samples and some programs under compute-sanitizer: memcheck, racecheck, synccheck
# libdevice  the tests of mathematics with NVIDIA's libdevice, which must be found
# libclc     the same without it
# probe      no test: checks only that a driver has devices to test
#
# Settings: SINTER_VISIBILITY_MASK (default cuda; vulkan runs all but the tests of CUDA's driver and
# the errors of mathematics on Vulkan, with the archive's loader; host tests the script on any
# machine), SINTER_VULKAN_VALIDATION (on: the archive's validation layer watches Vulkan, and a test
# fails if it reports something), OUT (folder for the full logs; the tables of errors of the math
# functions are in its ulp.log), JOBS (processes at a time), SINTER_OPT_LEVEL and
# SINTER_DEBUG_LEVEL, which are passed to the tests.
# Exit status: 0 all passed, 1 a test failed or did not run, 2 wrong usage, 77 no such device or all
# tests skipped.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ROOT
# Default folder of NVIDIA's tools, for a PATH without them.
export PATH=$PATH:/usr/local/cuda/bin
export SINTER_VISIBILITY_MASK=${SINTER_VISIBILITY_MASK:-cuda}
export DRIVER=${SINTER_VISIBILITY_MASK%%:*}
case $DRIVER in
cuda | host | vulkan) ;;
*)
  echo "run.sh: SINTER_VISIBILITY_MASK is $SINTER_VISIBILITY_MASK, but these are tests for cuda, vulkan and host" >&2
  exit 2
  ;;
esac
MATH='ulp|numerics|math|std_math|native|half'
LOG_LIMIT=$((15 << 20))
# Limits on the log of one test, and of one that passed.
TEST_LIMIT=$((200 << 10))
PASS_LIMIT=$((1 << 10))
# Keeps the user's value: the NVIDIA driver may be found through it.
LIBRARIES=$ROOT/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The loader of an installed Vulkan is preferred to the archive's.
[ "$DRIVER" = vulkan ] && LIBRARIES=$LIBRARIES:$ROOT/lib/vulkan
if [ "$DRIVER" = vulkan ] && [ "${SINTER_VULKAN_VALIDATION:-off}" = on ]; then
  # Read by Vulkan's loader, and by the tests of the driver.
  export VK_LAYER_PATH=${VK_LAYER_PATH:-$ROOT/lib/vulkan} VULKAN_TEST_VALIDATION=on
fi

# Converts the name of a test to a file name. No two names differ only in a %.
file_of() { printf '%s\n' "${1//\//%}"; }

# Runs one line of the list in its own folder; writes a line "VERDICT SECONDS NAME" and the log to
# $WORK.
one() {
  local name judge limit command folder log started status verdict
  IFS=$'\t' read -r name judge limit command <<<"$1"
  folder=$WORK/run/$(file_of "$name")
  log=$WORK/log/$(file_of "$name")
  mkdir -p "$folder"
  started=$(date +%s%N)
  (
    cd "$folder" || exit 1
    export LD_LIBRARY_PATH=$LIBRARIES SINTER_CACHE_DIR=$folder/cache TMPDIR=$folder RUST_BACKTRACE=1
    exec timeout --kill-after=5 "$limit" bash -c "$command"
  ) >"$log" 2>&1 </dev/null
  status=$?
  verdict=FAIL
  if [ $status = 0 ]; then
    if grep -q 'skipped' "$log" && ! grep -q '^PASS$' "$log"; then
      verdict=skip
    elif [ "$judge" = status ] || grep -q '^PASS$' "$log"; then
      verdict=pass
    fi
  fi
  # Also that the layer is missing.
  [ -n "${VULKAN_TEST_VALIDATION:-}" ] && grep -q "Vulkan's validation" "$log" && verdict=FAIL
  [ $status = 124 ] || [ $status = 137 ] && echo "run.sh: ended after $limit s" >>"$log"
  echo "run.sh: exit status $status" >>"$log"
  awk -v t=$(($(date +%s%N) - started)) -v v=$verdict -v n="$name" 'BEGIN { printf "%s %.1f %s\n", v, t / 1e9, n }' \
    >"$WORK/verdict/$(file_of "$name")"
  rm -rf "$folder"
}

if [ "${1:-}" = --one ]; then
  one "$2"
  exit 0
fi

SUITE=${1:-all}
ONLY=${2:-}
case $SUITE in
quick | all | libdevice | libclc | sanitizer | probe) ;;
*)
  # A request for help is not an error.
  [[ $SUITE = -h || $SUITE = --help ]] && status=0 || status=2
  awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
  exit $status
  ;;
esac
case ${JOBS:-1} in
*[!0-9]* | 0)
  echo "run.sh: JOBS is $JOBS, but must be a number of processes" >&2
  exit 2
  ;;
esac

# Prints the reason if there is no device to test.
absent() {
  [ "$DRIVER" = host ] && return 1
  if [ "$DRIVER" = vulkan ]; then
    local found
    # The script alone cannot tell.
    [ -x "$ROOT/bin/sinter-info" ] || return 1
    found=$(LD_LIBRARY_PATH=$LIBRARIES "$ROOT/bin/sinter-info" 2>&1)
    grep -q '^device 0' <<<"$found" && return 1
    grep '^driver vulkan' <<<"$found"
    return 0
  fi
  # ldconfig is not on every user's PATH. A pipe would end it early, which counts as a failure.
  grep -F libcuda.so.1 <<<"$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)" >/dev/null && return 1
  local folder folders
  IFS=: read -ra folders <<<"/usr/lib:/usr/lib64:/usr/local:${LD_LIBRARY_PATH:-}"
  for folder in "${folders[@]}"; do
    [ -n "$folder" ] && [ -n "$(find "$folder" -name libcuda.so.1 -print -quit 2>/dev/null)" ] && return 1
  done
  echo "there is no libcuda.so.1 on this machine, so no NVIDIA driver"
}
WORK=$(mktemp -d) || exit 1
export WORK
trap 'rm -rf "$WORK"' EXIT
# shellcheck source=/dev/null
[ "$DRIVER" = vulkan ] && . "$ROOT/vulkan.sh" && register_vulkan "$WORK"
if reason=$(absent); then
  echo "skipped: $reason"
  exit 77
fi
[ "$SUITE" = probe ] && exit 0
[ "$SUITE" = sanitizer ] && ! command -v compute-sanitizer >/dev/null && {
  echo "skipped: there is no compute-sanitizer on PATH; the CUDA toolkit has it"
  exit 77
}

mkdir -p "$WORK"/{run,log,verdict}
[ -n "${OUT:-}" ] || OUT=$ROOT/out
mkdir -p "$OUT" && [ -w "$OUT" ] || {
  echo "run.sh: OUT is $OUT, where no logs can be written" >&2
  exit 2
}
LD_LIBRARY_PATH=$LIBRARIES SINTER_CACHE_DIR=$WORK/cache "$ROOT/bin/sinter-info" >"$OUT/info.log" 2>&1
command -v nvidia-smi >/dev/null && nvidia-smi >>"$OUT/info.log" 2>&1

# Prints the lines of the suite, most costly groups first.
lines() {
  local mine
  mine=$(grep -vE "^differential-($([ "$DRIVER" = host ] && echo cuda || echo host))/" "$ROOT/tests/list")
  mine=$(grep -vE "^($([ "$DRIVER" = vulkan ] && echo 'driver|gpu|differential-cuda' || echo driver-vulkan))/" <<<"$mine")
  case $SUITE in
  all)
    echo "$mine"
    [ "$DRIVER" = vulkan ] || grep -E "^[^	]*($MATH)" <<<"$mine" | variant libclc none
    ;;
  quick)
    grep -E '^(driver[^/]*|samples|differential[^/]*)/' <<<"$mine"
    grep -vE '^(driver[^/]*|samples|differential[^/]*)/' <<<"$mine" | awk -F/ '!seen[$1]++'
    grep -E '^gpu/ulp' <<<"$mine"
    ;;
  libdevice) grep -E "^[^	]*($MATH)|^samples/.*O3" <<<"$mine" ;;
  libclc) grep -E "^[^	]*($MATH)|^samples/.*O3" <<<"$mine" | variant libclc none ;;
  sanitizer)
    local tool
    for tool in memcheck racecheck synccheck; do
      grep -E '^(samples/.*O3|corpus/part_[12].O3|local/.*O2|groups/(reduce|joint|scans|reductions_over_nd_ranges).O2)	' <<<"$mine" |
        sed -E "s#^([^	]*)	([^	]*)	[^	]*	#\1.$tool	\2	170	#; s#\\\$ROOT/tests/(samples|corpus|programs)#compute-sanitizer --tool $tool --error-exitcode 9 &#"
    done
    ;;
  esac
}

# Renames lines and adds a setting for libdevice.
variant() {
  sed -E "s#^([^	]*)	([^	]*)	([^	]*)	#\1.$1	\2	\3	export SINTER_LIBDEVICE=$2; #"
}

list=$(lines | grep -F -- "$ONLY" | awk '!seen[$0]++')
[ -n "$list" ] || {
  echo "run.sh: no test of the suite $SUITE has a name with $ONLY" >&2
  exit 2
}
for name in $(compgen -e SINTER_); do
  case $name in
  SINTER_VISIBILITY_MASK | SINTER_OPT_LEVEL | SINTER_DEBUG_LEVEL | SINTER_VULKAN_VALIDATION) ;;
  *) unset "$name" ;;
  esac
done
CORES=$(nproc)
JOBS=${JOBS:-$((CORES > 12 ? 12 : CORES))}
started=$SECONDS
printf '%s\n' "$list" | tr '\n' '\0' | xargs -0 -n 1 -P "$JOBS" bash "$ROOT/run.sh" --one
cat "$WORK"/verdict/* | sort -k1,1 -k3,3 >"$WORK/verdicts"

# Prints the logs, up to a size, of tests with a verdict and a name prefix.
logs() {
  while read -r _ seconds name; do
    echo "== $1 $name ($seconds s)"
    head -c "$3" "$WORK/log/$(file_of "$name")"
  done < <(grep "^$1 [^ ]* $2" "$WORK/verdicts") | head -c "$LOG_LIMIT"
}
logs FAIL '' "$TEST_LIMIT" >"$OUT/FAIL.log"
logs skip '' "$TEST_LIMIT" >"$OUT/skip.log"
logs pass '' "$PASS_LIMIT" >"$OUT/pass.log"
logs pass gpu/ "$TEST_LIMIT" >"$OUT/ulp.log"
cp "$WORK/verdicts" "$OUT/verdicts.txt"

# Prints the start and the end of the log of each failure, within the length of the screen.
awk '$1 == "FAIL" { print $3 }' "$WORK/verdicts" | head -12 | while read -r name; do
  echo "== $name"
  log=$WORK/log/$(file_of "$name")
  if [ "$(wc -l <"$log")" -gt 7 ]; then
    head -2 "$log"
    echo ...
    tail -5 "$log"
  else
    cat "$log"
  fi | cut -c 1-300
done

# Prints the table: a line for each group, with the slowest test; then the tests that did not pass.
echo
awk '{ group = $3; sub("/.*", "", group); count[group " " $1]++; time[group] += $2; groups[group] = 1
       if ($2 >= slow[group]) { slow[group] = $2; slowest[group] = $3 } }
     END { printf "%-20s %5s %5s %5s %8s  %s\n", "group", "pass", "FAIL", "skip", "seconds", "slowest"
           for (g in groups) printf "%-20s %5d %5d %5d %8.1f  %s %.1f\n", g, count[g " pass"], count[g " FAIL"], count[g " skip"], time[g], slowest[g], slow[g] }' \
  "$WORK/verdicts" | { read -r head; echo "$head"; sort; }
awk '$1 != "pass" { print }' "$WORK/verdicts" | head -60 | while read -r verdict seconds name; do
  [ "$verdict" = skip ] && words='skipped.*' || words='.*\(rror\|panicked\|wrong\|expected\|ended after\).*'
  reason=$(grep -m 1 -o "$words" "$WORK/log/$(file_of "$name")" | cut -c 1-100)
  printf '%s %6.1f s  %s  %s\n' "$verdict" "$seconds" "$name" "$reason"
done
awk -v s=$((SECONDS - started)) -v suite="$SUITE" -v driver="$DRIVER" '{ n[$1]++ }
     END { printf "%s on %s: %d passed, %d failed, %d skipped, in %d s\n", suite, driver, n["pass"], n["FAIL"], n["skip"], s }' "$WORK/verdicts"
wanted=$(wc -l <<<"$list") judged=$(wc -l <"$WORK/verdicts")
if [ "$judged" -ne "$wanted" ]; then
  echo "run.sh: $wanted tests in the list, but $judged verdicts"
  exit 1
fi
grep -q '^FAIL ' "$WORK/verdicts" && exit 1
grep -q '^pass ' "$WORK/verdicts" || exit 77
