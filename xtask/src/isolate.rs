//! Runs programs from the archive on a system that has only a C library.
//!
//! In: the archive. Out: proof that its programs translate and then find their code in the cache.
//! The samples are compiled with the unpacked `sinter-cc` and run in a root folder with the
//! programs, the runtime, and the libraries that the dynamic linker lists for them: no `/proc`, no
//! `/dev`, no LLVM.
//! *Invariant:* nothing outside that folder is visible.

use crate::{
    report::{self, Row},
    shell,
};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const SAMPLES: [&str; 2] = ["mandelbrot", "stream"];
/// Files of the archive that a machine needs to run programs only.
const RUNTIME: [&str; 2] = ["libsinter.so", "libsinter_translate.so"];
const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";

/// Unpacks the archive, whose top folder is `name`, and runs the samples twice.
pub(crate) fn check(archive: &Path, name: &str) -> Result<()> {
    let folder = shell::target_folder().join("dist/check");
    shell::fresh_folder(&folder)?;
    shell::run(Command::new("tar").arg("--extract").arg("--file").arg(archive).arg("--directory").arg(&folder))?;
    let (tree, root) = (folder.join(name), folder.join("root"));
    furnish(&tree, &root)?;
    for (run, source) in [(1, "translated"), (2, "disk")] {
        for sample in SAMPLES {
            println!("\n== {sample}: process {run}, no LLVM, no /proc");
            expect(sample, &observe(&root, sample, run)?, source)?;
        }
    }
    println!(
        "\nThe programs translated, and found their code in the cache, with nothing but the C library around them."
    );
    Ok(())
}

/// Creates the root folder.
fn furnish(tree: &Path, root: &Path) -> Result<()> {
    for folder in ["app", "out", "cache", "tmp"] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    for library in RUNTIME {
        place(&tree.join("lib").join(library), &root.join("opt/lib").join(library))?;
    }
    for sample in SAMPLES {
        let source = tree.join("share/sinter/samples").join(sample).with_extension("cpp");
        let program = root.join("app").join(sample);
        shell::run(Command::new(tree.join("bin/sinter-cc")).arg("-O2").arg(source).arg("-o").arg(program))?;
    }
    let users = SAMPLES.map(|sample| root.join("app").join(sample)).into_iter();
    let users = users.chain(RUNTIME.map(|library| root.join("opt/lib").join(library)));
    for library in system_libraries(users, tree)? {
        place(&library, &root.join(library.strip_prefix("/").unwrap_or(&library)))?;
    }
    place(Path::new(LOADER), &root.join(LOADER.trim_start_matches('/')))
}

/// Copies a file, following symbolic links.
fn place(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(from, to))
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// System libraries that programs and libraries need, as resolved by the dynamic linker.
fn system_libraries(users: impl Iterator<Item = PathBuf>, tree: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for user in users {
        let text = shell::output(Command::new("ldd").arg(&user))
            .with_context(|| format!("ldd cannot read {}", user.display()))?;
        let paths = text.lines().filter_map(|line| line.split_once("=> ")?.1.split(" (").next());
        found.extend(paths.map(PathBuf::from).filter(|path| path.is_absolute() && !path.starts_with(tree)));
    }
    match found.iter().find(|path| path.to_string_lossy().contains("LLVM")) {
        Some(path) => bail!("the archive needs {}, so LLVM is not linked in", path.display()),
        None => Ok(found),
    }
}

/// Runs a sample in the root folder, as root or in a user namespace.
fn observe(root: &Path, sample: &str, run: u32) -> Result<Vec<Row>> {
    let is_root = shell::output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let mut command = Command::new(if is_root { "chroot" } else { "unshare" });
    if !is_root {
        command.args(["--map-root-user", "chroot"]);
    }
    let report = format!("out/{sample}.{run}.report");
    command.arg(root).arg(format!("/app/{sample}")).env_clear().env("PATH", env::var_os("PATH").unwrap_or_default());
    command
        .env("LD_LIBRARY_PATH", "/opt/lib")
        .env("SINTER_CACHE_DIR", "/cache")
        .env("SINTER_REPORT", format!("/{report}"));
    if sample == "mandelbrot" {
        command.arg("/out/mandelbrot.png");
    }
    shell::run(&mut command)
        .context("without root this needs user namespaces (sysctl kernel.unprivileged_userns_clone)")?;
    report::read(&root.join(report))
}

/// Prints the report and fails unless every kernel came from `source`.
fn expect(sample: &str, rows: &[Row], source: &str) -> Result<()> {
    print!("{}", report::table(rows));
    if rows.is_empty() {
        bail!("{sample} ran no kernel");
    }
    match rows.iter().find(|row| row.source != source) {
        Some(row) => bail!("{} of {sample} came from `{}`, expected `{source}`", row.kernel, row.source),
        None => Ok(()),
    }
}
