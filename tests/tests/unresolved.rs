//! Links kernels that call functions without a device definition, and checks the messages.
//!
//! *Invariant:* each test has its own folder, into which it writes its sources.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// A program whose kernel is `body`, after the declarations `before`.
fn program(before: &str, body: &str) -> String {
    format!(
        "#include <sycl/sycl.hpp>\n{before}\nint main() {{\n  sycl::queue q;\n  \
         int *p = sycl::malloc_shared<int>(4, q);\n  \
         q.single_task<class Suspect>([=] {{ {body} }}).wait();\n}}\n"
    )
}

const PRINTS: &str = "int helper(int x) { std::cout << x; return x; }";
/// A function for kernels of other files, which calls a function that only the host has.
const HALF: &str = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL int half(int x) { return x + rand(); }\n";
const WHOLE: &str = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL int half(int x) { return x / 2; }\n";
const DECLARES: &str = "SYCL_EXTERNAL int half(int);";

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, content)| fs::write(folder.path().join(name), content).unwrap());
        Folder(folder)
    }

    fn sinter_cc(&self, line: &str) -> Output {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let dist = env::var_os("SINTER_DIST").map_or_else(|| workspace.join("dist"), PathBuf::from);
        let mut command = Command::new(dist.join("bin/sinter-cc"));
        command.current_dir(self.0.path()).args(line.split_whitespace()).output().unwrap()
    }

    /// Runs sinter-cc, which must succeed, and returns its messages.
    fn done(&self, line: &str) -> String {
        let output = self.sinter_cc(line);
        assert!(output.status.success(), "{line}: {}", text(&output));
        text(&output)
    }

    fn has(&self, name: &str) -> bool {
        self.0.path().join(name).exists()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_kernel_that_prints_to_a_stream_is_reported_with_its_path() {
    let folder = Folder::new(&[("a.cpp", &program(PRINTS, "p[0] = helper(3);"))]);
    assert_eq!(folder.done("-O2 -c a.cpp"), "", "only a link knows everything");
    let said = folder.done("a.o -o a");
    let path = "kernel `main::Suspect` calls main::$_0::operator()() const -> helper(int) -> `std::cout`";
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("warning: ") && said.contains(path) && said.contains("[-Wsinter-unresolved]"), "{said}");
    assert!(
        said.contains("of the host's C++ library, which devices do not have; print with") && folder.has("a"),
        "{said}"
    );
}

#[test]
fn the_report_is_an_error_or_nothing_as_asked() {
    let folder = Folder::new(&[("a.cpp", &program("", "p[0] = rand();"))]);
    folder.done("-O2 -fPIC -c a.cpp");
    for silent in ["-Wno-sinter-unresolved", "-w", "--sinter-late-functions", "-shared", "-r"] {
        assert_eq!(folder.done(&format!("a.o -o silent {silent}")), "", "{silent}");
    }
    for error in ["-Werror=sinter-unresolved", "-Werror"] {
        let output = folder.sinter_cc(&format!("a.o -o failed {error}"));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("error: kernel `main::Suspect` calls") && text(&output).contains("`rand`"));
        assert!(!folder.has("failed"), "a failed link leaves no program");
    }
    let warned = folder.done("a.o -o warned -Werror -Wno-error=sinter-unresolved");
    assert!(warned.contains("warning: kernel `main::Suspect`") && folder.has("warned"), "{warned}");
}

#[test]
fn what_functions_of_other_files_call_is_reported() {
    let calls = program(DECLARES, "p[0] = half(3);");
    let folder = Folder::new(&[("a.cpp", &calls), ("half.cpp", HALF), ("whole.cpp", WHOLE)]);
    let said = folder.done("-O2 a.cpp half.cpp -o a");
    assert!(said.contains("-> half(int) -> `rand`"), "{said}");
    assert_eq!(folder.done("-O2 a.cpp whole.cpp -o a"), "");
}

#[test]
fn of_many_kernels_some_are_named_and_the_others_counted() {
    let kernels: String = (0..23).map(|i| format!("q.single_task<class K{i}>([=] {{ p[0] = rand(); }});\n")).collect();
    let body = format!("p[1] = 1; }});\n{kernels} q.single_task<class Fine>([=] {{");
    let folder = Folder::new(&[("a.cpp", &program("", &body))]);
    let said = folder.done("-O0 a.cpp -o a");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("-> `rand`, which is not defined for devices: it is of the host's C library"), "{said}");
    assert!(said.contains("(19 more kernels call it)") && !said.contains("SYCL_EXTERNAL"), "{said}");
    assert!(said.contains("warning: 3 more kernels may call") && !said.contains("Fine"), "{said}");
}

#[test]
fn a_function_of_the_program_gets_other_advice_than_one_of_the_host() {
    let folder = Folder::new(&[
        ("a.cpp", &program("int half(int);", "p[0] = half(3); p[1] = rand();")),
        ("plain.cpp", "int half(int x) { return x / 2; }\n"),
    ]);
    let said = folder.done("-O2 a.cpp plain.cpp -o a");
    let advice = |symbol: &str, advice: &str| {
        let line = said.lines().find(|line| line.contains(symbol)).unwrap_or_else(|| panic!("{symbol}: {said}"));
        assert!(line.contains(advice), "{line}");
    };
    advice("`half(int)`", "export it (`SYCL_EXTERNAL`, in HIP and CUDA `-fgpu-rdc`) from a file that is linked");
    advice("`rand`", "it is of the host's C library");
}

#[test]
fn what_libraries_bring_is_not_reported() {
    let calls = program(DECLARES, "p[0] = half(3);");
    let folder = Folder::new(&[("a.cpp", &calls), ("half.cpp", HALF), ("whole.cpp", WHOLE)]);
    folder.done("-O2 -c a.cpp");
    folder.done("-O2 -shared -fPIC whole.cpp -o libwhole.so");
    folder.done("-O2 -shared -fPIC half.cpp -o libhalf.so");
    for library in ["-L. -lwhole", "./libwhole.so", "-Wl,-rpath,$ORIGIN libwhole.so"] {
        assert_eq!(folder.done(&format!("a.o {library} -o a")), "", "{library}");
    }
    let said = folder.done("a.o -L. -lhalf -o a");
    assert!(said.contains("-> half(int) -> `rand`"), "{said}");
}

#[test]
fn a_library_that_is_not_found_may_bring_anything() {
    let folder =
        Folder::new(&[("a.cpp", &program("", "p[0] = rand();")), ("plain.cpp", "int plain() { return 0; }\n")]);
    folder.done("-O2 -shared -fPIC plain.cpp -Wl,-soname,libelsewhere.so -o libplain.so");
    assert_eq!(folder.done("-O2 a.cpp -L. -Wl,--no-as-needed -lplain -o a"), "");
}

#[test]
fn what_devices_have_is_not_reported() {
    let body =
        r#"printf("%d\n", p[0]); assert(p[0]); p[1] = std::pow(p[2], 0.5); if (p[3]) throw 1; memcpy(p, p + 2, 8);"#;
    let folder = Folder::new(&[("a.cpp", &program("", body))]);
    for level in ["-O0", "-O2"] {
        assert_eq!(folder.done(&format!("{level} a.cpp -o a")), "", "{level}");
    }
}
