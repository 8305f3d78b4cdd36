//! Complete code objects for the GPU pass, all others do not.
//!
//! In: a file made by hand, and one of LLVM's if its tools are installed. Out: the result of the
//! check for the file and its parts. *Invariant:* the check returns without a panic for all bytes.

use super::{check, target_of};
use std::{fs, path::Path, process::Command};

/// A file with one section, a note that names its target.
fn small(target: &str) -> Vec<u8> {
    let triple = format!("amdgcn-amd-amdhsa--{target}");
    let mut metadata = b"\x82\xadamdhsa.target\xd9".to_vec();
    metadata.push(triple.len() as u8);
    metadata.extend_from_slice(triple.as_bytes());
    metadata.extend_from_slice(b"\xaeamdhsa.version\x92\x01\x02");
    let mut note = Vec::new();
    [7, metadata.len() as u32, 32].iter().for_each(|word| note.extend_from_slice(&word.to_le_bytes()));
    note.extend_from_slice(b"AMDGPU\0\0");
    note.extend_from_slice(&metadata);
    note.resize(note.len().next_multiple_of(8), 0);
    let mut file = vec![0u8; 64];
    file[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x40");
    (file[18], file[58], file[60]) = (224, 64, 1);
    file[40..48].copy_from_slice(&(64 + note.len() as u64).to_le_bytes());
    let (size, at) = (note.len() as u64, file.len() + note.len());
    file.extend(note);
    file.resize(at + 64, 0);
    file[at + 4] = 7;
    file[at + 24..at + 32].copy_from_slice(&64u64.to_le_bytes());
    file[at + 32..at + 40].copy_from_slice(&size.to_le_bytes());
    file
}

fn checked(code: &str, device: &str) -> Result<(), String> {
    check(&small(code), &device.parse().expect("a target"))
}

#[test]
fn a_gpu_runs_code_of_its_settings_and_open_ones() {
    for (code, device) in [
        ("gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"),
        ("gfx90a", "gfx90a:sramecc+:xnack-"),
        ("gfx90a:xnack-", "gfx90a"),
        ("gfx1030", "gfx1030"),
        ("gfx1100", "gfx1100:wavefrontsize64+"),
    ] {
        assert_eq!(checked(code, device), Ok(()), "{code} on {device}");
    }
}

#[test]
fn code_of_another_target_is_refused_by_both_names() {
    for (code, device) in [
        ("gfx90a:xnack+", "gfx90a:sramecc+:xnack-"),
        ("gfx90a:sramecc-", "gfx90a:sramecc+:xnack-"),
        ("gfx908:xnack-", "gfx90a:sramecc+:xnack-"),
        ("gfx9-4-generic", "gfx942"),
    ] {
        let reason = checked(code, device).expect_err("another target");
        assert!(reason.contains(&format!("for {code},")) && reason.ends_with(device), "{reason}");
    }
}

#[test]
fn nothing_but_whole_code_passes() {
    let (file, device) = (small("gfx90a"), "gfx90a".parse().expect("a target"));
    let passing = (0..file.len()).find(|length| check(&file[..*length], &device).is_ok());
    assert_eq!(passing, None, "of {} bytes", file.len());
    assert!(check(b"\x7fELF\x02\x01 and more", &device).expect_err("short").contains("not a 64-bit ELF file"));
    let mut cubin = file;
    cubin[18] = 190;
    assert!(check(&cubin, &device).expect_err("another machine").contains("machine 190, not for AMD's GPUs"));
}

#[test]
fn damage_ends_without_a_panic() {
    let (file, device) = (small("gfx90a:xnack+"), "gfx90a".parse().expect("a target"));
    for place in 0..file.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut damaged = file.clone();
            damaged[place] = value;
            let _ = check(&damaged, &device);
        }
    }
}

/// A code object of LLVM's tools, if they are installed.
fn of_llvm(folder: &Path, target: &str) -> Option<Vec<u8>> {
    let (source, made) = (folder.join("empty.ll"), folder.join("empty"));
    fs::write(&source, "define amdgpu_kernel void @empty() { ret void }").expect("write");
    let clang = ["clang-19", "/usr/lib/llvm-19/bin/clang"].into_iter().find_map(|clang| {
        let mut command = Command::new(clang);
        command.args(["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-mcode-object-version=5", "-w", "-O1"]);
        command.arg(format!("-mcpu={target}")).arg(&source).arg("-o").arg(&made);
        command.output().ok()
    })?;
    clang.status.success().then(|| fs::read(&made).expect("read"))
}

#[test]
fn code_of_llvm_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    for target in ["gfx90a:sramecc+:xnack-", "gfx90a:xnack+", "gfx1030", "gfx1201"] {
        let Some(code) = of_llvm(folder.path(), target) else {
            return eprintln!("skipped: no clang of LLVM 19 with a linker for AMD's GPUs");
        };
        assert_eq!(target_of(&code), Some(target));
        assert_eq!(check(&code, &target.parse().expect("a target")), Ok(()));
        let passing =
            (0..code.len()).step_by(7).find(|length| check(&code[..*length], &target.parse().expect("it")).is_ok());
        assert_eq!(passing, None, "of {} bytes", code.len());
    }
}
