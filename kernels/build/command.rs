//! Runs LLVM's tools and fails the build with advice if a tool is missing or fails.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, exit},
};

const PACKAGES: &str = "llvm-19-dev libpolly-19-dev clang-19 liblld-19-dev lld-19 libomp-19-dev libclc-19 libzstd-dev \
    zlib1g-dev libxml2-dev cmake";

/// The LLVM installation that the workspace is built with.
pub(crate) struct Llvm;

/// The LLVM installation that the workspace is built with.
pub(crate) const LLVM: Llvm = Llvm;

impl Llvm {
    fn prefix(&self) -> PathBuf {
        env::var_os("LLVM_SYS_191_PREFIX").map_or_else(|| "/usr/lib/llvm-19".into(), PathBuf::from)
    }

    /// A tool of the installation.
    pub(crate) fn tool(&self, name: &str) -> Command {
        Command::new(self.prefix().join("bin").join(name))
    }

    /// libclc's bitcode for NVIDIA GPUs.
    pub(crate) fn libclc(&self) -> PathBuf {
        self.libclc_for("nvptx64--")
    }

    /// libclc's bitcode for a target: in LLVM's prefix, else in Debian's path.
    pub(crate) fn libclc_for(&self, name: &str) -> PathBuf {
        let name = format!("clc/{name}.bc");
        let places = [
            self.prefix().join("share").join(&name),
            self.prefix().join("lib").join(&name),
            Path::new("/usr/lib").join(&name),
        ];
        places.into_iter().find(|path| path.exists()).unwrap_or_else(|| {
            fail(&format!("libclc ({name}) is not installed; on Debian: apt-get install {PACKAGES}"))
        })
    }
}

/// Runs a command; a failure fails the build.
pub(crate) fn run(command: &mut Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("{command:?} ended with {status}")),
        Err(e) => {
            let program = command.get_program().to_string_lossy().into_owned();
            fail(&format!(
                "cannot run {program}: {e}; on Debian: apt-get install {PACKAGES}\nor set LLVM_SYS_191_PREFIX to an LLVM 19"
            ))
        }
    }
}

/// Standard output of a command.
pub(crate) fn output(command: &mut Command) -> String {
    match command.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => fail(&format!("{command:?} failed")),
    }
}

/// Writes a file; a failure fails the build.
pub(crate) fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())));
}

/// Fails the build with a message.
pub(crate) fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}
