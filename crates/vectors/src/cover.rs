//! Branch coverage with few vectors.
//!
//! For an uncovered branch the search asks the solver for inputs that reach it. Then it requires the other uncovered
//! branches as well, one by one, as long as the requirements stay satisfiable together. Then it minimises the inputs
//! in a fixed order. So the vectors depend only on the model, not on the choices of the solver.

use crate::Refused;
use crate::replay::{End, Vector, hands_to_itself, replay};
use crate::sites::{Site, sites};
use crate::symbolic::{Started, SymbolicBlock, starts};
use bits::Branch;
use cancellation::Cancelled;
use machine::{BlockId, KindId, LocalId, Machine, NodeId, Origin};
use sat::{Backend, Lit, Outcome as Answer, Solver, Tseitin};

/// The number of slots for messages of each sender and type in an inbox that keeps more than the latest message, in
/// the first and in the second attempt.
const ROOM: [usize; 2] = [2, 4];

/// The vectors for the code of a node kind, and the branches that they cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The node kind.
    pub kind: KindId,
    /// The vectors.
    pub vectors: Vec<Vector>,
    /// All branches, block by block. Within a block, reachable errors come last.
    pub outcomes: Vec<Outcome>,
    /// Whether the search was stopped before all branches were decided.
    pub stopped: bool,
}

/// A branch of a decision in the code, with its coverage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The block.
    pub block: BlockId,
    /// The origin of the decision; together with `branch` it identifies the branch within the block.
    pub origin: Option<Origin>,
    /// Which branch of the decision.
    pub branch: Branch,
    /// The origin of the text that describes the condition.
    pub shown: Option<Origin>,
    /// The local name that is the condition, if the condition has no text of its own.
    pub local: Option<LocalId>,
    /// The coverage.
    pub fate: Fate,
}

/// The coverage of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not decided.
    Open,
    /// Covered by the vector at this position.
    Covered(usize),
    /// Proved unreachable.
    Unreachable,
    /// Not reachable with at most this number of messages of each sender and type in the inbox; not proved for more
    /// messages.
    NotWith(usize),
}

impl Suite {
    /// Computes the vectors for the code of a kind. The first `instances` predicates of `machine.initially` constrain
    /// frozen values. `backend` is the SAT solver. If the computation is cancelled, what was decided before is kept, and the
    /// suite says that it was stopped.
    pub fn of(
        machine: &Machine,
        kind: KindId,
        instances: usize,
        backend: Backend,
    ) -> Result<Suite, Refused> {
        cancellation::acknowledge();
        let token = cancellation::current();
        let mut suite = Suite {
            kind,
            vectors: Vec::new(),
            outcomes: Vec::new(),
            stopped: false,
        };
        if machine
            .nodes_of(kind)
            .any(|node| hands_to_itself(machine, node))
        {
            let why = "nodes that hand messages to themselves at once";
            return Err(Refused::Unsupported(why.into()));
        }
        for (b, block) in machine.blocks.iter().enumerate() {
            if block.kind != kind {
                continue;
            }
            let first = suite.outcomes.len();
            let known = sites(block).into_iter();
            let known = known.map(|site| Outcome::of(BlockId(b as u32), site));
            suite.outcomes.extend(known);
            if suite.stopped {
                continue;
            }
            let cover = || suite.block(machine, BlockId(b as u32), first, instances, backend);
            match cancellation::with(&token, || cancellation::catch(cover)) {
                Err(Cancelled) => suite.stopped = true,
                Ok(done) => done?,
            }
        }
        // An error that no vector reaches is not listed as a branch.
        let met = |o: &Outcome| o.branch != Branch::Error || o.fate != Fate::Open;
        suite.outcomes.retain(met);
        Ok(suite)
    }

    /// The number of branches whose coverage satisfies `is`.
    pub fn count(&self, is: impl Fn(Fate) -> bool) -> usize {
        self.outcomes.iter().filter(|o| is(o.fate)).count()
    }

    fn block(
        &mut self,
        machine: &Machine,
        block: BlockId,
        first: usize,
        instances: usize,
        backend: Backend,
    ) -> Result<(), Refused> {
        let kind = machine.blocks[block.index()].kind;
        let mut truncated = false;
        for room in ROOM {
            for node in machine.nodes_of(kind) {
                for started in starts(machine, block, node) {
                    truncated |= self.cover_block(
                        machine,
                        (block, node, started),
                        (room, instances),
                        first,
                        backend,
                    )?;
                }
            }
            if !truncated {
                break;
            }
        }
        for outcome in &mut self.outcomes[first..] {
            if outcome.fate == Fate::Open {
                outcome.fate = match truncated {
                    true => Fate::NotWith(ROOM[1]),
                    false => Fate::Unreachable,
                };
            }
        }
        Ok(())
    }

    /// Covers the reachable branches of one symbolic block. Returns whether more messages in the inbox could reach
    /// further branches.
    fn cover_block(
        &mut self,
        machine: &Machine,
        (block, node, started): (BlockId, NodeId, Started),
        (room, instances): (usize, usize),
        first: usize,
        backend: Backend,
    ) -> Result<bool, Refused> {
        // The first attempt examines every symbolic block, because it adds the reachable errors to the outcomes. The
        // second attempt examines one only if an outcome of the block is open.
        if room > ROOM[0] && self.outcomes[first..].iter().all(|o| o.fate != Fate::Open) {
            return Ok(false);
        }
        let mut symbolic = SymbolicBlock::new(machine, block, node, started, room, instances)?;
        let goals = self.goals(&mut symbolic, first);
        let mut search = Search::new(&symbolic, backend);
        for strict in [2, 1, 0] {
            for goal in &goals {
                let Some(outcome) = goal
                    .outcome
                    .filter(|o| self.outcomes[*o].fate == Fate::Open)
                else {
                    continue;
                };
                let is_error = matches!(goal.branch, Branch::Error | Branch::Assert(false));
                if is_error && strict > 0 {
                    continue;
                }
                let mut wanted = search.preferences(&symbolic, strict);
                wanted.push(goal.when);
                if !search.is_satisfiable(&symbolic, &wanted) {
                    continue;
                }
                if !is_error {
                    search.add_goals(&symbolic, &mut wanted, &goals, &self.outcomes);
                }
                let values = search.least(&symbolic, &wanted);
                let vector = replay(&symbolic, &values).map_err(Refused::Disagrees)?;
                self.take(vector, &symbolic, &values, &goals, outcome);
            }
        }
        self.outcomes
            .retain(|o| o.branch != Branch::Error || o.fate != Fate::Open);
        Ok(symbolic.truncated)
    }

    /// The goals of a symbolic block. Possible errors are added to the outcomes.
    fn goals(&mut self, symbolic: &mut SymbolicBlock<'_>, first: usize) -> Vec<Goal> {
        let mut goals: Vec<Goal> = Vec::new();
        let mut met: Vec<(Option<Origin>, Branch, Vec<Lit>)> = Vec::new();
        for condition in &symbolic.branches {
            match met
                .iter_mut()
                .find(|(o, w, _)| (*o, *w) == (condition.origin, condition.branch))
            {
                Some((_, _, lits)) => lits.push(condition.when),
                None => met.push((condition.origin, condition.branch, vec![condition.when])),
            }
        }
        for (origin, branch, lits) in met {
            let when = symbolic.aig.any(lits);
            let same = |o: &Outcome| (o.origin, o.branch) == (origin, branch);
            let mut outcome = self.outcomes[first..]
                .iter()
                .position(same)
                .map(|o| o + first);
            let asserts = |o: &Outcome| (o.origin, o.branch) == (origin, Branch::Assert(false));
            let assertion = self.outcomes[first..].iter().any(asserts);
            if branch == Branch::Error && outcome.is_none() && !assertion {
                outcome = Some(self.outcomes.len());
                let site = Site {
                    origin,
                    branch,
                    shown: origin,
                    local: None,
                };
                self.outcomes.push(Outcome::of(symbolic.block, site));
            }
            let soft = matches!(branch, Branch::Changes | Branch::Tie);
            if soft || outcome.is_some() {
                goals.push(Goal {
                    outcome,
                    branch,
                    when,
                });
            }
        }
        goals
    }

    /// Adds a vector and marks the branches that it covers.
    fn take(
        &mut self,
        vector: Vector,
        symbolic: &SymbolicBlock<'_>,
        values: &[bool],
        goals: &[Goal],
        wanted: usize,
    ) {
        let place = self.vectors.len();
        for goal in goals {
            let meets = values[goal.when.gate() as usize] != goal.when.is_negated();
            let Some(outcome) = goal.outcome.filter(|_| meets) else {
                continue;
            };
            if self.outcomes[outcome].fate == Fate::Open {
                self.outcomes[outcome].fate = Fate::Covered(place);
            }
        }
        debug_assert_eq!(self.outcomes[wanted].fate, Fate::Covered(place));
        debug_assert_eq!(vector.block, symbolic.block);
        let error = self.outcomes[wanted].branch == Branch::Error;
        debug_assert!(!error || matches!(vector.end, End::Error(_)));
        self.vectors.push(vector);
    }
}

impl Outcome {
    /// Whether the branch ends the run with an error.
    pub fn is_error(&self) -> bool {
        matches!(self.branch, Branch::Error | Branch::Assert(false))
    }

    fn of(block: BlockId, site: Site) -> Outcome {
        Outcome {
            block,
            origin: site.origin,
            branch: site.branch,
            shown: site.shown,
            local: site.local,
            fate: Fate::Open,
        }
    }
}

/// A condition that a vector should satisfy. Without an outcome the goal is optional.
struct Goal {
    outcome: Option<usize>,
    branch: Branch,
    when: Lit,
}

/// A solver with the clauses of a symbolic block.
struct Search {
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
}

impl Search {
    fn new(symbolic: &SymbolicBlock<'_>, backend: Backend) -> Search {
        let mut search = Search {
            solver: (backend.new)(),
            tseitin: Tseitin::new(),
        };
        let base = search
            .tseitin
            .literal(&symbolic.aig, symbolic.base, &mut search.solver);
        sat::Sink::clause(&mut search.solver, &[base]);
        search
    }

    /// Conditions that are preferred, by strictness: 2 requires that the guard holds and no error occurs, 1 only that
    /// no error occurs, 0 nothing.
    fn preferences(&self, symbolic: &SymbolicBlock<'_>, strict: u32) -> Vec<Lit> {
        match strict {
            2 => vec![!symbolic.effects.error, symbolic.effects.guard],
            1 => vec![!symbolic.effects.error],
            _ => vec![],
        }
    }

    fn is_satisfiable(&mut self, symbolic: &SymbolicBlock<'_>, wanted: &[Lit]) -> bool {
        let mut assumptions = Vec::new();
        for lit in wanted {
            assumptions.push(self.tseitin.literal(&symbolic.aig, *lit, &mut self.solver));
        }
        match self.solver.solve(&assumptions, &mut || false) {
            Answer::Satisfiable => true,
            Answer::Unsatisfiable => false,
            Answer::Stopped => unreachable!("only a cancellation ends the query, and it unwinds"),
        }
    }

    /// Adds the condition of each further goal to `wanted`, unless `wanted` becomes unsatisfiable: first the goals of
    /// open outcomes, then the optional goals.
    fn add_goals(
        &mut self,
        symbolic: &SymbolicBlock<'_>,
        wanted: &mut Vec<Lit>,
        goals: &[Goal],
        outcomes: &[Outcome],
    ) {
        let missing = |goal: &&Goal| goal.outcome.is_some_and(|o| outcomes[o].fate == Fate::Open);
        let is_error = |goal: &&Goal| matches!(goal.branch, Branch::Error | Branch::Assert(false));
        let hard = goals.iter().filter(missing).filter(|goal| !is_error(goal));
        let soft = goals.iter().filter(|goal| goal.outcome.is_none());
        for goal in hard.chain(soft) {
            wanted.push(goal.when);
            if !self.is_satisfiable(symbolic, wanted) {
                wanted.pop();
            }
        }
    }

    /// The lexicographically least inputs that satisfy all conditions, as the values of all gates. The conditions must
    /// be satisfiable.
    fn least(&mut self, symbolic: &SymbolicBlock<'_>, wanted: &[Lit]) -> Vec<bool> {
        let mut wanted = wanted.to_vec();
        let satisfiable = self.is_satisfiable(symbolic, &wanted);
        assert!(satisfiable, "the caller has asked");
        let mut values = self.tseitin.inputs(&symbolic.aig, &self.solver);
        for input in &symbolic.order {
            let sat::Gate::Input(number) = symbolic.aig.gate(input.gate()) else {
                continue;
            };
            wanted.push(!input.positive());
            if !values[number as usize] {
                continue;
            }
            if self.is_satisfiable(symbolic, &wanted) {
                values = self.tseitin.inputs(&symbolic.aig, &self.solver);
            } else {
                wanted.pop();
                wanted.push(input.positive());
            }
        }
        symbolic.aig.simulate(&values)
    }
}
