//! Complete files pass, truncated ones do not.
//!
//! In: a file made by hand, and one of NVIDIA's assembler if it is installed. Out: the result of
//! the check for the file and its prefixes. *Invariant:* the check returns without a panic for all
//! bytes.

use super::check;
use std::{env, fs, path::PathBuf, process::Command};

/// A file with one section and one segment of 16 bytes.
fn small() -> Vec<u8> {
    let mut file = vec![0u8; 64 + 16 + 64 + 56];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (file[18], file[54], file[56], file[58], file[60]) = (190, 56, 1, 64, 1);
    let mut put = |at: usize, value: u64| file[at..at + 8].copy_from_slice(&value.to_le_bytes());
    put(32, 144);
    put(40, 80);
    put(80 + 24, 64);
    put(80 + 32, 16);
    put(144 + 8, 64);
    put(144 + 32, 16);
    file
}

fn only_the_whole_passes(file: &[u8]) {
    assert_eq!(check(file), Ok(()));
    let passing = (0..file.len()).find(|length| check(&file[..*length]).is_ok());
    assert_eq!(passing, None, "of {} bytes", file.len());
}

#[test]
fn parts_are_refused() {
    only_the_whole_passes(&small());
    let reason = check(&small()[..150]).expect_err("cut off");
    assert!(reason.contains("cut off after 150 bytes"), "{reason}");
    let mut other = small();
    other[18] = 62;
    assert!(check(&other).expect_err("for another machine").contains("machine 62"));
}

#[test]
fn numbers_that_overflow_are_refused() {
    for at in (0..small().len() - 8).filter(|at| *at != 0) {
        let mut file = small();
        file[at..at + 8].fill(0xff);
        // Only the absence of a panic is certain: some of the bytes have no meaning here.
        let _ = check(&file);
    }
    let mut file = small();
    file[40..48].fill(0xff);
    assert!(check(&file).is_err());
}

#[test]
fn what_the_assembler_makes_passes() {
    let assembler = env::var_os("SINTER_PTXAS").map_or_else(|| PathBuf::from("ptxas"), PathBuf::from);
    let folder = tempfile::tempdir().expect("temporary folder");
    let (text, cubin) = (folder.path().join("k.ptx"), folder.path().join("k.cubin"));
    let kernel = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.shared .b8 s[64];\n.local .b8 l[64];\n\
                  .reg .b64 %d;\nld.param.u64 %d, [p];\nst.shared.u64 [s], %d;\nst.local.u64 [l], %d;\nbar.sync 0;\nret;\n}\n";
    fs::write(&text, kernel).expect("write the text");
    match Command::new(assembler).args(["-arch=sm_90", "-o"]).arg(&cubin).arg(&text).status() {
        Err(error) => return println!("skipped: no ptxas ({error}); SINTER_PTXAS names one"),
        Ok(status) => assert!(status.success()),
    }
    only_the_whole_passes(&fs::read(cubin).expect("read the file"));
}
