//! Makes programs link the C++ standard library statically, if the compiler has a static one.
//!
//! `cadical-sys` links `stdc++` without saying whether statically or dynamically. The linker takes the first library of
//! that name on its search path. This script puts a folder first that contains only the static library. On systems
//! other than Linux with GNU libraries, and with compilers without a static library, nothing changes.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CXX");
    let is = |name: &str, value: &str| std::env::var(name).as_deref() == Ok(value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    let Some(folder) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
        return;
    };
    if let Some(library) = static_library()
        && std::fs::copy(library, folder.join("libstdc++.a")).is_ok()
    {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
}

/// The path of the compiler's static C++ standard library; `None` if there is none (the compiler then prints the bare
/// file name).
fn static_library() -> Option<PathBuf> {
    let compiler = cc::Build::new().cpp(true).try_get_compiler().ok()?;
    let mut command = compiler.to_command();
    let output = command.arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let path = Path::new(path.trim());
    (path.is_absolute() && path.is_file()).then(|| path.to_path_buf())
}
