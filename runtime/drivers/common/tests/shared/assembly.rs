//! SPIR-V binaries match their assembly files.
//!
//! In: a folder of them. Out: the same bytes from Khronos' assembler, and no complaint of its
//! validator. *Invariant:* without these tools nothing is compared, which is printed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Runs a tool; `None` if it is not installed.
fn run(tool: &str, arguments: &[&str], file: &Path) -> Option<Output> {
    let output = Command::new(tool).args(arguments).arg(file).output().ok()?;
    assert!(output.status.success(), "{tool} {}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    Some(output)
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("the folder of the kernels").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "spvasm")).collect()
}

/// Compares the modules of a folder with their texts, for these environments of the two tools.
pub(crate) fn expect_modules_of_texts(folder: &str, assembler: &str, validator: &[&str]) {
    let texts = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    assert!(!texts.is_empty(), "{folder}");
    for text in texts {
        let module = text.with_extension("spv");
        let Some(made) = run("spirv-as", &["--target-env", assembler, "-o", "-"], &text) else {
            return eprintln!("skipped: spirv-as is not installed");
        };
        assert_eq!(made.stdout, fs::read(&module).expect("read"), "{}", module.display());
        run("spirv-val", &[&["--target-env"], validator].concat(), &module).expect("spirv-val beside spirv-as");
    }
}
