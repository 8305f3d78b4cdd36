//! Keeps the choices that were measured, so that later processes begin with them.
//!
//! In: work-group sizes that were faster for ranges of a kernel, or not. Out: those of earlier
//! processes. They are lines of text, in a file that the user names or in the cache. *Invariant:*
//! a choice changes the time of launches and nothing else, and a caller takes only one that it
//! would try itself. Lines of a damaged file are left out; so is one for another kernel, device or
//! kind of launch.
#![forbid(unsafe_code)]

use crate::{cache::DiskCache, forks::ForkSafe};
use sinter_core::CacheKey;
use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
    process,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
};

/// First line of a file: the name and version of its format.
const HEADER: &str = "sinter-wisdom 1";
/// Second line, for whoever reads the file.
const COLUMNS: &str = "# device\tkernel\tlaunches\trange\twork-group\tratio";
/// Maximum number of choices in a file.
const MOST: usize = 4096;

/// Ranges of similar size: the binary logarithm of each length, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RangeClass([u8; 3]);

impl RangeClass {
    pub(crate) fn of(global: [u64; 3]) -> Self {
        RangeClass(global.map(|length| (u64::BITS - length.max(1).saturating_sub(1).leading_zeros()) as u8))
    }
}

impl fmt::Display for RangeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "2^{x} x 2^{y} x 2^{z}")
    }
}

impl FromStr for RangeClass {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut lengths = text.split(" x ").map(|length| length.strip_prefix("2^")?.parse().ok());
        let class = [lengths.next(), lengths.next(), lengths.next()].map(Option::flatten);
        match (class, lengths.next()) {
            ([Some(x), Some(y), Some(z)], None) => Ok(RangeClass([x, y, z])),
            _ => Err(()),
        }
    }
}

/// The launches that share a choice.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subject {
    /// Name of the device.
    pub(crate) device: String,
    /// Symbol of the kernel.
    pub(crate) kernel: String,
    /// Description of the variant.
    pub(crate) launches: String,
    pub(crate) range: RangeClass,
}

/// The work-group size of some launches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    /// `None` if the usual one is as fast as any.
    pub(crate) group: Option<[u32; 3]>,
    /// The time with it, in times of the usual one.
    pub(crate) ratio: f64,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group {
            Some(_) => write!(f, "{} ({:.2} of usual)", group_text(self.group), self.ratio),
            None => f.write_str(USUAL),
        }
    }
}

/// The word for the usual work-group size.
const USUAL: &str = "usual";

fn group_text(group: Option<[u32; 3]>) -> String {
    group.map_or_else(|| USUAL.to_owned(), |[x, y, z]| format!("{x}x{y}x{z}"))
}

fn parse_group(text: &str) -> Option<Option<[u32; 3]>> {
    if text == USUAL {
        return Some(None);
    }
    let sizes: Vec<u32> = text.split('x').map(|size| size.parse().ok()).collect::<Option<_>>()?;
    Some(Some(<[u32; 3]>::try_from(sizes).ok()?))
}

type Choices = BTreeMap<Subject, Choice>;

fn write_line(subject: &Subject, choice: &Choice) -> String {
    let Subject { device, kernel, launches, range } = subject;
    format!("{device}\t{kernel}\t{launches}\t{range}\t{}\t{:.3}\n", group_text(choice.group), choice.ratio)
}

fn parse_line(line: &str) -> Option<(Subject, Choice)> {
    let mut fields = line.split('\t');
    let mut field = || fields.next().map(str::to_owned);
    let (device, kernel, launches) = (field()?, field()?, field()?);
    let range = field()?.parse().ok()?;
    let choice = Choice { group: parse_group(&field()?)?, ratio: field()?.parse().ok()? };
    Some((Subject { device, kernel, launches, range }, choice))
}

fn write_text(choices: &Choices) -> String {
    let lines = choices.iter().map(|(subject, choice)| write_line(subject, choice));
    format!("{HEADER}\n{COLUMNS}\n{}", lines.collect::<String>())
}

/// The choices of a text, and the number of its first bad line. `None` if it has another format.
fn parse_text(text: &str) -> Option<(Choices, Option<usize>)> {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.starts_with('#') && !line.is_empty());
    if lines.next().is_some_and(|(first, _)| first != HEADER) {
        return None;
    }
    let (mut choices, mut bad) = (Choices::new(), None);
    for (line, number) in lines {
        match parse_line(line) {
            Some((subject, choice)) => drop(choices.insert(subject, choice)),
            None => bad = bad.or(Some(number)),
        }
    }
    Some((choices, bad))
}

/// The home of the choices.
enum Home {
    File(PathBuf),
    Cache(Arc<DiskCache>),
}

impl Home {
    fn name() -> CacheKey {
        CacheKey(*blake3::hash(HEADER.as_bytes()).as_bytes())
    }

    /// The choices; `None` if there is something else in their place, which stays there.
    fn read(&self) -> Option<Choices> {
        let path = match self {
            Home::File(path) => path,
            Home::Cache(cache) => {
                // One that is damaged or of another version counts as none.
                let text = cache.list(&Home::name()).and_then(|bytes| String::from_utf8(bytes).ok());
                return Some(text.and_then(|text| parse_text(&text)).unwrap_or_default().0);
            }
        };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Choices::new()),
            Err(error) => {
                tracing::warn!("SINTER_WISDOM={}: {error}; the file is left alone", path.display());
                return None;
            }
            Ok(text) => text,
        };
        let Some((choices, bad)) = parse_text(&text) else {
            let problem = format!("its first line is not `{HEADER}`; the file is left alone");
            tracing::warn!("SINTER_WISDOM={}: {problem}: name one that SINTER_AUTOTUNE=on has written", path.display());
            return None;
        };
        if let Some(line) = bad {
            tracing::warn!("{}:{line}: is not a work-group size of some launches, and is left out", path.display());
        }
        Some(choices)
    }

    fn write(&self, choices: &Choices) {
        let text = write_text(choices);
        match self {
            Home::Cache(cache) => cache.set_list(&Home::name(), text.as_bytes()),
            Home::File(path) => {
                if let Err(error) = replace(path, &text) {
                    tracing::warn!("SINTER_WISDOM={}: {error}; what was measured is not kept", path.display());
                }
            }
        }
    }
}

/// Replaces a file, so that readers never see a partial one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}", process::id()));
    fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // It may never have been there.
        let _ = fs::remove_file(&temporary);
    })
}

#[derive(Default)]
struct State {
    /// Those of earlier processes, read once.
    known: Option<Choices>,
    /// Those of this process.
    own: Choices,
}

/// Measured choices.
pub(crate) struct Wisdom {
    home: Option<Home>,
    state: ForkSafe<Mutex<State>>,
    /// Held while the choices are written.
    writing: ForkSafe<Mutex<()>>,
}

impl Wisdom {
    /// Choices in `file`, or else in the cache if they are measured here.
    pub(crate) fn new(file: Option<PathBuf>, cache: Option<&Arc<DiskCache>>) -> Self {
        let home = file.map(Home::File).or_else(|| cache.map(|cache| Home::Cache(Arc::clone(cache))));
        Wisdom { home, state: ForkSafe::default(), writing: ForkSafe::default() }
    }

    /// True if there is none and none will be kept.
    pub(crate) fn is_nowhere(&self) -> bool {
        self.home.is_none()
    }

    fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        self.state.with(|state| work(&mut state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The choice for some launches that was measured before.
    pub(crate) fn choice(&self, subject: &Subject) -> Option<Choice> {
        let home = self.home.as_ref()?;
        self.with(|state| {
            let State { known, own } = state;
            let known =
                known.get_or_insert_with(|| sinter_signals::with_signals_blocked(|| home.read()).unwrap_or_default());
            own.get(subject).or_else(|| known.get(subject)).copied()
        })
    }

    /// Adds a choice, which [`Wisdom::save`] keeps for later processes.
    pub(crate) fn note(&self, subject: Subject, choice: Choice) {
        self.with(|state| state.own.insert(subject, choice));
    }

    /// Writes what was added, to what another process may have written meanwhile.
    pub(crate) fn save(&self) {
        let Some(home) = &self.home else { return };
        self.writing.with(|writing| {
            let _only = writing.lock().unwrap_or_else(PoisonError::into_inner);
            let own = self.with(|state| state.own.clone());
            sinter_signals::with_signals_blocked(|| {
                if let Some(known) = home.read() {
                    home.write(&together(own, known));
                }
            });
        });
    }
}

/// The choices of this process, and as many others as there is room for.
fn together(mut own: Choices, known: Choices) -> Choices {
    for (subject, choice) in known {
        if own.len() < MOST {
            own.entry(subject).or_insert(choice);
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(kernel: &str, global: [u64; 3]) -> Subject {
        let launches = "2-D range, 32-bit".into();
        Subject { device: "NVIDIA H100".into(), kernel: kernel.into(), launches, range: RangeClass::of(global) }
    }

    const TILE: Choice = Choice { group: Some([32, 8, 1]), ratio: 0.94 };
    const NOTHING: Choice = Choice { group: None, ratio: 1.0 };

    #[test]
    fn ranges_up_to_a_power_of_two_share_a_choice() {
        let classes = [[1, 1, 1], [2, 3, 4], [1000, 1024, 1025], [u64::MAX, 0, 1]].map(RangeClass::of);
        assert_eq!(classes.map(|class| class.0), [[0, 0, 0], [1, 2, 2], [10, 10, 11], [64, 0, 0]]);
        assert!(classes.iter().all(|class| class.to_string().parse() == Ok(*class)));
        assert!(
            ["", "2^1 x 2^2", "2^1 x 2^2 x 2^3 x 2^4", "2^1 x 2 x 3"]
                .iter()
                .all(|text| text.parse::<RangeClass>().is_err())
        );
    }

    #[test]
    fn a_file_of_one_process_serves_the_next() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("wisdom");
        let process = || Wisdom::new(Some(path.clone()), None);
        let (first, other) = (process(), process());
        assert_eq!(first.choice(&subject("a", [100, 100, 1])), None);
        first.note(subject("a", [100, 100, 1]), TILE);
        other.note(subject("b", [100, 100, 1]), NOTHING);
        [&first, &other].iter().for_each(|wisdom| wisdom.save());
        let second = process();
        assert_eq!(second.choice(&subject("a", [128, 65, 1])), Some(TILE), "the same class of ranges");
        assert_eq!(second.choice(&subject("b", [100, 100, 1])), Some(NOTHING), "of another process");
        assert_eq!(second.choice(&subject("a", [129, 65, 1])), None);
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("notes");
        fs::write(&path, "my notes\n").expect("write");
        let wisdom = Wisdom::new(Some(path.clone()), None);
        wisdom.note(subject("a", [9, 9, 9]), TILE);
        wisdom.save();
        assert_eq!(fs::read_to_string(&path).expect("read"), "my notes\n");
        assert_eq!(wisdom.choice(&subject("a", [9, 9, 9])), Some(TILE), "known in this process");
    }

    #[test]
    fn bad_lines_are_left_out() {
        let good = write_text(&Choices::from([(subject("a", [9, 9, 9]), TILE)]));
        let text = format!("{good}\n# a remark\nnonsense\n{}", write_line(&subject("b", [9, 9, 9]), &NOTHING));
        let (choices, bad) = parse_text(&text).expect("the format");
        assert_eq!((choices.len(), bad), (2, Some(6)));
        assert_eq!(parse_text("something else\n"), None);
        assert_eq!(parse_text(""), Some((Choices::new(), None)));
        for line in ["a\tb\tc\t2^1 x 2^1 x 2^1\t1x2\t1.0", "a\tb\tc\t2^1 x 2^1 x 2^1\tusual", "a\tb\tc\td\tusual\t1"] {
            assert_eq!(parse_line(line), None, "{line}");
        }
    }
}
