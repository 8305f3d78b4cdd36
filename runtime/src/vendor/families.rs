//! The libraries that are known.
//!
//! In: nothing. Out: one [`Family`] for each vendor, which says where its files are and who can use them. *Invariant:* a family is one
//! row of [`FAMILIES`] with its setting in the table of tunables; nothing else lists them.
#![forbid(unsafe_code)]

use sinter_core::Target;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where a CUDA toolkit has libdevice.
const IN_TOOLKIT: &str = "nvvm/libdevice/libdevice.10.bc";
/// Toolkits in their usual places.
const TOOLKITS: [&str; 3] = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"];
/// Where toolkits with a version in their name are.
const VERSIONED: &str = "/usr/local";
/// Where Debian and Ubuntu have libdevice itself.
const OF_DISTRIBUTIONS: &str = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc";

/// Where a ROCm installation has its device libraries.
const IN_ROCM: &str = "amdgcn/bitcode";
/// ROCm's own place, and those of Debian and others.
const ROCM: [&str; 3] =
    ["/opt/rocm/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode"];

/// Which libraries of a family to use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// Those of an installation, where one is found.
    #[default]
    Search,
    /// The substitute of the translator.
    Substitute,
    /// Those at this place, if they can be used.
    Place(PathBuf),
}

/// A vendor's libraries.
pub struct Family {
    /// What they hold, for people.
    pub title: &'static str,
    /// The setting that names them.
    pub setting: &'static str,
    /// What that setting should name.
    pub wanted: &'static str,
    /// Variables of the vendor's that name a place, the first first, with the path from there.
    pub variables: &'static [(&'static str, &'static str)],
    /// The usual places, in order.
    pub(super) usual: fn() -> Vec<PathBuf>,
    /// The files of a place that is a folder. They need nothing else but what the translator defines.
    pub(super) files: &'static [&'static str],
    /// Whether code for a target can use them.
    pub(super) serves: fn(&Target) -> bool,
}

/// Which of [`FAMILIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FamilyIndex {
    /// NVIDIA's libdevice.
    Libdevice,
    /// AMD's ROCm device libraries.
    Rocm,
}

/// How many there are.
pub const COUNT: usize = 2;

/// The libraries of all vendors, by [`FamilyIndex`].
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
    /// The files of a place: of a folder those of the family, else the place itself.
    pub(super) fn files_of(&self, place: &Path) -> Vec<PathBuf> {
        match self.files {
            [] => vec![place.to_owned()],
            files => files.iter().map(|file| place.join(file)).collect(),
        }
    }

    /// The places that the vendor's variables name.
    pub fn named(&self, variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
        let places = self.variables.iter().filter_map(|(name, path)| Some((variable(name)?, *path)));
        places.map(|(place, path)| if path.is_empty() { place } else { place.join(path) }).collect()
    }
}

/// Where libdevice usually is.
fn libdevice() -> Vec<PathBuf> {
    let toolkits = TOOLKITS.into_iter().map(PathBuf::from).chain(versioned(Path::new(VERSIONED)));
    toolkits.map(|toolkit| toolkit.join(IN_TOOLKIT)).chain([PathBuf::from(OF_DISTRIBUTIONS)]).collect()
}

/// The version in the name of a toolkit's folder, such as `cuda-12.4`.
fn version(folder: &Path) -> Option<Vec<u32>> {
    let name = folder.file_name()?.to_str()?.strip_prefix("cuda-")?;
    name.split('.').map(|part| part.parse().ok()).collect()
}

/// Toolkits with a version in their name, the newest first.
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
