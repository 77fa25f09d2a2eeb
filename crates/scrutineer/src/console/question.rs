//! Questions to the user, answered by lines from a terminal or a pipe. Ctrl-C works during a question.

use crate::console::interrupt;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// An input from the user.
pub(crate) enum Input {
    /// A line, without surrounding whitespace.
    Line(String),
    /// The end of the input.
    End,
    /// Ctrl-C or a similar signal.
    Interrupt,
}

/// Reads the answers of the user from standard input.
pub(crate) struct Console {
    receiver: Receiver<Input>,
    interrupted: Arc<AtomicBool>,
    /// Whether the program prints the input itself, because standard input is no terminal.
    echo: bool,
}

impl Console {
    /// Starts to read standard input and installs the handler of Ctrl-C.
    pub(crate) fn open() -> Console {
        let (sender, receiver) = channel();
        let lines = sender.clone();
        // A separate thread reads the lines, so that `ask` can wait for a line or a signal, whichever comes first.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim().to_string();
                if lines.send(Input::Line(line)).is_err() {
                    return;
                }
            }
            let _ = lines.send(Input::End); // the receiver may already be dropped
        });
        Console {
            receiver,
            interrupted: interrupt::listen(move || {
                let _ = sender.send(Input::Interrupt);
            }),
            echo: !std::io::stdin().is_terminal(),
        }
    }

    /// Prints a prompt and waits for a line, the end of the input or a signal.
    pub(crate) fn ask(&self) -> Input {
        anstream::print!("> ");
        let _ = std::io::stdout().flush(); // it is no error if the prompt cannot be printed
        let input = self.receiver.recv().unwrap_or(Input::End);
        match &input {
            Input::Line(line) if self.echo => anstream::println!("{line}"),
            Input::Line(_) => {}
            // The terminal may be closed. This error is ignored, so that the run is still stored.
            Input::End | Input::Interrupt => {
                let _ = writeln!(anstream::stdout());
            }
        }
        input
    }

    /// Whether Ctrl-C was pressed or a similar signal was received.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The flag of [`Console::interrupted`], for loops that read it often.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.interrupted
    }
}
