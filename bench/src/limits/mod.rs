//! Measures the time from a limit of time or a signal to the end of a call, and by how much memory exceeds its limit.
//!
//! Each row of `rows.rs` is a call that takes from minutes to centuries because of one phase of one engine. The call is
//! made several times: with a limit of time, with a signal instead of a limit, and with a limit of memory.

mod page;
mod rows;

use rows::{Call, ROWS, Row};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The name of this table on the command line and in file names.
pub(crate) const NAME: &str = "limits";
pub(crate) const TITLE: &str = "Time between a limit and the end, for each phase and engine";

/// The limit of time of a call, and the time after which a signal is sent.
const LIMIT: Duration = Duration::from_secs(1);

/// The largest accepted time from a limit to the end of the call.
const MOST: Duration = Duration::from_secs(1);

/// The limit of memory of a call, in bytes.
const MEMORY: u64 = 300_000_000;

/// The largest accepted excess of memory over its limit, in percent of the limit.
const MOST_MEMORY: f64 = 10.0;

/// The limit of time, in seconds, of a call with a limit of memory, in case it does not reach that limit.
const MEMORY_TIME: &str = "12";

/// The time after its limit at which a call is killed.
const KILLED: Duration = Duration::from_secs(60);

/// The largest number of attempts at a measurement, which is repeated while it is over the limit because other programs
/// may use the processors. The least result counts.
const ATTEMPTS: usize = 3;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// The call ended before the limit, so it says nothing about the limit.
    Before,
    /// The call ended this long after the limit.
    Late(Duration),
    /// The call was killed.
    Killed,
}

impl End {
    /// Whether the call ended in time, or before the limit.
    fn is_in_time(self) -> bool {
        match self {
            End::Before => true,
            End::Late(late) => late <= MOST,
            End::Killed => false,
        }
    }
}

/// The memory of a call with a limit of memory.
#[derive(Clone, Copy, Debug)]
struct Memory {
    /// Peak memory beyond that of a call that does nothing, in megabytes.
    megabytes: f64,
    /// Whether the limit of memory ended the call.
    reached: bool,
}

impl Memory {
    /// The memory beyond the limit, in percent of the limit; negative if the limit was not reached.
    fn overshoot(self) -> f64 {
        (self.megabytes * 1e6 / MEMORY as f64 - 1.0) * 100.0
    }
}

/// The measurements of a row.
struct Measured {
    row: &'static Row,
    time: End,
    interrupt: End,
    terminate: End,
    /// The memory; `None` if the row does not ask for it, or if the command has no limit of memory.
    memory: Option<Memory>,
}

impl Measured {
    fn is_as_expected(&self) -> bool {
        let ends = [self.time, self.interrupt, self.terminate];
        let small = |memory: &Memory| memory.overshoot() <= MOST_MEMORY;
        ends.into_iter().all(End::is_in_time) && self.memory.as_ref().is_none_or(small)
    }
}

/// The results of all rows.
pub(crate) struct Found {
    measured: Vec<Measured>,
    /// Whether every call ended in time and no call exceeded its limit of memory by too much.
    pub(crate) as_expected: bool,
}

/// The paths that calls need, and the memory of a call that does nothing.
struct Place<'a> {
    root: &'a Path,
    tool: &'a Path,
    folder: PathBuf,
    /// Peak memory of a call that does nothing, in megabytes.
    base: f64,
}

/// Measures all rows.
pub(crate) fn run(root: &Path, tool: &Path, quick: bool) -> Result<Found, String> {
    let folder = std::env::temp_dir().join(format!("scrutineer-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut place = Place {
        root,
        tool,
        folder,
        base: 0.0,
    };
    place.base = place.base_memory()?;
    rows::prepare(root, tool, &place.folder)?;
    let mut measured = Vec::new();
    for row in ROWS.iter().filter(|row| !quick || row.quick) {
        let one = place.measure(row)?;
        println!("{}", page::line(&one));
        measured.push(one);
    }
    let _ = std::fs::remove_dir_all(&place.folder);
    Ok(Found {
        as_expected: measured.iter().all(Measured::is_as_expected),
        measured,
    })
}

impl Found {
    /// The page, in Markdown.
    pub(crate) fn page(&self, host: &str) -> String {
        page::page(&self.measured, host)
    }
}

impl Place<'_> {
    fn measure(&self, row: &'static Row) -> Result<Measured, String> {
        let limit = LIMIT.as_secs().to_string();
        Ok(Measured {
            row,
            time: match row.has_limits() {
                true => self.least(|| self.timed(row, &["--time", &limit], None))?,
                false => End::Before,
            },
            interrupt: self.least(|| self.timed(row, &[], Some("-INT")))?,
            terminate: self.least(|| self.timed(row, &[], Some("-TERM")))?,
            memory: match row.memory {
                true => Some(self.memory(row)?),
                false => None,
            },
        })
    }

    /// The earliest end of several equal calls. There is no further call once the result is in time, or if
    /// the first call is killed.
    fn least(&self, call: impl Fn() -> Result<End, String>) -> Result<End, String> {
        let mut least = call()?;
        for _ in 1..ATTEMPTS {
            if least.is_in_time() || least == End::Killed {
                break;
            }
            if let (End::Late(before), End::Late(now)) = (least, call()?) {
                least = End::Late(before.min(now));
            }
        }
        Ok(least)
    }

    fn command(&self, row: &Row, options: &[&str]) -> Command {
        let mut command = Command::new(self.tool);
        match row.call {
            Call::Shipped(args) => {
                let args = args.iter().map(|arg| match arg.contains('/') {
                    true => self.root.join(arg).into_os_string(),
                    false => arg.into(),
                });
                command.args(args);
            }
            Call::Made(args) => {
                command.args(args);
            }
        }
        command.args(options).current_dir(&self.folder);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Makes a call with a limit of time among its options, or sends it a signal after that time.
    fn timed(&self, row: &Row, options: &[&str], signal: Option<&str>) -> Result<End, String> {
        let mut command = self.command(row, options);
        let child = command.stdout(Stdio::null()).spawn();
        let begun = Instant::now();
        let mut child = child.map_err(|why| format!("{}: {why}", self.tool.display()))?;
        let mut sent = signal.is_none();
        loop {
            let ended = child.try_wait().map_err(|why| why.to_string())?;
            match (ended, begun.elapsed()) {
                (Some(_), took) if took < LIMIT || !sent => return Ok(End::Before),
                (Some(_), took) => return Ok(End::Late(took.saturating_sub(LIMIT))),
                (None, took) if took > LIMIT + KILLED => {
                    child
                        .kill()
                        .and_then(|()| child.wait())
                        .map_err(|why| why.to_string())?;
                    return Ok(End::Killed);
                }
                (None, took) if took >= LIMIT && !sent => {
                    send(&child, signal.unwrap_or("-TERM"))?;
                    sent = true;
                }
                (None, _) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The peak memory of a call that checks a model without states.
    fn base_memory(&self) -> Result<f64, String> {
        let model = self.folder.join("nothing.scrut");
        let text = "node A { var x: Bool = true }\nclaim c: always (all k in A: k.x)\ncheck c\n";
        std::fs::write(&model, text).map_err(|why| why.to_string())?;
        let mut command = Command::new(self.tool);
        command
            .args(["check", "--json"])
            .arg(&model)
            .stdin(Stdio::null());
        let child = command.stdout(Stdio::null()).spawn();
        let ended = child
            .and_then(Wait4::wait4)
            .map_err(|why| why.to_string())?;
        Ok(ended.rusage.maxrss as f64 / 1e6)
    }

    fn memory(&self, row: &Row) -> Result<Memory, String> {
        let out = self.folder.join("out");
        let file = File::create(&out).map_err(|why| why.to_string())?;
        let limit = format!("{}MB", MEMORY / 1_000_000);
        let mut command = self.command(row, &["--memory", &limit, "--time", MEMORY_TIME]);
        let child = command.stdout(file).spawn();
        let ended = child
            .and_then(Wait4::wait4)
            .map_err(|why| why.to_string())?;
        let text = std::fs::read_to_string(&out).map_err(|why| why.to_string())?;
        Ok(Memory {
            megabytes: ended.rusage.maxrss as f64 / 1e6 - self.base,
            reached: text.contains("memory limit"),
        })
    }
}

/// Sends a signal to a process of this program.
fn send(child: &Child, signal: &str) -> Result<(), String> {
    let sent = Command::new("kill")
        .arg(signal)
        .arg(child.id().to_string())
        .status();
    sent.map(|_| ()).map_err(|why| format!("kill: {why}"))
}
