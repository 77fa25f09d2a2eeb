//! Packing: converts an open state to component numbers, and back.

use crate::state::component_table::{Numbering, read};
use crate::state::layout::{Layout, Slots};
use crate::store::visited_set::Size;

/// How a component is converted to a component number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComponentForm {
    /// The component is not stored (only with a seeded defect).
    Nothing,
    /// The component is one slot of this many bits; its packed number is the component number.
    Itself(u32),
    /// The packed numbers of all slots of the component, each in this many bytes.
    Fields(usize),
    /// The items of a container (outbox, inbox, channel), each in this many bytes.
    Items(usize),
}

/// Converts between open states and component numbers.
#[derive(Clone, Debug)]
pub(crate) struct StatePacking {
    /// By component: its first slot; the last entry is the number of slots.
    starts: Vec<u32>,
    forms: Vec<ComponentForm>,
    /// By slot: its component.
    of_slot: Vec<u32>,
    /// Buffer for the bytes of a value.
    value: Vec<u8>,
}

impl StatePacking {
    pub(crate) fn new(layout: &Layout) -> StatePacking {
        let (starts, forms) = layout.parts();
        let mut of_slot = Vec::with_capacity(layout.slots());
        for (part, ends) in starts.windows(2).enumerate() {
            of_slot.extend((ends[0]..ends[1]).map(|_| part as u32));
        }
        StatePacking {
            starts,
            forms,
            of_slot,
            value: Vec::new(),
        }
    }

    /// The size of each component. Components of the same form and number of slots form a group, because they have
    /// about equally many values.
    pub(crate) fn sizes(&self) -> Vec<Size> {
        let mut groups: Vec<(ComponentForm, u32)> = Vec::new();
        let parts = self.forms.iter().zip(self.starts.windows(2));
        let size = |(form, ends): (&ComponentForm, &[u32])| match form {
            ComponentForm::Nothing => Size::Bits(0),
            ComponentForm::Itself(bits) => Size::Bits(*bits),
            ComponentForm::Fields(_) | ComponentForm::Items(_) => {
                let like = (*form, ends[1] - ends[0]);
                let group = groups.iter().position(|g| *g == like);
                Size::Group(group.unwrap_or_else(|| {
                    groups.push(like);
                    groups.len() - 1
                }))
            }
        };
        parts.map(size).collect()
    }

    /// The number of components.
    pub(crate) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The component number of component `part` of an open state.
    pub(crate) fn number(
        &mut self,
        layout: &Layout,
        slots: &Slots,
        part: usize,
        numbering: &mut impl Numbering,
    ) -> u32 {
        let first = self.starts[part] as usize;
        let width = match self.forms[part] {
            ComponentForm::Nothing => return 0,
            ComponentForm::Itself(_) => return layout.pack_slot(first, slots[first]) as u32,
            ComponentForm::Fields(width) | ComponentForm::Items(width) => width,
        };
        let value = &mut self.value;
        value.clear();
        let mut put = |number: u64| value.extend_from_slice(&number.to_le_bytes()[..width]);
        match self.forms[part] {
            ComponentForm::Items(_) => {
                let length = slots[first] as usize;
                let items = slots[first + 1..first + 1 + length].iter();
                items.for_each(|item| put(*item as u64));
            }
            _ => (first..self.starts[part + 1] as usize)
                .for_each(|slot| put(layout.pack_slot(slot, slots[slot]))),
        }
        numbering.number(part, value)
    }

    /// Replaces the content of `numbers` by the component numbers of an open state.
    pub(crate) fn numbers(
        &mut self,
        layout: &Layout,
        slots: &Slots,
        numbering: &mut impl Numbering,
        numbers: &mut Vec<u32>,
    ) {
        numbers.clear();
        for part in 0..self.len() {
            let number = self.number(layout, slots, part, numbering);
            numbers.push(number);
        }
    }

    /// Calls `visit` with each component in which two open states differ, in ascending order.
    pub(crate) fn each_difference(&self, a: &Slots, b: &Slots, mut visit: impl FnMut(usize)) {
        const GROUP: usize = 8;
        let mut done = 0; // slots before this one need not be compared
        let mut slot = 0;
        while slot < a.len() {
            let end = (slot + GROUP).min(a.len());
            if a[slot..end] == b[slot..end] {
                slot = end;
                continue;
            }
            for at in slot.max(done)..end {
                if a[at] != b[at] && at >= done {
                    let part = self.of_slot[at] as usize;
                    done = self.starts[part + 1] as usize;
                    visit(part);
                }
            }
            slot = end;
        }
    }

    /// Unpacks a state into `slots`. Grows the layout if a container has too few slots.
    pub(crate) fn open(
        &mut self,
        layout: &mut Layout,
        numbers: &[u32],
        numbering: &impl Numbering,
        slots: &mut Vec<i64>,
    ) {
        'all: loop {
            slots.clear();
            slots.resize(layout.slots(), 0);
            for (part, number) in numbers.iter().enumerate() {
                let first = self.starts[part] as usize;
                match self.forms[part] {
                    ComponentForm::Nothing => {}
                    ComponentForm::Itself(_) => {
                        slots[first] = layout.unpack_slot(first, u64::from(*number))
                    }
                    ComponentForm::Fields(width) => {
                        let value = numbering.value(part, *number).chunks_exact(width);
                        for (slot, bytes) in (first..).zip(value) {
                            slots[slot] = layout.unpack_slot(slot, read(bytes));
                        }
                    }
                    ComponentForm::Items(width) => {
                        let value = numbering.value(part, *number);
                        let length = value.len() / width;
                        if first + 1 + length > self.starts[part + 1] as usize {
                            layout.grow();
                            *self = StatePacking::new(layout);
                            continue 'all;
                        }
                        slots[first] = length as i64;
                        let items = slots[first + 1..].iter_mut();
                        for (slot, bytes) in items.zip(value.chunks_exact(width)) {
                            *slot = read(bytes) as i64;
                        }
                    }
                }
            }
            return;
        }
    }
}
