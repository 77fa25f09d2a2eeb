//! Who searches what: the contenders with their options, and the instances with the numbers that they must find.

/// A search, with its options.
pub(crate) struct Contender {
    /// Short, for tables and the picture.
    pub(crate) name: &'static str,
    pub(crate) search: Search,
    /// It goes through every state, so it must find as many as there are.
    pub(crate) complete: bool,
}

/// By whom.
pub(crate) enum Search {
    /// By this tool: what stands behind `check`.
    Here { options: &'static [&'static str] },
    /// By Spin: how its search is compiled.
    Spin { compiled: &'static [&'static str] },
    /// By stateright, breadth first.
    Stateright { threads: &'static str },
}

/// All contenders. Others are compared with the first.
pub(crate) const CONTENDERS: &[Contender] = &[
    Contender {
        name: "Scrutineer",
        search: Search::Here {
            options: &["--by", "states", "--threads", "1"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, two threads",
        search: Search::Here {
            options: &["--by", "states", "--threads", "2"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, compressed",
        search: Search::Here {
            options: &["--by", "states", "--threads", "1", "--store", "compressed"],
        },
        complete: true,
    },
    Contender {
        name: "Scrutineer, reduced",
        search: Search::Here {
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

/// A protocol, by the name of its model and of its peers.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) claim: &'static str,
}

/// A ring and how much there is to search.
pub(crate) struct Instance {
    pub(crate) protocol: &'static Protocol,
    /// Only their order counts.
    pub(crate) ids: &'static [u32],
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// It takes less than a second.
    pub(crate) quick: bool,
    /// Others search it, too.
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

/// The smallest ring of each protocol, for what a search costs before it searches.
pub(crate) const TINY: &[Instance] = &[
    instance(CHANG_ROBERTS, &[1, 2], 11, 12),
    instance(DOLEV_KLAWE_RODEH, &[1, 2], 17, 19),
];

/// What is measured.
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
    // The ids of the report by whose counts the model is tested.
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

/// One that takes so long that threads have something to share.
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
    /// Whether a contender searches it.
    pub(crate) fn is_for(&self, contender: &Contender) -> bool {
        self.peers || contender.complete && matches!(contender.search, Search::Here { .. })
    }

    /// The place of each id in their order, from 1.
    pub(crate) fn ranks(&self) -> Vec<String> {
        let below = |id: &u32| self.ids.iter().filter(|other| *other <= id).count();
        self.ids.iter().map(|id| below(id).to_string()).collect()
    }

    /// What is asked of this tool.
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
