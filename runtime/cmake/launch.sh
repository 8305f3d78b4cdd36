#!/bin/sh
# Starts the compiler of one file: launch.sh SINTER_CC COMPILER COMMAND...
#
# In: a command that begins with COMPILER, or with launchers before it. Out: the same command; if
# `-D__SINTER__=1` is among its words, the file has kernels, and SINTER_CC replaces all of them.
sinter=$1
compiler=$2
shift 2
for word; do
  case $word in
  -D__SINTER__=1)
    # A launcher such as ccache would not know that the objects depend on the plugin too.
    while [ $# -gt 0 ] && [ "$1" != "$compiler" ]; do shift; done
    [ $# -gt 0 ] && shift
    # CXX="ccache g++" makes the second word an argument of the first.
    while [ $# -gt 0 ]; do case $1 in -*) break ;; *) shift ;; esac; done
    # The other compiler links: it may want position-independent code and cannot read clang's bitcode. Warnings that it
    # alone knows are none of clang's business.
    exec "$sinter" -Wno-unknown-warning-option -Wno-ignored-optimization-argument "$@" -fPIC -fno-lto
    ;;
  esac
done
exec "$@"
