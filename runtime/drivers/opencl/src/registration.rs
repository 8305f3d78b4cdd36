//! Explains why OpenCL's loader finds no platform.
//!
//! In: the folder or file where vendors register their libraries, from `OCL_ICD_VENDORS` or the
//! default. Out: the problem with it. *Invariant:* this opens no library; the loader alone knows
//! how it treats one that exists.

use std::{fs, path::Path};

/// Default folder in which vendors leave a file for each library ("cl_khr_icd").
const USUAL: &str = "/etc/OpenCL/vendors";
/// Environment variable that replaces the default folder.
const VARIABLE: &str = "OCL_ICD_VENDORS";
/// Extension of the files.
const EXTENSION: &str = "icd";

/// The problem and its remedy.
pub(crate) fn without_platform(named: Option<&str>) -> String {
    let (place, origin) = match named {
        Some(place) => (place, format!("{VARIABLE}={place}")),
        None => (USUAL, USUAL.to_owned()),
    };
    let hint = match named {
        Some(_) => {
            format!("unset {VARIABLE}, or name the folder that holds the .{EXTENSION} file of the vendor's driver")
        }
        None => format!(
            "install the OpenCL driver of the device's vendor, which leaves a file there ({VARIABLE} names another folder)"
        ),
    };
    format!("OpenCL has no platform: {origin} {}; {hint}", fault(Path::new(place)))
}

fn fault(place: &Path) -> String {
    let files = match registered(place) {
        Ok(files) => files,
        Err(error) => return format!("cannot be read ({error})"),
    };
    if files.is_empty() {
        return format!("has no .{EXTENSION} file");
    }
    let faults: Vec<String> = files.iter().map(|(file, library)| fault_of(file, library)).collect();
    faults.join(", ")
}

/// The registered files with the libraries that they name.
fn registered(place: &Path) -> std::io::Result<Vec<(String, String)>> {
    let read = |path: &Path| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(path)?.lines().next().unwrap_or_default().trim().to_owned()))
    };
    if place.is_file() {
        return read(place).map(|file| vec![file]);
    }
    let entries = fs::read_dir(place)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

fn fault_of(file: &str, library: &str) -> String {
    let path = Path::new(library);
    if library.is_empty() {
        return format!("has {file}, which names no library");
    }
    if path.is_absolute() && !path.is_file() {
        return format!("has {file}, which names {library}, which is not there");
    }
    format!("has {file}, whose library {library} cannot be loaded or has no device")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("text");
        let said = || without_platform(Some(place));
        assert!(said().contains(&format!("OCL_ICD_VENDORS={place} has no .icd file; unset")), "{}", said());
        let file = folder.path().join("a.icd");
        fs::write(&file, "/nowhere/libvendor.so\n").expect("a file");
        assert!(said().contains("has a.icd, which names /nowhere/libvendor.so, which is not there"), "{}", said());
        fs::write(&file, "libvendor.so").expect("a file");
        assert!(said().contains("whose library libvendor.so cannot be loaded or has no device"), "{}", said());
        fs::write(&file, "").expect("a file");
        assert!(without_platform(file.to_str()).contains("names no library"));
        let nowhere = without_platform(Some("/nowhere"));
        assert!(nowhere.contains("OCL_ICD_VENDORS=/nowhere cannot be read"), "{nowhere}");
        assert!(without_platform(None).contains("/etc/OpenCL/vendors"));
    }
}
