//! A checkpoint store in memory; and a budget that ends a search at the n-th call of `ask`, either with a last
//! checkpoint or without, as if the process were killed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use verdict::{Budget, CheckpointStore, Log, Progress, Spent, Storage};

/// A checkpoint store in memory: the committed records, by question.
#[derive(Default)]
pub struct Memory {
    logs: RefCell<HashMap<String, Vec<Vec<u8>>>>,
    /// A checkpoint is due whenever the number of questions to the budget is a multiple of this.
    every: usize,
    asked: Cell<usize>,
    /// Whether the process has been killed. Then nothing is stored any more.
    dead: Cell<bool>,
    /// The range of question numbers in which nothing can be stored, as on a full disk.
    full: Cell<(usize, usize)>,
}

impl Memory {
    pub fn new(every: usize) -> Memory {
        Memory {
            every,
            ..Memory::default()
        }
    }

    pub fn with_full_disk(every: usize, from: usize, to: usize) -> Memory {
        let memory = Memory::new(every);
        memory.full.set((from, to));
        memory
    }

    /// All records of all questions, mutable.
    pub fn logs(&self) -> std::cell::RefMut<'_, HashMap<String, Vec<Vec<u8>>>> {
        self.logs.borrow_mut()
    }

    /// Simulates a new process, which counts questions from 0.
    pub fn again(&self) {
        self.asked.set(0);
        self.dead.set(false);
    }

    fn is_full(&self) -> bool {
        let (from, to) = self.full.get();
        (from..to).contains(&self.asked.get())
    }
}

impl CheckpointStore for Memory {
    fn log(&self, question: &str) -> Box<dyn Log + '_> {
        Box::new(InMemory {
            memory: self,
            question: question.into(),
            anew: false,
            pieces: Vec::new(),
        })
    }

    fn note(&self, _: &str) {}
}

struct InMemory<'m> {
    memory: &'m Memory,
    question: String,
    anew: bool,
    pieces: Vec<Vec<u8>>,
}

impl Log for InMemory<'_> {
    fn each(&mut self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
        let logs = self.memory.logs.borrow();
        let mut pieces = logs.get(&self.question).into_iter().flatten();
        pieces.try_for_each(|piece| visit(piece))
    }

    fn refuse(&self, why: &str) -> String {
        format!("refused: {why}")
    }

    fn is_due(&self, milestone: bool) -> bool {
        milestone || self.memory.asked.get().is_multiple_of(self.memory.every)
    }

    fn begin(&mut self) {
        self.anew = true;
        self.pieces.clear();
    }

    fn put(&mut self, piece: &[u8]) {
        self.pieces.push(piece.to_vec());
    }

    fn commit(&mut self) -> bool {
        let pieces = std::mem::take(&mut self.pieces);
        if self.memory.dead.get() || self.memory.is_full() {
            return false;
        }
        let mut logs = self.memory.logs.borrow_mut();
        let log = logs.entry(self.question.clone()).or_default();
        if std::mem::take(&mut self.anew) {
            log.clear();
        }
        log.extend(pieces);
        true
    }
}

/// How a search is ended prematurely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After it has stored a checkpoint.
    Interrupted,
    /// Without a checkpoint, as if the process were killed.
    Killed,
}

/// A budget that counts its questions and ends the search at the one given by `end`.
pub struct Until<'m> {
    pub memory: &'m Memory,
    pub end: Option<(usize, End)>,
    pub threads: usize,
    pub stride: u32,
}

impl Budget for Until<'_> {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        let asked = self.memory.asked.get() + 1;
        self.memory.asked.set(asked);
        let (at, how) = self.end?;
        if asked >= at {
            self.memory.dead.set(how == End::Killed);
            return Some(Spent::Interrupted);
        }
        None
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn stride(&self) -> u32 {
        self.stride
    }

    /// Depends on where the search ends, so that a resumed search may use another form of the visited set.
    fn storage(&self) -> Storage {
        match self.end {
            Some((at, _)) if at % 2 == 1 => Storage::Compressed,
            _ => Storage::Plain,
        }
    }

    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        Some(self.memory)
    }

    fn first_look(&self) -> u32 {
        3
    }
}

impl Until<'_> {
    /// Whether this budget has ended the search.
    pub fn ended(&self) -> bool {
        self.end
            .is_some_and(|(at, _)| self.memory.asked.get() >= at)
    }

    /// The number of questions so far.
    pub fn asked(&self) -> usize {
        self.memory.asked.get()
    }
}
