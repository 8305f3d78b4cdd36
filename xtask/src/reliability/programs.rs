//! Compiles programs of the tests once, and runs them with a time limit.
//!
//! In: sources of `tests/` and the install tree. Out: exit states of runs, with their output.
//! *Invariant:* the output goes through files in folders of the campaign, so that it never blocks,
//! and a hanging run is killed and reported as such.

use super::{outcome::Outcome, random::Random};
use crate::shell;
use anyhow::{Context, Result, bail};
use std::{
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Longer than any program takes on a busy machine; only a hang reaches it.
const TIME_LIMIT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(1);
/// Files of a process are swept when they are older than a minute.
const BEFORE_SWEEP: Duration = Duration::from_secs(120);
/// Number of kernels of `reliability/kernels.cpp`.
pub(super) const KERNELS: u64 = 12;

/// Environment of a campaign.
pub(super) struct Setup {
    pub(super) folder: PathBuf,
    pub(super) random: Random,
    pub(super) end: Instant,
    /// True after the first try.
    started: bool,
}

impl Setup {
    pub(super) fn new(folder: PathBuf, random: Random, budget: Duration) -> Result<Setup> {
        shell::fresh_folder(&folder)?;
        fs::create_dir(folder.join("temporary"))?;
        Ok(Setup { folder, random, end: Instant::now() + budget, started: false })
    }

    /// True if the campaign should try once more. It tries at least once.
    pub(super) fn goes_on(&mut self) -> bool {
        !std::mem::replace(&mut self.started, true) || Instant::now() < self.end
    }

    pub(super) fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    /// A program of `tests/`, compiled with these flags.
    pub(super) fn compile(&self, source: &str, flags: &[&str], name: &str) -> Result<PathBuf> {
        let output = self.folder.join(name);
        let mut command = Command::new(shell::dist_folder().join("bin/sinter-cc"));
        command.args(["-std=c++17", "-pthread"]).args(flags).arg(shell::root().join("tests").join(source));
        shell::run(command.arg("-o").arg(&output))?;
        Ok(output)
    }

    /// The program with twelve kernels.
    pub(super) fn kernels(&self) -> Result<PathBuf> {
        self.compile("reliability/kernels.cpp", &["-O1"], "kernels")
    }

    /// A command on the host CPU with the cache and the temporary folder of this campaign.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("SINTER_CACHE_DIR", self.cache())
            .env("TMPDIR", self.folder.join("temporary"))
            .env("SINTER_VISIBILITY_MASK", "host")
            .env_remove("SINTER_DIST")
            .current_dir(&self.folder);
        command
    }

    /// Starts a command, whose output goes to a file of this name.
    pub(super) fn start(&self, mut command: Command, name: &str) -> Result<Running> {
        let path = self.folder.join(name).with_extension("output");
        let file = File::create(&path)?;
        let child = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn();
        let child = child.with_context(|| format!("cannot run {}", command.get_program().display()))?;
        Ok(Running { child, path })
    }

    pub(super) fn run(&self, command: Command) -> Result<Ended> {
        self.start(command, "run")?.wait(TIME_LIMIT)
    }

    /// Files of the cache folder except its record of sizes.
    pub(super) fn cached(&self) -> Vec<PathBuf> {
        let all = shell::files(&self.cache()).unwrap_or_default();
        all.into_iter().filter(|path| path.file_name().is_some_and(|name| name != "usage")).collect()
    }

    pub(super) fn entries(&self) -> Vec<PathBuf> {
        self.cached().into_iter().filter(|path| is_entry(path)).collect()
    }

    /// Runs `sinter-cache` on the cache.
    pub(super) fn cache_tool(&self, arguments: &[&str]) -> Result<Ended> {
        let mut command = self.command(shell::dist_folder().join("bin/sinter-cache"));
        command.arg("--cache-dir").arg(self.cache()).args(arguments);
        self.run(command)
    }

    /// Ages the files that processes left, sweeps, and returns those that remain.
    pub(super) fn left_after_sweep(&self) -> Result<Vec<PathBuf>> {
        for path in self.cached().iter().filter(|path| !is_entry(path)) {
            File::options().write(true).open(path)?.set_modified(SystemTime::now() - BEFORE_SWEEP)?;
        }
        let swept = self.cache_tool(&["gc"])?;
        if !swept.status.success() {
            bail!("{}", swept.describe("sinter-cache gc"));
        }
        Ok(self.cached().into_iter().filter(|path| !is_entry(path)).collect())
    }

    pub(super) fn empty_cache(&self) -> Result<()> {
        shell::fresh_folder(&self.cache())
    }
}

fn is_entry(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "sco")
}

/// A started program.
pub(super) struct Running {
    pub(super) child: Child,
    path: PathBuf,
}

impl Running {
    /// Waits for the program to end; kills it after `limit`.
    pub(super) fn wait(mut self, limit: Duration) -> Result<Ended> {
        let end = Instant::now() + limit;
        let mut hung = false;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if Instant::now() > end && !hung {
                hung = true;
                self.child.kill()?;
            }
            thread::sleep(PAUSE);
        };
        Ok(Ended { status, hung, output: self.output() })
    }

    /// The output so far.
    pub(super) fn output(&self) -> String {
        fs::read(&self.path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

/// Exit state and output of a program.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) hung: bool,
    pub(super) output: String,
}

impl Ended {
    pub(super) fn describe(&self, what: &str) -> String {
        format!("{what}: {}{}\n{}", self.status, if self.hung { ", hung" } else { "" }, self.output.trim_end())
    }

    /// A number that `reliability/kernels.cpp` printed.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let line = |line: &str| line.strip_prefix(name)?.strip_prefix(": ")?.parse().ok();
        self.output.lines().find_map(line)
    }

    pub(super) fn passed(&self) -> bool {
        self.status.success() && self.output.lines().any(|line| line == "PASS")
    }

    pub(super) fn all_right(&self) -> bool {
        self.status.success() && self.number("right") == Some(KERNELS)
    }

    /// Records a failure unless all kernels computed the right numbers.
    pub(super) fn expect_all_right(&self, what: &str, outcome: &mut Outcome) {
        let kind = match (self.hung, self.status.signal(), self.number("wrong")) {
            (true, ..) => "hung",
            (_, Some(_), _) => "signal",
            (_, _, Some(1..)) => "wrong result",
            _ => "error",
        };
        outcome.expect(self.all_right(), kind, || self.describe(what));
    }
}

/// True if a program can be run.
pub(super) fn is_installed(program: &str) -> bool {
    shell::succeeds(Command::new(program).arg("--version"))
}
