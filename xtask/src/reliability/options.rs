//! The command line of `cargo xtask reliability`.

use anyhow::{Context, Result, bail};
use std::time::Duration;

pub(super) const USAGE: &str = "usage: cargo xtask reliability [--seconds N] [--only NAME,...] [--seed N]";
/// Default budget of a campaign: ten campaigns take ten minutes.
const SECONDS: u64 = 60;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Time budget of each campaign.
    pub(super) budget: Duration,
    /// Names of the campaigns to run; empty for all.
    pub(super) only: Vec<String>,
    /// `None` lets the caller choose a seed.
    pub(super) seed: Option<u64>,
}

impl Options {
    /// Parses the command line; `known` are the names of all campaigns.
    pub(super) fn parse(args: &[String], known: &[&str]) -> Result<Options> {
        let mut options = Options { budget: Duration::from_secs(SECONDS), only: Vec::new(), seed: None };
        let mut args = args.iter();
        while let Some(name) = args.next() {
            let mut value = || args.next().with_context(|| format!("`{name}` needs a value; {USAGE}"));
            match name.as_str() {
                "--seconds" => options.budget = Duration::from_secs(number(name, value()?)?),
                "--seed" => options.seed = Some(number(name, value()?)?),
                "--only" => options.only = names(value()?, known)?,
                _ => bail!("unexpected argument `{name}`; {USAGE}"),
            }
        }
        Ok(options)
    }

    pub(super) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

fn number(name: &str, text: &str) -> Result<u64> {
    text.parse().with_context(|| format!("`{name}` takes a whole number, not `{text}`"))
}

fn names(text: &str, known: &[&str]) -> Result<Vec<String>> {
    let all = text.split(',').map(|name| match known.contains(&name) {
        true => Ok(name.to_owned()),
        false => bail!("there is no campaign `{name}`; there are {}", known.join(", ")),
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let args: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args, &["kills", "storm"]).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_read() {
        let all = parse("").unwrap();
        assert_eq!((all.budget, all.seed), (Duration::from_secs(60), None));
        assert!(all.wants("kills") && all.wants("storm"));
        let some = parse("--seed 7 --only storm --seconds 5").unwrap();
        assert_eq!((some.budget, some.seed), (Duration::from_secs(5), Some(7)));
        assert!(some.wants("storm") && !some.wants("kills"));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(parse("--only storms").unwrap_err().contains("`storms`; there are kills, storm"));
        assert!(parse("--seconds").unwrap_err().contains("`--seconds` needs a value"));
        assert!(parse("--seed x").unwrap_err().contains("not `x`"));
        assert!(parse("--speed 1").unwrap_err().contains("`--speed`"));
    }
}
