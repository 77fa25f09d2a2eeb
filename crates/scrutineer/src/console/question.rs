//! Questions to a person, line by line: on a terminal or from a pipe, with Ctrl-C during a question.

use crate::console::interrupt;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// An input of the person.
pub(crate) enum Heard {
    /// A line, without surrounding blanks.
    Line(String),
    /// The end of the input.
    End,
    /// Ctrl-C or a similar signal.
    Interrupt,
}

/// The terminal or pipe for questions and answers.
pub(crate) struct Console {
    heard: Receiver<Heard>,
    interrupted: Arc<AtomicBool>,
    /// Whether the program echoes the input, because the input is no terminal.
    echo: bool,
}

impl Console {
    /// Opens standard input and installs the handler of Ctrl-C.
    pub(crate) fn open() -> Console {
        let (tell, heard) = channel();
        let lines = tell.clone();
        // A thread that waits for a line does not receive Ctrl-C; so a separate thread reads the lines.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim().to_string();
                if lines.send(Heard::Line(line)).is_err() {
                    return;
                }
            }
            let _ = lines.send(Heard::End); // the receiver may be gone already
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
        let _ = std::io::stdout().flush(); // an invisible prompt is no error
        let heard = self.heard.recv().unwrap_or(Heard::End);
        match &heard {
            Heard::Line(line) if self.echo => anstream::println!("{line}"),
            Heard::Line(_) => {}
            // The terminal may be gone: the run is stored nevertheless.
            Heard::End | Heard::Interrupt => {
                let _ = writeln!(anstream::stdout());
            }
        }
        heard
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The flag behind [`Console::interrupted`], for loops that test it often.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.interrupted
    }
}
