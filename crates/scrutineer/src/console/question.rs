//! Questions to a person, line by line: on a terminal or from a pipe, with Ctrl-C during a question.

use crate::console::interrupt;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

/// An input of the person.
pub(crate) enum Input {
    /// A line, without surrounding blanks.
    Line(String),
    /// The end of the input.
    End,
    /// Ctrl-C or a similar signal.
    Interrupt,
}

/// The terminal or pipe for questions and answers.
pub(crate) struct Console {
    receiver: Receiver<Input>,
    interrupted: Arc<AtomicBool>,
    /// Whether the program echoes the input, because the input is no terminal.
    echo: bool,
}

impl Console {
    /// Opens standard input and installs the handler of Ctrl-C.
    pub(crate) fn open() -> Console {
        let (sender, receiver) = channel();
        let lines = sender.clone();
        // A thread that waits for a line does not receive Ctrl-C; so a separate thread reads the lines.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim().to_string();
                if lines.send(Input::Line(line)).is_err() {
                    return;
                }
            }
            let _ = lines.send(Input::End); // the receiver may be gone already
        });
        Console {
            receiver,
            interrupted: interrupt::listen(move || {
                let _ = sender.send(Input::Interrupt);
            }),
            echo: !std::io::stdin().is_terminal(),
        }
    }

    /// Asks for a line.
    pub(crate) fn ask(&self) -> Input {
        anstream::print!("> ");
        let _ = std::io::stdout().flush(); // an invisible prompt is no error
        let input = self.receiver.recv().unwrap_or(Input::End);
        match &input {
            Input::Line(line) if self.echo => anstream::println!("{line}"),
            Input::Line(_) => {}
            // The terminal may be gone: the run is stored nevertheless.
            Input::End | Input::Interrupt => {
                let _ = writeln!(anstream::stdout());
            }
        }
        input
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
