//! Structs, arrays and messages as data.

use super::{check, fine};
use expect_test::expect;

#[test]
fn what_can_be_written() {
    fine(
        "param n: 1..3 = 2\n\
         let last = n + 1\n\
         enum Light { Red, Green }\n\
         struct Cell { owner: Option<Node>, uses: 0..2 }\n\
         struct Store { cells: [Cell; 0..last], by: [[Bool; Light]; Node] }\n\
         message Note { cell: Cell, past: Set<Cell> }\n\
         message Outer { inner: Note, other: Option<Note> }\n\
         network complete { channel fifo }\n\
         node A[n] {\n\
           c: Cell\n\
           var store: Store = any\n\
           var table: [Cell; 0 .. last] = Cell { owner: none, uses: 0 }\n\
           var note: Option<Outer> = none\n\
           var all_notes: Set<Note> = {}\n\
           ghost var seen: [Set<Cell>; Node] = {}\n\
           start { broadcast Note { cell: c, past: { c } } }\n\
           on Note as m from s {\n\
             store.cells[n].uses = m.cell.uses\n\
             store.by[s][Green] = true\n\
             store.by[s] = false\n\
             (table)[0] = m.cell\n\
             self.table[0].owner = s\n\
             table = store.cells\n\
             note = Outer { inner: m, other: none }\n\
             note.inner.cell.uses = 0\n\
             note.other = m\n\
             all_notes = all_notes union { m, note.inner }\n\
             seen[s] = seen[s] union { m.cell }\n\
             if note.other is o { broadcast o }\n\
           }\n\
         }\n\
         claim c: always all k in A: k.store.cells[0] != Cell { owner: k, uses: 0 } or k.table == k.store.cells\n",
    );
}

#[test]
fn an_array_is_what_its_index_says() {
    check(
        "param n: 1..3 = 2\n\
         node A {\n\
           var a: [Bool; 0..n] = false\n\
           var b: [Bool; 0..2] = false\n\
           var c: [0..1; 0..n] = 0\n\
           when go: a == b { a = b; a = c; c = true; c[true] = 1 }\n\
         }\n",
        expect![[r#"
            E0304 6:10 `a == b` `a` is an array of `Bool`s over 0..n and `b` is an array of `Bool`s over 0..2: they cannot be compared
              = two arrays go together if their values do, and if both are over the same, written the same way
            E0301 6:23 `b` `a` is an array of `Bool`s over 0..n; `b` is an array of `Bool`s over 0..2
              = two arrays go together if their values do, and if both are over the same, written the same way
            E0301 6:30 `c` `a` is an array of `Bool`s over 0..n; `c` is an array of numbers over 0..n
              = two arrays go together if their values do, and if both are over the same, written the same way
            E0301 6:37 `true` `c` is an array of numbers over 0..n; `true` is a `Bool`
            E0301 6:45 `true` an index of `c` is a number; `true` is a `Bool`
        "#]],
    );
}

#[test]
fn parts_that_are_not_there() {
    check(
        "struct Pair { first: 0..3, second: Set<Node> }\n\
         message Note { pair: Pair }\n\
         network complete\n\
         node A[2] {\n\
           c: Pair\n\
           var p: Pair = Pair { first: 0 }\n\
           var q: Pair = Pair { first: 7, second: {} }\n\
           var x: 0..3 = 0\n\
           on Note as m from s {\n\
             p.frist = 1\n\
             p.first.more = 1\n\
             p.first[0] = 1\n\
             c.first = 1\n\
             m.pair.first = 1\n\
             s.x = 1\n\
             x = p\n\
             x = m.pair.third\n\
             p = Pair { first: 1, first: 2, second: self }\n\
             send Note to s\n\
           }\n\
         }\n",
        expect![[r#"
            E0308 6:15 `Pair { first: 0 }` `Pair` needs a value for `second`
              = write `Pair { first: …, second: … }`
            E0313 7:29 `7` the field `first` of `Pair` is a number in 0..3; 7 is outside
            E0203 10:3 `frist` `Pair` has no field `frist`: it has `first` and `second` (did you mean `first`?)
            E0203 11:9 `more` messages and structs have fields that can be set; `p.first` is a number
            E0327 12:1 `p.first` `[ ]` picks a place of an array; `p.first` is a number
              = an array is declared like this: `var a: [0..3; Node] = 0`
            E0401 13:1 `c` `c` is a constant of the node: it never changes
              5: declared here
              = what changes is a variable: `var x: …`, perhaps with `c` as its first value
            E0401 14:1 `m.pair.first` `m` is a name for a value, which stays as it is
              = make a new one with what is different, `Note { pair: … }`, or keep it in a variable of the node and change that
            E0401 15:1 `s.x` `s.x` is not this node's variable: only variables of the node itself can be set
              = declare `var x: T = …` in the node for what changes
            E0301 16:5 `p` `x` is a number; `p` is a struct `Pair` (did you mean `p.first`?)
            E0203 17:12 `third` `Pair` has no field `third`: it has `first` and `second`
            E0308 18:22 `first` the field `first` is given twice
            E0301 18:40 `self` the field `second` of `Pair` is a set of nodes; `self` is a node
            E0308 19:6 `Note` `Note` needs a value for `pair`
              = write `Note { pair: … }`
        "#]],
    );
}

#[test]
fn endless_data() {
    check(
        "struct A { b: Set<B> }\n\
         message B { c: [Option<C>; 0..1] }\n\
         struct C { a: A }\n\
         struct D { d: D }\n\
         struct E { a: A }\n\
         node N { var x: Option<E> = none }\n",
        expect![[r#"
            E0325 1:12 `b` `A` contains itself (through `B` and `C`): it would never end
              = keep a number, an id or a node that says which one is meant, and look it up in an array: `[T; 0..7]`
            E0325 4:12 `d` `D` contains itself: it would never end
              = keep a number, an id or a node that says which one is meant, and look it up in an array: `[T; 0..7]`
        "#]],
    );
}

#[test]
fn arrays_over_something_else() {
    check(
        "param n: 1..3 = 2\n\
         struct S { a: Bool }\n\
         node N {\n\
           var a: [Bool; n] = false\n\
           var b: [Bool; S] = false\n\
           var c: [Bool; Set<Node>] = false\n\
           var d: [Bool; Nod] = false\n\
           var e: [Duration; 0..1] = 0\n\
           var f: [Bool; 3..0] = false\n\
           var g: [0..1; 0..2] = any in 0..1\n\
           when go: a[0] and g[3] == 1 { }\n\
         }\n",
        expect![[r#"
            E0326 4:15 `n` an array is over a range, an enum or `Node`; `n` is none of these
              = for that many places write the range: `[…; 1..n]`
            E0326 5:15 `S` an array is over a range, an enum or `Node`; `S` is none of these
              = for example `[Bool; 0..7]`
            E0326 6:15 `Set<Node>` an array is over a range, an enum or `Node`; `Set<Node>` is none of these
              = for example `[Bool; 0..7]`
            E0205 7:15 `Nod` there is no type `Nod` (did you mean `Node`?)
            E0900 8:8 `[Duration; 0..1]` times that a node keeps: not in this version
            E0508 9:15 `3..0` the range 3..0 is empty: its first end is the larger one
            E0301 10:30 `0..1` what `g` begins with is a set of arrays of numbers; `0..1` is a set of numbers
              = an element would be an array with all its places; to say something of each place write `= any`, and `initially all i in …: …`
            E0313 11:21 `3` an index of `g` is a number in 0..2; 3 is outside
        "#]],
    );
}

#[test]
fn structs_are_no_messages() {
    check(
        "struct S { a: Bool }\n\
         message M { s: S }\n\
         network complete\n\
         node N[2] {\n\
           var s: S = S { a: true }\n\
           start { broadcast s; broadcast M(s); send T { a: true } to self }\n\
           on S { }\n\
           on M { s = m }\n\
         }\n\
         claim c: always all k in N: k.sent(S) == 0\n",
        expect![[r#"
            E0309 6:19 `s` `S` is a struct, and only messages are sent and received
              1: declared here
              = write `message S { … }` there: a message can be kept and compared like a struct
            E0211 6:32 `M` there is no function `M`
              = a message or struct is written with the names of its fields: `M { s: … }`
            E0204 6:43 `T` there is no message or struct `T`
              = there are `M` and `S`
            E0201 8:12 `m` there is no `m` here (did you mean `M`?)
        "#]],
    );
}
