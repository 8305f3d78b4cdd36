//! Compiles sources with clang++-19 and the plugin.

use object::{Object, ObjectSection, ObjectSymbol};
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Common start of all sources of these tests.
pub(crate) const PRELUDE: &str = r#"
#include <cstddef>
extern "C" const int __acpp_sscp_is_host, __acpp_sscp_is_device;
extern "C" void __sinter_bind_kernel(const void *entry, void *slot);
extern "C" std::size_t __acpp_sscp_get_local_id_x();
template <class K> [[clang::annotate("sinter_kernel")]] void entry(const K &k) {
  [[clang::annotate("sinter_closure")]] K closure = k;
  closure();
}
inline std::size_t item() {
  if (__acpp_sscp_is_device) return __acpp_sscp_get_local_id_x();
  return 0;
}
template <class K> const void *bind(const K &) {
  const void *descriptor = nullptr;
  __sinter_bind_kernel((const void *)&entry<K>, &descriptor);
  return descriptor;
}
"#;

/// The plugin to test: from an install tree, or else the one that cargo built beside this test.
pub(crate) fn plugin() -> PathBuf {
    let dist = std::env::var_os("SINTER_DIST").map(PathBuf::from);
    let dist = dist.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"));
    let beside = std::env::current_exe().unwrap().parent().unwrap().join("../libsinter_stage1.so");
    let candidates = [dist.join("lib/libsinter_stage1.so"), beside];
    let found = candidates.iter().find(|candidate| candidate.exists());
    found.unwrap_or_else(|| panic!("none of {candidates:?} exists; run `cargo xtask build`")).clone()
}

/// A temporary folder with one source file.
pub(crate) struct Source {
    pub(crate) folder: tempfile::TempDir,
}

impl Source {
    /// `a.cpp` with the prelude and `text`.
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.cpp"), format!("{PRELUDE}#line 1\n{text}")).unwrap();
        Source { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs clang++-19 with the plugin in the folder of the source.
    pub(crate) fn clang(&self, arguments: &[&str]) -> Output {
        let plugin = plugin();
        let mut command = Command::new("clang++-19");
        command.args(["-fpass-plugin", "-fplugin"].map(|flag| format!("{flag}={}", plugin.display())));
        command.args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    /// Like [`Source::clang`]; it must succeed without output.
    pub(crate) fn compile(&self, arguments: &[&str]) {
        let output = self.clang(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}\n{errors}");
    }

    /// Compiles and returns the container.
    pub(crate) fn container(&self, arguments: &[&str]) -> Vec<u8> {
        self.compile(&[arguments, &["-c", "a.cpp", "-o", "a.o", "-mllvm", "-sinter-emit-hcf=a.hcf"]].concat());
        std::fs::read(self.path("a.hcf")).unwrap()
    }

    /// Standard error of a compilation that must fail.
    pub(crate) fn errors(&self, arguments: &[&str]) -> String {
        let output = self.clang(&[arguments, &["-c", "a.cpp", "-o", "a.o"]].concat());
        assert!(!output.status.success());
        assert!(!self.path("a.o").exists());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// Names of symbols that are visible to other files or undefined.
pub(crate) fn visible_symbols(object: &Path) -> Vec<String> {
    let bytes = std::fs::read(object).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbols = file.symbols().filter(|symbol| symbol.is_undefined() || symbol.is_global());
    symbols.map(|symbol| symbol.name().unwrap().to_owned()).collect()
}

/// Contents of the container section.
pub(crate) fn section(object: &Path) -> Option<Vec<u8>> {
    let bytes = std::fs::read(object).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let section = file.section_by_name(sinter_core::container::BLOB_SECTION)?;
    Some(section.data().unwrap().to_vec())
}
