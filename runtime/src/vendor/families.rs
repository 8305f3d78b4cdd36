//! The known vendor libraries.
//!
//! In: nothing. Out: one [`Family`] per vendor, with the locations of its files and the targets
//! that can use them. *Invariant:* a family is one row of [`FAMILIES`] and its setting in the table
//! of tunables; no other list exists.
#![forbid(unsafe_code)]

use sinter_core::Target;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Path of libdevice in a CUDA toolkit.
const IN_TOOLKIT: &str = "nvvm/libdevice/libdevice.10.bc";
/// Usual locations of CUDA toolkits.
const TOOLKITS: [&str; 3] = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"];
/// Parent folder of toolkits with a version in their name.
const VERSIONED: &str = "/usr/local";
/// Path of libdevice in packages of Debian and Ubuntu.
const OF_DISTRIBUTIONS: &str = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc";

/// Path of the device libraries in a ROCm installation.
const IN_ROCM: &str = "amdgcn/bitcode";
/// Default locations of ROCm's own packages, Debian and others.
const ROCM: [&str; 3] =
    ["/opt/rocm/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode"];

/// Choice among the libraries of a family.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// Search for an installation; fall back to the substitute.
    #[default]
    Search,
    /// The translator's substitute.
    Substitute,
    /// The libraries at this path; if they are not usable, as `Search`.
    Place(PathBuf),
}

/// Libraries of one vendor.
pub struct Family {
    /// Short description of the content for messages.
    pub title: &'static str,
    /// Name of the setting that chooses them.
    pub setting: &'static str,
    /// Description of valid values of that setting.
    pub wanted: &'static str,
    /// The vendor's environment variables that name an installation, by priority, each with the
    /// relative path of the libraries.
    pub variables: &'static [(&'static str, &'static str)],
    /// Default locations, in search order.
    pub(super) usual: fn() -> Vec<PathBuf>,
    /// File names, if the location is a folder. The files are self-contained except for functions
    /// that the translator defines.
    pub(super) files: &'static [&'static str],
    /// True if code for a target can use them.
    pub(super) serves: fn(&Target) -> bool,
}

/// Index in [`FAMILIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FamilyIndex {
    /// NVIDIA's libdevice.
    Libdevice,
    /// AMD's ROCm device libraries.
    Rocm,
}

/// Number of families.
pub const COUNT: usize = 2;

/// All families, indexed by [`FamilyIndex`].
pub const FAMILIES: [Family; COUNT] = [
    Family {
        title: "math functions for NVIDIA GPUs",
        setting: "SINTER_LIBDEVICE",
        wanted: "name the libdevice.10.bc of a CUDA toolkit",
        variables: &[("CUDA_PATH", IN_TOOLKIT), ("CUDA_HOME", IN_TOOLKIT), ("CUDA_ROOT", IN_TOOLKIT)],
        usual: libdevice,
        files: &[],
        serves: |target| matches!(target, Target::Ptx(_)),
    },
    Family {
        title: "math functions for AMD GPUs",
        setting: "SINTER_ROCM_DEVICE_LIB_PATH",
        wanted: "name the folder of ROCm's device libraries, which holds ocml.bc",
        variables: &[("HIP_DEVICE_LIB_PATH", ""), ("ROCM_PATH", IN_ROCM)],
        usual: || ROCM.map(PathBuf::from).into(),
        files: &["ocml.bc"],
        serves: |target| matches!(target, Target::Amdgcn(_)),
    },
];

impl Family {
    /// Files at `place`: the family's files if it is a folder, otherwise `place` itself.
    pub(super) fn files_of(&self, place: &Path) -> Vec<PathBuf> {
        match self.files {
            [] => vec![place.to_owned()],
            files => files.iter().map(|file| place.join(file)).collect(),
        }
    }

    /// Locations that the vendor's variables name.
    pub fn named(&self, variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
        let places = self.variables.iter().filter_map(|(name, path)| Some((variable(name)?, *path)));
        places.map(|(place, path)| if path.is_empty() { place } else { place.join(path) }).collect()
    }
}

/// Default locations of libdevice.
fn libdevice() -> Vec<PathBuf> {
    let toolkits = TOOLKITS.into_iter().map(PathBuf::from).chain(versioned(Path::new(VERSIONED)));
    toolkits.map(|toolkit| toolkit.join(IN_TOOLKIT)).chain([PathBuf::from(OF_DISTRIBUTIONS)]).collect()
}

/// Version in the name of a toolkit's folder, such as `cuda-12.4`.
fn version(folder: &Path) -> Option<Vec<u32>> {
    let name = folder.file_name()?.to_str()?.strip_prefix("cuda-")?;
    name.split('.').map(|part| part.parse().ok()).collect()
}

/// Toolkits with a version in their name, newest first.
fn versioned(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries.filter_map(|entry| Some((version(&entry.path())?, entry.path()))).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_where_its_index_says() {
        assert_eq!(FAMILIES[FamilyIndex::Libdevice as usize].setting, "SINTER_LIBDEVICE");
        assert_eq!(FAMILIES[FamilyIndex::Rocm as usize].setting, "SINTER_ROCM_DEVICE_LIB_PATH");
    }

    #[test]
    fn variables_name_places_in_their_order() {
        let rocm = &FAMILIES[FamilyIndex::Rocm as usize];
        let all = |name: &str| Some(PathBuf::from(format!("/{name}")));
        assert_eq!(rocm.named(all), ["/HIP_DEVICE_LIB_PATH", "/ROCM_PATH/amdgcn/bitcode"].map(PathBuf::from));
        assert_eq!(rocm.named(|name| all(name).filter(|_| name == "ROCM_PATH")).len(), 1);
    }

    #[test]
    fn the_newest_of_several_toolkits_comes_first() {
        let root = tempfile::tempdir().expect("folder");
        for name in ["cuda-9.2", "cuda-12.4", "cuda-12.10", "cuda", "cuda-old", "other"] {
            fs::create_dir(root.path().join(name)).expect("folder");
        }
        let expected = ["cuda-12.10", "cuda-12.4", "cuda-9.2"].map(|name| root.path().join(name));
        assert_eq!(versioned(root.path()), expected);
    }
}
