//! Which instances a check is about: its `for` clauses and `-D` expanded into values of parameters.

use model::{
    Check, Constant, ConstantError, Domain, Environment, Model, ParamId, SettingKind, evaluate,
    evaluate_set, nearest,
};
use source::{Diagnostic, Span, codes};

/// `-D name=value`, as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The parameter.
    pub name: String,
    /// The text behind `=`.
    pub value: String,
}

/// One choice of parameters for a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which check, by its position in the Model.
    pub check: usize,
    /// The value of each parameter, by position.
    pub params: Vec<Constant>,
    /// The parameters that `for` or `-D` set, with their values as the model writes them, in the order
    /// of the text.
    pub set: Vec<(String, String)>,
    /// Whether `-D` changed the check: then its `expect` is not judged.
    pub changed: bool,
}

type Values = Vec<Option<Constant>>;

/// Every choice of parameters that a check asks for, the first `for` clause slowest.
pub fn instances(
    model: &Model,
    check: usize,
    defines: &[Define],
) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let expansion = Expansion {
        model,
        check: &model.checks[check],
    };
    let (defined, mut problems) = expansion.defined(defines);
    let mut rows: Vec<Values> = vec![defined.clone()];
    for setting in &expansion.check.settings {
        let (param, one, set) = match &setting.kind {
            SettingKind::Param(param, value) => (*param, Some(value), None),
            SettingKind::ParamIn(param, set) => (*param, None, Some(set)),
            SettingKind::Ids(_) | SettingKind::Constants(..) => continue,
        };
        // What is defined on the command line wins.
        if defined[param.index()].is_some() {
            continue;
        }
        let mut longer = Vec::new();
        for row in rows {
            let known = expansion.completed(&row);
            let env = Environment::new(model, &known);
            let values = match (one, set) {
                (Some(value), _) => evaluate(value, &env).map(|v| vec![v]),
                (_, Some(set)) => evaluate_set(set, &env),
                _ => Ok(Vec::new()),
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
        }
        rows = longer;
    }
    let mut requests = Vec::new();
    for row in rows {
        match expansion.request(check, &row, &defined) {
            Ok(request) => requests.push(request),
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

/// What is wrong with a constant expression.
pub(crate) fn no_value(error: &ConstantError) -> Diagnostic {
    let text = match error {
        ConstantError::NotConstant(_) => "this cannot be computed from the parameters",
        ConstantError::Overflow(_) => "this number is too large",
        ConstantError::DivisionByZero(_) => "this divides by zero",
        ConstantError::NoValue(_) => "this has no value",
    };
    Diagnostic::error(codes::NO_VALUE, error.span(), text)
}

struct Expansion<'a> {
    model: &'a Model,
    check: &'a Check,
}

impl Expansion<'_> {
    /// The values given on the command line.
    fn defined(&self, defines: &[Define]) -> (Values, Vec<Diagnostic>) {
        let mut values: Values = vec![None; self.model.params.len()];
        let mut problems = Vec::new();
        let nowhere = Span::new(self.model.file, 0, 0);
        for define in defines {
            let found = self.model.params.iter().position(|p| p.name == define.name);
            let Some(index) = found else {
                let names = self.model.params.iter().map(|p| p.name.as_str());
                let mut diagnostic = Diagnostic::error(
                    codes::UNKNOWN_PARAM,
                    nowhere,
                    format!(
                        "`-D {}=…`: there is no parameter `{}`",
                        define.name, define.name
                    ),
                );
                if let Some(near) = nearest(&define.name, names) {
                    diagnostic = diagnostic.note(format!("did you mean `{near}`?"));
                }
                problems.push(diagnostic);
                continue;
            };
            let param = &self.model.params[index];
            match self.read(&param.domain, define.value.trim()) {
                Some(value) => values[index] = Some(value),
                None => problems.push(
                    Diagnostic::error(
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
                    .at("declared here"),
                ),
            }
        }
        (values, problems)
    }

    fn read(&self, domain: &Domain, text: &str) -> Option<Constant> {
        match domain {
            Domain::Bool => text.parse().ok().map(Constant::Bool),
            Domain::Integer | Domain::Range(..) => text.parse().ok().map(Constant::Int),
            Domain::Enum(e) => {
                let values = &self.model.enumeration(*e).values;
                let index = values.iter().position(|v| v == text)?;
                Some(Constant::Enum(*e, index as u32))
            }
            _ => None,
        }
    }

    /// Values that are not set are those of the text, as far as they can be computed.
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

    fn request(
        &self,
        check: usize,
        row: &Values,
        defined: &Values,
    ) -> Result<Request, Box<Diagnostic>> {
        let mut known: Values = Vec::new();
        for (index, param) in self.model.params.iter().enumerate() {
            let value = match &row[index] {
                Some(value) => value.clone(),
                None => evaluate(&param.value, &Environment::new(self.model, &known))
                    .map_err(|e| Box::new(no_value(&e)))?,
            };
            let defined = defined[index].is_some();
            self.in_range(ParamId(index as u32), &value, &known, defined)?;
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
            changed: defined.iter().any(Option::is_some),
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
            SettingKind::Param(p, _) | SettingKind::ParamIn(p, _) => *p == id && !defined,
            _ => false,
        });
        let name = &param.name;
        let who = if defined {
            format!("`-D {name}={found}`: ")
        } else {
            String::new()
        };
        Err(Box::new(Diagnostic::error(
            codes::PARAM_OUT_OF_RANGE,
            place.map_or(param.span, |s| s.span),
            format!("{who}`{name}` is a number in {low}..{high}; {found} is outside"),
        )))
    }
}
