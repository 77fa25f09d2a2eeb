//! Codes of diagnostics. Each code has one page in `codes/`, which `explain` shows.

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
    // E01xx: the text cannot be read.
    /// The parser expects another token here.
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
    /// A construct that belongs to another place.
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
    /// A word that has no meaning at this place.
    UNKNOWN_WORD = "E0118";
    /// Something that is not a statement.
    UNKNOWN_STATEMENT = "E0119";
    /// A word of the language as a name.
    RESERVED_WORD = "E0120";

    // E02xx: names.
    /// A name that is not known at this place.
    UNKNOWN_NAME = "E0201";
    /// A name that is declared twice.
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
    /// A name that `for` or `-D` cannot set.
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
    /// A value whose type is not the expected one.
    TYPE_MISMATCH = "E0301";
    /// A condition that is neither true nor false.
    NOT_A_CONDITION = "E0302";
    /// Arithmetic with ids.
    ID_ARITHMETIC = "E0303";
    /// A comparison of values that cannot be compared.
    NOT_COMPARABLE = "E0304";
    /// A value that is not a number where a number is expected.
    NOT_A_NUMBER = "E0305";
    /// A value that is not a set where a set is expected.
    NOT_A_SET = "E0306";
    /// A division that is not rounded.
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
    /// A number that is certainly outside its range.
    OUT_OF_RANGE = "E0313";
    /// An option of an option.
    NESTED_OPTION = "E0314";
    /// A field of a node whose kind is not known.
    WHICH_KIND = "E0315";
    /// A call with a wrong number of arguments.
    WRONG_ARGUMENTS = "E0316";
    /// A number that is too large.
    NUMBER_TOO_LARGE = "E0317";
    /// An expression that is not constant.
    NOT_CONSTANT = "E0318";
    /// `any` inside an expression.
    MISPLACED_ANY = "E0319";
    /// A plain number where a time is expected, in a file that writes units.
    NEEDS_UNIT = "E0320";
    /// `±` where one value is expected.
    MISPLACED_INTERVAL = "E0321";
    /// A message or struct that contains itself.
    CONTAINS_ITSELF = "E0325";
    /// An array whose index is neither a range, nor an enum, nor the nodes.
    NOT_AN_INDEX = "E0326";
    /// `[ ]` behind a value that is not an array.
    NOT_AN_ARRAY = "E0327";
    /// A `match` that does not cover every value, or an arm that is never taken.
    MATCH_ARMS = "E0330";
    /// A field of a message that may be of several types.
    WHICH_MESSAGE = "E0331";
    /// A counter beside a number in code that runs.
    COUNTER_AND_NUMBER = "E0332";
    /// An operation that counters do not have.
    COUNTER_ARITHMETIC = "E0333";
    /// A counter that begins with anything.
    ANY_COUNTER = "E0334";
    /// A counter where counters are not allowed.
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
    /// `always` or another temporal operator in a node's code.
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
    /// `always` or another temporal operator where a condition on one state is expected.
    TEMPORAL_INSIDE = "E0411";
    /// A second id.
    TWO_IDS = "E0412";
    /// An initial value that depends on a variable.
    FIRST_VALUE = "E0413";
    /// A second network.
    TWO_NETWORKS = "E0414";
    /// Code that reads a ghost.
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
    /// A fault whose time is missing or wrong.
    FAULT_WHEN = "E0421";
    /// A condition on a message or timer that cannot wait.
    CANNOT_WAIT = "E0422";
    /// A value that is not a timer where a timer is expected, or the reverse.
    NOT_A_TIMER = "E0423";
    /// `now` where it is not compared with a time.
    NOW_COMPARED = "E0424";
    /// `restart` or `during broadcast` where it has no meaning, or a `stop` without a `restart`.
    FAULT_WORDS = "E0425";
    /// An expression that is not an edge of a network.
    BAD_EDGE = "E0426";
    /// A condition on networks that depends on the state.
    WHERE_CHANGES = "E0427";

    // E05xx: checks, parameters, instances.
    /// A number of answers that differs from the number of claims.
    EXPECT_COUNT = "E0501";
    /// An answer that does not fit the question.
    EXPECT_KIND = "E0502";
    /// Two equal ids.
    EQUAL_IDS = "E0503";
    /// A list whose length is not the number of nodes.
    WRONG_LENGTH = "E0504";
    /// A value outside the range of its parameter.
    PARAM_OUT_OF_RANGE = "E0505";
    /// Two variants of one kind in one check.
    TWO_VARIANTS = "E0506";
    /// A parameter or constant that `for` sets twice.
    SET_TWICE = "E0507";
    /// A range without values.
    EMPTY_RANGE = "E0508";
    /// Numbers of nodes that contradict each other.
    NODE_COUNT = "E0509";
    /// A value on the command line that cannot be read.
    BAD_DEFINE = "E0510";
    /// A claim about a field that the nodes of this check do not have.
    NOT_IN_VARIANT = "E0511";
    /// A use of `sent` or `activations` that would need unbounded counting.
    UNBOUNDED_COUNT = "E0512";
    /// A claim with a wrong number of arguments.
    CLAIM_ARGUMENTS = "E0513";
    /// A check of a file without nodes.
    NO_NODES = "E0514";
    /// A constant expression without a value.
    NO_VALUE = "E0515";
    /// No state satisfies the conditions on initial states.
    NO_INITIAL_STATE = "E0516";
    /// An initial value outside the type of its variable.
    BAD_INITIAL_VALUE = "E0517";
    /// Rounds and real times in one check.
    ROUND_AND_TIMES = "E0518";
    /// `least x` or `greatest x` where nothing depends on x.
    NOTHING_SOUGHT = "E0519";
    /// `every graph` of a size that is not given or too large.
    GRAPH_SIZE = "E0520";
    /// No network satisfies its `where`.
    NO_NETWORK_LEFT = "E0521";
    /// A counter that a restart would set to a number.
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
