//! A program that serves commands: one line in, one line of JSON out (`include/gpu/test.hpp`).
//!
//! The program keeps its context and its data between commands, so that both sides alternate within
//! milliseconds.
//!
//! *Invariant:* dropping a session ends its process: it closes the program's input and waits. A
//! program that exceeds the time limit of an answer is killed.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::error::BenchError;

/// Time limit of an answer: filling gigabytes, translating, and computing a reference on the host.
const PATIENCE: Duration = Duration::from_secs(60);

/// Minimum work of one launch, and its work-group size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Work {
    /// Bytes of traffic with device memory.
    pub(crate) bytes: f64,
    /// Arithmetic instructions of all work-items.
    pub(crate) operations: f64,
    /// The work-group size that the runtime chose; empty if the program sets it.
    pub(crate) group: String,
}

#[derive(serde::Deserialize)]
struct Listed {
    name: String,
    bytes: f64,
    operations: f64,
    #[serde(default)]
    group: String,
}

#[derive(serde::Deserialize)]
struct Checked {
    // `None` if the program has no reference.
    verified: Option<bool>,
}

#[derive(serde::Deserialize)]
struct Timed {
    seconds: f64,
}

#[derive(serde::Deserialize)]
struct Device {
    name: String,
    gpu: bool,
}

/// A running program.
#[derive(Debug)]
pub(crate) struct Session {
    program: String,
    child: Child,
    // `None` once the session has ended.
    commands: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Session {
    /// Starts a program with `--serve`; its stderr is inherited.
    pub(crate) fn serve(command: &mut Command) -> Result<Self, BenchError> {
        Self::spawn(command.arg("--serve"))
    }

    /// Starts a command that serves.
    pub(crate) fn spawn(command: &mut Command) -> Result<Self, BenchError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let start_error = |source| BenchError::Start { program: program.clone(), source };
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(start_error)?;
        let no_pipe = || start_error(std::io::Error::other("its input and output are not piped"));
        let answers = child.stdout.take().ok_or_else(no_pipe)?;
        let commands = Some(child.stdin.take().ok_or_else(no_pipe)?);
        Ok(Self { program, child, commands, answers: lines(answers) })
    }

    /// The work of each test.
    pub(crate) fn list(&mut self) -> Result<HashMap<String, Work>, BenchError> {
        let tests: Vec<Listed> = self.query("list")?;
        let work = |Listed { name, bytes, operations, group }| (name, Work { bytes, operations, group });
        Ok(tests.into_iter().map(work).collect())
    }

    /// Rejects a program whose result differs from its reference, or that has none.
    pub(crate) fn check(&mut self, test: &str) -> Result<(), BenchError> {
        let Checked { verified } = self.query(&format!("check {test}"))?;
        let wrong = || BenchError::Wrong { program: self.program.clone(), name: test.to_owned() };
        if verified == Some(true) { Ok(()) } else { Err(wrong()) }
    }

    /// Seconds per launch, out of `launches` launches.
    pub(crate) fn time(&mut self, test: &str, launches: usize) -> Result<f64, BenchError> {
        let Timed { seconds } = self.query(&format!("time {test} {launches}"))?;
        Ok(seconds)
    }

    /// Seconds of a single launch without warm-up.
    pub(crate) fn once(&mut self, test: &str) -> Result<f64, BenchError> {
        self.time(test, 0)
    }

    /// The name of the device that the program runs on.
    pub(crate) fn device(&mut self) -> Result<String, BenchError> {
        self.query("device").map(|Device { name, .. }| name)
    }

    /// Rejects a program that does not run on a GPU, unless `any_will_do`.
    pub(crate) fn require_gpu(&mut self, any_will_do: bool) -> Result<(), BenchError> {
        let Device { name, gpu } = self.query("device")?;
        if gpu || any_will_do {
            return Ok(());
        }
        let reason = format!("{} runs on `{name}`, which is no GPU; `sinter-info` says why", self.program);
        Err(BenchError::Skipped { reason })
    }

    fn query<T: DeserializeOwned>(&mut self, command: &str) -> Result<T, BenchError> {
        if let Some(commands) = &mut self.commands {
            // Ignores errors: if the program has exited, the missing answer reports it.
            let _ = writeln!(commands, "{command}").and_then(|()| commands.flush());
        }
        let answer = match self.answers.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
            Err(RecvTimeoutError::Timeout) => return Err(self.hangs(command)),
        };
        serde_json::from_str(&answer).map_err(|source| BenchError::Line {
            program: self.program.clone(),
            line: answer,
            source,
        })
    }

    fn hangs(&mut self, command: &str) -> BenchError {
        // Fails if the process has already exited.
        let _ = self.child.kill();
        let silent = std::io::Error::new(std::io::ErrorKind::TimedOut, format!("no answer to `{command}` in time"));
        BenchError::Start { program: self.program.clone(), source: silent }
    }

    fn ended(&mut self, command: &str) -> BenchError {
        match self.child.wait() {
            Ok(status) => BenchError::Failed {
                command: format!("{} ({command})", self.program),
                status,
                stderr: "its messages are in the log above".to_owned(),
            },
            Err(source) => BenchError::Start { program: self.program.clone(), source },
        }
    }
}

// Receives lines of the program, until it closes its output.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.commands.take());
        // The measurement is complete; its exit status affects no figure.
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Session {
        Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn each_command_has_one_answer() {
        let mut session = shell(r#"while read a b c; do echo "{\"seconds\":$c}"; done"#);
        assert_eq!(session.time("x", 3).unwrap(), 3.0);
        assert_eq!(session.once("x").unwrap(), 0.0);
    }

    #[test]
    fn the_list_gives_the_work_of_a_test() {
        let mut session = shell(r#"read a; echo '[{"name":"copy","bytes":16,"operations":2,"group":"128"}]'"#);
        let work = Work { bytes: 16.0, operations: 2.0, group: "128".to_owned() };
        assert_eq!(session.list().unwrap()["copy"], work);
    }

    #[test]
    fn wrong_results_are_an_error() {
        for verdict in ["false", "null"] {
            let mut session = shell(&format!(r#"read a; echo '{{"name":"copy","verified":{verdict}}}'"#));
            assert!(matches!(session.check("copy"), Err(BenchError::Wrong { name, .. }) if name == "copy"));
        }
    }

    #[test]
    fn a_program_that_ends_early_shows_its_status() {
        let error = shell("read a; exit 3").check("copy").unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("check copy"), "{error}");
    }

    #[test]
    fn a_host_device_is_refused_unless_it_is_wanted() {
        let answer = r#"while read a; do echo '{"name":"CPU","gpu":false}'; done"#;
        assert!(matches!(shell(answer).require_gpu(false), Err(BenchError::Skipped { .. })));
        assert!(shell(answer).require_gpu(true).is_ok());
    }
}
