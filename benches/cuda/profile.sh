#!/bin/sh
# Shows both sides of one test: registers, machine code, and hardware counters.
#
#   profile.sh PROGRAM TEST [WORD]     for example: profile.sh fixed matmul16 matmul
#
# WORD selects kernels by a part of their names (by default TEST); full listings go to
# $OUT/PROGRAM-TEST.{ours,peer}.sass and our PTX to $OUT/PROGRAM-TEST.ptx.
set -u
[ $# -ge 2 ] || { sed -n '2,7p' "$0"; exit 2; }
program=$1 test=$2 word=${3:-$2}
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
work=$here/scratch/profile
library=${SINTER_LIB:-}
for folder in "$here/../lib" "$here/../dist/lib" "$here"/../*/lib; do
  [ -z "$library" ] && [ -e "$folder/libsinter.so" ] && library=$(cd "$folder" && pwd)
done
PATH=$PATH:/usr/local/cuda/bin
LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH LD_LIBRARY_PATH
mkdir -p "$out" && rm -rf "$work" && mkdir -p "$work"
base=$out/$program-$test

ours="$here/ours/$program"
peer=$here/scratch/$program.peer
[ -x "$peer" ] || nvcc -O3 -std=c++17 -arch=sm_90 -I "$here/sources/include" "$here/sources/peers/$program.cu" -o "$peer" || exit 1

# The dump has the PTX of every kernel that ran. Those of the test were translated last: the inputs
# are filled before.
SINTER_DUMP=$work/dump SINTER_CACHE_DIR=$work/cache "$ours" --only "$test" --repeat 1 >"$work/ours.json" || exit 1
: >"$base.ptx" && : >"$base.ours.sass"
for ptx in $(ls -tr "$work"/dump/*/*.ptx 2>/dev/null | grep -v -e random -e poisoned); do
  cat "$ptx" >>"$base.ptx"
  ptxas -arch=sm_90 -v "$ptx" -o "$work/one.cubin" 2>&1 | grep -e registers -e spill | sed "s/^/ours: /"
  cuobjdump --dump-sass "$work/one.cubin" >>"$base.ours.sass"
done
cuobjdump --dump-sass "$peer" >"$base.peer.sass"
cuobjdump --dump-resource-usage "$peer" 2>/dev/null | grep -A1 "$word" | sed "s/^/peer: /"

# Instructions by kind, the most frequent first.
mix() { grep -oE '^ +/\*[0-9a-f]+\*/ +(@!?U?P[0-9T]+ )?[A-Z0-9_.]+' "$1" | awk '{print $NF}' | sort | uniq -c | sort -rn | head -n 25; }
echo "ours: instructions" && mix "$base.ours.sass"
echo "peer: instructions of kernels with $word"
awk -v word="$word" '/Function :/ { shown = index($0, word) } shown' "$base.peer.sass" >"$work/peer.sass"
mix "$work/peer.sass"

command -v ncu >/dev/null || { echo "no ncu: no hardware counters"; exit 0; }
metrics=gpu__time_duration.sum,dram__bytes.sum.per_second,sm__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,launch__registers_per_thread,launch__block_size,launch__grid_size,smsp__inst_executed.sum
metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu.sum,lts__t_sector_hit_rate.pct,smsp__inst_executed_op_local_ld.sum
counters() {
  ncu --clock-control none --csv --metrics "$metrics" "$@" --only "$test" --repeat 1 2>&1 | python3 -c '
import csv, sys
rows = [line for line in sys.stdin if line.startswith("\"")]
last = {}
for row in csv.DictReader(rows):
    kernel = row["Kernel Name"]
    if not any(word in kernel for word in ("random", "poison")):
        last[kernel, row["Metric Name"]] = row["Metric Value"] + " " + row["Metric Unit"]
seen = None
for (kernel, metric), value in last.items():
    if kernel != seen:
        print(" ", kernel[:100])
    seen = kernel
    print("   ", metric, "=", value)
if not last:
    print("  ncu gave no counters")
'
}
echo "ours: counters" && counters "$ours"
echo "peer: counters" && counters "$peer"
