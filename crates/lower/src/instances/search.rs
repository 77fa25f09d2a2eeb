//! `least x` and `greatest x`: the candidates for x, and the request for given values of x.

use crate::instances::networks::graphs_of_network;
use crate::instances::request::{Expansion, no_value};
use crate::{OneGraph, Request};
use model::{
    ClaimUse, Constant, ConstantError, Domain, Environment, Model, Question, Searched, Type,
    evaluate,
};
use rational::Rational;
use source::{Diagnostic, codes};

/// The candidates for `least x` or `greatest x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// The numbers from the first to the second, both included; none if the second is less than the first.
    Numbers(i64, i64),
    /// All numbers: a parameter without a range.
    AllNumbers,
    /// All times that are not negative.
    Times,
}

/// The candidates for x, as declared for claim number `claim` of the check; `None` if the check seeks nothing.
pub fn candidates(
    model: &Model,
    request: &Request,
    claim: usize,
) -> Result<Option<Candidates>, Vec<Diagnostic>> {
    let Question::Extreme {
        searched, claims, ..
    } = &model.checks[request.check].question
    else {
        return Ok(None);
    };
    let domain = match searched {
        Searched::Param(param) => &model.param(*param).domain,
        Searched::Argument { places, .. } => {
            let claim: (&ClaimUse, usize) = (&claims[claim], places[claim]);
            &model.claim(claim.0.claim).parameters[claim.1].1
        }
    };
    let params: Vec<Option<Constant>> = request.params.iter().cloned().map(Some).collect();
    let env = Environment::new(model, &params);
    let number = |e| match evaluate(e, &env) {
        Ok(Constant::Int(i)) => Ok(i),
        Ok(_) => Err(vec![no_value(&ConstantError::NotConstant(e.span))]),
        Err(error) => Err(vec![no_value(&error)]),
    };
    Ok(Some(match domain {
        Domain::Range(low, high) => Candidates::Numbers(number(low)?, number(high)?),
        Domain::Duration => Candidates::Times,
        _ => Candidates::AllNumbers,
    }))
}

impl Request {
    /// The request with values for the sought x: exactly one value if x is a parameter of the model, any number of
    /// values if x is an argument of the claims. In the second case the Machine has all claims for the first value,
    /// in the order of the check, then all claims for the second, and so on. If x is a time, an integer counts units
    /// of the file.
    pub fn with(&self, model: &Model, values: &[Constant]) -> Result<Request, Vec<Diagnostic>> {
        let check = &model.checks[self.check];
        let Question::Extreme { searched, span, .. } = &check.question else {
            return Ok(self.clone());
        };
        let ty = match searched {
            Searched::Param(param) => model.param(*param).domain.ty(),
            Searched::Argument { local, .. } => model.local(*local).ty.clone(),
        };
        let fitting = |value: &Constant| match (value, &ty) {
            (Constant::Int(i), Type::Duration) => Constant::Duration(Rational::from(*i)),
            (value, _) => value.clone(),
        };
        let values: Vec<Constant> = values.iter().map(fitting).collect();
        let param = match (searched, &values[..]) {
            (Searched::Argument { .. }, _) => {
                return Ok(Request {
                    searched: values,
                    ..self.clone()
                });
            }
            (Searched::Param(param), [_]) => *param,
            (Searched::Param(_), _) => {
                let text = "a parameter of the model has one value at a time";
                return Err(vec![Diagnostic::error(codes::NO_VALUE, *span, text)]);
            }
        };
        let mut row = self.row.clone();
        row[param.index()] = values.first().cloned();
        let expansion = Expansion {
            model,
            check,
            free: self.sized,
        };
        let request = expansion
            .request(self.check, &row, &|_| false)
            .map_err(|problem| vec![*problem])?;
        let request = Request {
            searched: Vec::new(),
            ..self.like(model, request)
        };
        if self.graph.is_some() && !self.every_graph {
            let graphs =
                graphs_of_network(model, check, &request).map_err(|problem| vec![problem])?;
            let edges = |graph: &Option<OneGraph>| graph.as_ref().map(|g| g.edges.clone());
            // Only the edges are compared, because `where` may exclude other graphs and change the number of this
            // one.
            if !graphs
                .iter()
                .any(|graph| edges(graph) == edges(&self.graph))
            {
                let text = "here the networks themselves depend on what is sought, and no method of this version looks for \
                            it then";
                return Err(vec![Diagnostic::error(codes::GRAPH_SIZE, *span, text)]);
            }
        }
        Ok(request)
    }
}
