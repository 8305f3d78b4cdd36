//! Compiles the samples once and runs them twice.
//!
//! In: `kernels/samples`. Out: for each kernel where it came from, `mandelbrot.png` in the current folder, and proof that
//! the second process neither translated nor mapped LLVM. The proof is the dynamic linker's own log (`LD_DEBUG=files`,
//! ld.so(8)), which lists every object that a process opens, whenever it does.

use crate::{
    dist,
    report::{self, Row},
    shell,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const SAMPLES: [&str; 2] = ["mandelbrot", "stream"];
const IMAGE: &str = "mandelbrot.png";

/// Builds, compiles, runs twice, compares.
pub(crate) fn demo() -> Result<()> {
    dist::build()?;
    let folder = shell::target_folder().join("demo");
    shell::fresh_folder(&folder)?;
    SAMPLES.iter().try_for_each(|sample| compile(sample, &folder))?;
    for sample in SAMPLES {
        heading(&format!("{sample}: first process, empty cache"));
        expect(sample, &observe(sample, &folder, 1)?, true)?;
    }
    for sample in SAMPLES {
        heading(&format!("{sample}: second process"));
        expect(sample, &observe(sample, &folder, 2)?, false)?;
    }
    check_image(Path::new(IMAGE))?;
    println!("\nThe second processes translated nothing and mapped no LLVM. The picture is in {IMAGE}.");
    Ok(())
}

fn heading(text: &str) {
    println!("\n== {text}");
}

fn compile(sample: &str, folder: &Path) -> Result<()> {
    let source = shell::root().join("kernels/samples").join(sample).with_extension("cpp");
    let mut command = Command::new(shell::dist_folder().join("bin/sinter-cc"));
    shell::run(command.arg("-O2").arg(source).arg("-o").arg(folder.join(sample)))
}

/// What one process did.
struct Observed {
    rows: Vec<Row>,
    /// Objects of LLVM or the translator that it opened.
    compiler: Vec<String>,
}

fn observe(sample: &str, folder: &Path, run: u32) -> Result<Observed> {
    let report = folder.join(format!("{sample}.{run}.report"));
    let log = folder.join(format!("{sample}.{run}.ld"));
    let mut command = Command::new(folder.join(sample));
    command.env("SINTER_CACHE_DIR", folder.join("cache")).env("SINTER_REPORT", &report);
    command.env("LD_DEBUG", "files").env("LD_DEBUG_OUTPUT", &log);
    if sample == "mandelbrot" {
        command.arg(IMAGE);
    }
    shell::run(&mut command)?;
    Ok(Observed { rows: report::read(&report)?, compiler: compiler_objects(&log)? })
}

/// The linker adds the process number to the name of its log.
fn compiler_objects(log: &Path) -> Result<Vec<String>> {
    let (folder, name) = (log.parent().unwrap_or(Path::new(".")), log.file_name().unwrap_or_default());
    let prefix = format!("{}.", name.to_string_lossy());
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let is_log = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let mut text = String::new();
    for path in entries.flatten().map(|entry| entry.path()).filter(is_log) {
        text += &String::from_utf8_lossy(&fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
    }
    if text.is_empty() {
        bail!("the dynamic linker wrote no log; is this a system with glibc?");
    }
    let opened =
        text.lines().filter_map(|line| line.split_once("file=")).filter_map(|(_, rest)| rest.split(' ').next());
    let mut objects: Vec<String> = opened.filter(|file| is_compiler(file)).map(str::to_owned).collect();
    objects.sort();
    objects.dedup();
    Ok(objects)
}

fn is_compiler(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.starts_with("libLLVM") || name.starts_with("libsinter_translate")
}

/// Prints what was seen and fails unless it is what a cold, or a warm, process must show.
fn expect(sample: &str, seen: &Observed, cold: bool) -> Result<()> {
    print!("{}", report::table(&seen.rows));
    let translated = seen.rows.iter().filter(|row| row.source == "translated").count();
    let mapped = if seen.compiler.is_empty() { "none".to_owned() } else { seen.compiler.join(", ") };
    println!("kernels translated: {translated}; compiler libraries mapped: {mapped}");
    if seen.rows.is_empty() {
        bail!("{sample} ran no kernel; `SINTER_DEBUG_LEVEL=debug` shows why");
    }
    match cold {
        true if translated == 0 || seen.compiler.is_empty() => {
            bail!("{sample} translated nothing although its cache was empty")
        }
        false if translated > 0 => bail!("{sample} translated again; `sinter-cache ls` shows what was stored"),
        false if !seen.compiler.is_empty() => bail!("{sample} mapped a compiler although it translated nothing"),
        _ => Ok(()),
    }
}

fn check_image(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("{} was not written", path.display()))?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        bail!("{} is not a PNG file", path.display());
    }
    Ok(())
}
