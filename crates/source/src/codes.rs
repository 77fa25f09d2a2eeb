//! The codes of diagnostics. Each code has one page in `codes/`, which `scrutineer explain` shows.

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

        /// Every code with the text of its page.
        pub const PAGES: &[(Code, &str)] = &[
            $(($name, include_str!(concat!("../codes/", $code, ".md"))),)*
        ];
    };
}

codes! {
    // E01xx: syntax errors.
    /// A token that is not the expected one.
    UNEXPECTED = "E0101";
    /// A bracket that is not closed.
    UNCLOSED = "E0102";
    /// A bracket that closes nothing.
    STRAY_BRACKET = "E0103";
    /// `=` where `==` is meant, or `==` where `=` is meant.
    ASSIGN_OR_COMPARE = "E0104";
    /// An operator of another language.
    FOREIGN_OPERATOR = "E0105";
    /// `a < b < c`.
    CHAINED = "E0106";
    /// A word that begins no item.
    UNKNOWN_ITEM = "E0107";
    /// A construct that is not allowed at this place, but is allowed elsewhere.
    MISPLACED = "E0108";
    /// A declaration without its type, value or name.
    INCOMPLETE = "E0109";
    /// A character that the language does not have.
    UNKNOWN_CHARACTER = "E0110";
    /// Brackets or operators are nested too deeply.
    TOO_DEEP = "E0111";
    /// Text after the end of a statement on the same line.
    LEFTOVER = "E0112";
    /// `send` without a receiver.
    NO_RECEIVER = "E0113";
    /// Statements without braces around them.
    NO_BRACES = "E0114";
    /// A number with too many digits, or a fraction with the denominator 0.
    LARGE_NUMBER = "E0115";
    /// A jitter with neither `per gap` (deviations accumulate) nor `on the grid` (they do not).
    WHICH_JITTER = "E0116";
    /// A word after `expect` that is not an answer.
    UNKNOWN_ANSWER = "E0117";
    /// A word that is not among the words allowed at this place.
    UNKNOWN_WORD = "E0118";
    /// Text in a block that is not a statement.
    UNKNOWN_STATEMENT = "E0119";
    /// A reserved word that is used as a name.
    RESERVED_WORD = "E0120";

    // E02xx: names.
    /// A name that is not declared, or not visible at this place.
    UNKNOWN_NAME = "E0201";
    /// A name that is declared twice.
    DUPLICATE_NAME = "E0202";
    /// A field that the message, struct or node does not have.
    UNKNOWN_FIELD = "E0203";
    /// A message type that is not declared.
    UNKNOWN_MESSAGE = "E0204";
    /// A type that is not declared.
    UNKNOWN_TYPE = "E0205";
    /// A node kind that is not declared.
    UNKNOWN_KIND = "E0206";
    /// A check of a claim that is not declared.
    UNKNOWN_CLAIM = "E0207";
    /// A variant that is not declared.
    UNKNOWN_VARIANT = "E0208";
    /// A world that is not declared.
    UNKNOWN_WORLD = "E0209";
    /// A name that neither `for` in a check nor `-D` can set.
    UNKNOWN_PARAM = "E0210";
    /// A function that is not declared.
    UNKNOWN_FUNCTION = "E0211";
    /// A `let`, function or action that refers to itself, directly or through others.
    CYCLIC_LET = "E0212";
    /// `without` names a block that the node kind does not have.
    UNKNOWN_BLOCK = "E0213";
    /// A network with an unknown topology.
    UNKNOWN_TOPOLOGY = "E0214";
    /// A timing that is not declared.
    UNKNOWN_TIMING = "E0215";
    /// An unknown fault of nodes.
    UNKNOWN_FAULT = "E0216";

    // E03xx: types.
    /// A value whose type is not the expected one.
    TYPE_MISMATCH = "E0301";
    /// A condition that is not of type `Bool`.
    NOT_A_CONDITION = "E0302";
    /// Arithmetic with ids.
    ID_ARITHMETIC = "E0303";
    /// A comparison of values that cannot be compared.
    NOT_COMPARABLE = "E0304";
    /// A value that is not a number where a number is expected.
    NOT_A_NUMBER = "E0305";
    /// A value that is not a set where a set is expected.
    NOT_A_SET = "E0306";
    /// A division without `floor`, `ceil` or another rounding around it.
    BARE_DIVISION = "E0307";
    /// A message or struct without all its fields, or with one twice.
    MESSAGE_FIELDS = "E0308";
    /// A value that is sent and is not a message.
    NOT_A_MESSAGE = "E0309";
    /// A value that is not a node where a node is expected.
    NOT_A_NODE = "E0310";
    /// A `none` or `{ }` whose type cannot be inferred.
    UNCLEAR_TYPE = "E0311";
    /// A name that is not a value of the enum.
    NOT_A_VALUE = "E0312";
    /// A constant expression whose value is outside the declared range.
    OUT_OF_RANGE = "E0313";
    /// An option of an option.
    NESTED_OPTION = "E0314";
    /// A field of a node that may be of several kinds.
    WHICH_KIND = "E0315";
    /// A call with a wrong number of arguments.
    WRONG_ARGUMENTS = "E0316";
    /// A number greater than 2^62, or an array with too many elements.
    NUMBER_TOO_LARGE = "E0317";
    /// An expression that is not constant.
    NOT_CONSTANT = "E0318";
    /// `any` inside an expression; only an initial value can be `any` or `any in S`.
    MISPLACED_ANY = "E0319";
    /// A number without a unit where a time is expected, in a file whose other times have units.
    NEEDS_UNIT = "E0320";
    /// `±` where one value is expected.
    MISPLACED_INTERVAL = "E0321";
    /// A message or struct that contains itself.
    CONTAINS_ITSELF = "E0325";
    /// An array whose index type is neither a range, nor an enum, nor `Node`.
    NOT_AN_INDEX = "E0326";
    /// `[ ]` after a value that is not an array.
    NOT_AN_ARRAY = "E0327";
    /// A `match` that does not cover every value, or an arm that is never taken.
    MATCH_ARMS = "E0330";
    /// A field of a message that may be of several message types.
    WHICH_MESSAGE = "E0331";
    /// A counter that a claim or node code compares with a number, or that node code sets to a number.
    COUNTER_AND_NUMBER = "E0332";
    /// An operation that counters do not have.
    COUNTER_ARITHMETIC = "E0333";
    /// A counter with the initial value `any`, which has no bounds.
    ANY_COUNTER = "E0334";
    /// A counter as a constant, a parameter or an argument of a claim.
    MISPLACED_COUNTER = "E0335";

    // E04xx: rules of node code, networks, faults, claims.
    /// An assignment to a constant, a parameter, a bound name or a field of a received message.
    ASSIGN_TO_CONSTANT = "E0401";
    /// `next` or `previous` in a network that is not a ring.
    NO_NEXT = "E0402";
    /// `self`, `next`, `previous` or `neighbours` outside node code.
    NODE_WORD_IN_CLAIM = "E0403";
    /// Node code that reads a variable of another node.
    READS_OTHER_NODE = "E0404";
    /// A temporal operator such as `always` in node code.
    TEMPORAL_IN_CODE = "E0405";
    /// A claim without a temporal operator.
    CLAIM_WITHOUT_TIME = "E0406";
    /// Two blocks where a node can have only one, such as two `start` blocks.
    BLOCK_TWICE = "E0407";
    /// A model that sends messages and declares no network.
    NO_NETWORK = "E0408";
    /// A message that is sent to nodes which neither handle, read nor ignore it (a warning).
    UNHANDLED_MESSAGE = "E0409";
    /// `halted`, `sent`, `in_flight` or `quiescent`, which are for claims, in node code.
    CLAIM_WORD_IN_CODE = "E0410";
    /// A temporal operator such as `always` where a condition on one state is expected.
    TEMPORAL_INSIDE = "E0411";
    /// A second constant of type `Id` in one node kind.
    TWO_IDS = "E0412";
    /// An initial value that depends on a variable.
    FIRST_VALUE = "E0413";
    /// A second network in the file or in one world.
    TWO_NETWORKS = "E0414";
    /// Node code that reads a ghost variable.
    GHOST_READ = "E0415";
    /// A variant that changes the type or role of a variable.
    VARIANT_CHANGES_TYPE = "E0416";
    /// A network that declares delivery or inboxes twice.
    TWO_DELIVERIES = "E0417";
    /// A construct that instant delivery does not allow.
    NOT_WITH_INSTANT = "E0418";
    /// A read of an inbox that is always empty.
    NOTHING_IN_INBOX = "E0419";
    /// A timing that allows no activation, or infinitely many in finite time.
    BAD_TIMING = "E0420";
    /// A fault without `from start` or `any time`, or with the wrong one.
    FAULT_WHEN = "E0421";
    /// A guard on a message or timer that has a deadline: the event cannot wait until the guard is true.
    CANNOT_WAIT = "E0422";
    /// A value that is not a timer where a timer is expected, or the reverse.
    NOT_A_TIMER = "E0423";
    /// `now` anywhere but in a comparison with a constant time.
    NOW_COMPARED = "E0424";
    /// `restart` or `during broadcast` after a fault that does not allow it, or a `stop` without a `restart`.
    FAULT_WORDS = "E0425";
    /// An expression that is not an edge of a network.
    BAD_EDGE = "E0426";
    /// A `where` after a topology that depends on the state of nodes.
    WHERE_CHANGES = "E0427";

    // E05xx: checks, parameters, instances.
    /// The number of expected answers is neither 1 nor the number of claims.
    EXPECT_COUNT = "E0501";
    /// An expected answer of the wrong kind, such as `possible` for a claim.
    EXPECT_KIND = "E0502";
    /// Two nodes with the same id.
    EQUAL_IDS = "E0503";
    /// A list whose length is not the number of nodes.
    WRONG_LENGTH = "E0504";
    /// A value outside the range of its parameter.
    PARAM_OUT_OF_RANGE = "E0505";
    /// Two variants of one node kind in one check.
    TWO_VARIANTS = "E0506";
    /// A parameter or constant that `for` sets twice.
    SET_TWICE = "E0507";
    /// A range without values.
    EMPTY_RANGE = "E0508";
    /// Two clauses that determine different numbers of nodes.
    NODE_COUNT = "E0509";
    /// A value on the command line that cannot be parsed.
    BAD_DEFINE = "E0510";
    /// A claim about a variable that only a variant declares, in a check without that variant.
    NOT_IN_VARIANT = "E0511";
    /// A use of `sent` or `activations` that would need unbounded counting.
    UNBOUNDED_COUNT = "E0512";
    /// A claim with a wrong number of arguments.
    CLAIM_ARGUMENTS = "E0513";
    /// A check in a file without node kinds.
    NO_NODES = "E0514";
    /// A constant expression without a value, such as a division by zero.
    NO_VALUE = "E0515";
    /// No state satisfies the conditions on initial states.
    NO_INITIAL_STATE = "E0516";
    /// An initial value outside the type of its variable.
    BAD_INITIAL_VALUE = "E0517";
    /// Both `round` and declared times in one check.
    ROUND_AND_TIMES = "E0518";
    /// `least x` or `greatest x`, but no claim of the check depends on x.
    NOTHING_SOUGHT = "E0519";
    /// A check of all graphs (`graphs`) whose number of nodes is not given or is too large.
    GRAPH_SIZE = "E0520";
    /// No graph satisfies the `where` of the network.
    NO_NETWORK_LEFT = "E0521";
    /// A counter that is set to a number during a run: by a restart, or by the initial contents of inboxes.
    COUNTER_BEGINS_AGAIN = "E0522";

    // E09xx: parts of the language that this version does not implement.
    /// A part of the language that this version does not implement.
    NOT_IN_THIS_VERSION = "E0900";
}

/// The page of a code; `None` if the code does not exist.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(known, _)| known.0.eq_ignore_ascii_case(code))
        .map(|(_, page)| *page)
}
