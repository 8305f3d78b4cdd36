//! A temporary folder in which tests run a tool.
//!
//! *Invariant:* all files that the tool writes
//! are in the folder and are removed with it.

use sinter_core::{Image, KernelConfig, Target, TranslateRequest};
use sinter_translate::assemble;
use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};
use tempfile::TempDir;

/// Two kernels, one of them with a mangled C++ name.
pub(crate) const TWO_KERNELS: &str = "define void @copy(ptr %p) { store i32 1, ptr %p ret void }
define void @_Z5scalePif(ptr %p, float %x) { store float %x, ptr %p ret void }";

/// A kernel with debug locations.
pub(crate) const WITH_LINE: &str = "define void @k(ptr %p) !dbg !4 { store i32 1, ptr %p, !dbg !6 ret void, !dbg !6 }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"kernel.cpp\", directory: \"/source\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 6, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 7, column: 3, scope: !4)";

/// A tool and a temporary folder with the file `two.ll`.
pub(crate) struct Folder {
    folder: TempDir,
    /// Has a link by which the executable is called.
    links: TempDir,
    /// Name of the tool.
    pub(crate) tool: &'static str,
}

impl Folder {
    pub(crate) fn new(tool: &'static str) -> Self {
        let [folder, links] = [(), ()].map(|()| tempfile::tempdir().expect("folder"));
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_llvm-to-tool"), links.path().join(tool)).expect("link");
        let folder = Folder { folder, links, tool };
        folder.write("two.ll", TWO_KERNELS);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("write");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("output")
    }

    /// Names of all files, hidden ones included.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("folder");
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.links.path().join(self.tool));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the tool runs")
    }

    /// Standard output of the tool, which must succeed.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// A request for the kernel `copy` of `two.ll`.
pub(crate) fn request(target: Target) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target,
        config: KernelConfig::generic("copy"),
    }
}

pub(crate) fn refused(output: &Output, code: i32, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(text), "`{text}` is not in: {message}");
}
