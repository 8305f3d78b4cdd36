//! Compiles the samples once and runs them twice.
//!
//! In: `kernels/samples`. Out: the origin of each kernel's code, the time of first launches with
//! and without a cache, `mandelbrot.png` in the current folder, and a proof that the second process
//! neither translated nor mapped LLVM. The proof is the dynamic linker's log (`LD_DEBUG=files`,
//! ld.so(8)), which lists every object that a process opens at any time.

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
/// Largest size of the picture in bytes; small enough to send.
const MAX_IMAGE: usize = 1_000_000;
const STEPS: [&str; 5] = [
    "build",
    "compile the samples, once",
    "first process of each, with an empty cache",
    "second process of each, with the cache of the first",
    "what the cache gains",
];

/// Builds, compiles, runs twice and compares.
pub(crate) fn demo() -> Result<()> {
    step(1);
    dist::build()?;
    let folder = shell::target_folder().join("demo");
    shell::fresh_folder(&folder)?;
    step(2);
    SAMPLES.iter().try_for_each(|sample| compile(sample, &folder))?;
    step(3);
    let cold = SAMPLES.map(|sample| observe(sample, &folder, 1).and_then(|seen| expect(sample, seen, true)));
    let cold = cold.into_iter().collect::<Result<Vec<f64>>>()?;
    step(4);
    let warm = SAMPLES.map(|sample| observe(sample, &folder, 2).and_then(|seen| expect(sample, seen, false)));
    let warm = warm.into_iter().collect::<Result<Vec<f64>>>()?;
    step(5);
    print!("{}", gains(&cold, &warm));
    let size = check_image(Path::new(IMAGE))?;
    println!(
        "\nThe second processes translated nothing and mapped no LLVM. The picture is in {IMAGE} ({} KB).",
        size / 1000
    );
    Ok(())
}

fn step(number: usize) {
    println!("\n== {number} of {}: {}", STEPS.len(), STEPS[number - 1]);
}

/// A table of the first launches of each sample: milliseconds without and with a cache, and the
/// ratio.
fn gains(cold: &[f64], warm: &[f64]) -> String {
    let lines = SAMPLES.iter().zip(cold.iter().zip(warm)).map(|(sample, (cold, warm))| {
        format!("{sample:<12}{cold:>15.1} ms{warm:>13.2} ms{:>9.0} times\n", cold / warm)
    });
    format!("{:<12}{:>18}{:>16}{:>15}\n", "first launch", "empty cache", "cached", "faster")
        + &lines.collect::<String>()
}

fn compile(sample: &str, folder: &Path) -> Result<()> {
    let source = shell::root().join("kernels/samples").join(sample).with_extension("cpp");
    let mut command = Command::new(shell::dist_folder().join("bin/sinter-cc"));
    shell::run(command.arg("-O2").arg(source).arg("-o").arg(folder.join(sample)))
}

/// Observation of one process.
struct Observed {
    rows: Vec<Row>,
    /// Objects of LLVM or the translator that it opened.
    compiler: Vec<String>,
    /// Milliseconds of its first launches, as it printed them.
    first: f64,
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
    println!();
    let text = shell::shown_output(&mut command)?;
    let first =
        first_launches(&text).with_context(|| format!("{sample} does not say how long its first launches took"))?;
    Ok(Observed { rows: report::read(&report)?, compiler: compiler_objects(&log)?, first })
}

/// The number in a line `first    12.345 ms ...`.
fn first_launches(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("first "))?;
    line.trim_start().split_once(" ms")?.0.parse().ok()
}

/// The dynamic linker appends the process ID to the name of its log.
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

/// Prints the observation of one process. Fails if it does not match a cold, or a warm, cache.
/// Returns the milliseconds of its first launches.
fn expect(sample: &str, seen: Observed, cold: bool) -> Result<f64> {
    println!();
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
        _ => Ok(seen.first),
    }
}

/// Checks the picture; returns its size in bytes.
fn check_image(path: &Path) -> Result<usize> {
    let bytes = fs::read(path).with_context(|| format!("{} was not written", path.display()))?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        bail!("{} is not a PNG file", path.display());
    }
    if bytes.len() > MAX_IMAGE {
        bail!("{} has {} bytes, more than {MAX_IMAGE}", path.display(), bytes.len());
    }
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_launches_are_found_in_what_a_sample_prints() {
        let text = "device   a CPU\nfirst    12.500 ms for the first launch, of one pixel\ntime     3.0 ms\n";
        assert_eq!(first_launches(text), Some(12.5));
        assert_eq!(first_launches("device   first 3 ms\n"), None);
    }

    #[test]
    fn gains_are_aligned_below_their_heading() {
        let text = gains(&[248.83, 1000.0], &[0.36, 500.0]);
        assert!(text.contains("248.8 ms") && text.contains("691 times") && text.contains("2 times"), "{text}");
        let widths: Vec<_> = text.lines().map(str::len).collect();
        assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
    }
}
