//! The contenders with their options, and the instances with their expected numbers of states and transitions.

/// A tool with its options.
pub(crate) struct Contender {
    /// A short name, for tables and the chart.
    pub(crate) name: &'static str,
    pub(crate) search: Search,
    /// Whether the search visits all states, so that it must find the expected numbers.
    pub(crate) complete: bool,
}

/// The tool that searches.
pub(crate) enum Search {
    /// This tool, with these options of `check`.
    Scrutineer { options: &'static [&'static str] },
    /// Spin, with these compiler options for its verifier.
    Spin { compiled: &'static [&'static str] },
    /// Stateright, breadth first, with this number of threads.
    Stateright { threads: &'static str },
}

/// All contenders. The first one is the reference for the ratios.
pub(crate) const CONTENDERS: &[Contender] = &[
    Contender {
        name: "Scrutineer",
        search: Search::Scrutineer {
            options: &["--by", "states", "--threads", "1"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, two threads",
        search: Search::Scrutineer {
            options: &["--by", "states", "--threads", "2"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, compressed",
        search: Search::Scrutineer {
            options: &["--by", "states", "--threads", "1", "--store", "compressed"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, reduced",
        search: Search::Scrutineer {
            options: &["--by", "search", "--threads", "1"],
        },
        complete: false,
    },
    Contender {
        name: "Spin",
        search: Search::Spin {
            compiled: &["-O2", "-DNOREDUCE", "-DSAFETY"],
        },
        complete: true,
    },
    Contender {
        name: "Spin, collapsed",
        search: Search::Spin {
            compiled: &["-O2", "-DNOREDUCE", "-DSAFETY", "-DCOLLAPSE"],
        },
        complete: true,
    },
    Contender {
        name: "Spin, reduced",
        search: Search::Spin {
            compiled: &["-O2", "-DSAFETY"],
        },
        complete: false,
    },
    Contender {
        name: "stateright",
        search: Search::Stateright { threads: "1" },
        complete: true,
    },
];

/// A protocol; `name` is the name of its model and of its peer models.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) claim: &'static str,
}

/// A ring with given ids, and the expected size of its state space.
pub(crate) struct Instance {
    pub(crate) protocol: &'static Protocol,
    /// The ids of the nodes in ring order; only their order relation matters.
    pub(crate) ids: &'static [u32],
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Whether a search of the instance takes less than a second.
    pub(crate) quick: bool,
    /// Whether other tools search the instance as well.
    pub(crate) peers: bool,
}

const CHANG_ROBERTS: &Protocol = &Protocol {
    name: "chang-roberts",
    title: "Chang, Roberts",
    claim: "agreement",
};

const DOLEV_KLAWE_RODEH: &Protocol = &Protocol {
    name: "dolev-klawe-rodeh",
    title: "Dolev, Klawe, Rodeh",
    claim: "agreement",
};

/// The smallest ring of each protocol, to measure the memory at start-up.
pub(crate) const TINY: &[Instance] = &[
    instance(CHANG_ROBERTS, &[1, 2], 11, 12),
    instance(DOLEV_KLAWE_RODEH, &[1, 2], 17, 19),
];

/// The measured instances.
pub(crate) const INSTANCES: &[Instance] = &[
    instance(
        CHANG_ROBERTS,
        &[32, 45, 12, 21, 10, 11, 99, 87],
        8278,
        32_944,
    ),
    instance(
        CHANG_ROBERTS,
        &[32, 45, 12, 21, 10, 11, 99, 87, 41],
        24_905,
        112_655,
    ),
    // The ids of the report that docs/results.md cites.
    instance(
        CHANG_ROBERTS,
        &[32, 45, 12, 21, 10, 11, 99, 87, 41, 37],
        84_147,
        426_936,
    ),
    long(
        CHANG_ROBERTS,
        &[32, 45, 12, 21, 10, 11, 99, 87, 41, 37, 50, 5],
        615_679,
        3_697_594,
    ),
    large(
        CHANG_ROBERTS,
        &[32, 45, 12, 21, 10, 11, 99, 87, 41, 37, 50, 5, 60, 61],
        5_016_352,
        35_733_062,
    ),
    instance(DOLEV_KLAWE_RODEH, &[1, 4, 2, 5, 3], 524, 1345),
    instance(DOLEV_KLAWE_RODEH, &[1, 4, 2, 6, 3, 5], 1948, 5978),
    instance(DOLEV_KLAWE_RODEH, &[1, 4, 2, 7, 3, 5, 6], 5766, 20_847),
    long(
        DOLEV_KLAWE_RODEH,
        &[1, 5, 2, 7, 3, 6, 4, 9, 8, 10],
        251_265,
        1_285_751,
    ),
];

const fn instance(
    protocol: &'static Protocol,
    ids: &'static [u32],
    states: u64,
    transitions: u64,
) -> Instance {
    Instance {
        protocol,
        ids,
        states,
        transitions,
        quick: true,
        peers: true,
    }
}

const fn long(
    protocol: &'static Protocol,
    ids: &'static [u32],
    states: u64,
    transitions: u64,
) -> Instance {
    Instance {
        quick: false,
        ..instance(protocol, ids, states, transitions)
    }
}

/// An instance that only this tool searches, large enough for several threads to share work.
const fn large(
    protocol: &'static Protocol,
    ids: &'static [u32],
    states: u64,
    transitions: u64,
) -> Instance {
    Instance {
        peers: false,
        ..long(protocol, ids, states, transitions)
    }
}

impl Instance {
    /// Whether a contender searches this instance.
    pub(crate) fn is_for(&self, contender: &Contender) -> bool {
        self.peers || contender.complete && matches!(contender.search, Search::Scrutineer { .. })
    }

    /// The rank of each id, counted from 1.
    pub(crate) fn ranks(&self) -> Vec<String> {
        let below = |id: &u32| self.ids.iter().filter(|other| *other <= id).count();
        self.ids.iter().map(|id| below(id).to_string()).collect()
    }

    /// The check for this tool.
    pub(crate) fn check(&self) -> String {
        let (claim, n) = (self.protocol.claim, self.ids.len());
        format!("{claim} for n = {n}, ids = {:?} expect holds", self.ids)
    }

    pub(crate) fn title(&self) -> String {
        format!("{}, n = {}", self.protocol.title, self.ids.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_places_in_the_order() {
        let ring = instance(CHANG_ROBERTS, &[32, 45, 12, 99], 0, 0);
        assert_eq!(ring.ranks(), ["2", "3", "1", "4"]);
    }
}
