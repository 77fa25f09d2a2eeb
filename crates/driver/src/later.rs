//! Questions that no method answers yet: they are understood, and the answer is `unknown`, with the reason.

use lower::{Candidates, Request, candidates};
use model::{Constant, Model, Question, SettingKind, Sought};
use source::Diagnostic;

/// Why a request gets no answer, if so.
pub(crate) fn reason(model: &Model, request: &Request) -> Option<String> {
    let check = &model.checks[request.check];
    if let Some(param) = request.every.first() {
        let name = &model.param(*param).name;
        return Some(format!(
            "`every {name}` is not there yet: set `{name}` to a number"
        ));
    }
    let graphs = |s: &model::Setting| s.kind == SettingKind::EveryGraph;
    if check.settings.iter().any(graphs) {
        return Some("`every graph` is not there yet".into());
    }
    match check.question {
        Question::Extreme { greatest: true, .. } => Some("`greatest` is not there yet".into()),
        Question::Extreme { .. } => Some("`least` is not there yet".into()),
        _ => None,
    }
}

/// A request that can be lowered: what claims are given has some value.
pub(crate) fn some_value(model: &Model, request: Request) -> Result<Request, Vec<Diagnostic>> {
    let Question::Extreme {
        sought: Sought::Argument { places, .. },
        ..
    } = &model.checks[request.check].question
    else {
        return Ok(request);
    };
    let mut value = Constant::Int(0);
    for claim in 0..places.len() {
        value = match (candidates(model, &request, claim)?, value) {
            (Some(Candidates::Numbers(least, _)), Constant::Int(i)) if claim > 0 => {
                Constant::Int(i.max(least))
            }
            (Some(Candidates::Numbers(least, _)), _) => Constant::Int(least),
            (Some(Candidates::Times), _) => Constant::Duration(Default::default()),
            (_, value) => value,
        };
    }
    request.with(model, &[value])
}
