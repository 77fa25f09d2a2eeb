//! Normal form of states up to shifts of counters: states are equivalent if they differ only by a constant added to all
//! counters of one class.
//!
//! The reference interpreter keeps the actual numbers, and runs show them. States are brought to normal form before
//! they are compared, in visited sets and when a loop is closed. In normal form the least counter of each class in the
//! state is 0. Classes without a counter in the state are not shifted.
//!
//! *Soundness.* Let `s + d` be the state s with d(c) added to all counters of each class c. The relation that pairs
//! each s with each `s + d` is a bisimulation if the evaluation of expressions commutes with shifts. By the rules of
//! [`verify`](crate::verify()), an expression in code or in a property obtains counters only from the state, from
//! locals and from messages. It computes new counters only by adding and subtracting integers and by choosing among
//! existing ones (`max`, `if`, `choose`, elements of sets). By induction over the expression, its value in `s + d` with
//! shifted locals is its value in s, shifted by d:
//! - `+`, `-`, `max` and `min` commute with the shift, because all counters among the operands are of one class.
//! - `==`, `<`, `in` and the order of sets compare only counters of one class, also inside records. A shift preserves
//!   their order.
//! - All other operators do not read counters.
//!
//! Integers, truth values, nodes, sizes and errors are the same in s and `s + d`. So each event that is enabled in s is
//! enabled in `s + d`, with its message and picks shifted; if it leads from s to t, it leads from `s + d` to `t + d`.
//! The verifier rejects what would violate this: comparing a counter with an integer, and storing an integer in a
//! counter during the run (by an assignment or by the initial value at a restart). Initial values and restrictions may
//! use counters as integers, because they are evaluated before states are identified.
//!
//! *Fairness.* The units of weak fairness are blocks, outboxes, queues, and messages of a bag. Only a message of a bag
//! depends on a shift. In a loop that shifts a class by a non-zero amount, no message with a counter of that class
//! stays in its bag for ever, because after enough iterations no message has the old number
//! ([`Machine::can_stay_in_bag`]).

use crate::{Choice, ClassId, Event, Machine, RecordId, State, Type, Value, holds_counters};

/// For each counter class, the integer that is added to its counters.
pub type Shift = Vec<i64>;

impl Machine {
    /// The normal form of a state: the least counter of each class is 0.
    pub fn normalised(&self, state: &State) -> State {
        match self.counters.is_empty() {
            true => state.clone(),
            false => self.shifted(state, &self.to_normal(state)),
        }
    }

    /// The shift that brings a state into its normal form.
    pub fn to_normal(&self, state: &State) -> Shift {
        let least = self.least_counters(state);
        least.into_iter().map(|least| -least.unwrap_or(0)).collect()
    }

    /// Indexed by class: the least counter in the state; `None` if the class does not occur in the state.
    pub fn least_counters(&self, state: &State) -> Vec<Option<i64>> {
        let mut least = vec![None; self.counters.len()];
        let mut look = |class: ClassId, counter: i64| {
            let least: &mut Option<i64> = &mut least[class.index()];
            *least = Some(least.map_or(counter, |least| least.min(counter)));
        };
        for (node, at) in self.nodes().zip(&state.nodes) {
            let vars = self.vars_of(self.kind_of(node)).zip(&at.vars);
            vars.for_each(|(var, value)| self.each_counter(&var.ty, value, &mut look));
            let outbox = at.outbox.iter().map(|outgoing| &outgoing.message);
            let inbox = at.inbox.iter().map(|(_, message)| message);
            for message in outbox.chain(inbox) {
                self.each_counter(&Type::Record(message.record()), message, &mut look);
            }
        }
        for message in state.edges.iter().flatten() {
            self.each_counter(&Type::Record(message.record()), message, &mut look);
        }
        least
    }

    /// Calls `visit` on each counter in a value of type `ty`.
    pub fn each_counter(&self, ty: &Type, value: &Value, visit: &mut dyn FnMut(ClassId, i64)) {
        match (ty, value) {
            (Type::Counter(class), Value::Int(counter)) => visit(*class, *counter),
            (Type::Option(inner), Value::Some(value)) => self.each_counter(inner, value, visit),
            (Type::Record(_) | Type::OneOf(_), Value::Record(r, values)) => {
                for (part, (_, ty)) in values.iter().zip(&self.records[r.index()].fields) {
                    self.each_counter(ty, part, visit);
                }
            }
            (Type::Set(inner), Value::Set(values)) => values
                .iter()
                .for_each(|part| self.each_counter(inner, part, visit)),
            (Type::Array(_, inner), Value::Array(values)) => values
                .iter()
                .for_each(|part| self.each_counter(inner, part, visit)),
            _ => {}
        }
    }

    /// The state with `by[c]` added to all counters of each class c.
    pub fn shifted(&self, state: &State, by: &[i64]) -> State {
        let mut state = state.clone();
        if by.iter().all(|by| *by == 0) {
            return state;
        }
        for (node, at) in self.nodes().zip(&mut state.nodes) {
            let vars = self.vars_of(self.kind_of(node)).zip(&mut at.vars);
            vars.for_each(|(var, value)| *value = self.shifted_value(&var.ty, value, by));
            for outgoing in &mut at.outbox {
                outgoing.message = self.shifted_message(&outgoing.message, by);
            }
            for (_, message) in &mut at.inbox {
                *message = self.shifted_message(message, by);
            }
        }
        for message in state.edges.iter_mut().flatten() {
            *message = self.shifted_message(message, by);
        }
        state
    }

    /// The value with `by[c]` added to all counters of each class c.
    pub fn shifted_value(&self, ty: &Type, value: &Value, by: &[i64]) -> Value {
        match (ty, value) {
            (Type::Counter(class), Value::Int(counter)) => {
                Value::Int(counter.saturating_add(by[class.index()]))
            }
            (Type::Option(inner), Value::Some(value)) => {
                Value::some(self.shifted_value(inner, value, by))
            }
            (Type::Record(_) | Type::OneOf(_), Value::Record(r, values)) => {
                let fields = &self.records[r.index()].fields;
                let parts = values.iter().zip(fields);
                let parts = parts.map(|(part, (_, ty))| self.shifted_value(ty, part, by));
                Value::Record(*r, parts.collect())
            }
            (Type::Set(inner), Value::Set(values)) => {
                let parts = values.iter();
                Value::Set(parts.map(|v| self.shifted_value(inner, v, by)).collect())
            }
            (Type::Array(_, inner), Value::Array(values)) => {
                let parts = values.iter();
                Value::Array(parts.map(|v| self.shifted_value(inner, v, by)).collect())
            }
            _ => value.clone(),
        }
    }

    fn shifted_message(&self, message: &Value, by: &[i64]) -> Value {
        self.shifted_value(&Type::Record(message.record()), message, by)
    }

    /// The choice with `by[c]` added to all counters of each class c. `types[i]` is the type of the i-th pick; picks
    /// beyond the end of `types` are not shifted.
    pub fn shifted_choice(&self, choice: &Choice, types: &[Type], by: &[i64]) -> Choice {
        let mut choice = choice.clone();
        self.shift_event(&mut choice.event, by);
        for (pick, ty) in choice.picks.iter_mut().zip(types) {
            *pick = self.shifted_value(ty, pick, by);
        }
        choice
    }

    fn shift_event(&self, event: &mut Event, by: &[i64]) {
        match event {
            Event::Deliver(_, message, _) => *message = self.shifted_message(message, by),
            Event::CrashDuring(_, inner) => self.shift_event(inner, by),
            _ => {}
        }
    }

    /// Whether a message can stay in a bag for ever in a loop that shifts counters by `by`: it contains no counter of a
    /// shifted class.
    pub fn can_stay_in_bag(&self, message: &Value, by: &[i64]) -> bool {
        let mut stays = true;
        let ty = Type::Record(message.record());
        self.each_counter(&ty, message, &mut |class, _| {
            stays &= by[class.index()] == 0;
        });
        stays
    }

    /// Whether messages of a type contain counters.
    pub fn message_holds_counters(&self, record: RecordId) -> bool {
        !self.counters.is_empty() && holds_counters(self, &Type::Record(record))
    }
}
