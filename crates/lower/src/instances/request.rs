//! Requests: the `for` clauses of a check and the options `-D`, expanded into parameter values.

use crate::instances::networks::{on_each_graph, on_each_network};
use model::{
    Check, Constant, ConstantError, Domain, Environment, Expr, Model, ParamId, Question, Searched,
    SettingKind, Unit, evaluate, evaluate_set, nearest,
};
use rational::Rational;
use source::{Diagnostic, Span, codes};

/// The largest number of instances of a check.
const MOST_INSTANCES: usize = 10_000;

/// The option `-D name=value` of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The name of the parameter.
    pub name: String,
    /// The text after `=`.
    pub value: String,
}

/// One instance of a check: parameter values and a network. Plain data: what the clauses of a check set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The check, by its position in the Model.
    pub check: usize,
    /// The value of each parameter, by position.
    pub params: Vec<Constant>,
    /// The parameters that `for` or `-D` set, in the order of their declaration, with their values in the syntax of
    /// the model; also the network and `strangers`.
    pub set: Vec<(String, String)>,
    /// Whether `-D` changed the check. Then its `expect` does not apply.
    pub changed: bool,
    /// The parameters that `every p` leaves open. In this request they have their least values.
    pub every: Vec<ParamId>,
    /// The parameter that `every p` leaves open in the check, and that has one value in this request.
    pub sized: Option<ParamId>,
    /// The values of the sought argument of the claims; empty if no argument is sought. See [`Request::with`].
    pub searched: Vec<Constant>,
    /// The position of the topology among the settings of the check, if a `for` clause gives it.
    pub topology: Option<usize>,
    /// The graph, if the topology is `graphs`.
    pub graph: Option<OneGraph>,
    /// Whether graphs are enumerated with every numbering of their nodes, and not up to isomorphism; see
    /// [`by_number`].
    pub numbered: bool,
    /// Whether the check is about graphs of every size (`every graph`). Then `graph` is only a representative.
    pub every_graph: bool,
    /// The number of ids that belong to no node.
    pub strangers: u32,
    /// The values of the parameters that are set, by position. The values of the others are computed from these.
    pub(crate) row: Vec<Option<Constant>>,
}

/// One of the graphs of a network `graphs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneGraph {
    /// The edges, each once, with nodes numbered from 0.
    pub edges: Vec<(u32, u32)>,
    /// The number of this graph, from 1.
    pub number: usize,
    /// How many graphs there are.
    pub of: usize,
}

impl OneGraph {
    /// The edges as text: `1-2, 1-3`.
    pub fn text(&self) -> String {
        let edges = self.edges.iter();
        let edges = edges.map(|(a, b)| format!("{}-{}", a + 1, b + 1));
        edges.collect::<Vec<_>>().join(", ")
    }
}

impl Request {
    /// Whether two requests share one answer: both have a graph and differ at most in it, or they differ at most in the
    /// value of the parameter that `every p` leaves open.
    pub fn is_family_of(&self, other: &Request) -> bool {
        if let (Some(one), Some(another)) = (self.open_param(), other.open_param()) {
            let rest = |request: &Request| -> Vec<(usize, Option<Constant>)> {
                let row = request.row.iter().cloned().enumerate();
                row.filter(|(index, _)| *index != one.index()).collect()
            };
            return (one, self.check, self.topology, self.strangers, &self.graph)
                == (
                    another,
                    other.check,
                    other.topology,
                    other.strangers,
                    &other.graph,
                )
                && rest(self) == rest(other);
        }
        self.graph.is_some()
            && other.graph.is_some()
            && (self.check, self.topology, self.strangers)
                == (other.check, other.topology, other.strangers)
            && (&self.set, &self.params) == (&other.set, &other.params)
    }

    /// The parameter that `every p` leaves open in the check.
    fn open_param(&self) -> Option<ParamId> {
        self.every.first().copied().or(self.sized)
    }

    /// The request at one value of the parameter that `every p` leaves open. The value may be above the range of the
    /// parameter.
    pub fn at(&self, model: &Model, value: i64) -> Result<Request, Vec<Diagnostic>> {
        let Some(param) = self.open_param() else {
            return Ok(self.clone());
        };
        let expansion = Expansion {
            model,
            check: &model.checks[self.check],
            free: Some(param),
        };
        let mut row = self.row.clone();
        row[param.index()] = Some(Constant::Int(value));
        let request = expansion
            .request(self.check, &row, &|_| false)
            .map_err(|problem| vec![*problem])?;
        let mut request = self.like(model, request);
        (request.every, request.sized) = (Vec::new(), Some(param));
        Ok(request)
    }

    /// For each parameter that `for` or the command line sets to a value from `LARGE` to `most`: the request for every
    /// value from the lower end of its range on. Lowering this request finds out whether the parameter is a number of
    /// nodes.
    pub fn opened(&self, model: &Model, most: u32) -> Vec<Request> {
        let of = |index: usize| {
            let param = ParamId(index as u32);
            let value = self.row[index].as_ref()?.as_int()?;
            let large = (LARGE..=i64::from(most)).contains(&value);
            let params: Vec<Option<Constant>> = self.params.iter().cloned().map(Some).collect();
            let env = Environment::new(model, &params);
            let least = evaluate(least_value(model, param)?, &env).ok()?.as_int()?;
            let open = Request {
                sized: Some(param),
                ..self.clone()
            };
            let open = open.at(model, least).ok().filter(|_| large)?;
            Some(Request {
                every: vec![param],
                sized: None,
                ..open
            })
        };
        (0..self.row.len()).filter_map(of).collect()
    }

    /// A request with other parameter values; the rest is as in this request.
    pub(crate) fn like(&self, model: &Model, request: Request) -> Request {
        let mut request = Request {
            changed: self.changed,
            every: self.every.clone(),
            sized: self.sized,
            topology: self.topology,
            graph: self.graph.clone(),
            numbered: self.numbered,
            every_graph: self.every_graph,
            strangers: self.strangers,
            searched: self.searched.clone(),
            ..request
        };
        let set = self.set.iter().filter(|(name, _)| {
            let mut params = model.params.iter();
            !params.any(|param| param.name == *name)
        });
        request.set.extend(set.cloned());
        request
    }
}

/// From this number of nodes on, a check is first asked for every number of nodes.
const LARGE: i64 = 16;

type Values = Vec<Option<Constant>>;

/// All instances of a check. The values of the first `for` clause vary slowest; topologies, numbers of strangers and
/// graphs vary fastest.
pub fn instances(
    model: &Model,
    check: usize,
    defines: &[Define],
) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let expansion = Expansion {
        model,
        check: &model.checks[check],
        free: None,
    };
    let (defined, mut problems) = expansion.defined(defines);
    problems.extend(expansion.searched_is_defined(&defined));
    let mut rows: Vec<Values> = vec![defined.clone()];
    let mut every: Vec<ParamId> = Vec::new();
    for setting in &expansion.check.settings {
        let (param, one, set) = match &setting.kind {
            SettingKind::Param(param, value) => (*param, Some(value), None),
            SettingKind::ParamIn(param, set) => (*param, None, Some(set)),
            SettingKind::Every(param) => (*param, least_value(model, *param), None),
            SettingKind::Ids(_)
            | SettingKind::Constants(..)
            | SettingKind::EveryGraph
            | SettingKind::Topology(_)
            | SettingKind::Strangers(_)
            | SettingKind::StrangersIn(_) => continue,
        };
        // A value of the command line takes precedence over `for`.
        if defined[param.index()].is_some() {
            continue;
        }
        if let SettingKind::Every(param) = setting.kind {
            every.push(param);
        }
        let mut longer = Vec::new();
        for row in rows {
            cancellation::poll();
            let known = expansion.completed(&row);
            let env = Environment::new(model, &known);
            let values = match (one, set) {
                (Some(value), _) => evaluate(value, &env).map(|v| vec![v]),
                (_, Some(set)) => evaluate_set(set, &env),
                // `every p` without a range begins at the declared value of p.
                _ => Ok(known[param.index()].iter().cloned().collect()),
            };
            match values {
                Ok(values) if values.is_empty() => problems.push(Diagnostic::error(
                    codes::EMPTY_RANGE,
                    set.map_or(setting.span, |s| s.span),
                    format!("`{}` has no value to go through", model.param(param).name),
                )),
                Ok(values) => longer.extend(values.into_iter().map(|value| {
                    let mut row = row.clone();
                    row[param.index()] = Some(value);
                    row
                })),
                Err(error) => problems.push(no_value(&error)),
            }
            if longer.len() > MOST_INSTANCES {
                problems.push(too_many_instances(setting.span));
                return Err(problems);
            }
        }
        rows = longer;
    }
    let mut requests = Vec::new();
    for row in rows {
        cancellation::poll();
        if requests.len() > MOST_INSTANCES {
            problems.push(too_many_instances(expansion.check.span));
            return Err(problems);
        }
        let changed = defined.iter().any(Option::is_some);
        match expansion.request(check, &row, &|index| defined[index].is_some()) {
            Ok(mut request) => {
                for param in &every {
                    let name = &model.param(*param).name;
                    if let (Some(least), Some((_, text))) = (
                        request.params[param.index()].as_int(),
                        request.set.iter_mut().find(|(set, _)| set == name),
                    ) {
                        *text = format!("{least}, {}, …", least.saturating_add(1));
                    }
                }
                let request = Request {
                    changed,
                    every: every.clone(),
                    ..request
                };
                match on_each_network(model, expansion.check, request) {
                    Ok(all) => requests.extend(all),
                    Err(diagnostic) => problems.push(diagnostic),
                }
            }
            Err(diagnostic) => problems.push(*diagnostic),
        }
    }
    problems.dedup();
    if problems.is_empty() {
        Ok(requests)
    } else {
        Err(problems)
    }
}

/// The diagnostic for too many instances.
fn too_many_instances(span: Span) -> Diagnostic {
    let text = format!("this makes more than {MOST_INSTANCES} instances, too many to go through");
    Diagnostic::error(codes::NUMBER_TOO_LARGE, span, text)
        .note("each is a Machine of its own: choose fewer values, or ask several checks")
}

/// A check whose instances are not enumerated, as one request with the declared values of the parameters. It is used in
/// the report that no instance was begun.
pub fn unexpanded(model: &Model, check: usize) -> Request {
    let expansion = Expansion {
        model,
        check: &model.checks[check],
        free: None,
    };
    let row: Values = vec![None; model.params.len()];
    let known = expansion.completed(&row).into_iter();
    Request {
        check,
        params: known
            .map(|value| value.unwrap_or(Constant::Int(0)))
            .collect(),
        set: Vec::new(),
        changed: false,
        every: Vec::new(),
        sized: None,
        searched: Vec::new(),
        topology: None,
        graph: None,
        numbered: false,
        every_graph: false,
        strangers: 0,
        row,
    }
}

/// The same requests, but with graphs enumerated with every numbering of their nodes: for Machines whose behaviour
/// depends on the order of nodes.
pub fn by_number(model: &Model, requests: Vec<Request>) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let mut all = Vec::new();
    for request in requests {
        match &request.graph {
            Some(graph) if !request.every_graph => {
                if graph.number == 1 {
                    let check = &model.checks[request.check];
                    let numbered = Request {
                        numbered: true,
                        ..request
                    };
                    all.extend(on_each_graph(model, check, numbered).map_err(|e| vec![e])?);
                }
            }
            _ => all.push(request),
        }
    }
    Ok(all)
}

/// The diagnostic for a constant expression without a value.
pub(crate) fn no_value(error: &ConstantError) -> Diagnostic {
    let text = match error {
        ConstantError::NotConstant(_) => "this cannot be computed from the parameters",
        ConstantError::Overflow(_) => "this number is too large",
        ConstantError::DivisionByZero(_) => "this divides by zero",
        ConstantError::NoValue(_) => "this has no value",
        ConstantError::OutOfRange(_) => "this is outside the range that the function declares",
    };
    Diagnostic::error(codes::NO_VALUE, error.span(), text)
}

/// The first value of `every p`: the lower end of the range; `None` without a range.
fn least_value(model: &Model, param: ParamId) -> Option<&Expr> {
    match &model.param(param).domain {
        Domain::Range(low, _) => Some(low),
        _ => None,
    }
}

pub(crate) struct Expansion<'a> {
    pub(crate) model: &'a Model,
    pub(crate) check: &'a Check,
    /// A parameter that may have values above its range: that of `every p`.
    pub(crate) free: Option<ParamId>,
}

impl Expansion<'_> {
    /// The values given on the command line, by the position of the parameter, and the diagnostics about them.
    fn defined(&self, defines: &[Define]) -> (Values, Vec<Diagnostic>) {
        let mut values: Values = vec![None; self.model.params.len()];
        let mut problems = Vec::new();
        let nowhere = Span::new(self.model.file, 0, 0);
        for define in defines {
            let found = self.model.params.iter().position(|p| p.name == define.name);
            let Some(index) = found else {
                let names: Vec<&str> = self.model.params.iter().map(|p| &p.name[..]).collect();
                let mut diagnostic = Diagnostic::error(
                    codes::UNKNOWN_PARAM,
                    nowhere,
                    format!(
                        "`-D {}=…`: there is no parameter `{}`",
                        define.name, define.name
                    ),
                );
                diagnostic = match nearest(&define.name, names.iter().copied()) {
                    Some(near) => diagnostic.note(format!("did you mean `{near}`?")),
                    None if names.is_empty() => diagnostic.note("the model has no parameters"),
                    None => diagnostic.note(format!("the model has `{}`", names.join("`, `"))),
                };
                problems.push(diagnostic);
                continue;
            };
            let param = &self.model.params[index];
            match self.read(&param.domain, define.value.trim()) {
                Some(value) => values[index] = Some(value),
                None => problems.push({
                    let diagnostic = Diagnostic::error(
                        codes::BAD_DEFINE,
                        param.span,
                        format!(
                            "`-D {}={}`: `{}` is {}",
                            define.name,
                            define.value,
                            define.name,
                            self.model.words(&param.domain.ty())
                        ),
                    )
                    .at("declared here");
                    match (&param.domain, self.model.unit) {
                        (Domain::Duration, Some(unit)) => diagnostic.note(format!(
                            "write it with its unit: `-D {}=5{}`",
                            define.name,
                            unit.name()
                        )),
                        _ => diagnostic,
                    }
                }),
            }
        }
        (values, problems)
    }

    fn read(&self, domain: &Domain, text: &str) -> Option<Constant> {
        match domain {
            Domain::Bool => text.parse().ok().map(Constant::Bool),
            Domain::Integer | Domain::Range(..) => text.parse().ok().map(Constant::Int),
            Domain::Duration => self.read_time(text),
            Domain::Enum(e) => {
                let values = &self.model.enumeration(*e).values;
                let index = values.iter().position(|v| v == text)?;
                Some(Constant::Enum(*e, index as u32))
            }
            _ => None,
        }
    }

    /// The time in a text such as `25ms`, `0.5 ms` or `47/3 ms`, or a plain number in a file without units; `None` if
    /// it is malformed.
    fn read_time(&self, text: &str) -> Option<Constant> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "" => None,
            word => Some(Unit::named(word)?),
        };
        let number: Rational = digits.trim_end().parse().ok()?;
        self.model.in_unit(number, unit).map(Constant::Duration)
    }

    /// The values of all parameters: those that are set, and the declared values of the others as far as they can be
    /// computed.
    fn completed(&self, row: &Values) -> Values {
        let mut known: Values = Vec::new();
        for (index, param) in self.model.params.iter().enumerate() {
            let value = row[index]
                .clone()
                .or_else(|| evaluate(&param.value, &Environment::new(self.model, &known)).ok());
            known.push(value);
        }
        known
    }

    /// The diagnostic for a sought parameter that is also given on the command line.
    fn searched_is_defined(&self, defined: &Values) -> Option<Diagnostic> {
        let Question::Extreme {
            searched: Searched::Param(param),
            span,
            ..
        } = &self.check.question
        else {
            return None;
        };
        defined[param.index()].as_ref()?;
        let name = &self.model.param(*param).name;
        let text = format!("`-D {name}=…`: this check seeks `{name}`, so it cannot be given");
        Some(Diagnostic::error(codes::BAD_DEFINE, *span, text))
    }

    /// The request with the parameter values of `row`; parameters without a value there get their declared values.
    /// `defined` tells whether the command line gives the parameter at a position.
    pub(crate) fn request(
        &self,
        check: usize,
        row: &Values,
        defined: &dyn Fn(usize) -> bool,
    ) -> Result<Request, Box<Diagnostic>> {
        let mut known: Values = Vec::new();
        for (index, param) in self.model.params.iter().enumerate() {
            let value = match &row[index] {
                Some(value) => value.clone(),
                None => evaluate(&param.value, &Environment::new(self.model, &known))
                    .map_err(|e| Box::new(no_value(&e)))?,
            };
            if self.free != Some(ParamId(index as u32)) {
                self.in_range(ParamId(index as u32), &value, &known, defined(index))?;
            }
            known.push(Some(value));
        }
        let params: Vec<Constant> = known.into_iter().flatten().collect();
        let set = (0..params.len())
            .filter(|index| row[*index].is_some())
            .map(|index| {
                let name = self.model.params[index].name.clone();
                (name, params[index].text(self.model))
            })
            .collect();
        Ok(Request {
            check,
            params,
            set,
            changed: false,
            every: Vec::new(),
            sized: None,
            searched: Vec::new(),
            topology: None,
            graph: None,
            numbered: false,
            every_graph: false,
            strangers: 0,
            row: row.clone(),
        })
    }

    fn in_range(
        &self,
        id: ParamId,
        value: &Constant,
        known: &Values,
        defined: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let param = self.model.param(id);
        let (Domain::Range(low, high), Constant::Int(found)) = (&param.domain, value) else {
            return Ok(());
        };
        let env = Environment::new(self.model, known);
        let end = |e| match evaluate(e, &env) {
            Ok(Constant::Int(i)) => Ok(i),
            Ok(_) => Err(Box::new(no_value(&ConstantError::NotConstant(param.span)))),
            Err(error) => Err(Box::new(no_value(&error))),
        };
        let (low, high) = (end(low)?, end(high)?);
        if (low..=high).contains(found) {
            return Ok(());
        }
        let mut settings = self.check.settings.iter();
        let place = settings.find(|s| match &s.kind {
            SettingKind::Param(p, _) | SettingKind::ParamIn(p, _) | SettingKind::Every(p) => {
                *p == id && !defined
            }
            _ => false,
        });
        let name = &param.name;
        let prefix = if defined {
            format!("`-D {name}={found}`: ")
        } else {
            String::new()
        };
        Err(Box::new(Diagnostic::error(
            codes::PARAM_OUT_OF_RANGE,
            place.map_or(param.span, |s| s.span),
            format!("{prefix}`{name}` is a number in {low}..{high}; {found} is outside"),
        )))
    }
}
