//! The command `scrutineer`.

fn main() {}
