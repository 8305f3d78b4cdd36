//! Tests the side effects of a translation on its process.
//!
//! In: the programs of `process/`, compiled with the installed `sinter-cc`. They compare signal
//! handlers, alternate stacks, limits and more before and after translations, end during a
//! translation, or run under sanitizers. *Invariant:* all of them translate: no cache is read.

use sinter_core::{Observer, PtxTarget, Target};
use sinter_tests::devices;
use sinter_tests::programs::{Argument, Fallible, dist, execute, run_with, sinter_cc, workspace};
use sinter_tests::samples;
use sinter_translate::native_target;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

/// Makes every launch translate, for the device that always exists.
const COLD: [(&str, &str); 2] = [("SINTER_CACHE", "off"), ("SINTER_VISIBILITY_MASK", "host")];

fn source(name: &str) -> PathBuf {
    workspace().join("tests/process").join(name).with_extension("cpp")
}

/// Compiles a program of `process/`, with further flags.
fn built(name: &str, flags: &[&str], folder: &Path) -> Fallible<PathBuf> {
    let (source, output) = (source(name), folder.join(name));
    let mut arguments: Vec<&dyn Argument> = vec![&"-O1", &"-std=c++17", &"-Wall", &"-Wextra", &"-Werror", &"-pthread"];
    arguments.extend(flags.iter().map(|flag| flag as &dyn Argument));
    arguments.extend([&source as &dyn Argument, &"-o", &output]);
    sinter_cc(&arguments)?;
    Ok(output)
}

/// Compiles a program of `process/` and runs it on a cold cache.
fn passes(name: &str) -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = built(name, &[], folder.path())?;
    run_with(&mut Command::new(program), folder.path(), &COLD)
}

#[test]
fn launches_change_nothing_of_the_process() -> Fallible {
    passes("launches")
}

/// One target of each kind; only the last needs a linker.
fn targets() -> Fallible<[Target; 4]> {
    let gpu = PtxTarget::for_device(90, 85).ok_or("no PTX for compute capability 9.0")?;
    let (amd, spirv) = (Target::Amdgcn("gfx90a".parse()?), Target::Spirv("opencl".parse()?));
    Ok([Target::Host(native_target()), Target::Ptx(gpu), spirv, amd])
}

/// Writes the request for a kernel of a sample.
fn request_file(section: &[u8], target: &Target, folder: &Path) -> Fallible<PathBuf> {
    let request = samples::requests(section, target).swap_remove(0);
    let path = folder.join(target.family());
    fs::write(&path, request.to_bytes())?;
    Ok(path)
}

#[test]
fn translations_change_nothing_of_the_process() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = built("translations", &[], folder.path())?;
    let section = samples::compiled(&workspace().join("kernels/samples/matmul.cpp"));
    let observer = folder.path().join("observer");
    fs::write(&observer, postcard::to_stdvec(&Observer::default())?)?;
    let mut all = Command::new(&program);
    all.arg(dist().join("lib/libsinter_translate.so")).arg(&observer);
    for target in targets()? {
        let request = request_file(&section, &target, folder.path())?;
        all.arg(&request);
        let mut alone = Command::new(&program);
        alone.arg(dist().join("lib/libsinter_translate.so")).arg(&observer).arg(&request);
        run_with(&mut alone, folder.path(), &[])?;
    }
    run_with(&mut all, folder.path(), &[])
}

/// Compiles an instrumented program and links it with a sanitizer library of GCC, which every
/// machine with a C++ compiler has. It defines all handlers that clang 19 calls, except those of
/// function pointer checks.
fn instrumented(name: &str, sanitizer: &str, library: &str, folder: &Path) -> Fallible<PathBuf> {
    let instrument = format!("-fsanitize={sanitizer}");
    let flags = [&instrument, "-fno-sanitize=function", "-fno-sanitize-recover=all", "-c"];
    let object = built(name, &flags, folder)?;
    let program = folder.join("program");
    sinter_cc(&[&object, &library, &"-pthread", &"-o", &program])?;
    Ok(program)
}

/// Runs a program under a sanitizer: any finding ends it.
fn sanitized(sanitizer: &str, library: &str) -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = instrumented("sanitized", sanitizer, library, folder.path())?;
    run_with(&mut Command::new(program), folder.path(), &COLD)
}

#[test]
fn functions_of_the_c_library_that_a_sanitizer_replaces_are_replaced_for_kernels() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = instrumented("overrun", "address", "-lasan", folder.path())?;
    let outcome = execute(Command::new(program).envs(COLD), folder.path())?;
    assert!(outcome.output.contains("heap-buffer-overflow"), "{}", outcome.output);
    assert!(!outcome.status.success());
    Ok(())
}

#[test]
fn programs_with_address_sanitizer_translate() -> Fallible {
    sanitized("address", "-lasan")
}

#[test]
fn programs_with_undefined_behaviour_sanitizer_translate() -> Fallible {
    sanitized("undefined", "-lubsan")
}

#[test]
fn the_translator_opens_where_its_pages_cannot_be_replaced() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = built("late_kernels", &[], folder.path())?;
    let (source, library) = (workspace().join("tests/process/no_room.c"), folder.path().join("no_room.so"));
    let mut command = Command::new("cc");
    let outcome = execute(command.args(["-shared", "-fPIC", "-O1", "-o"]).args([&library, &source]), folder.path())?;
    assert!(outcome.status.success(), "{}", outcome.describe("cc"));
    let library = library.display().to_string();
    for (refused, ends_well) in [("none", true), ("mmap", true), ("mremap", true), ("mprotect", false)] {
        let settings = [&COLD[..], &[("LD_PRELOAD", &library), ("REFUSED", refused)]].concat();
        let outcome = execute(Command::new(&program).envs(settings), folder.path())?;
        let says = |text: &str| outcome.output.contains(text);
        let seen = (outcome.status.success(), says("refused"), says("cannot be opened"));
        assert_eq!(seen, (ends_well, refused != "none", !ends_well), "{refused}: {}", outcome.describe("late_kernels"));
    }
    Ok(())
}

#[test]
fn kernels_translate_while_the_program_exits() -> Fallible {
    passes("late_kernels")
}

/// Kinds of process exit in `ends.cpp`, with the number of runs of each.
const ENDS: [(&str, u32); 5] = [("exit", 200), ("return", 200), ("quick_exit", 40), ("_exit", 40), ("fork", 60)];
/// Exit status of `ends.cpp`.
const STATUS: i32 = 7;
/// Upper bound for a cold translation, in milliseconds.
const LATEST: u32 = 100;
/// Number of programs that run at the same time.
const AT_ONCE: u32 = 4;

/// Modes of compilation and use of the cache: the program exits while it waits, or while it may run
/// quick code.
const MODES: [(&str, &str); 4] = [("sync", "off"), ("fallback", "off"), ("sync", "on"), ("fallback", "on")];

/// Runs a program that exits after a number of milliseconds.
fn end(program: &Path, how: &str, (mode, cache): (&str, &str), delay: u32) -> Fallible {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(program);
    command.arg(how).arg(delay.to_string());
    devices::settle(&mut command);
    let what = format!("{how} after {delay} ms, {mode}, cache {cache}");
    command.envs(COLD).envs([("SINTER_CACHE", cache), ("SINTER_JIT_MODE", mode), ("SINTER_PROGRESS", "off")]);
    command.env("SINTER_CACHE_DIR", folder.path().join("cache"));
    let outcome = execute(&mut command, folder.path());
    let outcome = outcome.map_err(|error| format!("{what}: {error}"))?;
    let is_good = outcome.status.code() == Some(STATUS) && outcome.output.is_empty();
    if is_good { Ok(()) } else { Err(outcome.describe(&what).into()) }
}

/// Runs a program `count` times, with delays spread over a whole translation. Returns the failures.
fn failures(program: &Path, how: &str, count: u32) -> Vec<String> {
    let next = AtomicU32::new(0);
    let work = || {
        let runs = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|run| *run < count));
        let mode = |run: u32| MODES[run as usize % MODES.len()];
        let ended = |run| end(program, how, mode(run), run * LATEST / count).err().map(|error| error.to_string());
        runs.filter_map(ended).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let workers = [(); AT_ONCE as usize].map(|()| scope.spawn(work));
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}

#[test]
fn processes_end_while_they_translate() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = built("ends", &[], folder.path())?;
    let failures: Vec<_> = ENDS.iter().flat_map(|(how, count)| failures(&program, how, *count)).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

#[test]
fn static_programs_are_refused_by_sinter_cc() -> Fallible {
    let folder = tempfile::tempdir()?;
    for flag in ["-static", "-static-pie"] {
        let error = built("late_kernels", &[flag], folder.path()).expect_err("no static program").to_string();
        assert!(error.contains("translator") && error.contains("-static-libstdc++"), "{error}");
    }
    Ok(())
}

/// Compiles `late_kernels` and links it with the runtime's static library and a plain compiler.
fn with_archive(flags: &[&str], folder: &Path) -> Fallible<PathBuf> {
    let (object, program) = (built("late_kernels", &["-c"], folder)?, folder.join("program"));
    let mut command = Command::new("c++");
    command.arg(object).arg(dist().join("lib/libsinter.a")).args(flags).args(["-lpthread", "-ldl", "-lm", "-o"]);
    let outcome = execute(command.arg(&program), folder)?;
    if outcome.status.success() { Ok(program) } else { Err(outcome.describe("c++").into()) }
}

#[test]
fn static_programs_say_why_they_cannot_translate() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = with_archive(&["-static"], folder.path())?;
    let translator = dist().join("lib/libsinter_translate.so").display().to_string();
    for settings in [COLD.to_vec(), [&COLD[..], &[("SINTER_TRANSLATOR", &translator)]].concat()] {
        let error = run_with(&mut Command::new(&program), folder.path(), &settings).expect_err("no translator");
        assert!(error.to_string().contains("linked statically"), "{error}");
    }
    Ok(())
}

#[test]
fn only_the_c_library_has_to_be_shared() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = with_archive(&["-static-libstdc++", "-static-libgcc"], folder.path())?;
    let translator = dist().join("lib/libsinter_translate.so").display().to_string();
    run_with(&mut Command::new(program), folder.path(), &[&COLD[..], &[("SINTER_TRANSLATOR", &translator)]].concat())
}
