//! Measures the errors of functions on numbers, and writes docs/numerics.md.
//!
//! In: the install tree, the program in `tests/numerics`, and the results of machines with a GPU.
//! Out: `tests/numerics/results/TARGET.tsv` for each target of this machine, and the page.
//! *Invariant:* the page is made of those files alone, so that any machine writes the same.

mod page;
mod results;

use crate::{gpu_test::programs, opencl, shell};
use anyhow::{Context, Result, bail};
use page::TARGETS;
use results::Results;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const USAGE: &str = "usage: cargo xtask numerics [--page] [--targets host,host-rows,host-code,opencl] [options of tests/numerics/main.cpp]";
/// Targets that need no GPU.
const MEASURED: [&str; 4] = ["host", HOST_ROWS, HOST_CODE, "opencl"];
const HOST_ROWS: &str = "host-rows";
const HOST_CODE: &str = "host-code";
/// Arguments of the program unless others are given.
const DEFAULT: [&str; 2] = ["--count", "24"];

/// Targets and the arguments of the program.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    targets: Vec<String>,
    program: Vec<String>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Options> {
        let mut options = Options { targets: MEASURED.map(str::to_owned).to_vec(), program: Vec::new() };
        let mut args = args.iter();
        while let Some(name) = args.next() {
            match name.as_str() {
                "--page" => options.targets.clear(),
                "--targets" => options.targets = targets(args.next().context(USAGE)?)?,
                _ if name.starts_with("--") => {
                    let value = args.next().with_context(|| format!("`{name}` needs a value; {USAGE}"))?;
                    options.program.extend([name.clone(), value.clone()]);
                }
                _ => bail!("unexpected argument `{name}`; {USAGE}"),
            }
        }
        if !options.program.iter().any(|word| word == DEFAULT[0]) {
            options.program.extend(DEFAULT.map(str::to_owned));
        }
        Ok(options)
    }
}

fn targets(text: &str) -> Result<Vec<String>> {
    let named = text.split(',').map(|name| match name {
        _ if MEASURED.contains(&name) => Ok(name.to_owned()),
        _ => bail!("this command measures {}, not `{name}`; {USAGE}", MEASURED.join(", ")),
    });
    named.collect()
}

/// Measures the targets that `args` selects, then writes the page.
pub(crate) fn numerics(args: &[String]) -> Result<()> {
    let options = Options::parse(args)?;
    let mut above = Vec::new();
    if !options.targets.is_empty() {
        let program = build()?;
        for target in &options.targets {
            above.extend(measure(&program, target, &options.program)?);
        }
    }
    let path = shell::root().join("docs/numerics.md");
    fs::write(&path, page::page(&known()?)).with_context(|| format!("cannot write {}", path.display()))?;
    match above.len() {
        0 => Ok(()),
        count => bail!("{count} functions have results beyond their bounds:\n{}", above.join("\n")),
    }
}

fn file(target: &str) -> PathBuf {
    shell::root().join("tests/numerics/results").join(target).with_extension("tsv")
}

/// The results of each target that has a file.
fn known() -> Result<Vec<Option<Results>>> {
    let read = |path: PathBuf| if path.exists() { Results::read(&path).map(Some) } else { Ok(None) };
    TARGETS.iter().map(|target| read(file(target.file))).collect()
}

/// Compiles the program with the install tree's compiler.
fn build() -> Result<PathBuf> {
    let program = shell::target_folder().join("numerics/numerics");
    programs::compile_numerics(&shell::dist_folder(), &program)
        .context("the program does not compile; `cargo xtask build` makes the compiler")?;
    Ok(program)
}

/// Measures on one target. Returns the functions that are above their bounds.
fn measure(program: &Path, target: &str, arguments: &[String]) -> Result<Vec<String>> {
    let written = program.with_file_name(target).with_extension("tsv");
    let mut command = Command::new(program);
    command.args(arguments).arg("--output").arg(&written);
    let code = if target == HOST_CODE { "host" } else { "device" };
    let devices = if target.starts_with("host") { "host" } else { target };
    let rows = if target == HOST_ROWS { "16" } else { "off" };
    command.args(["--code", code]).env("SINTER_VISIBILITY_MASK", devices).env("SINTER_ROWS", rows);
    if target == "opencl" && !opencl::offer(&mut command) {
        return Ok(Vec::new());
    }
    let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
    // 1 says that a function is above its bound.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} failed on {target} ({status})", program.display());
    }
    let measured = Results::read(&written)?;
    let above = measured.rows.iter().filter(|row| row.beyond > 0);
    let above = above.map(|row| format!("  {target}: {} of {}: {}", row.name, row.ty, row.error)).collect();
    let kept = file(target);
    let mut all = if kept.exists() { Results::read(&kept)? } else { Results::default() };
    all.update(measured);
    fs::write(&kept, all.text()).with_context(|| format!("cannot write {}", kept.display()))?;
    Ok(above)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let args: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_read() {
        assert_eq!(parse("").unwrap().targets, MEASURED);
        assert_eq!(parse("--only sin").unwrap().program, ["--only", "sin", "--count", "24"]);
        assert_eq!(
            parse("--targets host --count 32").unwrap(),
            Options { targets: vec!["host".to_owned()], program: vec!["--count".to_owned(), "32".to_owned()] }
        );
        assert!(parse("--page").unwrap().targets.is_empty());
        assert!(parse("--targets cuda").unwrap_err().contains("`cuda`"));
        assert!(parse("--count").unwrap_err().contains("needs a value"));
        assert!(parse("sin").unwrap_err().contains("`sin`"));
    }

    #[test]
    fn the_page_is_made_of_the_results() {
        let present = fs::read_to_string(shell::root().join("docs/numerics.md")).unwrap_or_default();
        assert!(
            present == page::page(&known().unwrap()),
            "docs/numerics.md is out of date; run `cargo xtask numerics --page`"
        );
    }
}
