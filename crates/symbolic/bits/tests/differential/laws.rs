//! Compares every kind of expression with the reference interpreter, for all values of small types; also the order,
//! packing and types of values.

use crate::expressions::{Law, R, S, about_states, about_values, small_machine, states, types};
use crate::worlds::{Open, inputs};
use bits::{Bits, Evaluator, Known, constant, free, packed_value};
use machine::{Expr, Fault, Frozen, Instance, LocalId, Scope, State, Type, Value};
use sat::{Aig, Lit};

/// The number of comparisons.
#[derive(Debug, Default)]
pub struct Tally {
    pub laws: u64,
    pub rows: u64,
    pub errors: u64,
}

/// Compares an expression for all values of its free locals. Being refused counts as a difference.
fn check(
    instance: &Instance<'_>,
    states: &[State],
    law: &Law,
    tally: &mut Tally,
) -> Result<(), String> {
    let machine = instance.machine;
    let (types, bound, expr) = law;
    tally.laws += 1;
    let mut scope = Scope::default();
    for ty in types.iter().chain(bound) {
        scope.add("x", ty.clone());
    }
    let columns: Vec<Vec<Value>> = types.iter().map(|ty| machine.values(ty)).collect();
    for state in states {
        let known = Known {
            instance: *instance,
            state,
        };
        let mut aig = Aig::new();
        let world = Open::new(&mut aig, known).expect("it is small");
        let first = inputs(instance, state).expect("small").expect("few");
        let mut open = Vec::new();
        for ty in types {
            open.push(free(&mut aig, machine, ty).expect("small").0);
        }
        let mut evaluator = Evaluator::new(&mut aig, machine, &world, &scope);
        for (i, bits) in open.into_iter().enumerate() {
            evaluator.bind(LocalId(i as u32), bits);
        }
        let found = { evaluator.value(expr) }.map_err(|why| format!("{why}: {expr:?}"))?;
        let error = evaluator.error();
        let mut rows = vec![vec![]];
        for column in &columns {
            let longer = |row: &Vec<Value>| {
                let row = row.clone();
                column
                    .iter()
                    .map(move |v| [&row[..], std::slice::from_ref(v)].concat())
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        for row in rows {
            let locals: Vec<(LocalId, Value)> = { row.iter().enumerate() }
                .map(|(i, value)| (LocalId(i as u32), value.clone()))
                .collect();
            let wanted = instance.value(state, expr, &locals).ok();
            tally.rows += 1;
            tally.errors += u64::from(wanted.is_none());
            let mut values = first.clone();
            for (value, ty) in row.iter().zip(types) {
                values.extend(packed_value(machine, ty, value).expect("small"));
            }
            let gates = aig.simulate(&values);
            let model = |lit: Lit| gates[lit.gate() as usize] != lit.is_negated();
            let got = (!model(error)).then(|| found.decode(&model));
            if got != wanted {
                return Err(format!(
                    "{got:?} instead of {wanted:?}: {expr:?} with {row:?}"
                ));
            }
            let got = with_constants(&known, &scope, expr, &row)?;
            if got != wanted {
                let how = format!("{got:?} instead of {wanted:?}");
                return Err(format!("known: {how}: {expr:?} with {row:?}"));
            }
        }
    }
    Ok(())
}

fn with_constants(
    known: &Known<'_>,
    scope: &Scope,
    expr: &Expr,
    row: &[Value],
) -> Result<Option<Value>, String> {
    let machine = known.instance.machine;
    let mut aig = Aig::new();
    let mut evaluator = Evaluator::new(&mut aig, machine, known, scope);
    for (i, value) in row.iter().enumerate() {
        let bits = constant(machine, value, &scope.locals[i].ty);
        evaluator.bind(LocalId(i as u32), bits);
    }
    let value = evaluator.value(expr).map_err(|why| why.what)?;
    let error = evaluator.error();
    // Constant operands must give constant results.
    match (error.known(), value.known()) {
        (Some(true), _) => Ok(None),
        (Some(false), Some(value)) => Ok(Some(value)),
        other => Err(format!("{other:?} of {expr:?} with {row:?}")),
    }
}

/// Compares all expressions. An error describes the first difference.
pub fn compare() -> Result<Tally, String> {
    let machine = small_machine();
    let frozen = Frozen {
        faults: vec![None, Some(Fault::Mute), None],
        ..machine.frozen_choices().next().expect("it has some")
    };
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    let states = states(&instance);
    let mut tally = Tally::default();
    for law in &about_values() {
        check(&instance, &states[..1], law, &mut tally)?;
    }
    for law in &about_states() {
        check(&instance, &states, law, &mut tally)?;
    }
    Ok(tally)
}

#[test]
fn every_expression_on_all_values() {
    let tally = compare().expect("they agree");
    assert!(tally.laws > 400, "{tally:?}");
    assert!(tally.errors > 1000, "{tally:?}");
    assert!(tally.rows > 10 * tally.errors / 2, "{tally:?}");
}

#[test]
fn order_and_packing_of_all_values() {
    let machine = small_machine();
    for ty in types() {
        let values = machine.values(&ty);
        let mut aig = Aig::new();
        let (a, valid) = free(&mut aig, &machine, &ty).expect("small");
        let (b, _) = free(&mut aig, &machine, &ty).expect("small");
        let less = bits::less(&mut aig, &a, &b).expect("tables have an order");
        let equal = bits::equal(&mut aig, &a, &b);
        let again = bits::packed(&mut aig, &machine, &ty, &a).expect("small");
        let width = bits::bit_width(&machine, &ty).expect("small");
        for x in &values {
            for y in &values {
                let mut inputs = packed_value(&machine, &ty, x).expect("small");
                inputs.extend(packed_value(&machine, &ty, y).expect("small"));
                let gates = aig.simulate(&inputs);
                let model = |lit: Lit| gates[lit.gate() as usize] != lit.is_negated();
                assert!(model(valid), "{x:?} of {ty:?}");
                assert_eq!(a.decode(&model), *x);
                assert_eq!(model(less), x < y, "{x:?} < {y:?}");
                assert_eq!(model(equal), x == y, "{x:?} = {y:?}");
                let packed: Vec<bool> = again.iter().map(|lit| model(*lit)).collect();
                assert_eq!(packed[..], inputs[..width], "{x:?} of {ty:?}");
            }
        }
        // Each number encodes one assignment of the bits.
        let rows = 0..1u32 << width;
        let count = rows.filter(|row| {
            let mut inputs: Vec<bool> = (0..width).map(|i| row >> i & 1 == 1).collect();
            inputs.resize(2 * width, false);
            let gates = aig.simulate(&inputs);
            gates[valid.gate() as usize] != valid.is_negated()
        });
        assert_eq!(count.count(), values.len(), "{ty:?}");
    }
}

#[test]
fn values_fit_types() {
    let machine = small_machine();
    let pairs = [
        (Type::Int(-2, 5), Type::Int(0, 3)),
        (Type::Int(0, 3).option(), Type::Int(1, 2).option()),
        (Type::Int(0, 3).set(), Type::Int(1, 2).set()),
        (Type::OneOf(vec![R, S]), Type::Record(S)),
        (
            Type::Array(Box::new(Type::Bool), Box::new(Type::Int(0, 3))),
            Type::Array(Box::new(Type::Bool), Box::new(Type::Int(1, 2))),
        ),
    ];
    for (wide, narrow) in pairs {
        let mut aig = Aig::new();
        let (bits, _) = free(&mut aig, &machine, &wide).expect("small");
        let fits = bits::fits(&mut aig, &machine, &bits, &narrow);
        let narrowed: Bits = bits::narrowed(&machine, &bits, &narrow);
        let packed = bits::packed(&mut aig, &machine, &narrow, &narrowed).expect("small");
        for value in machine.values(&wide) {
            let inputs = packed_value(&machine, &wide, &value).expect("small");
            let gates = aig.simulate(&inputs);
            let model = |lit: Lit| gates[lit.gate() as usize] != lit.is_negated();
            assert_eq!(model(fits), machine.is_of(&value, &narrow), "{value:?}");
            if model(fits) {
                assert_eq!(narrowed.decode(&model), value);
                let found: Vec<bool> = packed.iter().map(|lit| model(*lit)).collect();
                let wanted = packed_value(&machine, &narrow, &value).expect("small");
                assert_eq!(found, wanted, "{value:?}");
            }
        }
    }
}
