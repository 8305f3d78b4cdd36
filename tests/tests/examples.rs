//! Builds and runs the projects of `examples/` as their pages say, with the installation in `dist`.
//!
//! *Invariant:* each has a target folder outside the checkout and its own cache folder, so that it
//! sees only files that a user would have.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The installation, if it exists and has the parts that the examples need.
fn dist() -> Option<PathBuf> {
    let dist = env::var_os("SINTER_DIST").map_or_else(|| root().join("dist"), PathBuf::from);
    let found = ["bin/sinter-cc", "include/sinter/kernel.hpp"].iter().all(|file| dist.join(file).is_file());
    found.then_some(dist)
}

/// Visibility masks for the examples: all devices, and OpenCL alone if the environment names a
/// runtime.
fn masks() -> Vec<Option<&'static str>> {
    if env::var_os("OCL_ICD_VENDORS").is_none() {
        println!("skipped: a device of OpenCL, since OCL_ICD_VENDORS names none; `cargo xtask test` does");
        return vec![None];
    }
    vec![None, Some("opencl")]
}

#[test]
fn the_rust_example_checks_itself() {
    let Some(dist) = dist() else {
        println!("skipped: there is no installation in dist; run `cargo xtask build`");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    // Kept between runs, beside this test's own folder: compiling the runtime takes a while.
    let target = env::current_exe().unwrap().ancestors().nth(3).unwrap().join("examples");
    for mask in masks() {
        let mut command = Command::new(env!("CARGO"));
        // A user does not have the settings of this run.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SINTER_")) {
            command.env_remove(name);
        }
        command.envs(mask.map(|mask| ("SINTER_VISIBILITY_MASK", mask)));
        // Without `--locked`, cargo would silently update the lock file.
        let output = command
            .args(["run", "--release", "--locked"])
            .current_dir(root().join("examples/rust"))
            .env("CARGO_TARGET_DIR", &target)
            // Compiled in half the time, and the example checks results, not speed.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("SINTER_HOME", &dist)
            .env("SINTER_CACHE_DIR", folder.path())
            .output()
            .unwrap();
        let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && text.ends_with("PASS\n"), "{mask:?}: {text}{errors}");
        assert!(!errors.contains("WARN"), "{mask:?}: {errors}");
        assert!(mask.is_none_or(|mask| text.contains(mask)), "{text}");
    }
}
