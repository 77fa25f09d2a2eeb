//! The search: every instance, every state, and what is found on the way.

use crate::abstraction::lazy_initial_values::{Deferred, beginnings};
use crate::diagnose::enumeration_limits::refuse_too_many;
use crate::events::enabled::is_quiescent;
use crate::graph::state_graph::Graph;
use crate::liveness::last_violation::Sought;
use crate::parallel::batch_result::Sheet;
use crate::parallel::event_labels::EventLabels;
use crate::parallel::worker_pool::Crew;
use crate::por::cycle_proviso::expand_cycles;
use crate::por::stubborn_sets::StubbornSets;
use crate::program::compiled_machine::Compiled;
use crate::program::condition::Condition;
use crate::properties::monitor::Lookout;
use crate::properties::property::{Watch, bounds, premises, watches};
use crate::properties::property_cache::Glances;
use crate::search::checkpoint::{Checkpoint, Resumed};
use crate::search::counter_bounds;
use crate::search::detour::Blind;
use crate::search::limits::Arrangements;
use crate::search::temporal::Looks;
use crate::state::counters::Beyond;
use crate::state::partial_value::Keeps;
use crate::store::pending_inserts::Claims;
use crate::symmetry::applicability::Symmetry;
use machine::{Beginning, Frozen, Machine, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::thread::Scope;
use verdict::{
    Budget, ConeOfInfluence, Counts, Findings, Omission, Premise, Question, Refusal, Report, Run,
    Storage, TimedReductions,
};

/// What may be left out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Less<'a> {
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Instances that differ only in who is who.
    pub(crate) symmetric: bool,
    /// States that differ only in who is who.
    pub(crate) who_is_who: bool,
    /// Of instances that this Machine cannot tell apart one is enough, if another one is meant than is searched.
    pub(crate) like: Option<&'a Machine>,
    /// Orders of events that make no difference.
    pub(crate) partial_orders: bool,
}

/// Why there is no report.
pub(crate) enum NotFound {
    Refused(Refusal),
    /// The search was loose, and met what may not be real.
    Loose,
    /// There was no room for a counter.
    Beyond(Beyond),
    /// Orders were left out, and it depends on them which runs are fair.
    Orders,
}

impl From<NotFound> for Refusal {
    fn from(why: NotFound) -> Refusal {
        match why {
            NotFound::Refused(refusal) => refusal,
            NotFound::Loose => unreachable!("only where it is loose"),
            NotFound::Beyond(_) => unreachable!("not where there is no more room"),
            NotFound::Orders => unreachable!("only where orders are left out"),
        }
    }
}

pub(crate) fn search_for(
    question: &Question<'_>,
    deferred: Deferred,
    loose: Option<Arc<[Keeps]>>,
    less: Less<'_>,
    sought: Option<&mut Sought>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    let machine = question.machine;
    let cone = less.cone;
    let unsupported = |why| NotFound::Refused(Refusal::Unsupported(why));
    refuse_too_many(machine, &deferred, cone).map_err(unsupported)?;
    let watches = watches(machine).map_err(unsupported)?;
    // A loop must come back to where it began, also in what nobody can tell.
    let temporal = watches
        .iter()
        .any(|watch| matches!(watch, Watch::Temporal(..)));
    let counts = !machine.counters.is_empty();
    let timed_reductions = less.timed_reductions.filter(|_| !temporal && !counts);
    let compiled =
        Compiled::new(machine, loose.clone(), None, is_quiescent).map_err(unsupported)?;
    let compiled = compiled.with(timed_reductions).map_err(unsupported)?;
    let premises = premises(machine).map_err(unsupported)?;
    let bounds = bounds(machine).map_err(unsupported)?;
    let in_the_way = match (&loose, &sought, timed_reductions) {
        _ if deferred.any() => Some("initial values are decided when they are read"),
        (Some(_), ..) => Some("data is not known"),
        (_, Some(_), _) => Some("activations are counted"),
        (.., Some(_)) => Some("what nobody can tell in time is left out"),
        _ => None,
    };
    let how = format!(
        "deferred {} loose {} widest {widest}",
        deferred.any(),
        loose.is_some()
    );
    let omission = match budget.storage() {
        Storage::Hashes(bits) => Some(Omission::new(bits)),
        Storage::Plain | Storage::AsNeeded(_) | Storage::Compressed => None,
    };
    if omission.is_some() && (sought.is_some() || less.partial_orders) {
        let why = "only hashes of visited states are kept, and these are needed as they are";
        return Err(unsupported(why.into()));
    }
    let begins_anew = match (&sought, less.partial_orders) {
        _ if omission.is_some() => Some("that keeps hashes of states"),
        (Some(_), _) => Some("for how long something can be false"),
        (None, true) => Some("that leaves out orders of events"),
        (None, false) => None,
    };
    let checkpoint = match begins_anew {
        None => Checkpoint::new(question, &how, less, budget),
        Some(which) => {
            if let Some(checkpoint_store) = budget.checkpoint_store() {
                checkpoint_store.note(&format!(
                    "the search {which} has no checkpoints: it begins anew"
                ));
            }
            None
        }
    };
    let mut search = Search {
        symmetry: Symmetry::new(question, less.who_is_who, in_the_way),
        question,
        budget,
        compiled: &compiled,
        deferred,
        loose,
        cone,
        timed_reductions,
        partial_orders: less.partial_orders,
        sought,
        found: watches.iter().map(|_| Found::default()).collect(),
        findings: Findings {
            ran: vec![false; machine.blocks.len()],
            sent: vec![false; machine.records.len()],
            premises: premises
                .iter()
                .map(|p| p.as_ref().map(|_| Premise::Open))
                .collect(),
            latest: vec![None; machine.properties.len()],
            complete: true,
            omission,
            ..Findings::default()
        },
        counts: Counts {
            up_to_rotation: machine::rotations(less.like.unwrap_or(machine)),
            ..Counts::default()
        },
        blind: Vec::new(),
        parts: Vec::new(),
        glances: None,
        can_halt: machine.kinds.iter().map(|_| false).collect(),
        states_when_decided: None,
        not_followed: 0,
        levels: Vec::new(),
        frozen_vars: Arrangements::new(less.like.unwrap_or(machine), less),
        checkpoint,
        stubborn: None,
        watches: &watches,
        premises: &premises,
        late: vec![None; bounds.len()],
        bounds,
        looks: Looks::default(),
    };
    search.note_who_can_halt();
    if search.leave_temporal_open() {
        return Ok(search.report());
    }
    let (done, mut begun) = match search.resume()? {
        Resumed::No => (0, false),
        Resumed::Instances(done, begun) => (done, begun),
        Resumed::End => return Ok(search.report()),
    };
    let mut spent = false;
    let mut frozen_vars = search.frozen_vars.all().skip(done).peekable();
    while let Some(frozen) = frozen_vars.next() {
        let before = search.counts;
        if !std::mem::take(&mut begun) {
            if !search.wants_another() {
                break;
            }
            search.counts.instances += 1;
        }
        let searched = search.instance(&frozen);
        if let Err(Stop::Spent { .. } | Stop::SpentBehind { .. }) = &searched {
            search.keep_before(before);
        }
        search.instance_done();
        if let Err(stop) = searched {
            search.findings.complete = false;
            match stop {
                Stop::Refused(refusal) => return Err(NotFound::Refused(refusal)),
                Stop::Spent { why, depth } => {
                    spent = true;
                    search.give_up(&why, depth);
                }
                Stop::SpentBehind { why } => {
                    spent = true;
                    search.give_up_behind(&why, frozen_vars.peek().is_none());
                }
                Stop::Unsupported(why) => return Err(unsupported(why)),
                Stop::TooLoose => return Err(NotFound::Loose),
                Stop::Beyond(beyond, depth) if widest => {
                    search.give_up(&counter_bounds::grows(machine, beyond), depth);
                }
                Stop::Beyond(beyond, _) => return Err(NotFound::Beyond(beyond)),
                Stop::Orders => return Err(NotFound::Orders),
            }
            break;
        }
    }
    if begun {
        return Err(search.wrong("it is in an instance that is not there"));
    }
    if search.counts.initial == 0 && search.findings.complete {
        return Err(NotFound::Refused(Refusal::NoInitialState));
    }
    let open = search.found.is_empty() || search.found.iter().any(|found| found.run.is_none());
    if search.not_followed > 0 && open {
        return Err(NotFound::Loose);
    }
    if !spent {
        search.keep_end();
    }
    Ok(search.report())
}

/// Whether there has been room for all counters.
fn room(graph: &Graph<'_>, depth: u64) -> Result<(), Stop> {
    match graph.desk().layout.beyond.get() {
        None => Ok(()),
        Some(beyond) => Err(Stop::Beyond(beyond, depth)),
    }
}

/// What is known of one property so far.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The shortest run that decides it against the claim, or reaches the condition.
    pub(crate) run: Option<Box<Run>>,
    /// The shortest run into an error of its own: it has no value there.
    pub(crate) error: Option<Box<Run>>,
    /// Why it is not decided.
    pub(crate) unknown: Option<String>,
}

pub(crate) enum Stop {
    Refused(Refusal),
    /// A limit is reached: which, and how many events deep the search was.
    Spent {
        why: String,
        depth: u64,
    },
    /// A limit is reached when all states of the instance are known: which.
    SpentBehind {
        why: String,
    },
    Unsupported(String),
    /// The search was loose, and met something unknown that must be known.
    TooLoose,
    /// There was no room for a counter, so many events deep.
    Beyond(Beyond, u64),
    /// Orders were left out, and it depends on them which runs are fair.
    Orders,
}

/// What is needed to understand a sheet: labels of whoever wrote it, and claims of whoever looked up what is on it.
type Key<'d> = (&'d mut EventLabels, &'d mut Claims);

/// How far a search is.
struct Level {
    /// Events from an initial state.
    depth: u64,
    /// One past the last state of that depth.
    end: u32,
    /// When the budget is asked again, in transitions.
    ask_again: u64,
}

pub(crate) struct Search<'a> {
    pub(crate) symmetry: Symmetry,
    pub(crate) question: &'a Question<'a>,
    pub(crate) budget: &'a dyn Budget,
    pub(crate) compiled: &'a Compiled<'a>,
    pub(crate) deferred: Deferred,
    /// In a loose search, by slot: what of it may be unknown.
    pub(crate) loose: Option<Arc<[Keeps]>>,
    pub(crate) cone: Option<&'a ConeOfInfluence<'a>>,
    pub(crate) timed_reductions: Option<&'a TimedReductions>,
    /// Orders of events that make no difference are left out.
    pub(crate) partial_orders: bool,
    /// How long something can be false, if that is asked.
    pub(crate) sought: Option<&'a mut Sought>,
    pub(crate) watches: &'a [Watch<'a>],
    pub(crate) premises: &'a [Option<Condition>],
    /// By property with a bound on the time: what must hold once that is over.
    pub(crate) bounds: Vec<Option<Condition>>,
    /// The latest time, in the present instance, at which that does not, and the state.
    pub(crate) late: Vec<Option<(i64, u32)>>,
    /// The temporal claims about the present instance.
    pub(crate) looks: Looks<'a>,
    pub(crate) found: Vec<Found>,
    pub(crate) findings: Findings,
    pub(crate) counts: Counts,
    /// By property: what of the present instance it cannot see.
    pub(crate) blind: Vec<Blind>,
    /// How the present instance begins, by part.
    pub(crate) parts: Vec<(Beginning, Vec<Value>)>,
    /// A quick look at the present instance, where that is possible.
    pub(crate) glances: Option<Glances>,
    /// By kind: whether its code can halt.
    pub(crate) can_halt: Vec<bool>,
    /// How many states had been visited when everything was decided.
    pub(crate) states_when_decided: Option<u64>,
    /// How many runs of a loose search were met that could not be followed in the exact one.
    pub(crate) not_followed: u64,
    /// Of the present instance: how many states there are at each depth that is complete.
    pub(crate) levels: Vec<u64>,
    pub(crate) frozen_vars: Arrangements<'a>,
    /// The choice of events in the present instance, with partial-order reduction.
    pub(crate) stubborn: Option<Box<StubbornSets>>,
    /// What is kept of it, if something is.
    pub(crate) checkpoint: Option<Checkpoint<'a>>,
}

/// After so many runs that could not be followed a loose search is given up.
const MOST_NOT_FOLLOWED: u64 = 20;

/// States that are visited in further instances to find a shorter run, at least.
const EFFORT_FOR_SHORTER_RUNS: u64 = 100_000;

impl<'a> Search<'a> {
    /// Searches one instance.
    fn instance(&mut self, frozen: &Frozen) -> Result<(), Stop> {
        let machine = self.question.machine;
        self.ask_before()?;
        let instance = machine::Instance { machine, frozen };
        let relevant = self.cone.map(|cone| cone(frozen));
        let compiled = match &relevant {
            None => None,
            Some(relevant) => Some(
                Compiled::new(machine, self.loose.clone(), Some(relevant), is_quiescent)
                    .and_then(|compiled| compiled.with(self.timed_reductions))
                    .map_err(Stop::Unsupported)?,
            ),
        };
        let compiled = compiled.as_ref().unwrap_or(self.compiled);
        let initial = |error| Stop::Refused(Refusal::Initial(error));
        self.parts = instance.beginnings().map_err(initial)?;
        let mut begin = beginnings(
            compiled,
            &self.deferred,
            relevant.as_deref(),
            instance,
            self.parts.clone(),
        );
        let Some(first) = self.first_state(&mut begin.states)? else {
            return Ok(()); // it has no runs
        };
        let layout = compiled.layout(self.deferred.any());
        let mut layout = layout.map_err(Stop::Unsupported)?;
        for (slot, value) in begin.fixed {
            layout.fix(slot, value);
        }
        let keep = self.temporal_open() || self.sought.is_some() || self.partial_orders;
        let keep = self.kept_transitions().unwrap_or(keep);
        let numbers = compiled.frozen(frozen);
        let (options, states) = (begin.options, begin.states);
        let mut graph = Graph::new(compiled, layout, numbers, options, states, keep);
        let canonical =
            self.symmetry
                .of(compiled, &graph.desk().layout, frozen, relevant.as_deref());
        graph.take_up_to(canonical.map_err(Stop::Unsupported)?);
        graph.keep_by(self.budget.storage());
        self.glances = self.glances_at(&graph);
        self.counts.initial += self.add_states(&mut graph, first)?;
        room(&graph, 0)?;
        if self.partial_orders {
            self.stubborn = Some(StubbornSets::new(&mut graph).map_err(Stop::Unsupported)?);
            graph.partial = Some(Box::default());
        }
        self.blind = self.watches.iter().map(|_| Blind::default()).collect();
        self.late.fill(None);
        self.looks = Looks::default();
        let complete = self.breadth_first(&mut graph, frozen)?;
        self.findings.complete &= complete;
        if !graph.store.forgets() {
            self.note_latest(&mut graph, frozen);
            for p in 0..self.watches.len() {
                self.look_behind(&mut graph, frozen, p);
            }
        }
        if let Some(sought) = self.sought.take() {
            let noted = self.note_last(&mut graph, frozen, sought);
            self.sought = Some(sought);
            noted?;
        }
        if complete {
            for p in 0..self.watches.len() {
                let decided = self.temporal(&mut graph, frozen, p);
                self.keep_completed(&graph, matches!(decided, Err(Stop::SpentBehind { .. })));
                decided?;
                room(&graph, self.counts.depth)?;
            }
        }
        Ok(())
    }

    /// Visits all states; `false` if nothing is left to find out.
    fn breadth_first<'g>(&mut self, graph: &mut Graph<'g>, frozen: &Frozen) -> Result<bool, Stop>
    where
        'a: 'g,
    {
        std::thread::scope(|scope| self.level_by_level(graph, frozen, scope))
    }

    /// The same, level by level; whoever helps does so within a scope.
    fn level_by_level<'s, 'g: 's>(
        &mut self,
        graph: &mut Graph<'g>,
        frozen: &Frozen,
        scope: &'s Scope<'s, '_>,
    ) -> Result<bool, Stop>
    where
        'a: 'g,
    {
        let mut level = Level {
            depth: 0,
            end: graph.store.len(),
            ask_again: 0,
        };
        self.levels = vec![u64::from(level.end)];
        graph.store.share_among(self.budget.threads());
        let mut crew = Crew::new(scope, graph, self.budget, &|| self.glances_at(graph));
        let mut state = 0;
        if let Some(place) = self.go_on(graph)? {
            (state, level.depth, level.end) = (place.state, place.depth, place.end);
            self.levels.clear(); // nobody has counted those before
        }
        while state < graph.store.len() {
            if state == level.end {
                level.depth += 1;
                self.levels.push(u64::from(graph.store.len() - level.end));
                level.end = graph.store.len();
            }
            let Some(crew) = &mut crew else {
                if !self.visit(graph, frozen, state, &mut level, None)? {
                    return Ok(false);
                }
                state += 1;
                if state == graph.store.len() {
                    expand_cycles(graph, &mut |graph, state| self.expand(graph, frozen, state));
                    room(graph, level.depth)?;
                }
                continue;
            };
            let timed = graph.compiled.clockwork.units.is_some();
            let end = crew.work(graph, state..level.end, || self.lookout(timed));
            // Behind the level there are those of the next one that have been found so far.
            let next = match end == level.end {
                true => end..graph.store.len(),
                false => end..level.end,
            };
            let ahead = crew.goes_ahead(graph, &next);
            let ahead = ahead.then(|| (next, self.lookout(timed)));
            let ends = crew.take_in(graph, ahead, |graph, sheet, labels, claims| {
                let mut key = (labels, claims);
                for place in 0..sheet.len() {
                    let state = sheet.first + place as u32;
                    let found = Some((&mut *sheet, place, &mut key));
                    match self.visit(graph, frozen, state, &mut level, found) {
                        Ok(true) => {}
                        ends => return Some(ends),
                    }
                }
                None
            });
            if let Some(ends) = ends {
                return ends;
            }
            state = end;
        }
        self.keep_complete(graph, (state, level.depth, level.end));
        self.add_counts(graph, level.depth);
        Ok(true)
    }

    /// Visits a state, behind which somebody may have looked already; `false` if nothing is left to find out.
    fn visit(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        state: u32,
        level: &mut Level,
        found: Option<(&mut Sheet, usize, &mut Key<'_>)>,
    ) -> Result<bool, Stop> {
        let depth = level.depth;
        let spent = self.look_early(graph, frozen, (state, depth));
        if self.nothing_to_find(depth) {
            self.add_counts(graph, depth);
            return Ok(false);
        }
        let due = state.is_multiple_of(self.budget.stride());
        if due || graph.transitions.count >= level.ask_again || spent.is_some() {
            let counted = self.counts;
            let asked = match spent {
                None => self.ask(graph, state, depth),
                Some(spent) => Err(self.ends(graph, depth, &spent)),
            };
            let ends = asked.is_err().then_some(counted);
            self.keep_place(graph, (state, depth, level.end), ends);
            asked?;
            level.ask_again = graph.transitions.count + 20_000;
        }
        let note = found.as_ref().map(|(sheet, place, _)| sheet.note(*place));
        if note.is_none_or(|note| note.look) {
            self.look_at(graph, frozen, state);
            room(graph, depth)?;
        }
        match found.filter(|_| note.is_some_and(|note| !note.anew)) {
            Some((sheet, place, (labels, claims))) => {
                let (ran, sent) = sheet.firsts(state);
                ran.for_each(|block| self.findings.ran[block.index()] = true);
                sent.for_each(|record| self.findings.sent[record] = true);
                sheet.take_in(graph, place, labels, claims);
            }
            None => self.expand(graph, frozen, state),
        }
        room(graph, depth)?;
        if self.not_followed > MOST_NOT_FOLLOWED || graph.desk().too_loose {
            return Err(Stop::TooLoose);
        }
        if graph.desk().too_many {
            let why = "a node may crash while it sends more than 16 messages, and any set of them may go out";
            return Err(Stop::Unsupported(why.into()));
        }
        Ok(true)
    }

    /// A quick look at an instance, where that is possible.
    fn glances_at(&self, graph: &Graph<'_>) -> Option<Glances> {
        match graph.learns() {
            true => Glances::new(self.question.machine, self.watches, self.premises),
            false => None,
        }
    }

    /// What is looked for, for whoever looks ahead, where time passes by transitions or not.
    fn lookout(&self, timed: bool) -> Lookout<'a> {
        Lookout {
            watches: self.watches,
            premises: self.premises,
            met: self.findings.premises.clone(),
            always: self.loose.is_some() || timed && self.bounds.iter().any(Option::is_some),
            ran: self.findings.ran.clone(),
            sent: self.findings.sent.clone(),
        }
    }

    /// Whether a deeper state cannot tell anything that is still asked, nor a shorter run.
    fn nothing_to_find(&self, depth: u64) -> bool {
        let pairs = self.found.iter().zip(self.watches);
        let decided = |(found, watch): (&Found, &Watch<'_>)| match (&found.run, watch) {
            (None, _) => !self.is_open(found),
            // With timed_reductions a run has other events than those of the search.
            (Some(_), _) if self.timed_reductions.is_some() => true,
            (Some(_), Watch::Temporal(..)) => true,
            (Some(run), _) => run.choices.len() as u64 <= depth,
        };
        !self.found.is_empty() && pairs.into_iter().all(decided)
    }

    /// Whether somebody may still find out something about a property. Hashes of states leave some open for good.
    fn is_open(&self, found: &Found) -> bool {
        found.run.is_none() && (found.unknown.is_none() || self.findings.omission.is_none())
    }

    /// Whether to look at another instance. When everything is decided it can only give shorter runs, which
    /// is worth a limited effort, counted in states so that the answer is the same every time.
    fn wants_another(&mut self) -> bool {
        if self.found.is_empty() || self.found.iter().any(|found| self.is_open(found)) {
            return true;
        }
        self.findings.complete = false;
        if self.nothing_to_find(0) {
            return false;
        }
        let states = self.counts.states;
        let decided = *self.states_when_decided.get_or_insert(states);
        states - decided <= EFFORT_FOR_SHORTER_RUNS.max(3 * decided)
    }
}
