//! Device functions of other files, resolved by the linker or at run time.
//!
//! The programs are in `tests/linking/`. *Invariant:* each program has its own folder and cache.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_tests::devices;
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Output folder for the sources.
struct Sources {
    folder: TempDir,
}

impl Sources {
    fn new() -> Self {
        Sources { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A tool of the installation under test, which runs in the output folder.
    fn tool(&self, name: &str) -> Command {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let dist = env::var_os("SINTER_DIST").map_or_else(|| workspace.join("dist"), PathBuf::from);
        let mut command = Command::new(dist.join("bin").join(name));
        command.current_dir(self.folder.path());
        command
    }

    /// Runs sinter-cc. Words that end in `.cpp` are sources.
    fn sinter_cc(&self, words: &[&str]) -> Output {
        let mut command = self.tool("sinter-cc");
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-command-line-argument"]);
        for word in words {
            match word.ends_with(".cpp") {
                true => command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("linking").join(word)),
                false => command.arg(word),
            };
        }
        command.output().unwrap()
    }

    fn build(&self, words: &[&str]) {
        let output = self.sinter_cc(words);
        assert!(output.status.success(), "{words:?}: {}", text(&output));
    }

    /// Makes an archive with one object for each source.
    fn archive(&self, name: &str, archiver: &str, sources: &[&str], options: &[&str]) {
        let mut command = Command::new(archiver);
        command.current_dir(self.folder.path()).args(["rcs", name]);
        for source in sources {
            let object = source.replace(".cpp", ".o");
            self.build(&[options, &["-c", source, "-o", &object]].concat());
            command.arg(object);
        }
        assert!(command.status().unwrap().success());
    }

    fn run(&self, name: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.path(name));
        devices::settle(&mut command);
        command.args(arguments).current_dir(self.folder.path()).env("SINTER_CACHE_DIR", self.path("cache"));
        command.output().unwrap()
    }

    fn passes(&self, name: &str, arguments: &[&str]) {
        let output = self.run(name, arguments);
        assert!(output.status.success() && text(&output).contains("PASS"), "{}", text(&output));
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Links a program with an archive that none of its host code needs.
fn links_an_archive(archiver: &str, options: &[&str]) {
    links_an_archive_of(archiver, options, options);
}

fn links_an_archive_of(archiver: &str, of_archive: &[&str], options: &[&str]) {
    let sources = Sources::new();
    sources.archive("libf.a", archiver, &["unwanted.cpp", "second.cpp", "first.cpp"], of_archive);
    sources.build(&[options, &["main.cpp", "-L.", "-lf", "-o", "program"]].concat());
    sources.passes("program", &[]);
}

#[test]
fn kernels_take_members_out_of_archives() {
    links_an_archive_of("ar", &["-O0", "-g"], &["-O3"]);
    links_an_archive_of("ar", &["-O3"], &["-O0"]);
    links_an_archive("ar", &["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]);
    links_an_archive("ar", &["-O2", "-no-pie", "-fno-pic", "-fvisibility=hidden"]);
}

#[test]
fn other_linkers_take_members_out_of_archives() {
    let bin = Path::new("/usr/lib/llvm-19/bin");
    if !bin.join("ld.lld").exists() {
        println!("skipped: lld is not installed");
        return;
    }
    let archiver = bin.join("llvm-ar").display().to_string();
    links_an_archive(&archiver, &["-O2", "-fuse-ld=lld", "-fPIC", "-Wl,--gc-sections"]);
    links_an_archive(&archiver, &["-O2", "-fuse-ld=lld", "-flto=thin"]);
}

/// The linker resolves them like host functions, in any order of the files and with any contents of
/// their images.
#[test]
fn kernels_see_the_strong_definition() {
    let sources = Sources::new();
    let programs: [(&str, &[&str]); 5] = [
        ("-1", &["weak.o"]),
        ("7", &["weak.o", "first.o", "second.o"]),
        ("7", &["second.o", "first.o", "weak.o"]),
        ("103", &["weak.o", "first.o", "second.o", "strong.o"]),
        ("103", &["strong.o", "second.o", "first.o", "weak.o"]),
    ];
    for level in ["-O0", "-O2"] {
        for name in ["first", "second", "strong", "weak"] {
            sources.build(&[level, "-c", &format!("{name}.cpp"), "-o", &format!("{name}.o")]);
        }
        for (expected, objects) in programs {
            sources.build(&[&[level], objects, &["-o", "program"]].concat());
            sources.passes("program", &[expected]);
        }
    }
}

#[test]
fn two_strong_definitions_are_an_error_of_the_link() {
    let sources = Sources::new();
    sources.build(&["-O1", "-c", "first.cpp", "-o", "again.o"]);
    let output = sources.sinter_cc(&["-O1", "main.cpp", "first.cpp", "second.cpp", "again.o", "-o", "program"]);
    assert!(!output.status.success() && text(&output).contains("multiple definition"), "{}", text(&output));
}

#[test]
fn a_missing_function_is_an_error_of_the_link() {
    let sources = Sources::new();
    for options in [&["-O0"][..], &["-O2", "-Wl,--gc-sections"], &["-O2", "-shared", "-fPIC", "-Wl,-z,defs"]] {
        let output = sources.sinter_cc(&[options, &["main.cpp", "-o", "program"]].concat());
        assert!(!output.status.success(), "{options:?}");
        assert!(text(&output).contains("undefined reference to `first(int)'"), "{options:?}: {}", text(&output));
    }
    sources.build(&["-O2", "--sinter-late-functions", "main.cpp", "-o", "program"]);
    let output = sources.run("program", &[]);
    assert!(!output.status.success() && text(&output).contains("unresolved symbols"), "{}", text(&output));
}

#[test]
fn a_library_that_only_kernels_need_is_linked() {
    let sources = Sources::new();
    let library = ["-O2", "-shared", "-fPIC", "-Wl,-z,defs", "-Wl,-rpath,$ORIGIN", "-L."];
    sources.build(&[&library[..], &["second.cpp", "-o", "libsecond.so"]].concat());
    sources.build(&[&library[..], &["first.cpp", "-Wl,--as-needed", "-lsecond", "-o", "libfirst.so"]].concat());
    let program = ["-O2", "main.cpp", "-L.", "-Wl,-rpath,$ORIGIN", "-Wl,--as-needed", "-lfirst", "-o", "program"];
    sources.build(&[&program[..], &["-Wl,-rpath-link,."]].concat());
    sources.passes("program", &[]);
}

/// A program and plug-ins that call each other's functions.
fn loads_plug_ins(of_program: &[&str], of_plug_ins: &[&str]) {
    let sources = Sources::new();
    let program = ["-O2", "--sinter-late-functions", "plug_ins.cpp", "-ldl", "-o", "program"];
    sources.build(&[&program[..], of_program].concat());
    for factor in ["1", "2", "3"] {
        let (define, output) = (format!("-DFACTOR={factor}"), format!("{factor}.so"));
        let library = ["-O2", "-shared", "-fPIC", "plug_in.cpp", &define, "-o", &output];
        sources.build(&[&library[..], of_plug_ins].concat());
    }
    sources.passes("program", &["./1.so", "./2.so", "./3.so"]);
}

#[test]
fn plug_ins_bring_functions_and_take_them_away() {
    loads_plug_ins(&[], &["--sinter-late-functions"]);
}

#[test]
fn plug_ins_are_bound_to_a_program_that_shows_its_functions() {
    loads_plug_ins(&["-rdynamic"], &[]);
}

/// The test of `programs/whole` runs host code of the same program.
#[test]
fn functions_of_the_kernels_own_file_are_translated_for_every_target() {
    let sources = Sources::new();
    let names = ["main", "first", "second"].map(|name| format!("../programs/whole/exported_both_ways/{name}.cpp"));
    sources.build(&["-O1", &names[0], &names[1], &names[2], "-o", "program"]);
    for tool in ["llvm-to-host-tool", "llvm-to-ptx-tool", "llvm-to-amdgpu-tool", "llvm-to-spirv-tool"] {
        for kernel in
            ["check_chain(sycl::queue&, int*)::$_0", "check_chain(sycl::queue&, int*)::$_1", "check_constants"]
        {
            let output = sources.tool(tool).args(["program", "--kernel", kernel, "-o", "code"]).output().unwrap();
            assert!(output.status.success(), "{tool}: {}", text(&output));
        }
    }
}
