//! Turns the result of a tool into messages and an exit status.

use std::{error::Error, io, panic, process::ExitCode};

/// Why a tool did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The input is not acceptable: exit status 1.
    #[error("{0}")]
    Rejected(#[source] Box<dyn Error + Send + Sync>),
    /// The command line makes no sense: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// A defect of ours: exit status 3.
    #[error("internal error: {0}; please report it")]
    Internal(String),
    /// The reader of our output went away: success.
    #[error("the output was closed")]
    BrokenPipe,
}

impl Failure {
    /// The input is not acceptable, for this reason.
    pub fn rejected(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Failure::Rejected(reason.into())
    }

    fn status(&self) -> u8 {
        match self {
            Failure::BrokenPipe => 0,
            Failure::Rejected(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Internal(_) => 3,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::BrokenPipe } else { Failure::rejected(error) }
    }
}

/// Prints the causes of `error` that its own text does not already hold.
fn print_causes(shown: &str, error: &dyn Error) {
    let mut shown = shown.to_owned();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !shown.contains(&text) {
            eprintln!("  because: {text}");
            shown.push_str(&text);
        }
        next = cause.source();
    }
}

/// Runs a tool's body and gives the exit status. A panic is a defect of ours.
pub fn run(tool: &str, body: impl FnOnce() -> Result<(), Failure> + panic::UnwindSafe) -> ExitCode {
    let result = panic::catch_unwind(body).unwrap_or_else(|_| Err(Failure::Internal("a panic, see above".to_owned())));
    let Err(failure) = result else { return ExitCode::SUCCESS };
    if !matches!(failure, Failure::BrokenPipe) {
        let text = failure.to_string();
        eprintln!("{tool}: {text}");
        print_causes(&text, &failure);
    }
    ExitCode::from(failure.status())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_follow_the_convention() {
        assert_eq!(Failure::rejected("x").status(), 1);
        assert_eq!(Failure::Usage("x".into()).status(), 2);
        assert_eq!(Failure::Internal("x".into()).status(), 3);
        assert_eq!(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)).status(), 0);
    }
}
