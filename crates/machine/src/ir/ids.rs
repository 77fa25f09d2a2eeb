//! Typed indices by which the parts of a Machine refer to each other.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The id as a `usize`, for indexing a table of the Machine.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A kind of node: an index into [`Machine::kinds`](crate::Machine).
    KindId
}
id! {
    /// A node, numbered from 0 in the order of kinds. `Display` counts from 1.
    NodeId
}
id! {
    /// A directed edge of the network.
    EdgeId
}
id! {
    /// A variable of the nodes of one kind.
    VarId
}
id! {
    /// A frozen variable of the nodes of one kind.
    FrozenId
}
id! {
    /// A record type: a message or a struct.
    RecordId
}
id! {
    /// An enum type.
    EnumId
}
id! {
    /// A class of counters.
    ClassId
}
id! {
    /// A function from nodes to nodes, such as `next`.
    MapId
}
id! {
    /// A block of code.
    BlockId
}
id! {
    /// A local of a [`Scope`](crate::Scope).
    LocalId
}
id! {
    /// A message fault.
    FaultId
}
id! {
    /// A timer of the nodes of one kind.
    TimerId
}
id! {
    /// A runtime fault.
    RuntimeFaultId
}
id! {
    /// A bounded-response obligation.
    ResponseId
}
id! {
    /// A source location. The Machine carries it and does not interpret it.
    Origin
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {}", self.0 + 1)
    }
}
