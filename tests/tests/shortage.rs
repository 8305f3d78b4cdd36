//! Programs that run under a shortage: of descriptors, memory, file size, or folders.
//!
//! *Invariant:* a program gets errors while the shortage lasts, is not ended by a signal, and runs
//! all of its kernels afterwards; no cache entry is lost.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::cache::list::{self, FileKind};
use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Number of kernels of the program.
const KERNELS: usize = 12;
/// Runs twelve kernels once, or once under the shortage that its argument names and once
/// afterwards.
const PROGRAM: &str = r#"
#include <sycl/sycl.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

template <int N> struct Kernel;

template <int N> bool run(sycl::queue &queue, int *data) {
  try {
    queue.parallel_for<Kernel<N>>(sycl::range<1>(64), [=](sycl::id<1> i) { data[i] = int(i) * (N + 3) + N; }).wait_and_throw();
  } catch (const sycl::exception &error) {
    std::printf("%s\n", error.what());
    return false;
  }
  return data[63] == 63 * (N + 3) + N;
}

template <int... N> int run_all(sycl::queue &queue, int *data, std::integer_sequence<int, N...>) {
  return (int(run<N>(queue, data)) + ...);
}

std::vector<int> take_descriptors() {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 128;
  setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<int> taken;
  for (int fd; (fd = open("/dev/null", O_RDONLY)) >= 0;) taken.push_back(fd);
  return taken;
}

rlim_t address_space() {
  unsigned long pages = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%lu", &pages) != 1) std::exit(3);
  std::fclose(file);
  return rlim_t(pages) * sysconf(_SC_PAGESIZE);
}

int main(int, char **arguments) {
  sycl::queue queue{sycl::cpu_selector_v};
  int *data = sycl::malloc_shared<int>(64, queue);
  const auto all = std::make_integer_sequence<int, 12>();
  if (std::strcmp(arguments[1], "descriptors") == 0) {
    const auto taken = take_descriptors();
    std::printf("short: %d\n", run_all(queue, data, all));
    for (int fd : taken) close(fd);
  }
  if (std::strcmp(arguments[1], "memory") == 0) {
    rlimit before;
    getrlimit(RLIMIT_AS, &before);
    const rlimit limit = {address_space() + (rlim_t(std::atoll(arguments[2])) << 10), before.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    const int right = std::atoi(arguments[3]) == 2 ? run_all(queue, data, std::make_integer_sequence<int, 2>())
                                                   : run_all(queue, data, all);
    setrlimit(RLIMIT_AS, &before);
    std::printf("short: %d\n", right);
    if (std::atoi(arguments[3]) == 2) {
      std::printf("right: %d\n", run_all(queue, data, std::make_integer_sequence<int, 2>()));
      return 0;
    }
  }
  std::printf("right: %d\n", run_all(queue, data, all));
  sycl::free(data, queue);
}
"#;

/// The installation under test: `SINTER_DIST`, or else `dist/` of the workspace.
fn dist() -> PathBuf {
    let of_workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("dist");
    env::var_os("SINTER_DIST").map_or_else(of_workspace, PathBuf::from)
}

/// The program in its own folder.
struct Setup {
    root: tempfile::TempDir,
}

impl Setup {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.cpp"), PROGRAM).unwrap();
        let mut compiler = Command::new(dist().join("bin/sinter-cc"));
        compiler.args(["-std=c++17", "-O2", "a.cpp", "-o", "a"]).current_dir(root.path());
        assert!(compiler.status().unwrap().success());
        Setup { root }
    }

    fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    /// Runs the program from a shell, after the shell command `first`. Its kernels have one code
    /// each.
    fn run(&self, first: &str, what: &str) -> Output {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{first} ./a {what}")]).current_dir(self.root.path());
        shell.env("SINTER_CACHE_DIR", self.cache()).env("SINTER_JIT_MODE", "sync").output().unwrap()
    }

    fn count(&self, kind: FileKind) -> usize {
        list::files(&self.cache()).unwrap().iter().filter(|file| file.kind == kind).count()
    }
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat()
}

fn expect_all_right(output: &Output) {
    expect_right(output, KERNELS);
}

fn expect_right(output: &Output, kernels: usize) {
    let text = text(output);
    assert!(output.status.success() && text.contains(&format!("right: {kernels}\n")), "{} {text}", output.status);
}

/// First with a cold cache, then with a warm one.
#[test]
fn descriptors_that_are_there_again_run_all_kernels() {
    let setup = Setup::new();
    for round in ["cold", "warm"] {
        let output = setup.run("", "descriptors");
        expect_all_right(&output);
        assert!(text(&output).contains("short: 0\n"), "{round}: {}", text(&output));
        assert_eq!((setup.count(FileKind::Entry), setup.count(FileKind::Quarantined)), (KERNELS, 0), "{round}");
    }
}

/// Runs kernels, two or all, in processes with a limit on the address space, in KiB beyond the
/// program's own: one process for each of `rooms`. Returns the number of right runs, and all
/// output.
fn run_short(setup: &Setup, variables: &str, kernels: usize, rooms: impl Iterator<Item = usize>) -> (usize, String) {
    let (mut right, mut said) = (0, String::new());
    for room in rooms {
        let output = setup.run(variables, &format!("memory {room} {kernels}"));
        let text = text(&output);
        assert!(output.status.success(), "{room} KiB: {} {text}", output.status);
        expect_right(&output, kernels);
        let short = text.lines().find_map(|line| line.strip_prefix("short: ")?.parse::<usize>().ok());
        right += short.unwrap();
        said += &text;
    }
    (right, said)
}

/// Memory runs out while the translator is loaded, while LLVM works, or not at all.
#[test]
fn memory_that_runs_out_while_kernels_are_translated_is_an_error() {
    let setup = Setup::new();
    let (right, said) = run_short(&setup, "SINTER_CACHE=off", 2, (0..300_000).step_by(8_000));
    assert!(right > 2, "{right} {said}");
    assert!(said.contains("cannot be used: memory ran out"), "{said}");
    assert!(said.contains("cannot translate kernel") && said.contains("memory ran out: free some"), "{said}");
}

#[test]
fn memory_that_runs_out_while_kernels_are_loaded_is_an_error() {
    let setup = Setup::new();
    expect_all_right(&setup.run("", "plain"));
    let (right, said) = run_short(&setup, "", KERNELS, (0..2_000).step_by(40));
    assert!(right > KERNELS && said.contains("memory ran out"), "{right} {said}");
    assert_eq!((setup.count(FileKind::Entry), setup.count(FileKind::Quarantined)), (KERNELS, 0));
}

#[test]
fn a_file_size_limit_ends_no_program() {
    let setup = Setup::new();
    for limit in ["0", "4"] {
        let output = setup.run(&format!("ulimit -f {limit};"), "plain");
        let text = text(&output);
        expect_all_right(&output);
        assert_eq!(text.matches("the cache in").count(), 1, "{limit}: {text}");
        assert_eq!(setup.count(FileKind::Entry), 0);
    }
    expect_all_right(&setup.run("", "plain"));
    assert_eq!(setup.count(FileKind::Entry), KERNELS);
}

/// The log may be full at a warning, at the report or at a line of progress.
#[test]
fn a_log_at_its_limit_ends_no_program() {
    let setup = Setup::new();
    for variables in ["SINTER_DEBUG_LEVEL=trace SINTER_REPORT=stderr", "SINTER_DUMP=dump SINTER_REPORT=report.txt"] {
        let output = setup.run(&format!("ulimit -f 1; exec 2>log; {variables}"), "plain");
        assert_eq!(output.status.code(), Some(0), "{variables}: {} {}", output.status, text(&output));
    }
    let log = fs::read_to_string(setup.root.path().join("log")).unwrap();
    assert!(log.contains("cannot be written") && !log.contains("panicked"), "{log}");
    let closed = setup.run("exec 2> >(:); sleep 0.2; SINTER_DEBUG_LEVEL=trace", "plain");
    assert_eq!(closed.status.code(), Some(0), "{}", closed.status);
}

#[test]
fn a_cache_that_others_can_replace_is_warned_of_once() {
    let setup = Setup::new();
    fs::set_permissions(setup.root.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let output = setup.run("", "plain");
    expect_all_right(&output);
    assert_eq!(text(&output).matches("other users can put").count(), 1, "{}", text(&output));
}
