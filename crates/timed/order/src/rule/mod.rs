//! The proof rule: finitely many bounded queries whose unsatisfiability proves a claim for runs of any length.
//!
//! The claim is `always` a condition that is antitone in the counts of activations and compares them with numbers up to
//! *a* ([`reach`](queries::reach)). Take a run that violates the claim at some moment M. Consider the suffix of the run
//! from an earlier moment, with counts that start there. It violates the claim at M as well, provided that these
//! smaller counts still reach the numbers that the counts have reached in the run. Let h be the slack. Choose the
//! earlier moment as late as possible such that, in addition, the first h activations of each node need not be counted.
//! Then some node has made, since that moment, exactly as many activations as the claim requires of it plus h. So the
//! claim holds in all runs if both queries are unsatisfiable:
//!
//! 1. From the initial states, the claim is violated at a moment at which some node has made fewer than a + h
//!    activations ([`base_query`](queries::base_query)).
//! 2. From any state of a run, the claim is violated at a moment at which some node has made at most a + h activations,
//!    where the first h are not counted ([`step_query`](queries::step_query)).
//!
//! The set of *states of a run* may be over-approximated if it contains every state between events. Variables have any
//! value of their types. Inboxes hold any messages, or none, of nodes that can send (of any node, if the initial
//! contents of inboxes are arbitrary). The first activation of a node comes after at most one gap, or at its declared
//! latest time if that is later. This over-approximation includes the initial states, so with h = 0 the second query
//! alone is a proof. A larger h makes the over-approximation matter less. If no read ever finds an inbox without a
//! message of some sender
//! ([`empty_inbox_query`](queries::empty_inbox_query)), inboxes are assumed to hold a message of every node that can
//! send. If the claim compares no count, the early node may be any running node.
//!
//! *Messages with delays.* In an arbitrary state messages are in transit. They were sent within the greatest delay
//! before that state. So the unrolling contains, before the start, as many activations of each sender as fit into that
//! time. Each of them sends some message that the code could send, to some receivers or to none. Their times respect
//! the bounds on gaps, so their messages arrive at possible times. Near the start of a run there may have been fewer
//! such activations, or their messages may have arrived already. In both cases, hypothetical activations that send
//! nothing can be added, each a gap before the next. The last of them is before the start, and its distance to the
//! first activation after the start is a gap, or more if that activation may come later than a gap.
//!
//! Each pair of message and receiver has its own time of arrival. So an order of events has times if the reads have
//! times such that each read is late enough for the messages that it finds and early enough for those that it does not
//! find, and later reads find what an earlier read has found (with `fifo`, also what was sent before it). For each
//! message, the latest moment that is neither after the first read that finds it nor after its greatest delay is a
//! possible time of arrival.
//!
//! *Lost messages.* At most as many messages may be lost from an arbitrary start as in a whole run, because possibly
//! none was lost before the start.
//!
//! The error query asks whether code or claim can be an error ([`error_query`](queries::error_query)). It is solved
//! first, because symmetry breaking is valid only if there are no errors. All queries concern finitely many
//! activations: declared times bound the number of activations that other nodes make before the cut.
//!
//! The base query and the step query are posed once per case ([`crate::cases`]), so that the branches taken at each
//! activation are constant.

pub(crate) mod cut;
pub(crate) mod queries;
