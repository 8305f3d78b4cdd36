//! Compiles the C++ programs of `programs/` with the installed `sinter-cc` and runs them.
//!
//! A program is a file `programs/GROUP/NAME.cpp`, in HIP `NAME.hip`, in CUDA `NAME.cu`, or a folder
//! `programs/GROUP/NAME/` with a `main.cpp`. It passes if it prints `PASS` and returns 0. Lines
//! `// key: values` at its head control build and runs: `levels` (optimisation levels, default 2),
//! `standards` (default c++17), `sources` (further translation units), `library` (a source of a
//! shared library, whose path is the program's argument), `options` (for the compiler), `runs`
//! (processes that share a cache; the argument is their number), `devices` (`host` for a program
//! without results for other devices: it runs there, and `cargo xtask gpu-test` leaves it out),
//! `memory` (values of `SINTER_STDPAR_MEMORY`, with each of which it runs), `group-sizes` (values
//! of `SINTER_STDPAR_GROUP_SIZE`, with each of which it runs on the host) and `needs` (features
//! that SPIR-V devices may lack; it is skipped on those). A program with a line `// error: text`
//! must not compile, and the compiler must print that text.
//!
//! *Invariant:* each program has its own cache folder, so that no test sees code that another one
//! compiled.

use sinter_tests::devices;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};
use sinter_tests::programs::{Argument, Fallible, dist, run, run_with, sinter_cc, workspace};

macro_rules! groups {
    ($($name:ident),* $(,)?) => {
        const GROUPS: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                run_group(stringify!($name));
            }
        )*
    };
}

groups!(
    ranges, nd_ranges, groups, local, memory, buffers, images, commands, kernels, types, numerics, stdpar, interposed,
    hip, whole, rejects
);

#[test]
fn every_group_has_a_test() -> Fallible {
    for entry in fs::read_dir(programs())? {
        let entry = entry?;
        let name = entry.file_name();
        let known = GROUPS.iter().any(|group| name == *group);
        assert!(known || !entry.path().is_dir(), "programs/{} is run by no test", name.display());
    }
    Ok(())
}

#[test]
fn no_symbol_is_left_over() -> Fallible {
    let folder = tempfile::tempdir()?;
    let source = programs().join("kernels/names_and_scopes.cpp");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let output = folder.path().join("names.o");
        sinter_cc(&[&level, &"-c", &source, &"-o", &output])?;
        let bytes = fs::read(&output)?;
        let file = object::File::parse(&*bytes)?;
        let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
        let left: Vec<_> = undefined.filter_map(|symbol| symbol.name().ok()).filter(|name| is_ours(name)).collect();
        assert!(left.is_empty(), "{level} leaves {left:?}");
    }
    Ok(())
}

#[test]
fn the_header_asks_for_sinter_cc() -> Fallible {
    let mut compiler = Command::new("clang++-19");
    compiler.args(["-std=c++17", "-fsyntax-only", "-isystem"]).arg(dist().join("include"));
    let output = compiler.arg(programs().join("ranges/one_dimension.cpp")).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    assert!(text.contains("sinter-cc"), "{text}");
    Ok(())
}

#[test]
fn the_mandelbrot_sample_writes_a_picture() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("mandelbrot", folder.path())?;
    let picture = folder.path().join("picture.png");
    run(Command::new(executable).arg(&picture).args(["320", "240"]), folder.path())?;
    assert!(fs::read(picture)?.starts_with(b"\x89PNG\r\n\x1a\n"));
    Ok(())
}

/// One point in a thousand escaped differently on the device than on the host, because its sum was
/// rounded once instead of twice.
#[test]
fn the_mandelbrot_sample_rounds_on_devices_as_on_the_host() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("mandelbrot", folder.path())?;
    let mut tool = Command::new(dist().join("bin/llvm-to-ptx-tool"));
    let output = tool.arg(executable).args(["--emit", "ptx", "-o", "-"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("mul.rn.f64") && !text.contains("fma.rn.f64"), "{text}");
    Ok(())
}

#[test]
fn the_stream_sample_checks_itself() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("stream", folder.path())?;
    run(Command::new(executable).args(["100003", "3"]), folder.path())
}

/// Makes a test of a sample that checks itself, from its name and a fast problem size.
macro_rules! samples {
    ($($name:ident $size:literal),*) => {
        mod samples {
            $(#[test]
            fn $name() -> super::Fallible {
                super::check_sample(stringify!($name), $size)
            })*
        }
    };
}

samples!(matmul "144", nbody "384", reduction "1000003", histogram "500009", bitonic "16384", scan "300007");

/// A CPU has a copy of its own as a GPU has, which transfers keep up to date.
#[test]
fn buffers_with_copies_on_each_device() -> Fallible {
    let buffers = ["copies", "graph", "host_access", "lifetime", "sub_buffers", "threads", "write_back"];
    let images = ["legacy", "sampled", "unsampled"];
    let names =
        buffers.map(|name| format!("buffers/{name}")).into_iter().chain(images.map(|name| format!("images/{name}")));
    for name in names {
        let folder = tempfile::tempdir()?;
        let (source, output) = (programs().join(format!("{name}.cpp")), folder.path().join("program"));
        sinter_cc(&[&"-O1", &"-std=c++17", &source, &"-o", &output])?;
        run_with(&mut Command::new(&output), folder.path(), &[("SINTER_SHARED_BUFFERS", "off")])?;
    }
    Ok(())
}

/// The choices between formats, and between modes of samplers, are made by the translator.
#[test]
fn kernels_are_compiled_for_the_format_of_an_image() -> Fallible {
    let folder = tempfile::tempdir()?;
    let (source, output) = (programs().join("images/sampled.cpp"), folder.path().join("program"));
    sinter_cc(&[&"-O2", &"-std=c++17", &source, &"-o", &output])?;
    let dumps = folder.path().join("dumps");
    run_with(&mut Command::new(&output), folder.path(), &[("SINTER_DUMP", &dumps.to_string_lossy())])?;
    let mut kernels = 0;
    for kernel in fs::read_dir(dumps)? {
        for file in fs::read_dir(kernel?.path())? {
            let path = file?.path();
            if path.to_string_lossy().ends_with("-optimise.ll") {
                kernels += 1;
                assert!(!fs::read_to_string(&path)?.contains("switch i32"), "{} chooses at run time", path.display());
            }
        }
    }
    assert!(kernels > 3, "{kernels} kernels were translated");
    Ok(())
}

/// Runs a sample with and without optimisation, so that its own check covers both ways of splitting
/// its kernels.
fn check_sample(name: &str, size: &str) -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample(name, folder.path())?;
    for level in ["O3", "O0"] {
        run_with(Command::new(&executable).arg(size), folder.path(), &[("SINTER_OPT_LEVEL", level)])?;
    }
    Ok(())
}

/// True for symbols that only stage 1 and stage 2 may see.
fn is_ours(symbol: &str) -> bool {
    symbol.starts_with("__sinter") || symbol.starts_with("__acpp")
}

struct Program {
    name: String,
    folder: PathBuf,
    sources: Vec<String>,
    library: Option<String>,
    levels: Vec<String>,
    standards: Vec<String>,
    options: Vec<String>,
    runs: Option<u32>,
    devices: Option<String>,
    memory: Vec<String>,
    group_sizes: Vec<String>,
    needs: Option<String>,
    error: Option<String>,
}

impl Program {
    fn read(name: String, source: &Path) -> Fallible<Self> {
        let text = fs::read_to_string(source)?;
        let line = |key: &str| {
            text.lines().take(10).find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
        };
        let words = |key: &str| -> Vec<String> {
            line(key).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let or = |list: Vec<String>, default: &str| if list.is_empty() { vec![default.to_owned()] } else { list };
        let mut sources = vec![source.file_name().unwrap_or_default().to_string_lossy().into_owned()];
        sources.extend(words("sources"));
        Ok(Self {
            name,
            folder: source.parent().map(Path::to_owned).unwrap_or_default(),
            sources,
            library: words("library").pop(),
            levels: or(words("levels"), "2"),
            standards: or(words("standards"), "c++17"),
            options: words("options"),
            runs: line("runs").map(str::parse).transpose()?,
            devices: line("devices").map(str::to_owned),
            memory: or(words("memory"), "auto"),
            group_sizes: words("group-sizes"),
            needs: line("needs").map(str::to_owned),
            error: line("error").map(str::to_owned),
        })
    }

    /// Builds and runs all combinations of level and standard.
    fn check(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if let Some(needs) = self.needs.as_ref().filter(|_| devices::takes_spirv()) {
            eprintln!("skipped: {} needs {needs}", self.name);
            return failures;
        }
        if devices::takes_spirv() && self.devices.as_deref() == Some("host") {
            return failures;
        }
        // The front end is the same for all devices, and the host has tried it.
        let standards = if devices::takes_spirv() { &self.standards[..1] } else { &self.standards[..] };
        for level in &self.levels {
            for standard in standards {
                let mut flags = vec![format!("-O{level}"), format!("-std={standard}")];
                flags.extend_from_slice(&self.options);
                let outcome = match &self.error {
                    Some(text) => self.check_rejected(&flags, text),
                    None => self.check_with(&flags),
                };
                if let Err(error) = outcome {
                    failures.push(format!("{} {}: {error}", self.name, flags.join(" ")));
                }
            }
        }
        failures
    }

    fn check_with(&self, flags: &[String]) -> Fallible {
        let folder = tempfile::tempdir()?;
        let executable = folder.path().join("program");
        self.compile(flags, &[], &self.sources, &executable)?;
        let library = self.library.as_ref().map(|source| -> Fallible<PathBuf> {
            let output = folder.path().join("library.so");
            self.compile(flags, &["-shared", "-fPIC"], std::slice::from_ref(source), &output)?;
            Ok(output)
        });
        if let Some(library) = library.transpose()? {
            return self.run(Command::new(executable).arg(library), folder.path());
        }
        let Some(runs) = self.runs else { return self.run(&mut Command::new(executable), folder.path()) };
        (1..=runs).try_for_each(|number| self.run(Command::new(&executable).arg(number.to_string()), folder.path()))
    }

    /// Runs the program on its devices.
    fn run(&self, command: &mut Command, folder: &Path) -> Fallible {
        let devices = self.devices.as_deref().map(|devices| ("SINTER_VISIBILITY_MASK", devices));
        let memory = self.memory.iter().map(|memory| ("SINTER_STDPAR_MEMORY", memory.as_str()));
        let sizes: &[String] = if devices::takes_spirv() { &[] } else { &self.group_sizes };
        let sizes = sizes.iter().map(|size| ("SINTER_STDPAR_GROUP_SIZE", size.as_str()));
        memory.chain(sizes).try_for_each(|setting| {
            run_with(command, folder, &devices.into_iter().chain([setting]).collect::<Vec<_>>())
        })
    }

    fn check_rejected(&self, flags: &[String], expected: &str) -> Fallible {
        let folder = tempfile::tempdir()?;
        let Err(error) = self.compile(flags, &["-c"], &self.sources, &folder.path().join("program.o")) else {
            return Err("it compiles".into());
        };
        let text = error.to_string();
        if text.contains(expected) { Ok(()) } else { Err(format!("no `{expected}` in\n{text}").into()) }
    }

    fn compile(&self, flags: &[String], kind: &[&str], sources: &[String], output: &Path) -> Fallible {
        let mut arguments: Vec<&dyn Argument> = vec![&"-Wall", &"-Wextra", &"-Wpedantic", &"-Werror", &"-pthread"];
        arguments.extend(flags.iter().map(|flag| flag as &dyn Argument));
        arguments.extend(kind.iter().map(|flag| flag as &dyn Argument));
        let sources: Vec<PathBuf> = sources.iter().map(|source| self.folder.join(source)).collect();
        arguments.extend(sources.iter().map(|source| source as &dyn Argument));
        arguments.extend([&"-o" as &dyn Argument, &output]);
        sinter_cc(&arguments)
    }
}

fn run_group(group: &str) {
    let programs = find_programs(group).unwrap_or_else(|error| panic!("programs/{group}: {error}"));
    assert!(!programs.is_empty(), "programs/{group} is empty");
    let failures: Vec<String> = programs.iter().flat_map(Program::check).collect();
    assert!(failures.is_empty(), "{} failed:\n\n{}\n", failures.len(), failures.join("\n\n"));
}

fn find_programs(group: &str) -> Fallible<Vec<Program>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(programs().join(group))? {
        let path = entry?.path();
        let source = if path.is_dir() { path.join("main.cpp") } else { path.clone() };
        if source.extension().is_some_and(|extension| ["cpp", "cu", "hip"].iter().any(|known| extension == *known)) {
            let name = format!("{group}/{}", path.file_stem().unwrap_or_default().to_string_lossy());
            found.push(Program::read(name, &source)?);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn build_sample(name: &str, folder: &Path) -> Fallible<PathBuf> {
    let source = workspace().join(format!("kernels/samples/{name}.cpp"));
    let output = folder.join(name);
    sinter_cc(&[&"-O2", &"-std=c++17", &"-Wall", &"-Wextra", &"-Werror", &source, &"-o", &output])?;
    Ok(output)
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}
