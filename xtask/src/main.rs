//! `cargo xtask …`

fn main() {}
