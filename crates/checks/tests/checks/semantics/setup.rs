//! Translates a check into the input of the enumerator. Everything but the parameter values is taken from the syntax
//! tree.

use crate::semantics::counts::MANY;
use enumerator::{Setup, Value};
use lower::Request;
use std::rc::Rc;
use syntax::ast::{
    self, Answer, ExprKind, ForClause, Item, Question, TemporalOp, TypeKind, UnaryOp,
};

/// The checks of a file, in the order of the text.
pub fn checks(file: &ast::File) -> Vec<&ast::Check> {
    let items = file.items.iter();
    items
        .filter_map(|item| match item {
            Item::Check(check) => Some(check),
            _ => None,
        })
        .collect()
}

/// Whether a check has an `expect`.
pub fn expects(check: &ast::Check) -> bool {
    let answers: &[Answer] = &check.expect;
    !answers.is_empty()
}

/// The topology of the network of a check: the topology in `for` that the request names, else the one of the world or
/// of the file.
fn topology<'f>(
    file: &'f ast::File,
    check: &'f ast::Check,
    request: &Request,
) -> Option<&'f ast::Topology> {
    let network = |items: &'f [Item]| {
        items.iter().find_map(|item| match item {
            Item::Network(network) => Some(&network.topology),
            _ => None,
        })
    };
    let mut behind_for = check.ranges.iter().filter_map(|clause| match clause {
        ForClause::Topology(topology) => Some(topology),
        _ => None,
    });
    let asked = request.set.iter().find(|(name, _)| name == "network");
    let asked = asked.map(|(_, text)| text.replace(' ', ""));
    let world = file
        .items
        .iter()
        .find_map(|item| match (item, &check.world) {
            (Item::World(world), Some(name)) if world.name.text == name.text => {
                network(&world.items)
            }
            _ => None,
        });
    match asked {
        // If `for` lists several topologies, the one with the name in the request is taken.
        Some(asked) => behind_for.find(|topology| {
            let name = &topology.name.text[..];
            asked.split('(').next() == Some(name)
        }),
        None => world.or_else(|| network(&file.items)),
    }
}

/// The topology for the enumerator, if it differs from the one in the file.
fn for_enumerator(
    file: &ast::File,
    check: &ast::Check,
    request: &Request,
) -> Result<Option<ast::Topology>, String> {
    let written = topology(file, check, request);
    let named = request.set.iter().find(|(name, _)| name == "network");
    let text = match (&request.graph, named) {
        (Some(graph), _) if graph.edges.is_empty() => "complete(1)".to_string(),
        (Some(graph), _) => {
            let edges = graph
                .edges
                .iter()
                .map(|(a, b)| format!("{} - {}", a + 1, b + 1));
            format!("edges({})", edges.collect::<Vec<_>>().join(", "))
        }
        (None, Some((_, text))) => text.clone(),
        (None, None) => return Ok(None),
    };
    let mut for_enumerator = enumerator::read_topology(&text)?;
    for_enumerator.condition = written.and_then(|topology| topology.condition.clone());
    Ok(Some(for_enumerator))
}

/// The input of the enumerator for one instance of a check.
pub fn setup(file: &ast::File, check: &ast::Check, request: &Request) -> Result<Setup, String> {
    let mut setup = Setup {
        topology: for_enumerator(file, check, request)?,
        strangers: request.strangers as usize,
        world: check.world.as_ref().map(|w| w.text.clone()),
        variants: check.variants.iter().map(|v| v.text.clone()).collect(),
        assuming: check.assuming.clone(),
        limit: MANY,
        ..Setup::default()
    };
    let params = request.set.iter();
    for (name, value) in params.filter(|(name, _)| name != "network" && name != "strangers") {
        let value = value
            .parse()
            .map_err(|_| format!("the parameter `{name}` is no number"))?;
        setup.params.push((name.clone(), value));
    }
    for clause in &check.ranges {
        let ForClause::List(name, values, _) = clause else {
            continue;
        };
        let values: Option<Vec<Value>> = values.iter().map(|v| literal(file, v)).collect();
        let values = values.ok_or_else(|| format!("`{} = [ … ]` is not literal", name.text))?;
        if name.text == "ids" {
            let ids = values.iter().map(|value| match value {
                Value::Int(id) => Ok(*id),
                _ => Err("an id that is no number".to_string()),
            });
            setup.ids = Some(ids.collect::<Result<_, _>>()?);
        } else {
            setup.constants.push((name.text.clone(), values));
        }
    }
    Ok(setup)
}

/// A question of a check, as the enumerator can answer it.
pub enum Asked {
    /// Whether a condition is true in every state; with the arguments of its claim.
    Invariant(ast::Expr, Vec<(String, Value)>),
    /// Whether a condition is true in some state.
    Reachable(ast::Expr),
    /// The first value for which a condition is true in every state.
    Sought(Sought),
    /// A question that the enumerator cannot answer.
    Other,
}

/// A question for the least or greatest value.
pub struct Sought {
    /// The condition of the claim.
    pub condition: ast::Expr,
    /// The arguments of the claim that have a value.
    pub arguments: Vec<(String, Value)>,
    /// The name of the sought parameter, of the claim or of the model.
    pub name: String,
    /// Whether it is a parameter of the model (true) or of the claim (false).
    pub of_model: bool,
    /// The first value that is tried, if it is a literal: the lowest value, or the highest for `greatest`.
    pub first: Option<i128>,
    /// Whether the greatest value is sought (true) or the least (false).
    pub greatest: bool,
}

/// The questions of a check, in order.
pub fn asked(file: &ast::File, check: &ast::Check) -> Vec<Asked> {
    match &check.question {
        Question::Claims(claims) => {
            let asked = |claim| match claim_of(file, claim) {
                Some(Used {
                    condition, given, ..
                }) => {
                    let arguments: Option<Vec<_>> = given
                        .into_iter()
                        .map(|(parameter, e)| {
                            Some((parameter.name.text.clone(), literal(file, e)?))
                        })
                        .collect();
                    arguments.map_or(Asked::Other, |a| Asked::Invariant(condition.clone(), a))
                }
                None => Asked::Other,
            };
            claims.iter().map(asked).collect()
        }
        Question::Possible(condition) => vec![Asked::Reachable(condition.clone())],
        Question::Least {
            greatest,
            name,
            claims,
        } => {
            let one = |claim| sought(file, claim, &name.text, *greatest);
            let asked = |claim| one(claim).map_or(Asked::Other, Asked::Sought);
            claims.iter().map(asked).collect()
        }
    }
}

fn sought(file: &ast::File, claim: &ast::Expr, x: &str, greatest: bool) -> Option<Sought> {
    let used = claim_of(file, claim)?;
    let param = file.items.iter().find_map(|item| match item {
        Item::Param(param) if param.name.text == x => Some(param),
        _ => None,
    });
    let mut arguments = Vec::new();
    let mut named = None;
    for (parameter, e) in used.given {
        match &e.kind {
            ExprKind::Name(name) if name.text == x => named = Some(parameter),
            _ => arguments.push((parameter.name.text.clone(), literal(file, e)?)),
        }
    }
    let (name, ty) = match (named, param) {
        (Some(parameter), None) => (&parameter.name.text, Some(&parameter.ty)),
        (None, Some(param)) => (&param.name.text, param.ty.as_ref()),
        _ => return None,
    };
    let first = match ty.map(|ty| &ty.kind) {
        Some(TypeKind::Range(low, high)) => literal(file, if greatest { high } else { low }),
        _ => None,
    };
    Some(Sought {
        condition: used.condition.clone(),
        arguments,
        name: name.clone(),
        of_model: named.is_none(),
        first: match first {
            Some(Value::Int(first)) => Some(first),
            _ => None,
        },
        greatest,
    })
}

/// A claim `always φ` with the arguments that a check passes to it.
struct Used<'a> {
    condition: &'a ast::Expr,
    given: Vec<(&'a ast::Parameter, &'a ast::Expr)>,
}

fn claim_of<'a>(file: &'a ast::File, used: &'a ast::Expr) -> Option<Used<'a>> {
    let (name, given): (_, &[ast::Expr]) = match &used.kind {
        ExprKind::Name(name) => (name, &[]),
        ExprKind::Call(name, given) => (name, given),
        _ => return None,
    };
    let claim = file.items.iter().find_map(|item| match item {
        Item::Claim(claim) if claim.name.text == name.text => Some(claim),
        _ => None,
    })?;
    let mut formula = &claim.formula;
    while let ExprKind::Paren(inner) = &formula.kind {
        formula = inner;
    }
    match &formula.kind {
        ExprKind::Temporal(TemporalOp::Always, body) if claim.parameters.len() == given.len() => {
            Some(Used {
                condition: body,
                given: claim.parameters.iter().zip(given).collect(),
            })
        }
        _ => None,
    }
}

fn literal(file: &ast::File, e: &ast::Expr) -> Option<Value> {
    match &e.kind {
        ExprKind::Paren(inner) => literal(file, inner),
        ExprKind::Number {
            numerator,
            denominator: 1,
            unit: None,
        } => Some(Value::Int(*numerator)),
        ExprKind::Unary(UnaryOp::Neg, inner) => match literal(file, inner)? {
            Value::Int(i) => Some(Value::Int(-i)),
            _ => None,
        },
        ExprKind::Bool(b) => Some(Value::Bool(*b)),
        ExprKind::None => Some(Value::None),
        ExprKind::Name(name) => file.items.iter().find_map(|item| match item {
            Item::Enum(e) => {
                let place = e.values.iter().position(|v| v.text == name.text)?;
                Some(Value::Enum(Rc::from(e.name.text.as_str()), place))
            }
            _ => None,
        }),
        ExprKind::Struct(name, given) => {
            let tree = file.items.iter().find_map(|item| match item {
                Item::Struct(tree) | Item::Message(tree) if tree.name.text == name.text => {
                    Some(tree)
                }
                _ => None,
            })?;
            let values = tree.fields.iter().map(|field| {
                let init = given.iter().find(|i| i.name.text == field.name.text)?;
                literal(file, &init.value)
            });
            let values = values.collect::<Option<Vec<_>>>()?;
            Some(Value::Record(Rc::from(name.text.as_str()), values))
        }
        _ => None,
    }
}
