//! The proof rule: finitely many bounded queries that prove a claim for all time.
//!
//! The claim is `always` a condition that is antitone in the counts of activations and that compares them with
//! numbers up to *a* ([`reach`](queries::reach)). Take a run that violates it at some moment M. Some counts
//! have reached their numbers at M, and no more is needed: the suffix of the run from an earlier moment, with
//! counts from there on, violates the claim at M as well, if these counts still reach their numbers. Choose the
//! earlier moment as late as possible with h activations to spare: then some node has made, since then, exactly
//! as many activations as the claim asks of it and h more. So the claim holds for all time if
//!
//! 1. from the initial states it is not violated at any moment at which some node has made less than a + h activations
//!    ([`base_query`](queries::base_query)), and
//! 2. from any state of a run it is not violated at any moment at which some node has made at most a + h activations, where the
//!    first h do not count ([`step_query`](queries::step_query)).
//!
//! The set *any state of a run* may be over-approximated, as long as it contains every state between events:
//! variables have any value of their types, inboxes hold any messages, or none, of nodes that can send (of any
//! node, if inboxes may begin with anything), and the first activation of a node comes after at most a whole
//! gap. The runs from the initial states are among these, so the second query alone is a proof. A larger h
//! makes the over-approximation less important. Where no node ever finds an inbox without a message of some
//! sender ([`empty_inbox_query`](queries::empty_inbox_query)), inboxes may be assumed to hold a message of
//! every node that can send. If the claim asks for no count, all running nodes are taken for those that are
//! reached.
//!
//! *Messages with delays.* At such a state messages are in transit. They were sent at the last activations of
//! their senders, not longer ago than the greatest delay: as many activations of each sender as fit into that
//! time are added before the start. Each has sent some message that the code could send, to any receivers, or
//! none. Their times are as far apart as gaps are, so their messages arrive as they would. Near the start of a
//! run there may have been fewer such activations, or their messages had arrived: then they have sent nothing,
//! and can be added all the same, each a gap before the next; the last one is before the start, and so a gap
//! before the first one after it, or more, if that one may be later than a gap. Each pair of message and
//! receiver arrives at a time of its own. So an order of events has times for all of them if it has times in
//! which each read is late enough for what it finds and early enough for what it does not find, and what a read
//! has found, later reads find (with `fifo`: and they find what was sent before it, too): for each message, the
//! latest moment that is neither after the first read that finds it nor after its greatest delay is a possible
//! time of arrival.
//!
//! *Lost messages.* Any messages may be lost, but no more than may be lost in a run: possibly none was lost
//! before the start.
//!
//! That neither code nor claim is ever an error is a query of its own ([`error_query`](queries::error_query)),
//! and the first one: symmetry breaking is valid only after it. All queries concern finitely many activations,
//! because declared times bound the number of the others.
//!
//! Both queries about a claim are posed case by case ([`crate::cases`]), so that the branch taken at each
//! activation is known.

pub(crate) mod cut;
pub(crate) mod queries;
