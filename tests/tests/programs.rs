//! Compiles the C++ programs of `programs/` with the installed `sinter-cc` and runs them.
//!
//! A program is a file `programs/GROUP/NAME.cpp`, in HIP `NAME.hip`, in CUDA `NAME.cu`, or a folder
//! `programs/GROUP/NAME/` with a `main.cpp`. It passes if it prints `PASS` and returns 0. Lines
//! `// key: values` at its head control build and runs: `levels` (optimisation levels, default 2),
//! `standards` (default c++17), `sources` (further translation units), `library` (a source of a
//! shared library, whose path is the program's argument), `options` (for the compiler), `runs`
//! (processes that share a cache; the argument is their number), `devices` (`host` for a program
//! without results for other devices: it runs there, and `cargo xtask gpu-test` leaves it out),
//! `memory` (values of `SINTER_STDPAR_MEMORY`, with each of which it runs), `group-sizes` and
//! `rows` (values of `SINTER_STDPAR_GROUP_SIZE` and of `SINTER_ROWS`, with each of which it runs
//! once more on the host), `needs` (features that SPIR-V devices may lack; it is skipped on those)
//! and `seconds` (its limit on other machines' GPUs). A program with a line `// error: text` must
//! not compile, and the compiler must print that text.
//!
//! Of several levels the highest is left to the repeated runs of `cargo xtask test`, with code for
//! another CPU and on other devices, if these follow and can run the program. In turns
//! (`TESTS_TAKE_TURNS`) a program has one level and one standard, and `FEWER_INSTANCES` is defined.
//!
//! *Invariant:* each program has its own cache folder, so that no test sees code that another one
//! compiled.

use libtest_mimic::{Arguments, Trial};
use sinter_tests::devices;
use sinter_tests::programs::{Argument, Fallible, precompiled, programs, run_with, sinter_cc};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
};

/// Groups whose programs take longest to compile. They start first, so that no core waits for them
/// at the end.
const SLOW_GROUPS: [&str; 2] = ["stdpar", "interposed"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = trials().unwrap_or_else(|error| panic!("{}: {error}", programs().display()));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One test for each program, level and standard.
fn trials() -> Fallible<Vec<Trial>> {
    let mut groups = folders(&programs())?;
    groups.sort_by_key(|group| (!SLOW_GROUPS.iter().any(|slow| group.ends_with(slow)), group.clone()));
    let mut trials = Vec::new();
    for group in groups {
        let found = find_programs(&group)?;
        assert!(!found.is_empty(), "{} is empty", group.display());
        let is_due = |program: &Program| devices::turn().is_none_or(|turn| turn == program.turn());
        trials.extend(found.into_iter().filter(is_due).flat_map(Program::trials));
    }
    Ok(trials)
}

fn folders(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Fallible<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.is_dir()).collect())
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
    rows: Vec<String>,
    needs: Option<String>,
    error: Option<String>,
    /// True if nothing changes what the header of SYCL means.
    starts_with_sycl: bool,
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
        // Host code at level 0 compiles in half the time.
        let level = if devices::takes_turns() && turn_of(&name) == 1 { "0" } else { "2" };
        Ok(Self {
            name,
            folder: source.parent().map(Path::to_owned).unwrap_or_default(),
            sources,
            library: words("library").pop(),
            levels: or(words("levels"), level),
            standards: or(words("standards"), "c++17"),
            options: words("options"),
            runs: line("runs").map(str::parse).transpose()?,
            devices: line("devices").map(str::to_owned),
            memory: or(words("memory"), "auto"),
            group_sizes: words("group-sizes"),
            rows: words("rows"),
            needs: line("needs").map(str::to_owned),
            error: line("error").map(str::to_owned),
            starts_with_sycl: text
                .lines()
                .take_while(|line| !line.starts_with("#define"))
                .any(|line| line == "#include <sycl/sycl.hpp>"),
        })
    }

    fn turn(&self) -> usize {
        turn_of(&self.name)
    }

    /// A test for each combination of level and standard.
    fn trials(self) -> Vec<Trial> {
        let (levels, standards) = self.tried();
        let choices: Vec<_> = levels
            .iter()
            .flat_map(|level| standards.iter().map(move |standard| (level.clone(), standard.clone())))
            .collect();
        let program = Arc::new(self);
        choices.into_iter().map(|(level, standard)| program.trial(&level, &standard)).collect()
    }

    /// Levels and standards at which it runs. The front end does the same for all devices, so the
    /// highest of several levels is left to the runs that follow. In turns each program has one of
    /// each: the highest level and the first standard, or the lowest and the last.
    fn tried(&self) -> (&[String], &[String]) {
        let (others, highest) = self.levels.split_at(self.levels.len() - 1);
        let (first, last) = (&self.standards[..1], &self.standards[self.standards.len() - 1..]);
        let is_tried_again = devices::others_follow() && !self.is_for_host();
        match self.turn() {
            0 if devices::takes_turns() => (highest, first),
            _ if devices::takes_turns() => (&self.levels[..1], last),
            _ if devices::is_repeated() => (highest, first),
            _ if is_tried_again && !others.is_empty() => (others, &self.standards),
            _ => (&self.levels, &self.standards),
        }
    }

    /// True if a run on OpenCL follows, and programs take turns.
    fn runs_on_opencl_in_turn(&self) -> bool {
        devices::others_follow() && devices::takes_turns() && !self.is_for_host() && self.turn() == 0
    }

    /// Settings of the host's code: in turns programs that do not run on OpenCL have that for
    /// another CPU.
    fn code(&self) -> Vec<(&'static str, String)> {
        devices::code_in_turn().filter(|_| self.turn() == 1).into_iter().flatten().collect()
    }

    fn trial(self: &Arc<Self>, level: &str, standard: &str) -> Trial {
        let program = Arc::clone(self);
        let mut flags = vec![format!("-O{level}"), format!("-std={standard}")];
        flags.extend_from_slice(&self.options);
        let test = move || match &program.error {
            Some(text) => program.check_rejected(&flags, text),
            None => program.check(&flags),
        };
        let name = format!("{}/O{level}/{standard}", self.name);
        Trial::test(name, move || test().map_err(|error| error.to_string().into()))
            .with_ignored_flag(self.is_left_out())
    }

    /// True if the devices cannot run the program.
    fn is_left_out(&self) -> bool {
        devices::takes_spirv() && self.is_for_host()
    }

    /// True if some other devices cannot run the program, or it is not to be run.
    fn is_for_host(&self) -> bool {
        self.needs.is_some() || self.error.is_some() || self.devices.as_deref() == Some("host")
    }

    fn check(&self, flags: &[String]) -> Fallible {
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
        let code = self.code();
        let devices = self.devices.as_deref().map(|devices| ("SINTER_VISIBILITY_MASK", devices));
        let memory = self.memory.iter().map(|memory| ("SINTER_STDPAR_MEMORY", memory.as_str()));
        // Devices of OpenCL have groups of many items anyway.
        let group_sizes = if self.runs_on_opencl_in_turn() { &[][..] } else { &self.group_sizes };
        let on_host = [("SINTER_STDPAR_GROUP_SIZE", group_sizes), ("SINTER_ROWS", &self.rows)];
        let on_host = on_host.into_iter().filter(|_| !devices::takes_spirv());
        let on_host = on_host.flat_map(|(name, values)| values.iter().map(move |value| (name, value.as_str())));
        memory.chain(on_host).try_for_each(|setting| {
            let code = code.iter().map(|(name, value)| (*name, value.as_str()));
            run_with(command, folder, &devices.into_iter().chain(code).chain([setting]).collect::<Vec<_>>())
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
        // Programs with kernels for many types and sizes leave some out.
        arguments.extend(devices::takes_turns().then_some(&"-DFEWER_INSTANCES" as &dyn Argument));
        let is_usual = self.starts_with_sycl && self.options.is_empty() && !kind.contains(&"-shared");
        let header = if is_usual { precompiled(&arguments)? } else { None };
        header.iter().for_each(|header| arguments.extend([&"-include-pch" as &dyn Argument, header]));
        arguments.extend(kind.iter().map(|flag| flag as &dyn Argument));
        let sources: Vec<PathBuf> = sources.iter().map(|source| self.folder.join(source)).collect();
        arguments.extend(sources.iter().map(|source| source as &dyn Argument));
        arguments.extend([&"-o" as &dyn Argument, &output]);
        sinter_cc(&arguments)
    }
}

/// The turn of a program, 0 or 1: half of the programs have each. Those of slow groups have 0, the
/// turn of OpenCL and of native code.
fn turn_of(name: &str) -> usize {
    let is_slow = name.split_once('/').is_some_and(|(group, _)| SLOW_GROUPS.contains(&group));
    if is_slow { 0 } else { name.bytes().map(usize::from).sum::<usize>() % 2 }
}

fn find_programs(group: &Path) -> Fallible<Vec<Program>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(group)? {
        let path = entry?.path();
        let source = if path.is_dir() { path.join("main.cpp") } else { path.clone() };
        if source.extension().is_some_and(|extension| ["cpp", "cu", "hip"].iter().any(|known| extension == *known)) {
            let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push(Program::read(format!("{}/{}", name(group), name(&path)), &source)?);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}
