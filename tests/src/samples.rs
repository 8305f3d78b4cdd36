//! Compiled samples, for tests that translate them.

use object::{Object, ObjectSection};
use sinter_core::{
    Image, KernelConfig, Target, TranslateRequest,
    container::{BLOB_SECTION, Container, blobs},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The samples, sorted by name.
pub fn samples() -> Vec<PathBuf> {
    sources("kernels/samples")
}

/// The C++ files of a folder, sorted by name.
pub fn sources(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace().join(folder)).expect("a folder");
    let mut sources: Vec<_> = entries.map(|entry| entry.expect("entry").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    sources.sort();
    sources
}

/// Concatenated containers of a sample, as `sinter-cc` of the installation under test embeds them.
pub fn compiled(source: &Path) -> Vec<u8> {
    let dist = env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from);
    let folder = tempfile::tempdir().expect("folder");
    let output = folder.path().join("sample.o");
    let mut command = Command::new(dist.join("bin/sinter-cc"));
    command.args(["-O2", "-std=c++17", "-c", "-o"]).arg(&output).arg(source);
    let status = command.status().expect("sinter-cc runs: `cargo xtask build` makes it");
    assert!(status.success(), "sinter-cc refuses {}", source.display());
    let object = fs::read(output).expect("object");
    let file = object::File::parse(&*object).expect("ELF");
    file.section_by_name(BLOB_SECTION).expect("containers").data().expect("data").to_vec()
}

/// Requests for all kernels of a sample.
pub fn requests(section: &[u8], target: &Target) -> Vec<TranslateRequest> {
    let mut requests = Vec::new();
    for blob in blobs(section) {
        let container = Container::parse(blob.expect("a blob")).expect("a container");
        for kernel in container.kernels() {
            let image = container.image_of(kernel).expect("an image");
            requests.push(TranslateRequest {
                image: Image { hash: kernel.ir_hash, bytes: image.bytes.into() },
                imports: vec![],
                libraries: vec![],
                target: target.clone(),
                config: KernelConfig::generic(kernel.symbol),
            });
        }
    }
    requests.sort_by(|a, b| a.config.entry.cmp(&b.config.entry));
    requests
}
