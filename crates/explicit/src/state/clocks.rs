//! Digital clocks and runtime faults in the slots of a state, and the passing of time.
//!
//! Times are in units of the digitisation. A clock counts *down*: until a node must be activated, a timer must expire,
//! a message must arrive, or a node must restart. The exceptions count up to a limit: the time since the start, and the
//! times since the requests of deadlines. Time passes unless an event is due ([`ClockUnits::is_due`]). The activation
//! clock and timers of a node that is not running are 0.

use crate::state::layout::{Layout, Slots};
use machine::{
    Delay, First, Jitter, KindId, Machine, Mode, NodeId, NodeSlots, OrderConstraints, Periodic,
    RuntimeFaultId, StmtKind, TimeSum, Timing, Typing,
};
use rational::Rational;

/// Converts a time to units; an error if it is no multiple of the unit or too large.
type InUnits<'f> = &'f dyn Fn(&Rational) -> Result<i64, String>;

/// The greatest number of units that a time may have.
const MOST_UNITS: i64 = 1 << 24;

/// The slots of runtime faults and clocks, and the durations of the Machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// By slot: its number of values.
    pub(crate) places: Vec<u64>,
    /// The first slot of runtime faults and clocks.
    base: usize,
    runtime_faults: usize,
    /// By runtime fault: whether the state records which nodes it has affected.
    remembered: Vec<bool>,
    pub(crate) units: Option<ClockUnits>,
}

/// The durations of a digitised Machine, in units.
#[derive(Clone, Debug)]
pub(crate) struct ClockUnits {
    pub(crate) horizon: i64,
    /// The slot of the time since the start, which counts up to `horizon`.
    pub(crate) now: usize,
    /// By node: its activation clock.
    activation_clocks: Vec<Option<ActivationClock>>,
    /// By node: the slot of its first timer. A timer has two slots: one plus the time until it must expire, or 0 if it
    /// is not set; and the time until it may expire.
    timers: Vec<usize>,
    /// By node: the number of its timers.
    timer_counts: Vec<usize>,
    /// The first of the restart slots, one per node: the time until the node must restart.
    restarts: usize,
    /// By node: the shortest and longest time until its restart, if it must restart.
    restart_within: Vec<Option<(i64, i64)>>,
    /// The slot of the first deadline: one plus the time since its request, or 0 if no request is pending.
    pending: usize,
    /// By deadline: the time within which the response must follow.
    pub(crate) within: Vec<i64>,
    /// The shortest and longest delay of a message.
    pub(crate) delay: Option<(i64, i64)>,
}

/// The activation clock of a periodic node. It has two slots: the time until the latest possible next activation; and 1
/// if the node has been activated since it started, otherwise 0.
#[derive(Clone, Debug)]
struct ActivationClock {
    slot: usize,
    gap: (i64, i64),
    fixed: bool,
    jitter: i64,
    on_grid: bool,
    first: (Bound, Bound),
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    At(i64),
    Period,
}

impl Clocks {
    /// The clocks of a Machine. An error if a time is no multiple of the unit or too large, or if there are times but
    /// no unit.
    pub(crate) fn new(machine: &Machine, pace: &OrderConstraints) -> Result<Clocks, String> {
        let variables: usize = machine
            .nodes()
            .map(|n| 1 + machine.vars_of(machine.kind_of(n)).count())
            .sum();
        let mut clocks = Clocks {
            base: variables + machine.faults.len() + pace.limits().len(),
            runtime_faults: machine.runtime_faults.len(),
            ..Clocks::default()
        };
        let items = (0..machine.runtime_faults.len() as u32).map(RuntimeFaultId);
        clocks.remembered = items.map(|item| machine.remembers(item)).collect();
        for _ in machine.nodes() {
            for remembered in clocks.remembered.clone() {
                clocks.add(if remembered { 2 } else { 1 });
            }
        }
        let Some(grid) = machine.digitisation() else {
            let needs = !machine.timers.is_empty()
                || !machine.responses.is_empty()
                || matches!(machine.delay, Delay::Within(..))
                || machine.properties_contain(|e| matches!(e, machine::Expr::Now(..)));
            return match needs {
                true => Err("times, and no grid of times".into()),
                false => Ok(clocks),
            };
        };
        let unit = |time: &Rational| in_units(time, &grid.unit);
        let up = |time: &Rational| in_units(&((time / &grid.unit).ceil() * &grid.unit), &grid.unit);
        let horizon = i64::from(grid.horizon);
        let now = clocks.add(horizon as u64 + 1);
        let mut activation_clocks = Vec::new();
        for node in machine.nodes() {
            activation_clocks.push(match machine.timing(machine.kind_of(node)) {
                Some(Timing::Periodic(periodic)) => {
                    Some(clocks.activation_clock(periodic, &unit, &up)?)
                }
                _ => None,
            });
        }
        let (mut timers, mut timer_counts) = (Vec::new(), Vec::new());
        for node in machine.nodes() {
            let kind = machine.kind_of(node);
            let count = machine.timer_places(kind);
            let most = longest_timer(machine, kind, &unit)?;
            timers.push(clocks.base + clocks.places.len());
            timer_counts.push(count);
            for _ in 0..count {
                clocks.add(most as u64 + 2);
                clocks.add(most as u64 + 1);
            }
        }
        let mut restart_within = Vec::new();
        let restarts = clocks.base + clocks.places.len();
        for node in machine.nodes() {
            let within = machine
                .restart_of(node)
                .and_then(|restart| restart.within.as_ref());
            let within = within
                .map(|(from, to)| Ok::<_, String>((unit(from)?, unit(to)?)))
                .transpose()?;
            clocks.add(within.map_or(0, |(_, to)| to as u64) + 1);
            restart_within.push(within);
        }
        let pending = clocks.base + clocks.places.len();
        let mut within = Vec::new();
        for response in &machine.responses {
            within.push(unit(&response.within)?);
            clocks.add(within[within.len() - 1] as u64 + 3);
        }
        let delay = match &machine.delay {
            Delay::Within(least, most) => Some((unit(least)?, unit(most)?)),
            Delay::Any | Delay::BeforeNext => None,
        };
        clocks.units = Some(ClockUnits {
            horizon,
            now,
            activation_clocks,
            timers,
            timer_counts,
            restarts,
            restart_within,
            pending,
            within,
            delay,
        });
        Ok(clocks)
    }

    /// Adds a slot with this many values. Returns its index.
    fn add(&mut self, places: u64) -> usize {
        self.places.push(places);
        self.base + self.places.len() - 1
    }

    fn activation_clock(
        &mut self,
        periodic: &Periodic,
        unit: InUnits<'_>,
        up: InUnits<'_>,
    ) -> Result<ActivationClock, String> {
        let bound = |first: &First| match first {
            First::At(time) => unit(time).map(Bound::At),
            First::Period => Ok(Bound::Period),
        };
        // A fixed period is a frozen value. Its upper bound need not be a multiple of the unit, so the bound of the
        // clock is rounded up.
        let gap = match periodic.fixed {
            true => (0, up(&periodic.gap.1)?),
            false => (unit(&periodic.gap.0)?, unit(&periodic.gap.1)?),
        };
        let (jitter, on_grid) = match &periodic.jitter {
            Jitter::None => (0, false),
            Jitter::PerGap(by) => (unit(by)?, false),
            Jitter::OnGrid(by) => (unit(by)?, true),
        };
        let first = (bound(&periodic.first.0)?, bound(&periodic.first.1)?);
        let latest = match first.1 {
            Bound::At(time) => time,
            Bound::Period => gap.1,
        };
        let most = latest.max(gap.1 + 2 * jitter);
        let slot = self.add(most as u64 + 1);
        self.add(2);
        Ok(ActivationClock {
            slot,
            gap,
            fixed: periodic.fixed,
            jitter,
            on_grid,
            first,
        })
    }

    /// The slot that records whether a runtime fault has affected a node.
    pub(crate) fn faulted(&self, node: NodeId, runtime_fault: usize) -> usize {
        self.base + node.index() * self.runtime_faults + runtime_fault
    }

    /// Records that a runtime fault has affected a node, if the state remembers that.
    pub(crate) fn runtime_fault(
        &self,
        slots: &mut Slots,
        node: NodeId,
        runtime_fault: RuntimeFaultId,
    ) {
        if self.remembered[runtime_fault.index()] {
            slots[self.faulted(node, runtime_fault.index())] = 1;
        }
    }

    /// Sets a timer of a node: it may expire after `from` and must expire after `to` units.
    pub(crate) fn set_timer(
        &self,
        slots: &mut Slots,
        node: NodeId,
        place: usize,
        (from, to): (i64, i64),
    ) {
        if let Some(units) = &self.units {
            let slot = units.timer(node, place);
            (slots[slot], slots[slot + 1]) = (to + 1, from);
        }
    }

    /// Cancels a timer of a node.
    pub(crate) fn unset_timer(&self, slots: &mut Slots, node: NodeId, place: usize) {
        if let Some(units) = &self.units {
            let slot = units.timer(node, place);
            slots[slot..slot + 2].fill(0);
        }
    }

    /// For symmetry reduction: the node or nodes to which each slot belongs. The time since the start and the deadlines
    /// belong to no node.
    pub(crate) fn shares(&self, machine: &Machine) -> Vec<NodeSlots> {
        let mut shares = Vec::new();
        let mut add = |node, other, sort: (u8, i64), place, width| {
            let sort = (sort.0, sort.1, 0);
            shares.push(NodeSlots {
                node,
                other,
                sort,
                place,
                width,
            });
        };
        for node in machine.nodes() {
            add(
                node,
                None,
                (10, 0),
                self.faulted(node, 0),
                self.runtime_faults,
            );
            let Some(units) = &self.units else {
                continue;
            };
            if let Some(slot) = units.activation_clock(node) {
                add(node, None, (11, 0), slot, 2);
            }
            for place in 0..units.timer_count(node) {
                let (timer, other) = machine.timer_of(node, place as u32);
                let sort = (12, i64::from(timer.0));
                add(node, other, sort, units.timer(node, place), 2);
            }
            add(node, None, (13, 0), units.restart(node), 1);
        }
        shares
    }

    /// The slots of runtime faults and clocks.
    pub(crate) fn slots(&self) -> std::ops::Range<usize> {
        self.base..self.base + self.places.len()
    }
}

/// A time in units; an error if it is no multiple of the unit or more than [`MOST_UNITS`] units.
pub(crate) fn in_units(time: &Rational, unit: &Rational) -> Result<i64, String> {
    let count = time / unit;
    if !count.is_integer() {
        return Err(format!("the time {time} is no multiple of {unit}"));
    }
    count
        .to_i64()
        .filter(|count| count.abs() <= MOST_UNITS)
        .ok_or_else(|| format!("the time {time} is more than {MOST_UNITS} units of {unit}"))
}

/// The longest time to which code of a node kind can set a timer, in units.
fn longest_timer(machine: &Machine, kind: KindId, unit: InUnits<'_>) -> Result<i64, String> {
    let mut most = 0;
    for block in machine.blocks.iter().filter(|block| block.kind == kind) {
        let mut sums: Vec<&TimeSum> = Vec::new();
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::SetTimer(_, _, from, to) = &s.kind {
                    sums.extend([from, to]);
                }
            });
        }
        for sum in sums {
            let mut longest = unit(&sum.constant)?;
            for (times, by) in &sum.terms {
                let by = unit(by)?;
                let Ok(machine::Type::Int(lo, hi)) =
                    Typing::all_bound(machine, &block.scope).type_of(times)
                else {
                    return Err("a timer that is set to no number of units".into());
                };
                longest = longest.saturating_add(lo.saturating_mul(by).max(hi.saturating_mul(by)));
            }
            most = most.max(longest);
        }
    }
    match most <= MOST_UNITS {
        true => Ok(most),
        false => Err(format!("a timer that may be set to {most} units of time")),
    }
}

impl ClockUnits {
    /// The first of the two slots of a timer: one plus the time until it must expire. The second one is the time until
    /// it may expire.
    pub(crate) fn timer(&self, node: NodeId, place: usize) -> usize {
        self.timers[node.index()] + 2 * place
    }

    /// The number of timers of a node.
    pub(crate) fn timer_count(&self, node: NodeId) -> usize {
        self.timer_counts[node.index()]
    }

    /// The slot of a deadline: one plus the time since its request, or 0.
    pub(crate) fn pending(&self, response: usize) -> usize {
        self.pending + response
    }

    /// The slot of the time until a node must restart.
    pub(crate) fn restart(&self, node: NodeId) -> usize {
        self.restarts + node.index()
    }

    /// The shortest and longest time until the restart of a stopped node; `None` if it need not restart.
    pub(crate) fn restart_within(&self, node: NodeId) -> Option<(i64, i64)> {
        self.restart_within[node.index()]
    }

    /// The first slot of the activation clock of a node, if it is periodic.
    pub(crate) fn activation_clock(&self, node: NodeId) -> Option<usize> {
        self.activation_clocks[node.index()]
            .as_ref()
            .map(|activation_clock| activation_clock.slot)
    }

    /// The earliest and latest time of the first activation of a node with this period.
    pub(crate) fn first(&self, node: NodeId, period: i64) -> (i64, i64) {
        let activation_clock = self.activation_clocks[node.index()]
            .as_ref()
            .expect("a node with a rhythm");
        let bound = |bound: Bound| match bound {
            Bound::At(time) => time,
            Bound::Period if activation_clock.fixed => period,
            Bound::Period => activation_clock.gap.1,
        };
        (
            bound(activation_clock.first.0),
            bound(activation_clock.first.1),
        )
    }

    /// The shortest and longest time between two activations of a node with this period, including jitter. With jitter
    /// on a grid, the time counts from the grid point of the earlier activation rather than from the activation.
    pub(crate) fn gap(&self, node: NodeId, period: i64) -> (i64, i64) {
        let activation_clock = self.activation_clocks[node.index()]
            .as_ref()
            .expect("a node with a rhythm");
        let (from, to) = if activation_clock.fixed {
            (period, period)
        } else {
            activation_clock.gap
        };
        (from - activation_clock.jitter, to + activation_clock.jitter)
    }

    /// Whether a node may be activated now.
    pub(crate) fn can_activate(&self, slots: &Slots, node: NodeId, period: i64) -> bool {
        let Some(slot) = self.activation_clock(node) else {
            return true;
        };
        let (from, to) = match slots[slot + 1] {
            0 => self.first(node, period),
            _ => self.gap(node, period),
        };
        slots[slot] <= to - from
    }

    /// Starts the activation clock of a node that begins to run.
    pub(crate) fn begin(&self, slots: &mut Slots, node: NodeId, period: i64) {
        if let Some(slot) = self.activation_clock(node) {
            slots[slot] = self.first(node, period).1;
            slots[slot + 1] = 0;
        }
    }

    /// Sets the activation clock of a node for the next activation, after an activation.
    pub(crate) fn activated(&self, slots: &mut Slots, node: NodeId, period: i64) {
        let Some(activation_clock) = &self.activation_clocks[node.index()] else {
            return;
        };
        let (_, to) = self.gap(node, period);
        slots[activation_clock.slot] =
            match activation_clock.on_grid && slots[activation_clock.slot + 1] == 1 {
                true => slots[activation_clock.slot] + to - activation_clock.jitter,
                false => to,
            };
        slots[activation_clock.slot + 1] = 1;
    }

    /// Sets the activation clock and timers of a node that stops running to 0.
    pub(crate) fn end(&self, slots: &mut Slots, node: NodeId) {
        if let Some(slot) = self.activation_clock(node) {
            slots[slot..slot + 2].fill(0);
        }
        let first = self.timers[node.index()];
        slots[first..first + 2 * self.timer_counts[node.index()]].fill(0);
    }

    /// Whether an event must happen before time can pass. `counts` selects the messages whose deadlines are considered.
    pub(crate) fn is_due(
        &self,
        machine: &Machine,
        bases: &[u32],
        layout: &Layout,
        slots: &Slots,
        counts: &dyn Fn(machine::EdgeId, i64) -> bool,
    ) -> bool {
        let due = |node: NodeId| {
            let mode = slots[bases[node.index()] as usize];
            if mode == Mode::Waiting as i64 {
                return true;
            }
            if mode == Mode::Stopped as i64 {
                return self.restart_within(node).is_some() && slots[self.restart(node)] == 0;
            }
            let first = self.timers[node.index()];
            mode == Mode::Running as i64
                && (self
                    .activation_clock(node)
                    .is_some_and(|slot| slots[slot] == 0)
                    || (0..self.timer_counts[node.index()])
                        .any(|place| slots[first + 2 * place] == 1))
        };
        machine.nodes().any(due)
            || self.delay.is_some_and(|(_, most)| {
                let edges = 0..machine.edges.len() as u32;
                edges.into_iter().any(|e| {
                    let edge = machine::EdgeId(e);
                    let items = layout.queue(slots, edge);
                    items
                        .iter()
                        .any(|item| item % (most + 1) == 0 && counts(edge, *item))
                })
            })
    }

    /// Lets one unit of time pass.
    pub(crate) fn pass(
        &self,
        machine: &Machine,
        bases: &[u32],
        layout: &Layout,
        slots: &mut Slots,
    ) {
        slots[self.now] = (slots[self.now] + 1).min(self.horizon);
        let down = |number: &mut i64| *number = (*number - 1).max(0);
        for node in machine.nodes() {
            let mode = slots[bases[node.index()] as usize];
            if mode == Mode::Running as i64 {
                if let Some(slot) = self.activation_clock(node) {
                    down(&mut slots[slot]);
                }
                for place in 0..self.timer_counts[node.index()] {
                    let slot = self.timer(node, place);
                    down(&mut slots[slot]);
                    down(&mut slots[slot + 1]);
                }
            } else if mode == Mode::Stopped as i64 {
                down(&mut slots[self.restart(node)]);
            }
        }
        if self.delay.is_some() {
            for e in 0..machine.edges.len() as u32 {
                layout
                    .queue_mut(slots, machine::EdgeId(e))
                    .iter_mut()
                    .for_each(|item| *item -= 1);
            }
        }
        for (response, within) in self.within.iter().enumerate() {
            let waited = &mut slots[self.pending + response];
            if *waited > 0 {
                *waited = (*waited + 1).min(within + 2);
            }
        }
    }
}
