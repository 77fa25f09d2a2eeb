//! `new`: writes a small model to start from.

use crate::args::NewArgs;
use crate::{Exit, complain};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

/// A model with a bug, two claims, and a comment that explains the fix.
const STARTER: &str = include_str!("starter.scrut");

/// Executes `new FILE` and returns the exit code.
pub(crate) fn new(args: &NewArgs) -> Exit {
    let mut path = args.file.clone();
    if path.extension().is_none() && !path.is_dir() {
        path.set_extension("scrut");
    }
    let name = path.display();
    // `create_new` fails if the file exists, without a race with other processes.
    let created = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = created.and_then(|mut file| file.write_all(STARTER.as_bytes()));
    match written {
        Ok(()) => {
            anstream::println!("{name} is a small protocol with a bug. Next:");
            anstream::println!("  scrutineer check {name}");
            Exit::Good
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => complain(&format!(
            "{name} is there already and is not overwritten; give another name: \
             scrutineer new other.scrut"
        )),
        Err(error) => complain(&format!("cannot write {name}: {error}")),
    }
}
