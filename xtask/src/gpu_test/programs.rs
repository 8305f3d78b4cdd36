//! Adds tests that are SYCL programs, which are compiled here.
//!
//! In: the programs of `tests`, as `tests/tests/programs.rs` describes them, and the samples. Out:
//! an executable for each optimisation level of a program, and its command line.
//! *Invariant:* a program with `// devices: host`, or one that must not compile, is left out; an
//! executable newer than all its sources is kept.

use super::plan::{Judge, Plan};
use crate::shell;
use anyhow::{Context, Result, anyhow};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::SystemTime,
};

/// Groups without programs for devices.
const NO_PROGRAMS: [&str; 1] = ["rejects"];
/// The samples with problem sizes that take a moment on any device.
const SAMPLES: [(&str, &str); 8] = [
    ("mandelbrot", "picture.png 640 480"),
    ("stream", "1000003 3"),
    ("matmul", "256"),
    ("nbody", "1024"),
    ("reduction", "1000003"),
    ("histogram", "500009"),
    ("bitonic", "16384"),
    ("scan", "300007"),
];
/// Time limit of a program in seconds.
const LIMIT: u32 = 90;
/// That of the program with a kernel for each function and type.
const NUMERICS_LIMIT: u32 = 240;

/// One compiler call.
struct Job {
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    output: PathBuf,
}

/// Adds all of them to the plan.
pub(crate) fn add(installed: &Path, tree: &Path, plan: &mut Plan) -> Result<()> {
    let mut jobs = Vec::new();
    programs(plan, &mut jobs)?;
    corpus(plan, &mut jobs)?;
    samples(plan, &mut jobs);
    of_gpus(plan, &mut jobs)?;
    numerics(plan, &mut jobs)?;
    jobs.iter_mut().for_each(|job| job.output = tree.join(&job.output));
    compile_all(installed, &jobs)
}

/// The programs of `tests/programs`.
fn programs(plan: &mut Plan, jobs: &mut Vec<Job>) -> Result<()> {
    let root = shell::root().join("tests/programs");
    for group in folders(&root)?.iter().filter(|group| !NO_PROGRAMS.iter().any(|name| group.ends_with(name))) {
        for source in sources(group)? {
            let text = fs::read_to_string(&source).with_context(|| format!("cannot read {}", source.display()))?;
            let named = if source.ends_with("main.cpp") { source.parent().unwrap_or(group) } else { &source };
            let name = named.strip_prefix(&root).unwrap_or(named).with_extension("").display().to_string();
            let head = Head(&text);
            if head.line("error").is_none() && head.line("devices") != Some("host") {
                program(&name, &source, &head, plan, jobs);
            }
        }
    }
    Ok(())
}

/// One program, at each of its levels.
fn program(name: &str, source: &Path, head: &Head<'_>, plan: &mut Plan, jobs: &mut Vec<Job>) {
    let folder = source.parent().unwrap_or(Path::new("."));
    let standard = head.words("standards").next().unwrap_or("c++17");
    for level in head.line("levels").unwrap_or("2").split_whitespace() {
        let output = PathBuf::from(format!("tests/programs/{name}.O{level}"));
        let mut flags = vec![format!("-O{level}"), format!("-std={standard}"), "-pthread".to_owned()];
        flags.extend(head.words("options").map(str::to_owned));
        let mut command = format!("$ROOT/{}", output.display());
        if let Some(library) = head.line("library") {
            let built = PathBuf::from(format!("{}.library.so", output.display()));
            let flags = flags.iter().cloned().chain(["-shared".to_owned(), "-fPIC".to_owned()]).collect();
            command += &format!(" $ROOT/{}", built.display());
            plan.keep(&built);
            jobs.push(Job { sources: vec![folder.join(library)], flags, output: built });
        }
        if let Some(runs) = head.line("runs").and_then(|runs| runs.parse::<u32>().ok()) {
            command = (1..=runs).map(|run| format!("{command} {run}")).collect::<Vec<_>>().join(" && ");
        }
        if let Some(features) = head.line("needs") {
            // Read by the script, which sets the variable.
            command = format!("[ $DRIVER != vulkan ] || {{ echo 'skipped: needs {features}'; exit 0; }}; {command}");
        }
        let limit = head.line("seconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(LIMIT);
        plan.test(&format!("{name}.O{level}"), Judge::Pass, limit, &command);
        plan.keep(&output);
        let others = head.words("sources").map(|other| folder.join(other));
        jobs.push(Job { sources: [source.to_owned()].into_iter().chain(others).collect(), flags, output });
    }
}

/// Programs of the corpus, which print their errors and exit with a status.
fn corpus(plan: &mut Plan, jobs: &mut Vec<Job>) -> Result<()> {
    for source in sources(&shell::root().join("tests/corpus"))? {
        let name = stem(&source);
        let output = PathBuf::from("tests/corpus").join(&name);
        for level in ["O0", "O3"] {
            let command = format!("SINTER_OPT_LEVEL={level} $ROOT/{}", output.display());
            plan.test(&format!("corpus/{name}.{level}"), Judge::Status, LIMIT, &command);
        }
        plan.keep(&output);
        jobs.push(Job { sources: vec![source], flags: vec!["-O1".to_owned(), "-std=c++17".to_owned()], output });
    }
    Ok(())
}

fn samples(plan: &mut Plan, jobs: &mut Vec<Job>) {
    for (name, arguments) in SAMPLES {
        let output = PathBuf::from("tests/samples").join(name);
        for level in ["O0", "O3"] {
            let command = format!("SINTER_OPT_LEVEL={level} $ROOT/{} {arguments}", output.display());
            let judge = if name == "mandelbrot" { Judge::Status } else { Judge::Pass };
            plan.test(&format!("samples/{name}.{level}"), judge, LIMIT, &command);
        }
        plan.keep(&output);
        let source = shell::root().join("kernels/samples").join(name).with_extension("cpp");
        jobs.push(Job { sources: vec![source], flags: vec!["-O2".to_owned(), "-std=c++17".to_owned()], output });
    }
}

/// Programs for GPUs only. A line `// arguments: ...` at the head gives the command-line arguments.
fn of_gpus(plan: &mut Plan, jobs: &mut Vec<Job>) -> Result<()> {
    for source in sources(&shell::root().join("tests/gpu"))? {
        let (name, text) = (stem(&source), fs::read_to_string(&source).unwrap_or_default());
        let output = PathBuf::from("tests/gpu").join(&name);
        let options = Head(&text).words("options").map(str::to_owned).collect::<Vec<_>>();
        let flags = ["-O2".to_owned(), "-std=c++17".to_owned(), "-pthread".to_owned()].into_iter().chain(options);
        let arguments = Head(&text).line("arguments").unwrap_or_default();
        plan.test(&format!("gpu/{name}"), Judge::Pass, LIMIT, &format!("$ROOT/{} {arguments}", output.display()));
        plan.keep(&output);
        jobs.push(Job { sources: vec![source], flags: flags.collect(), output });
    }
    Ok(())
}

/// The program that measures errors of functions, with a small sample as a test.
fn numerics(plan: &mut Plan, jobs: &mut Vec<Job>) -> Result<()> {
    let output = PathBuf::from("tests/numerics/numerics");
    plan.test("gpu/numerics", Judge::Pass, NUMERICS_LIMIT, &format!("$ROOT/{} --count 16", output.display()));
    plan.keep(&output);
    jobs.push(numerics_job(output)?);
    Ok(())
}

fn numerics_job(output: PathBuf) -> Result<Job> {
    let flags = ["-O2", "-std=c++17", "-pthread"].map(str::to_owned).to_vec();
    Ok(Job { sources: sources(&shell::root().join("tests/numerics"))?, flags, output })
}

/// Compiles that program with the compiler of an install tree.
pub(crate) fn compile_numerics(installed: &Path, output: &Path) -> Result<()> {
    compile_all(installed, &[numerics_job(output.to_owned())?])
}

/// The lines `// key: values` at the head of a program.
struct Head<'t>(&'t str);

impl<'t> Head<'t> {
    fn line(&self, key: &str) -> Option<&'t str> {
        self.0.lines().take(10).find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    fn words(&self, key: &str) -> impl Iterator<Item = &'t str> {
        self.line(key).unwrap_or_default().split_whitespace()
    }
}

/// The folders in a folder, sorted.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// Programs in a folder: files, and folders with a main file.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let source = |path: PathBuf| if path.is_dir() { path.join("main.cpp") } else { path };
    let is_known = |extension: &OsStr| ["cpp", "cu", "hip"].iter().any(|known| extension == *known);
    let is_source = |path: &PathBuf| path.is_file() && path.extension().is_some_and(is_known);
    Ok(entries(folder)?.into_iter().map(source).filter(is_source).collect())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compiles outdated executables, in parallel on all processors.
fn compile_all(installed: &Path, jobs: &[Job]) -> Result<()> {
    let common = newest(&["bin/sinter-cc", "lib/libsinter_stage1.so"].map(|name| installed.join(name)))?
        .max(newest(&shell::files(&installed.join("include"))?)?);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = compile(installed, job, common)
                && let Ok(mut failures) = failures.lock()
            {
                failures.push(format!("{error:#}"));
            }
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| drop(scope.spawn(work)));
    });
    let failures = failures.into_inner().unwrap_or_default();
    if failures.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("{} programs do not compile:\n{}", failures.len(), failures.join("\n")))
    }
}

/// Latest modification time of these files.
fn newest(files: &[PathBuf]) -> Result<SystemTime> {
    let changed = |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified());
    let times = files.iter().map(|path| changed(path).with_context(|| format!("cannot read {}", path.display())));
    Ok(times.collect::<Result<Vec<_>>>()?.into_iter().max().unwrap_or(SystemTime::UNIX_EPOCH))
}

fn compile(installed: &Path, job: &Job, common: SystemTime) -> Result<()> {
    let mut made_of = Vec::new();
    for source in &job.sources {
        made_of.extend(shell::files(source.parent().unwrap_or(Path::new(".")))?);
    }
    let changed = common.max(newest(&made_of)?);
    if fs::metadata(&job.output).and_then(|data| data.modified()).is_ok_and(|made| made > changed) {
        return Ok(());
    }
    if let Some(folder) = job.output.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut command = Command::new(installed.join("bin/sinter-cc"));
    command.args(&job.flags).arg("-s").args(&job.sources).arg("-o").arg(&job.output);
    shell::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_program_says_how_it_is_built() {
        let head = Head("// What it is about.\n// levels: 0 2\n// options: -g\n// devices: host\n");
        assert_eq!(head.line("levels"), Some("0 2"));
        assert_eq!(head.words("options").collect::<Vec<_>>(), ["-g"]);
        assert_eq!((head.line("devices"), head.line("error")), (Some("host"), None));
    }

    #[test]
    fn a_program_with_a_library_gets_its_path() {
        let (mut plan, mut jobs) = (Plan::default(), Vec::new());
        let head = Head("// library: other.cpp\n// runs: 2\n");
        program("g/p", Path::new("x/p/main.cpp"), &head, &mut plan, &mut jobs);
        let run = "$ROOT/tests/programs/g/p.O2 $ROOT/tests/programs/g/p.O2.library.so";
        assert_eq!(plan.text(), format!("g/p.O2\tpass\t{LIMIT}\t{run} 1 && {run} 2\n"));
        assert_eq!(jobs.len(), 2);
    }
}
