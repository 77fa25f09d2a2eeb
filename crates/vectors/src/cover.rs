//! Few vectors that meet every outcome that can be met.
//!
//! An outcome that no vector has met yet is asked for; then, one after the other, all others that are still missing are asked
//! for together with what is there already; then inputs are made small, the first one first. So the vectors depend on the
//! model alone, not on what a solver happens to find.

use crate::Refused;
use crate::replay::{End, Vector, hands_to_itself, replay};
use crate::scene::{Scene, Started, starts};
use crate::sites::{Site, sites};
use bits::Way;
use machine::{BlockId, KindId, LocalId, Machine, NodeId, Origin};
use sat::{Backend, Lit, Outcome as Answer, Solver, Tseitin};

/// So many messages of each sender and type have room in an inbox that keeps more than the latest; then so many.
const ROOM: [usize; 2] = [2, 4];

/// The vectors for the code of a kind of node, and the outcomes they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Whose code it is.
    pub kind: KindId,
    /// The vectors.
    pub vectors: Vec<Vector>,
    /// All outcomes, block by block; errors that can be met behind the others.
    pub outcomes: Vec<Outcome>,
    /// Whether somebody wanted to stop before all were decided.
    pub stopped: bool,
}

/// An outcome of a decision in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In which block.
    pub block: BlockId,
    /// Where the decision is.
    pub origin: Option<Origin>,
    /// Which outcome.
    pub way: Way,
    /// The text that is decided.
    pub shown: Option<Origin>,
    /// The name that is decided, where there is no text of its own.
    pub local: Option<LocalId>,
    /// What has become of it.
    pub fate: Fate,
}

/// What has become of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nobody has looked yet.
    Open,
    /// This vector meets it, by its place.
    Covered(usize),
    /// No state meets it: that is proved.
    Unreachable,
    /// No state with at most so many messages of each sender and type in the inbox meets it.
    NotWith(usize),
}

impl Suite {
    /// The vectors for the code of a kind. The first `instances` restrictions of the start are about what never changes.
    /// `backend` is the SAT solver that is asked; `stop` is asked now and then.
    pub fn of(
        machine: &Machine,
        kind: KindId,
        instances: usize,
        backend: Backend,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Suite, Refused> {
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
            match suite.block(
                machine,
                BlockId(b as u32),
                first,
                instances,
                (backend, stop),
            ) {
                Err(Refused::Stopped) => suite.stopped = true,
                done => done?,
            }
        }
        // An error that nobody has met is none.
        let met = |o: &Outcome| o.way != Way::Error || o.fate != Fate::Open;
        suite.outcomes.retain(met);
        Ok(suite)
    }

    /// How many outcomes are so.
    pub fn count(&self, is: impl Fn(Fate) -> bool) -> usize {
        self.outcomes.iter().filter(|o| is(o.fate)).count()
    }

    fn block(
        &mut self,
        machine: &Machine,
        block: BlockId,
        first: usize,
        instances: usize,
        (backend, stop): (Backend, &mut dyn FnMut() -> bool),
    ) -> Result<(), Refused> {
        let kind = machine.blocks[block.index()].kind;
        let mut short = false;
        for room in ROOM {
            for node in machine.nodes_of(kind) {
                for started in starts(machine, block, node) {
                    short |= self.scene(
                        machine,
                        (block, node, started),
                        (room, instances),
                        first,
                        (backend, &mut *stop),
                    )?;
                    if stop() {
                        return Err(Refused::Stopped);
                    }
                }
            }
            if !short {
                break;
            }
        }
        for outcome in &mut self.outcomes[first..] {
            if outcome.fate == Fate::Open {
                outcome.fate = match short {
                    true => Fate::NotWith(ROOM[1]),
                    false => Fate::Unreachable,
                };
            }
        }
        Ok(())
    }

    /// Meets what can be met in one scene; whether there could be more if there were more room.
    fn scene(
        &mut self,
        machine: &Machine,
        (block, node, started): (BlockId, NodeId, Started),
        (room, instances): (usize, usize),
        first: usize,
        (backend, stop): (Backend, &mut dyn FnMut() -> bool),
    ) -> Result<bool, Refused> {
        // Errors are looked for everywhere, but not again.
        if room > ROOM[0] && self.outcomes[first..].iter().all(|o| o.fate != Fate::Open) {
            return Ok(false);
        }
        let mut scene = Scene::new(machine, block, node, started, room, instances)?;
        let goals = self.goals(&mut scene, first);
        let mut search = Search::new(&scene, backend);
        for strict in [2, 1, 0] {
            for goal in &goals {
                let Some(outcome) = goal
                    .outcome
                    .filter(|o| self.outcomes[*o].fate == Fate::Open)
                else {
                    continue;
                };
                let is_error = matches!(goal.way, Way::Error | Way::Assert(false));
                if is_error && strict > 0 {
                    continue;
                }
                let mut wanted = search.mildly(&scene, strict);
                wanted.push(goal.when);
                match search.ask(&scene, &wanted, stop) {
                    Answer::Stopped => return Err(Refused::Stopped),
                    Answer::Unsatisfiable => continue,
                    Answer::Satisfiable => {}
                }
                if !is_error {
                    search.add_goals(&scene, &mut wanted, &goals, &self.outcomes, stop);
                }
                let values = search
                    .least(&scene, &wanted, stop)
                    .ok_or(Refused::Stopped)?;
                let vector = replay(&scene, &values).map_err(Refused::Disagrees)?;
                self.take(vector, &scene, &values, &goals, outcome);
            }
        }
        self.outcomes
            .retain(|o| o.way != Way::Error || o.fate != Fate::Open);
        Ok(scene.short)
    }

    /// What can be met in a scene. Errors become outcomes here.
    fn goals(&mut self, scene: &mut Scene<'_>, first: usize) -> Vec<Goal> {
        let mut goals: Vec<Goal> = Vec::new();
        let mut met: Vec<(Option<Origin>, Way, Vec<Lit>)> = Vec::new();
        for note in &scene.notes {
            match met
                .iter_mut()
                .find(|(o, w, _)| (*o, *w) == (note.origin, note.way))
            {
                Some((_, _, lits)) => lits.push(note.when),
                None => met.push((note.origin, note.way, vec![note.when])),
            }
        }
        for (origin, way, lits) in met {
            let when = scene.aig.any(lits);
            let same = |o: &Outcome| (o.origin, o.way) == (origin, way);
            let mut outcome = self.outcomes[first..]
                .iter()
                .position(same)
                .map(|o| o + first);
            let asserts = |o: &Outcome| (o.origin, o.way) == (origin, Way::Assert(false));
            let assertion = self.outcomes[first..].iter().any(asserts);
            if way == Way::Error && outcome.is_none() && !assertion {
                outcome = Some(self.outcomes.len());
                let site = Site {
                    origin,
                    way,
                    shown: origin,
                    local: None,
                };
                self.outcomes.push(Outcome::of(scene.block, site));
            }
            let soft = matches!(way, Way::Changes | Way::Tie);
            if soft || outcome.is_some() {
                goals.push(Goal { outcome, way, when });
            }
        }
        goals
    }

    /// Takes a vector, and notes what it meets.
    fn take(
        &mut self,
        vector: Vector,
        scene: &Scene<'_>,
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
        debug_assert_eq!(vector.block, scene.block);
        let error = self.outcomes[wanted].way == Way::Error;
        debug_assert!(!error || matches!(vector.end, End::Error(_)));
        self.vectors.push(vector);
    }
}

impl Outcome {
    /// Whether it ends the run with an error.
    pub fn is_error(&self) -> bool {
        matches!(self.way, Way::Error | Way::Assert(false))
    }

    fn of(block: BlockId, site: Site) -> Outcome {
        Outcome {
            block,
            origin: site.origin,
            way: site.way,
            shown: site.shown,
            local: site.local,
            fate: Fate::Open,
        }
    }
}

/// Something that a vector shall meet; without an outcome it is only welcome.
struct Goal {
    outcome: Option<usize>,
    way: Way,
    when: Lit,
}

/// A solver with the circuit of a scene.
struct Search {
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
}

impl Search {
    fn new(scene: &Scene<'_>, backend: Backend) -> Search {
        let mut search = Search {
            solver: (backend.new)(),
            tseitin: Tseitin::new(),
        };
        let base = search
            .tseitin
            .literal(&scene.aig, scene.base, &mut search.solver);
        sat::Sink::clause(&mut search.solver, &[base]);
        search
    }

    /// What is better than not: the block runs, and without an error.
    fn mildly(&self, scene: &Scene<'_>, strict: u32) -> Vec<Lit> {
        match strict {
            2 => vec![!scene.effects.error, scene.effects.guard],
            1 => vec![!scene.effects.error],
            _ => vec![],
        }
    }

    fn ask(&mut self, scene: &Scene<'_>, wanted: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer {
        let mut assumptions = Vec::new();
        for lit in wanted {
            assumptions.push(self.tseitin.literal(&scene.aig, *lit, &mut self.solver));
        }
        self.solver.solve(&assumptions, stop)
    }

    /// Adds goals that are still missing, as far as they go together: outcomes first, then what is only welcome.
    fn add_goals(
        &mut self,
        scene: &Scene<'_>,
        wanted: &mut Vec<Lit>,
        goals: &[Goal],
        outcomes: &[Outcome],
        stop: &mut dyn FnMut() -> bool,
    ) {
        let missing = |goal: &&Goal| goal.outcome.is_some_and(|o| outcomes[o].fate == Fate::Open);
        let is_error = |goal: &&Goal| matches!(goal.way, Way::Error | Way::Assert(false));
        let hard = goals.iter().filter(missing).filter(|goal| !is_error(goal));
        let soft = goals.iter().filter(|goal| goal.outcome.is_none());
        for goal in hard.chain(soft) {
            wanted.push(goal.when);
            if self.ask(scene, wanted, stop) != Answer::Satisfiable {
                wanted.pop();
            }
        }
    }

    /// The least inputs under which all of these are true, as values of all gates; nothing if somebody stops.
    fn least(
        &mut self,
        scene: &Scene<'_>,
        wanted: &[Lit],
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<bool>> {
        let mut wanted = wanted.to_vec();
        if self.ask(scene, &wanted, stop) != Answer::Satisfiable {
            return None;
        }
        let mut values = self.tseitin.inputs(&scene.aig, &self.solver);
        for input in &scene.order {
            let sat::Gate::Input(number) = scene.aig.gate(input.gate()) else {
                continue;
            };
            wanted.push(!input.positive());
            if !values[number as usize] {
                continue;
            }
            match self.ask(scene, &wanted, stop) {
                Answer::Satisfiable => values = self.tseitin.inputs(&scene.aig, &self.solver),
                Answer::Unsatisfiable => {
                    wanted.pop();
                    wanted.push(input.positive());
                }
                Answer::Stopped => return None,
            }
        }
        Some(scene.aig.simulate(&values))
    }
}
