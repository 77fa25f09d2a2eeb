//! Which crate may know which: `cargo metadata` against one table.

use crate::Problem;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A crate and what it may know.
pub(crate) struct Layer {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it may know by its place in the order of things.
    pub(crate) knows: &'static [&'static str],
    /// What it knows beyond that, each with the reason. One that is not used any more must go.
    pub(crate) also: &'static [(&'static str, &'static str)],
}

const fn layer(name: &'static str, knows: &'static [&'static str]) -> Layer {
    Layer {
        name,
        knows,
        also: &[],
    }
}

/// Every crate of the workspace, in an order in which nobody knows somebody below.
pub(crate) const LAYERS: &[Layer] = &[
    layer("source", &[]),
    layer("syntax", &["source"]),
    layer("rational", &[]),
    layer("model", &["rational", "source", "syntax"]),
    layer("machine", &["rational"]),
    layer("sat", &[]),
    layer("cadical", &["sat"]),
    layer("verdict", &["rational", "machine", "sat"]),
    Layer {
        name: "lower",
        knows: &["rational", "source", "model", "machine"],
        also: &[(
            "verdict",
            "it fills the Labels: it alone knows which part of the Machine comes from which text",
        )],
    },
    layer("passes", &["machine", "verdict"]),
    layer("ltl", &[]),
    layer("lp", &["rational"]),
    layer("bits", &["rational", "machine", "sat"]),
    layer(
        "circuits",
        &["rational", "machine", "verdict", "sat", "bits"],
    ),
    layer(
        "order",
        &["rational", "machine", "verdict", "lp", "sat", "bits"],
    ),
    layer(
        "vectors",
        &["rational", "machine", "verdict", "sat", "bits"],
    ),
    layer("explicit", &["rational", "machine", "verdict", "ltl"]),
    layer(
        "invariants",
        &["machine", "verdict", "sat", "bits", "circuits"],
    ),
    layer(
        "event_order",
        &["rational", "machine", "verdict", "sat", "bits", "order"],
    ),
    layer(
        "audit",
        &[
            "rational", "machine", "verdict", "passes", "ltl", "lp", "sat", "bits", "circuits",
            "order",
        ],
    ),
    layer("report", &["machine", "rational", "verdict"]),
    layer(
        "driver",
        &[
            "rational",
            "source",
            "syntax",
            "model",
            "machine",
            "verdict",
            "lower",
            "ltl",
            "passes",
            "sat",
            "order",
            "explicit",
            "invariants",
            "event_order",
            "audit",
            "report",
        ],
    ),
    Layer {
        name: "scrutineer",
        knows: &["driver", "report", "vectors"],
        also: &[
            (
                "source",
                "it renders diagnostics, which are data of `source`",
            ),
            ("model", "it prints what a check asks and expects"),
            (
                "lower",
                "`print` shows a Machine without asking anybody about it; `-D` is its `Define`",
            ),
            (
                "machine",
                "`print` and `show -v` show the Machine itself; by hand a person picks its choices",
            ),
            ("sat", "it chooses the SAT solver, which is data of `sat`"),
            (
                "cadical",
                "it links the solver in C++, unless it is built without it",
            ),
            (
                "verdict",
                "it tells answers and progress, which are data of `verdict`",
            ),
        ],
    },
    layer("enumerator", &["source", "syntax"]),
    layer(
        "mutations",
        &["source", "syntax", "machine", "lower", "driver"],
    ),
    layer("bench", &["source", "syntax"]),
    layer("xtask", &[]),
];

/// What cargo says about the workspace.
pub(crate) fn metadata(root: &Path) -> Result<Value, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo metadata cannot be run: {e}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata fails: {}", why.trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata says no JSON: {e}"))
}

/// Compares the dependencies inside the workspace with the table.
pub(crate) fn check(metadata: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let none = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&none);
    let names: Vec<String> = packages.iter().map(|p| short(&p["name"])).collect();
    for layer in LAYERS {
        if !names.iter().any(|name| name == layer.name) {
            let text = format!(
                "the table of layers names a crate `{}` that is not there",
                layer.name
            );
            problems.push(Problem::new("Cargo.toml", text));
        }
    }
    for package in packages {
        let name = short(&package["name"]);
        let manifest = format!("the manifest of `{name}`");
        let Some(layer) = LAYERS.iter().find(|l| l.name == name) else {
            let text = "it has no place in the table of layers (xtask/src/layers.rs)";
            problems.push(Problem::new(&manifest, text));
            continue;
        };
        let known = known(package, &names);
        for other in &known {
            let allowed =
                layer.knows.contains(&&other[..]) || layer.also.iter().any(|(o, _)| o == other);
            if !allowed {
                let text = format!("`{name}` must not know `{other}` (xtask/src/layers.rs)");
                problems.push(Problem::new(&manifest, text));
            }
        }
        for (other, _) in layer.also {
            if !known.iter().any(|known| known == other) {
                let text =
                    format!("`{name}` does not use `{other}` any more: take the exception back");
                problems.push(Problem::new("xtask/src/layers.rs", text));
            }
        }
    }
    problems
}

/// The short name of a package, by which the workspace depends on it.
fn short(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    let short = name.strip_prefix("scrutineer-").unwrap_or(name);
    short.replace('-', "_")
}

/// Crates of the workspace that a package uses other than for tests.
fn known(package: &Value, names: &[String]) -> Vec<String> {
    let Some(dependencies) = package["dependencies"].as_array() else {
        return Vec::new();
    };
    dependencies
        .iter()
        .filter(|d| d["kind"].as_str() != Some("dev"))
        .map(|d| short(&d["name"]))
        .filter(|name| names.contains(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace as the table wants it, with exactly the exceptions.
    fn workspace(more: &[(&str, &str)]) -> Value {
        let packages: Vec<Value> = LAYERS
            .iter()
            .map(|layer| {
                let mut known: Vec<&str> = layer.also.iter().map(|(o, _)| *o).collect();
                known.extend(
                    more.iter()
                        .filter(|(a, _)| *a == layer.name)
                        .map(|(_, b)| *b),
                );
                let known: Vec<Value> = known
                    .iter()
                    .map(|name| json!({ "name": name, "kind": null }))
                    .collect();
                json!({ "name": layer.name, "dependencies": known })
            })
            .collect();
        json!({ "packages": packages })
    }

    #[test]
    fn nobody_knows_somebody_below() {
        for (place, layer) in LAYERS.iter().enumerate() {
            let also = layer.also.iter().map(|(other, _)| other);
            for other in layer.knows.iter().chain(also) {
                let found = LAYERS.iter().position(|l| l.name == *other);
                assert!(
                    found.is_some_and(|f| f < place),
                    "{} knows {other}",
                    layer.name
                );
            }
        }
    }

    #[test]
    fn the_table_is_content_with_itself() {
        assert_eq!(check(&workspace(&[])), []);
        assert_eq!(check(&workspace(&[("lower", "model")])), []);
    }

    #[test]
    fn a_forbidden_dependency_is_noticed() {
        let problems = check(&workspace(&[("audit", "explicit")]));
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0]
                .text
                .contains("`audit` must not know `explicit`")
        );
    }

    #[test]
    fn tests_may_know_everything() {
        let mut workspace = workspace(&[]);
        let dev = json!({ "name": "explicit", "kind": "dev" });
        workspace["packages"][0]["dependencies"] = json!([dev]);
        assert_eq!(check(&workspace), []);
    }

    #[test]
    fn an_unknown_crate_is_noticed() {
        let mut workspace = workspace(&[]);
        workspace["packages"][0]["name"] = json!("stranger");
        let problems = check(&workspace);
        assert!(problems.iter().any(|p| p.text.contains("no place")));
        assert!(
            problems
                .iter()
                .any(|p| p.text.contains("`source` that is not there"))
        );
    }

    #[test]
    fn an_exception_that_nobody_uses_is_noticed() {
        let mut workspace = workspace(&[]);
        let cli = LAYERS.iter().position(|l| l.name == "scrutineer").unwrap();
        workspace["packages"][cli]["dependencies"] = json!([]);
        assert!(
            check(&workspace)
                .iter()
                .all(|p| p.text.contains("take the exception back"))
        );
        assert_eq!(check(&workspace).len(), LAYERS[cli].also.len());
    }
}
