//! Mesa's lavapipe, on which the tests run kernels as shaders of Vulkan without a GPU.
//!
//! In: the files by which Vulkan's drivers are registered. Out: the environment in which the loader
//! finds lavapipe alone, or none if it is not installed: the tests then report what they skip.
//! *Invariant:* nothing is installed here; `.ci/run` does that.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Folders of the registrations of installed packages and of the system's administrator.
const FOLDERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
/// Lets Vulkan's validation layer watch tests.
pub(crate) const VALIDATION: &str = "VULKAN_TEST_VALIDATION";
/// Folders of layers, and the registration of the validation layer.
const LAYERS: [&str; 2] = ["/usr/share/vulkan/explicit_layer.d", "/etc/vulkan/explicit_layer.d"];
const LAYER: &str = "VkLayer_khronos_validation.json";
/// How the name of lavapipe's registration begins.
const FILE: &str = "lvp_icd.";

fn file_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(FILE)).map(|entry| entry.path()).min()
}

/// The environment in which Vulkan has lavapipe alone, if that is installed, and in which the
/// validation layer watches if that is (tests/src/devices.rs); otherwise says what is not tested.
/// Loaders since 1.3.207 read the first variable, older ones the second.
pub(crate) fn environment() -> Option<Vec<(&'static str, OsString)>> {
    let Some(file) = FOLDERS.iter().find_map(|folder| file_in(Path::new(folder))) else {
        eprintln!("xtask: no lavapipe, so no kernel runs on Vulkan in the tests; Debian has it in mesa-vulkan-drivers");
        return None;
    };
    let file = file.into_os_string();
    let mut found = vec![("VK_DRIVER_FILES", file.clone()), ("VK_ICD_FILENAMES", file)];
    if LAYERS.iter().any(|folder| Path::new(folder).join(LAYER).exists()) {
        found.push((VALIDATION, "on".into()));
    } else {
        eprintln!("xtask: Vulkan's calls are not checked; Debian has the layer in vulkan-validationlayers");
    }
    Some(found)
}

/// Makes the programs of tests run only there (tests/src/devices.rs).
pub(crate) fn demand(command: &mut Command) {
    command.env("SINTER_TEST_DEVICES", "vulkan");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registration_is_found_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(file_in(folder.path()), None);
        for name in ["radeon_icd.x86_64.json", "lvp_icd.x86_64.json"] {
            fs::write(folder.path().join(name), "{}").expect("a file");
        }
        assert_eq!(file_in(folder.path()), Some(folder.path().join("lvp_icd.x86_64.json")));
        assert_eq!(file_in(Path::new("/nowhere")), None);
    }
}
