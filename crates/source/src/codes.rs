//! The codes of diagnostics, each with the page that `explain` shows: one code, one file in `codes/`.

/// A code such as `E0201`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$doc])* pub const $name: Code = Code($code);)*

        /// Every code with its page.
        pub const PAGES: &[(Code, &str)] = &[
            $(($name, include_str!(concat!("../codes/", $code, ".md"))),)*
        ];
    };
}

codes! {
    // E01xx: the text cannot be read.
    /// Something else should stand here.
    UNEXPECTED = "E0101";
    /// A bracket that is not closed.
    UNCLOSED = "E0102";
    /// A bracket that closes nothing.
    STRAY_BRACKET = "E0103";
    /// `=` where `==` is meant, or the other way round.
    ASSIGN_OR_COMPARE = "E0104";
    /// An operator of another language.
    FOREIGN_OPERATOR = "E0105";
    /// `a < b < c`.
    CHAINED = "E0106";
    /// A word that begins no item.
    UNKNOWN_ITEM = "E0107";
    /// Something that belongs elsewhere.
    MISPLACED = "E0108";
    /// A declaration without its type, value or name.
    INCOMPLETE = "E0109";
    /// A character that the language does not have.
    UNKNOWN_CHARACTER = "E0110";
    /// Too many brackets or operators within each other.
    TOO_DEEP = "E0111";
    /// Something behind the end of a statement.
    LEFTOVER = "E0112";
    /// `send` without a receiver.
    NO_RECEIVER = "E0113";
    /// Statements without braces.
    NO_BRACES = "E0114";
    /// A number that is too large.
    LARGE_NUMBER = "E0115";
    /// A jitter that does not say whether it adds up.
    WHICH_JITTER = "E0116";
    /// A word behind `expect` that is not an answer.
    UNKNOWN_ANSWER = "E0117";
    /// A word that has no meaning in its place.
    UNKNOWN_WORD = "E0118";
    /// Something that is not a statement.
    UNKNOWN_STATEMENT = "E0119";
    /// A word of the language as a name.
    RESERVED_WORD = "E0120";

    // E02xx: names.
    /// A name that means nothing where it stands.
    UNKNOWN_NAME = "E0201";
    /// One name for two things.
    DUPLICATE_NAME = "E0202";
    /// A field that the message, struct or node does not have.
    UNKNOWN_FIELD = "E0203";
    /// A message type that is not declared.
    UNKNOWN_MESSAGE = "E0204";
    /// A type that is not declared.
    UNKNOWN_TYPE = "E0205";
    /// A kind of node that is not declared.
    UNKNOWN_KIND = "E0206";
    /// A check of a claim that is not declared.
    UNKNOWN_CLAIM = "E0207";
    /// A variant that is not declared.
    UNKNOWN_VARIANT = "E0208";
    /// A world that is not declared.
    UNKNOWN_WORLD = "E0209";
    /// Something that `for` or `-D` cannot set.
    UNKNOWN_PARAM = "E0210";
    /// A function that does not exist.
    UNKNOWN_FUNCTION = "E0211";
    /// An abbreviation that is defined by itself.
    CYCLIC_LET = "E0212";
    /// `without` of a block that is not there.
    UNKNOWN_BLOCK = "E0213";
    /// A network of an unknown shape.
    UNKNOWN_TOPOLOGY = "E0214";
    /// A timing that is not declared.
    UNKNOWN_TIMING = "E0215";
    /// A fault that nodes do not have.
    UNKNOWN_FAULT = "E0216";

    // E03xx: types.
    /// A value of another type than wanted.
    TYPE_MISMATCH = "E0301";
    /// A condition that is neither true nor false.
    NOT_A_CONDITION = "E0302";
    /// Arithmetic with ids.
    ID_ARITHMETIC = "E0303";
    /// A comparison of values that cannot be compared.
    NOT_COMPARABLE = "E0304";
    /// Something else where a number is wanted.
    NOT_A_NUMBER = "E0305";
    /// Something else where a set is wanted.
    NOT_A_SET = "E0306";
    /// A division that is not rounded.
    BARE_DIVISION = "E0307";
    /// A message or struct without all its fields, or with one twice.
    MESSAGE_FIELDS = "E0308";
    /// Something else than a message is sent.
    NOT_A_MESSAGE = "E0309";
    /// Something else where a node is wanted.
    NOT_A_NODE = "E0310";
    /// A `none` or `{ }` of which nothing says the type.
    UNCLEAR_TYPE = "E0311";
    /// A name that is no value of the enum.
    NOT_A_VALUE = "E0312";
    /// A number that is certainly outside its range.
    OUT_OF_RANGE = "E0313";
    /// An option of an option.
    NESTED_OPTION = "E0314";
    /// A field of a node of which the kind is not known.
    WHICH_KIND = "E0315";
    /// Too few, too many or other arguments.
    WRONG_ARGUMENTS = "E0316";
    /// A number that is too large.
    NUMBER_TOO_LARGE = "E0317";
    /// Something that is not known before a run.
    NOT_CONSTANT = "E0318";
    /// `any` in the middle of something.
    MISPLACED_ANY = "E0319";
    /// A plain number where a time is wanted, in a file that writes units.
    NEEDS_UNIT = "E0320";
    /// `±` where one value is wanted.
    MISPLACED_INTERVAL = "E0321";
    /// A message or struct that contains itself.
    CONTAINS_ITSELF = "E0325";
    /// An array over something else than a range, an enum or the nodes.
    NOT_AN_INDEX = "E0326";
    /// `[ ]` behind something else than an array.
    NOT_AN_ARRAY = "E0327";
    /// A `match` that leaves something out, or an arm that is never taken.
    MATCH_ARMS = "E0330";
    /// A field of a message that may be of several types.
    WHICH_MESSAGE = "E0331";
    /// A counter beside a number, where the system runs.
    COUNTER_AND_NUMBER = "E0332";
    /// An operation that counters do not have.
    COUNTER_ARITHMETIC = "E0333";
    /// A counter that begins with anything.
    ANY_COUNTER = "E0334";
    /// A counter where none can be.
    MISPLACED_COUNTER = "E0335";

    // E04xx: rules of node code, networks, faults, claims.
    /// An assignment to something that never changes.
    ASSIGN_TO_CONSTANT = "E0401";
    /// `next` where there is no ring.
    NO_NEXT = "E0402";
    /// `self`, `next`, … outside a node's code.
    NODE_WORD_IN_CLAIM = "E0403";
    /// A node that looks into another.
    READS_OTHER_NODE = "E0404";
    /// `always` and its kin in a node's code.
    TEMPORAL_IN_CODE = "E0405";
    /// A claim about one state.
    CLAIM_WITHOUT_TIME = "E0406";
    /// Two blocks where one is meant.
    BLOCK_TWICE = "E0407";
    /// Sending without a network.
    NO_NETWORK = "E0408";
    /// A message to nodes that do nothing with it (a warning).
    UNHANDLED_MESSAGE = "E0409";
    /// A word for claims in a node's code.
    CLAIM_WORD_IN_CODE = "E0410";
    /// `always` and its kin where a condition on one state is wanted.
    TEMPORAL_INSIDE = "E0411";
    /// A second id.
    TWO_IDS = "E0412";
    /// A first value that depends on a variable.
    FIRST_VALUE = "E0413";
    /// A second network.
    TWO_NETWORKS = "E0414";
    /// Code that reads a ghost.
    GHOST_READ = "E0415";
    /// A variant that makes something else of a variable.
    VARIANT_CHANGES_TYPE = "E0416";
    /// A network that says twice how messages travel or what inboxes are.
    TWO_DELIVERIES = "E0417";
    /// Something that instant delivery does not allow.
    NOT_WITH_INSTANT = "E0418";
    /// A look into an inbox that is always empty.
    NOTHING_IN_INBOX = "E0419";
    /// A rhythm in which nothing, or too much, could happen.
    BAD_TIMING = "E0420";
    /// A fault that does not say when, or says it wrongly.
    FAULT_WHEN = "E0421";
    /// A condition on a message or timer that cannot wait.
    CANNOT_WAIT = "E0422";
    /// Something else where a timer is wanted, or a timer where something else is.
    NOT_A_TIMER = "E0423";
    /// `now` where it is not compared with a time.
    NOW_COMPARED = "E0424";
    /// `restart` or `during broadcast` where it means nothing, or a `stop` without a `restart`.
    FAULT_WORDS = "E0425";
    /// Something that is no edge of a network.
    BAD_EDGE = "E0426";
    /// A condition on networks that changes in a run.
    WHERE_CHANGES = "E0427";

    // E05xx: checks, parameters, instances.
    /// Another number of answers than of claims.
    EXPECT_COUNT = "E0501";
    /// An answer that does not fit the question.
    EXPECT_KIND = "E0502";
    /// Two equal ids.
    EQUAL_IDS = "E0503";
    /// A list that has not one value per node.
    WRONG_LENGTH = "E0504";
    /// A value outside the range of its parameter.
    PARAM_OUT_OF_RANGE = "E0505";
    /// Two variants of one kind in one check.
    TWO_VARIANTS = "E0506";
    /// Something that `for` sets twice.
    SET_TWICE = "E0507";
    /// A range without values.
    EMPTY_RANGE = "E0508";
    /// Numbers of nodes that do not fit.
    NODE_COUNT = "E0509";
    /// A value on the command line that cannot be read.
    BAD_DEFINE = "E0510";
    /// A claim about something that the nodes of this check do not have.
    NOT_IN_VARIANT = "E0511";
    /// A use of `sent` or `activations` that would need unbounded counting.
    UNBOUNDED_COUNT = "E0512";
    /// A claim with too few or too many values.
    CLAIM_ARGUMENTS = "E0513";
    /// A check of a file without nodes.
    NO_NODES = "E0514";
    /// A constant expression without a value.
    NO_VALUE = "E0515";
    /// Nothing satisfies what is asked of initial states.
    NO_INITIAL_STATE = "E0516";
    /// A variable cannot begin with the value it is given.
    BAD_INITIAL_VALUE = "E0517";
    /// Rounds and real times in one check.
    ROUND_AND_TIMES = "E0518";
    /// `least x` where nothing depends on x.
    NOTHING_SOUGHT = "E0519";
    /// All networks of a size that is not said, or too large.
    GRAPH_SIZE = "E0520";
    /// No network satisfies its `where`.
    NO_NETWORK_LEFT = "E0521";
    /// A counter that would be set to a number while the system runs.
    COUNTER_BEGINS_AGAIN = "E0522";

    // E09xx: named by the language, not in this version.
    /// A part of the language that this version does not give a meaning yet.
    NOT_IN_THIS_VERSION = "E0900";
}

/// The page of a code, if there is such a code.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(known, _)| known.0.eq_ignore_ascii_case(code))
        .map(|(_, page)| *page)
}
