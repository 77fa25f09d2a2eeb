//! Asking a person, line by line: on a terminal or from a pipe, and Ctrl-C while the question stands.

use crate::console::interrupt;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// What came in.
pub(crate) enum Heard {
    /// A line, without blanks around it.
    Line(String),
    /// There will be no more lines.
    End,
    /// Ctrl-C and its like.
    Interrupt,
}

/// Where questions are asked and answers come from.
pub(crate) struct Console {
    heard: Receiver<Heard>,
    interrupted: Arc<AtomicBool>,
    /// What is typed does not show by itself.
    echo: bool,
}

impl Console {
    /// Listens to standard input and to Ctrl-C from now on.
    pub(crate) fn open() -> Console {
        let (tell, heard) = channel();
        let lines = tell.clone();
        // Nobody who waits for a line can hear Ctrl-C; so somebody else waits.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim().to_string();
                if lines.send(Heard::Line(line)).is_err() {
                    return;
                }
            }
            let _ = lines.send(Heard::End); // if everything is over already, nobody minds
        });
        Console {
            heard,
            interrupted: interrupt::listen(move || {
                let _ = tell.send(Heard::Interrupt);
            }),
            echo: !std::io::stdin().is_terminal(),
        }
    }

    /// Asks for a line.
    pub(crate) fn ask(&self) -> Heard {
        anstream::print!("> ");
        let _ = std::io::stdout().flush(); // a prompt that cannot be seen does no harm
        let heard = self.heard.recv().unwrap_or(Heard::End);
        match &heard {
            Heard::Line(line) if self.echo => anstream::println!("{line}"),
            Heard::Line(_) => {}
            // The terminal may be gone: what has happened is stored all the same.
            Heard::End | Heard::Interrupt => {
                let _ = writeln!(anstream::stdout());
            }
        }
        heard
    }

    /// Whether somebody pressed Ctrl-C.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Says the same, for those who look often.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.interrupted
    }
}
