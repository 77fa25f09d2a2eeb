//! Rule: dependencies between crates follow one table, which is compared with `cargo metadata`.

use crate::tree::Problem;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A crate and the crates on which it may depend.
pub(crate) struct Layer {
    /// The name of the crate, without the prefix `scrutineer-`.
    pub(crate) name: &'static str,
    /// The dependencies that its layer allows.
    pub(crate) knows: &'static [&'static str],
    /// Further allowed dependencies, each with its reason. One that is no longer used must be removed.
    pub(crate) also: &'static [(&'static str, &'static str)],
}

const fn layer(name: &'static str, knows: &'static [&'static str]) -> Layer {
    Layer {
        name,
        knows,
        also: &[],
    }
}

/// All crates of the workspace, such that each depends only on earlier ones.
pub(crate) const LAYERS: &[Layer] = &[
    layer("cancellation", &[]),
    layer("defects", &[]),
    layer("source", &[]),
    layer("syntax", &["cancellation", "source"]),
    layer("rational", &[]),
    layer("model", &["cancellation", "source", "syntax", "rational"]),
    layer("machine", &["cancellation", "rational"]),
    layer("testkit", &["rational", "machine"]),
    layer("sat", &["cancellation"]),
    layer("cadical", &["cancellation", "sat"]),
    layer("verdict", &["rational", "machine", "sat"]),
    Layer {
        name: "lower",
        knows: &["cancellation", "source", "rational", "model", "machine"],
        also: &[(
            "verdict",
            "it fills the Labels: it alone has the source location of each part of the Machine",
        )],
    },
    layer("passes", &["defects", "machine", "verdict"]),
    layer("ltl", &["defects"]),
    layer("lp", &["cancellation", "rational"]),
    layer("dbm", &["defects"]),
    layer("tck", &["cancellation", "defects", "dbm"]),
    layer("bits", &["defects", "rational", "machine", "sat"]),
    layer(
        "circuits",
        &["rational", "machine", "sat", "verdict", "bits"],
    ),
    layer(
        "order",
        &[
            "defects", "rational", "machine", "sat", "verdict", "lp", "bits",
        ],
    ),
    layer(
        "one_node",
        &[
            "defects", "rational", "machine", "sat", "verdict", "bits", "order",
        ],
    ),
    layer(
        "vectors",
        &[
            "cancellation",
            "rational",
            "machine",
            "sat",
            "verdict",
            "bits",
        ],
    ),
    layer(
        "explicit",
        &[
            "cancellation",
            "defects",
            "rational",
            "machine",
            "verdict",
            "ltl",
        ],
    ),
    layer(
        "invariants",
        &["machine", "sat", "verdict", "bits", "circuits"],
    ),
    layer(
        "event_order",
        &["rational", "machine", "sat", "verdict", "bits", "order"],
    ),
    layer(
        "every_size",
        &["rational", "machine", "sat", "verdict", "bits", "one_node"],
    ),
    layer(
        "audit",
        &[
            "rational", "machine", "sat", "verdict", "passes", "ltl", "lp", "bits", "circuits",
            "order", "one_node",
        ],
    ),
    layer("simulate", &["rational", "machine", "verdict"]),
    layer("cegar", &["rational", "machine", "verdict", "audit"]),
    layer("digitisation", &["rational", "machine", "verdict", "audit"]),
    layer(
        "zones",
        &[
            "cancellation",
            "defects",
            "rational",
            "machine",
            "verdict",
            "dbm",
            "audit",
        ],
    ),
    layer(
        "strategy",
        &[
            "cancellation",
            "rational",
            "machine",
            "sat",
            "verdict",
            "passes",
            "explicit",
            "invariants",
            "event_order",
            "every_size",
            "simulate",
            "cegar",
            "digitisation",
            "zones",
        ],
    ),
    layer(
        "bounds",
        &[
            "source",
            "rational",
            "model",
            "machine",
            "verdict",
            "lower",
            "passes",
            "order",
            "explicit",
            "audit",
            "cegar",
            "digitisation",
            "strategy",
        ],
    ),
    layer(
        "checks",
        &[
            "cancellation",
            "source",
            "syntax",
            "rational",
            "model",
            "machine",
            "sat",
            "verdict",
            "passes",
            "lower",
            "audit",
            "simulate",
            "strategy",
            "bounds",
        ],
    ),
    layer("report", &["rational", "machine", "verdict"]),
    Layer {
        name: "scrutineer",
        knows: &[
            "sat", "cadical", "tck", "vectors", "simulate", "strategy", "checks", "report",
        ],
        also: &[
            (
                "source",
                "it renders diagnostics, which are data of `source`",
            ),
            (
                "model",
                "it prints the question and the expectation of a check",
            ),
            (
                "lower",
                "`print` shows the Machine of a model; `-D` is its `Define`",
            ),
            (
                "machine",
                "`print` and `show -v` show the Machine; a person picks its choices by hand",
            ),
            (
                "verdict",
                "it renders answers and progress, which are data of `verdict`",
            ),
        ],
    },
    layer("enumerator", &["source", "syntax"]),
    layer(
        "mutations",
        &["source", "syntax", "machine", "lower", "checks"],
    ),
    layer("bench", &["source", "syntax"]),
    layer("xtask", &[]),
];

/// The output of `cargo metadata` for the workspace.
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

/// Compares the dependencies between crates of the workspace with the table.
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
            let text = "it has no place in the table of layers (xtask/src/rules/layers.rs)";
            problems.push(Problem::new(&manifest, text));
            continue;
        };
        let known = known(package, &names);
        for other in &known {
            let allowed =
                layer.knows.contains(&&other[..]) || layer.also.iter().any(|(o, _)| o == other);
            if !allowed {
                let text =
                    format!("`{name}` must not depend on `{other}` (xtask/src/rules/layers.rs)");
                problems.push(Problem::new(&manifest, text));
            }
        }
        for (other, _) in layer.also {
            if !known.iter().any(|known| known == other) {
                let text =
                    format!("`{name}` does not use `{other}` any more: take the exception back");
                problems.push(Problem::new("xtask/src/rules/layers.rs", text));
            }
        }
    }
    problems
}

/// The name of a package as the table writes it.
fn short(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    let short = name.strip_prefix("scrutineer-").unwrap_or(name);
    short.replace('-', "_")
}

/// The crates of the workspace on which a package depends, not counting dev-dependencies.
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

    /// Metadata of a workspace that follows the table and uses every exception, with additional dependencies `more`.
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
    fn a_crate_depends_only_on_crates_above() {
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
                .contains("`audit` must not depend on `explicit`")
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
        let first = format!("`{}` that is not there", LAYERS[0].name);
        assert!(problems.iter().any(|p| p.text.contains(&first)));
    }

    #[test]
    fn an_unused_exception_is_noticed() {
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
