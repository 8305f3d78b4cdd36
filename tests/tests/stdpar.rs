//! Runs programs with parallel algorithms where their output, their build or a tool matters.
//!
//! In: the programs of `stdpar/`. Most programs with algorithms are in `programs/stdpar` and
//! `programs/interposed`. *Invariant:* each program has its own folder and cache.

use object::{Object, ObjectSymbol};
use sinter_tests::{
    devices,
    programs::{Argument, Fallible, dist, execute, run_with, sinter_cc, workspace},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread"];
/// Valgrind does not support AVX-512.
const CPU: (&str, &str) = ("SINTER_HOST_CPU", "x86-64-v3");
const ON_HOST: (&str, &str) = ("SINTER_VISIBILITY_MASK", "host");

/// Compiles a source of `stdpar/`, or links objects.
fn build(words: &[&dyn Argument], output: &Path) -> Fallible {
    let mut arguments: Vec<&dyn Argument> = WARNINGS.iter().map(|flag| flag as &dyn Argument).collect();
    arguments.extend([&"-std=c++17" as &dyn Argument, &"-O1"]);
    arguments.extend_from_slice(words);
    arguments.extend([&"-o" as &dyn Argument, &output]);
    sinter_cc(&arguments)
}

fn source(name: &str) -> PathBuf {
    workspace().join("tests/stdpar").join(name)
}

fn restrictions(flags: &[&str], folder: &Path) -> Fallible<PathBuf> {
    let (source, program) = (source("restrictions.cpp"), folder.join("restrictions"));
    let mut words: Vec<&dyn Argument> = vec![&"--stdpar", &source];
    words.extend(flags.iter().map(|flag| flag as &dyn Argument));
    build(&words, &program)?;
    Ok(program)
}

/// The places where the loop of a restriction may run.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Device,
    Cpu,
    Library,
}
use Place::{Cpu, Device, Library};

/// The place of a loop, if the log, the counts and the report agree.
fn place(output: &str) -> Option<Place> {
    let counts = output.lines().find_map(|line| line.strip_prefix("on the device: "))?;
    let instead = output.contains("` runs on the CPU: ");
    let by_library = output.contains("runs on the host without a device: the variable `factor` in device code");
    let launched = output.lines().any(|line| line.starts_with("sinter::stdpar::entry<"));
    match (counts, instead, by_library, launched) {
        ("1, instead on the CPU: 0", false, false, true) => Some(Device),
        ("0, instead on the CPU: 1", true, false, true) => Some(Cpu),
        ("0, instead on the CPU: 0", false, true, false) => Some(Library),
        _ => None,
    }
}

/// The captures of `restrictions.cpp`: where they run if the device reaches all memory, and if it
/// reaches shared memory alone, with allocations interposed.
const CAPTURES: [(&str, [Place; 2]); 7] = [
    ("global_by_name", [Library, Library]),
    ("global_by_address", [Device, Cpu]),
    ("stack_by_reference", [Device, Cpu]),
    ("whole_capture", [Device, Cpu]),
    ("whole_capture_by_value", [Device, Device]),
    ("pointer_in_object", [Device, Device]),
    ("pointer_in_object_to_stack", [Device, Cpu]),
];

/// Runs a capture; its result must be right. Returns the output.
fn captured(program: &Path, capture: &str, memory: &str, folder: &Path) -> Fallible<String> {
    let mut command = Command::new(program);
    devices::settle(&mut command);
    if env::var_os("SINTER_TEST_DEVICES").is_none() {
        command.envs([ON_HOST]);
    }
    command.arg(capture).current_dir(folder).env("SINTER_CACHE_DIR", folder.join("cache"));
    command.envs([("SINTER_DEBUG_LEVEL", "info"), ("SINTER_REPORT", "on"), ("SINTER_STDPAR_MEMORY", memory)]);
    let outcome = execute(&mut command, folder)?;
    let passed = outcome.status.success() && outcome.output.lines().any(|line| line == "PASS");
    if passed { Ok(outcome.output) } else { Err(outcome.describe(capture).into()) }
}

/// Checks where a capture runs by default, and where with shared memory alone.
fn check(program: &Path, capture: &str, [everywhere, shared]: [&Place; 2], folder: &Path) -> Fallible {
    for (memory, expected) in [("auto", everywhere), ("shared", shared)] {
        let output = captured(program, capture, memory, folder)?;
        assert_eq!(place(&output).as_ref(), Some(expected), "{capture}, {memory}:\n{output}");
    }
    Ok(())
}

#[test]
fn what_hipstdpar_forbids_is_right_and_the_log_says_where_it_ran() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = restrictions(&[], folder.path())?;
    CAPTURES.iter().try_for_each(|(capture, places)| check(&program, capture, places.each_ref(), folder.path()))
}

#[test]
fn it_is_right_where_allocations_are_left_alone() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = restrictions(&["--stdpar-interpose-alloc=never"], folder.path())?;
    for (capture, [everywhere, _]) in &CAPTURES {
        // No memory of the program is shared.
        let elsewhere = if *everywhere == Library { Library } else { Cpu };
        check(&program, capture, [everywhere, &elsewhere], folder.path())?;
    }
    Ok(())
}

/// Algorithms that stay in the C++ library do not need TBB, whose headers may be installed.
#[test]
fn a_program_has_no_symbol_of_tbb() -> Fallible {
    let folder = tempfile::tempdir()?;
    let bytes = fs::read(restrictions(&[], folder.path())?)?;
    let program = object::File::parse(&*bytes)?;
    let names: Vec<&str> = program.dynamic_symbols().filter_map(|symbol| symbol.name().ok()).collect();
    assert!(names.contains(&"sinter_stdpar_launch"), "{names:?}");
    let of_tbb: Vec<_> = names.iter().filter(|name| name.to_lowercase().contains("tbb")).collect();
    assert!(of_tbb.is_empty(), "{of_tbb:?}");
    Ok(())
}

/// The program of `stdpar/owners`, whose arguments are its libraries. Only the plain unit is
/// compiled without `--stdpar`.
fn owners(flags: &[&str], libraries: &[&str], folder: &Path) -> Fallible<Command> {
    let object = |name: &str, more: &[&str]| -> Fallible<PathBuf> {
        let (source, output) = (source(&format!("owners/{name}.cpp")), folder.join(name).with_extension("o"));
        let mut words: Vec<&dyn Argument> = vec![&"-c", &"-fPIC", &source];
        words.extend(flags.iter().chain(more).map(|flag| flag as &dyn Argument));
        build(&words, &output)?;
        Ok(output)
    };
    let program = folder.join("owners");
    let mut command = Command::new(&program);
    let (main, plain) = (object("main", &["--stdpar"])?, object("plain", &[])?);
    let mut words: Vec<&dyn Argument> = vec![&"--stdpar", &main, &plain];
    words.extend(libraries.iter().map(|library| library as &dyn Argument));
    build(&words, &program)?;
    for name in ["make", "take"] {
        let (object, library) = (object(name, &["--stdpar"])?, folder.join(format!("lib{name}.so")));
        build(&[&"--stdpar", &"-shared", &object], &library)?;
        command.arg(library);
    }
    Ok(command)
}

/// Runs it with memory of each kind, on the host.
fn passes(command: &mut Command, folder: &Path) -> Fallible {
    let memory = ["auto", "shared"];
    memory.iter().try_for_each(|memory| run_with(command, folder, &[ON_HOST, CPU, ("SINTER_STDPAR_MEMORY", memory)]))
}

#[test]
fn blocks_pass_between_units_and_libraries_and_valgrind_finds_nothing() -> Fallible {
    let folder = tempfile::tempdir()?;
    let mut command = owners(&[], &[], folder.path())?;
    passes(&mut command, folder.path())?;
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed (apt-get install valgrind)");
        return Ok(());
    }
    // The kernels come out of the cache.
    let mut checked = Command::new("valgrind");
    checked.args(["-q", "--error-exitcode=9"]).arg(command.get_program()).args(command.get_args());
    passes(&mut checked, folder.path())
}

#[test]
fn blocks_pass_between_units_and_libraries_and_address_sanitizer_finds_nothing() -> Fallible {
    let folder = tempfile::tempdir()?;
    // The library of GCC, which every machine with a C++ compiler has.
    passes(&mut owners(&["-fsanitize=address"], &["-lasan"], folder.path())?, folder.path())
}

/// Runs `failures.cpp`, whose memory for intermediate results fails so. Returns its exit status and
/// its output.
fn failure(kind: &str) -> Fallible<(Option<i32>, String)> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (source("failures.cpp"), folder.path().join("failures"));
    build(&[&"--stdpar", &source], &program)?;
    let mut command = Command::new(program);
    devices::settle(&mut command);
    // Groups share memory of the runtime.
    command.arg(kind).envs([ON_HOST, ("SINTER_STDPAR_GROUP_SIZE", "64")]);
    command.current_dir(folder.path()).env("SINTER_CACHE_DIR", folder.path().join("cache"));
    let outcome = execute(&mut command, folder.path())?;
    Ok((outcome.status.code(), outcome.output))
}

#[test]
fn no_memory_for_intermediate_results_is_bad_alloc() -> Fallible {
    let (status, output) = failure("memory")?;
    assert!(status == Some(0) && output.lines().any(|line| line == "PASS"), "{status:?} {output}");
    assert!(!output.contains("failed"), "{output}");
    Ok(())
}

#[test]
fn any_other_failure_ends_the_program_behind_a_line_that_names_it() -> Fallible {
    let (status, output) = failure("device")?;
    // The status of the program's own handler of `std::terminate`.
    assert_eq!(status, Some(7), "{output}");
    let line = output.lines().find(|line| line.starts_with("sinter: a parallel algorithm failed: "));
    assert!(line.is_some_and(|line| line.contains("4321")), "{output}");
    Ok(())
}

/// The program of `SINTER_STDPAR_DEVICE`: its exit status is 0 if the result is right.
#[test]
fn a_setting_names_the_device_of_all_threads() -> Fallible {
    let folder = tempfile::tempdir()?;
    let (source, program) = (source("chosen.cpp"), folder.path().join("chosen"));
    build(&[&"--stdpar", &source], &program)?;
    let run = |device: &str| -> Fallible<String> {
        let mut command = Command::new(&program);
        devices::settle(&mut command);
        command.envs([ON_HOST, ("SINTER_STDPAR_DEVICE", device), ("SINTER_DEBUG_LEVEL", "info")]);
        command.current_dir(folder.path()).env("SINTER_CACHE_DIR", folder.path().join("cache"));
        let outcome = execute(&mut command, folder.path())?;
        assert!(outcome.status.success(), "{device}: {}", outcome.output);
        Ok(outcome.output)
    };
    for device in ["0", "host"] {
        let output = run(device)?;
        assert!(output.contains("kernels: 2") && !output.contains("without a device"), "{device}: {output}");
    }
    // No device has the number or the driver: the C++ library runs the algorithms.
    for device in ["7", "cuda"] {
        let output = run(device)?;
        assert!(output.contains("kernels: 0") && output.contains("without a device"), "{device}: {output}");
    }
    Ok(())
}

/// A file in C allocates as without `--stdpar`; one in C++14 has no algorithms, and sinter-cc says
/// so.
#[test]
fn files_without_algorithms_are_compiled_as_they_are() -> Fallible {
    let folder = tempfile::tempdir()?;
    let compile = |words: &[&str], text: &str, name: &str| -> Fallible<String> {
        let file = folder.path().join(name);
        fs::write(&file, text)?;
        let mut command = Command::new(dist().join("bin/sinter-cc"));
        command.args(["--stdpar", "-Werror", "-O1"]).args(words).arg(&file).current_dir(folder.path());
        let output = command.args(["-S", "-emit-llvm", "-o", "out.ll"]).output()?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {messages}");
        Ok(fs::read_to_string(folder.path().join("out.ll"))? + &messages)
    };
    let in_c = "#include <stdlib.h>\nvoid *make(int class) { return malloc((size_t)class); }\n";
    let text = compile(&["-x", "c"], in_c, "a.c")?;
    assert!(!text.contains("stdpar"), "{text}");
    let old = "#include <execution>\n#include <cstdlib>\nvoid *make() { return std::malloc(8); }\n";
    let text = compile(&["-std=c++14"], old, "b.cpp")?;
    assert!(text.contains("--stdpar needs C++17 or later: -std=c++14 has no execution policies"), "{text}");
    assert!(text.contains("@sinter_stdpar_allocate("), "{text}");
    assert!(!compile(&["-std=c++14", "--sinter-no-note"], old, "c.cpp")?.contains("C++17"));
    Ok(())
}
