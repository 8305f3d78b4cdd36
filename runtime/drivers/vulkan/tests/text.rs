//! SPIR-V binaries, of the driver and of its tests, match their assembly files.
//!
//! In: files in `src/shaders` and `tests/spirv`. Out: the same bytes from Khronos' assembler, and
//! no complaint of its validator. *Invariant:* without these tools the test reports that it was
//! skipped.

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

fn texts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).expect("the folder of the kernels").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "spvasm")).collect()
}

#[test]
fn modules_are_those_of_their_texts() {
    let texts = [texts("src/shaders"), texts("tests/spirv")].concat();
    assert!(texts.len() >= 4, "{texts:?}");
    for text in texts {
        let module = text.with_extension("spv");
        let Some(made) = run("spirv-as", &["--target-env", "spv1.5", "-o", "-"], &text) else {
            return eprintln!("skipped: spirv-as is not installed");
        };
        assert_eq!(made.stdout, fs::read(&module).expect("read"), "{}", module.display());
        run("spirv-val", &["--target-env", "vulkan1.3", "--scalar-block-layout"], &module)
            .expect("spirv-val beside spirv-as");
    }
}
