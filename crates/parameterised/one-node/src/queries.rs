//! The queries of the rule. Each asks whether something can happen in a network of some size; the rule concludes from
//! its refutation.
//!
//! *Right from T on.* A part p is right from V on if, for every case of the phases and every n, this is refuted: after
//! the subject's n-th activation since the cut p is broken, and the (n+1)-th activation is later than V
//! ([`Rule::broken`] with [`Query::later_than`]); and p is not broken at a node that is off, or it does not speak of
//! such nodes. Suppose p is broken at a moment s > V after some cut. For every e > 0 there is a cut after which p is
//! broken at a moment of (V, V + e]: the same one if s <= V + e, otherwise the moment s - V - e of the same run. Between
//! that cut and the moment the subject made some number n of activations; t(n+1) >= s > V, and t(n) <= V + e. As t(1) >=
//! 0, (n - 1) times the shortest gap is at most V + e, for every e > 0; so n is at most [`Rule::most`], and one of the
//! refuted queries would be satisfied. The queries assume only parts whose own T was proved before, about moments
//! strictly later than T after the same cut.
//!
//! *Counts.* A claim whose part p, without its premises about counts, is right from T on, holds if p with its premises
//! is not broken after the n-th activation since the start of a run, for every n whose n-th activation may be at T or
//! before ([`Rule::counted`]). Later it is right anyway. The start of a run is a cut at time 0, with the declared first
//! interval and initial values; counts of the subject are computed by its code, those of other nodes are arbitrary.
//!
//! *Invariants.* Parts that are right at every moment of every run are proved together, by induction over the events of
//! a run: every initial state satisfies each of them ([`Rule::begins_broken`]), and an activation preserves each if all
//! of them hold of all nodes before it ([`Rule::made_broken`]). A message that was sent in the run was sent by an
//! earlier event, before and after which the sender satisfied them; a leftover is not assumed to satisfy anything.
//!
//! *Errors.* If no activation from arbitrary values, with any inbox, is an error, and no definition of a part is, no
//! run has an error ([`Rule::error`]).
//!
//! *Every read finds a message of every sender* ([`Rule::unfilled`]): inboxes begin with one from each, no message is
//! lost, and between a clear and the next read a message of every sender arrives. Before the first clear the message
//! from the start is there or was replaced by a later one.

use crate::moments::{Moments, Start};
use crate::parts::Part;
use crate::protocol::Protocol;
use crate::unrolled::{Case, Network, SUBJECT, Unrolled};
use bits::Unsupported;
use machine::{InboxStart, Init, OpenLimit};
use rational::Rational;
use sat::{Aig, Lit};

/// From when on a part is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// At every moment of every run.
    Always,
    /// At every moment strictly later than this time after every cut.
    From(Rational),
}

/// A part that was proved.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The part. It is right of running nodes only.
    pub part: Part,
    /// From when on.
    pub right: Right,
}

/// How many names and witnesses a query has. More make a query harder to satisfy and larger, never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of last reads whose quantifiers get witnesses.
    pub looks: u32,
    /// The number of names reserved for witnesses.
    pub spare: u32,
}

/// The rule with what was proved so far.
pub struct Rule<'m> {
    /// The protocol.
    pub protocol: &'m Protocol<'m>,
    /// The parts that were proved.
    pub facts: Vec<Fact>,
    /// Whether every read was proved to find a message of every sender.
    pub filled: bool,
}

/// A query: can the conditions and the goal be true together, with times?
pub struct Query {
    /// The circuit.
    pub aig: Aig,
    /// The conditions that hold in every network.
    pub conditions: Vec<Lit>,
    /// The literal that is to be satisfied.
    pub goal: Lit,
    /// The literals about times.
    pub moments: Moments,
    /// The number of nodes with names that the query uses.
    pub names: usize,
    /// The number of activations of the subject.
    pub activations: u32,
}

impl Query {
    fn of(
        aig: Aig,
        network: Network<'_>,
        goal: Lit,
        activations: u32,
    ) -> Result<Query, Unsupported> {
        if !network.has_enough_ids() {
            return Err(Unsupported::new("so many ids at once"));
        }
        let mut conditions = network.conditions;
        conditions.extend(network.names.conditions());
        Ok(Query {
            aig,
            conditions,
            goal,
            moments: network.moments,
            names: network.names.used(),
            activations,
        })
    }

    /// Adds to the goal that an activation after the last one of the query is later than a time.
    pub fn later_than(&mut self, time: &Rational) {
        let next = self.activations + 1;
        let later = self.moments.past(&mut self.aig, next, time);
        self.goal = self.aig.and(self.goal, later);
    }
}

impl Rule<'_> {
    /// The cases of the phases that cover every start.
    pub fn cases(&self, start: Start) -> Vec<Case> {
        let machine = &self.protocol.open.base;
        let mut cases: Vec<Case> = vec![Vec::new()];
        for var in &self.protocol.phases {
            let declared = &machine.vars[var.index()];
            if start == Start::Initial && matches!(declared.init, Init::Value(..)) {
                continue;
            }
            let values = machine.values(&declared.ty);
            if cases.len() * values.len() > 48 {
                continue;
            }
            let longer = cases.iter().flat_map(|case| {
                let with = |value: &machine::Value| [&case[..], &[(*var, value.clone())]].concat();
                values.iter().map(with).collect::<Vec<_>>()
            });
            cases = longer.collect();
        }
        cases
    }

    /// The largest number of activations after which a part can be broken at a moment just later than a time.
    pub fn most(&self, time: &Rational) -> u32 {
        let gaps = (time / &self.protocol.durations.gap.0).floor();
        gaps.to_i64()
            .and_then(|n| u32::try_from(n + 1).ok())
            .unwrap_or(u32::MAX)
    }

    /// The least n, from 1, such that the n-th activation is later than a time in every run.
    pub fn enough(&self, time: &Rational) -> u32 {
        let durations = &self.protocol.durations;
        let mut n = 1;
        while durations.nth(Start::Initial, n).0 <= *time {
            n += 1;
        }
        n
    }

    /// Is a part broken after n activations since a cut at any moment?
    pub fn broken(
        &self,
        part: &Part,
        case: &Case,
        n: u32,
        setting: Setting,
    ) -> Result<Query, Unsupported> {
        self.asks(part, (Start::Anywhere, case), n, setting, Off::Runs)
    }

    /// Is a part broken after n activations since the start of a run?
    pub fn counted(
        &self,
        part: &Part,
        case: &Case,
        n: u32,
        setting: Setting,
    ) -> Result<Query, Unsupported> {
        self.asks(part, (Start::Initial, case), n, setting, Off::Runs)
    }

    /// Is a part broken at a node that is off from the start?
    pub fn broken_off(&self, part: &Part, setting: Setting) -> Result<Query, Unsupported> {
        self.asks(part, (Start::Initial, &Vec::new()), 0, setting, Off::IsOff)
    }

    /// Is a part broken in an initial state, at a node that runs?
    pub fn begins_broken(&self, part: &Part, setting: Setting) -> Result<Query, Unsupported> {
        self.asks(part, (Start::Initial, &Vec::new()), 0, setting, Off::Runs)
    }

    /// Is a part broken after one activation since a cut at any moment? The facts are the parts that are assumed.
    pub fn made_broken(
        &self,
        part: &Part,
        case: &Case,
        setting: Setting,
    ) -> Result<Query, Unsupported> {
        self.asks(part, (Start::Anywhere, case), 1, setting, Off::Runs)
    }

    fn asks(
        &self,
        part: &Part,
        (start, case): (Start, &Case),
        n: u32,
        setting: Setting,
        off: Off,
    ) -> Result<Query, Unsupported> {
        let given = part.given() as usize;
        let machine = self.protocol.named(given + setting.spare as usize + 1);
        let mut aig = Aig::new();
        let mut network = Network::new(&mut aig, self, &machine, given, start)?;
        let chosen = network.choose(&mut aig, part)?;
        let unrolled = network.unroll(&mut aig, case, n, setting.looks)?;
        let state = &unrolled.states[n as usize];
        let broken = network.breaks(&mut aig, part, state, &chosen)?;
        let is_off = network.is_off(SUBJECT);
        let alive = match off {
            Off::IsOff => is_off,
            Off::Runs => !is_off,
        };
        let goal = aig.and(broken, alive);
        Query::of(aig, network, goal, n)
    }

    /// Can the code, a value at the start of a run, or a definition of a part be an error?
    pub fn error(&self, parts: &[Part], setting: Setting) -> Result<Vec<Query>, Unsupported> {
        let mut queries = Vec::new();
        for case in self.cases(Start::Anywhere) {
            queries.push(self.code_error(&case, setting)?);
        }
        let mut seen: Vec<&machine::Expr> = Vec::new();
        for part in parts {
            for (_, definition) in &part.definitions {
                if seen.contains(&definition) {
                    continue;
                }
                seen.push(definition);
                let groups = self.protocol.open.limits.len();
                let machine = self.protocol.named(1 + groups + setting.spare as usize + 1);
                let mut aig = Aig::new();
                let start = Start::Anywhere;
                let mut network = Network::new(&mut aig, self, &machine, 1 + groups, start)?;
                self.someone_is_well(&mut aig, &mut network);
                let (_, error) = network.evaluate(&mut aig, part, definition)?;
                queries.push(Query::of(aig, network, error, 0)?);
            }
        }
        Ok(queries)
    }

    fn code_error(&self, case: &Case, setting: Setting) -> Result<Query, Unsupported> {
        let machine = self.protocol.named(1 + setting.spare as usize + 1);
        let mut aig = Aig::new();
        let mut network = Network::new(&mut aig, self, &machine, 1, Start::Anywhere)?;
        let unrolled: Unrolled = network.unroll(&mut aig, case, 1, setting.looks)?;
        let runs = !network.is_off(SUBJECT);
        let goal = aig.and(unrolled.error, runs);
        Query::of(aig, network, goal, 1)
    }

    /// Can a declared initial value be out of range?
    pub fn bad_start(&self) -> Result<Query, Unsupported> {
        let machine = self.protocol.named(2);
        let mut aig = Aig::new();
        let mut network = Network::new(&mut aig, self, &machine, 1, Start::Initial)?;
        let unrolled = network.unroll(&mut aig, &Vec::new(), 0, 0)?;
        Query::of(aig, network, unrolled.bad_start, 0)
    }

    /// If there is only one group of faults and it spares some node, a spared node gets a name.
    fn someone_is_well(&self, aig: &mut Aig, network: &mut Network<'_>) {
        for (group, limit) in self.protocol.open.limits.iter().enumerate() {
            let spared = match limit {
                OpenLimit::AllBut(without) => *without > 0,
                OpenLimit::Fixed(Some(most)) => *most < self.protocol.open.size.least,
                OpenLimit::Fixed(None) => false,
            };
            // With several groups, a node with a fault need not belong to this group.
            if !spared || self.protocol.open.limits.len() > 1 {
                continue;
            }
            let well = network.some_name(aig, 1 + group);
            let mut fine = Vec::new();
            for name in 0..=1 + group {
                let node = machine::NodeId(name as u32);
                let faulty = network.frozen.some_fault(aig, node, |_| true);
                let here = well.number().is(aig, name as i128);
                fine.push(aig.and(here, !faulty));
            }
            let fine = aig.any(fine);
            network.conditions.push(fine);
        }
    }

    /// Can a read come so soon after a clear that a message of some sender may be missing? `None` if this cannot be excluded
    /// by times.
    pub fn unfilled(&self) -> Result<Option<Vec<Query>>, Unsupported> {
        let base = &self.protocol.open.base;
        if base.inbox.start != InboxStart::OneFromEach || !base.faults.is_empty() {
            return Ok(None);
        }
        let durations = &self.protocol.durations;
        let Some(most) = (1..=16).find(|gaps| durations.is_certain(*gaps)) else {
            return Ok(None);
        };
        let mut queries = Vec::new();
        for case in self.cases(Start::Anywhere) {
            let machine = self.protocol.named(2);
            let mut aig = Aig::new();
            let mut network = Network::new(&mut aig, self, &machine, 1, Start::Anywhere)?;
            let unrolled = network.unroll(&mut aig, &case, most, 0)?;
            let mut misses = Vec::new();
            let mut since = vec![unrolled.cleared[0]];
            for gaps in 1..most as usize {
                let here = since.iter().copied().chain([unrolled.looked[gaps]]);
                misses.push(aig.all(here.collect::<Vec<_>>()));
                since.push(!unrolled.cleared[gaps]);
            }
            let goal = aig.any(misses);
            let _ = network.moments.is_certain(most);
            queries.push(Query::of(aig, network, goal, most)?);
        }
        Ok(Some(queries))
    }
}

/// Whether the subject is off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Off {
    IsOff,
    Runs,
}
