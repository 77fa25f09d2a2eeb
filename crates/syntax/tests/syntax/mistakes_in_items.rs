//! Common mistakes in items, and the diagnostics for them.

use crate::text;

use expect_test::expect;
use text::messages_of;

#[test]
fn missing_brace_of_a_block() {
    messages_of(
        &[
            "node N {\n    on A {\n        x = 1\n\n    on B { y = 1 }\n}\n\nclaim c: x\n",
            "node N {\n    on A {\n        if x {\n            y = 1\n    }\n\n    on B { y = 1 }\n}\n\nclaim c: x\n",
            "node N {\n    on A { x = 1 }\n\nlet a = 1\nclaim c: x\n",
            "world W { network ring\n\ncheck a\n",
            "node N {\n    start {\n        x = 1\n",
            "enum E { A, B\n\nmessage M\n",
            "message M { a: Id\nmessage N { b: Id }\n",
        ],
        expect![[r#"
            > node N {
            >     on A {
            >         x = 1
            > 
            >     on B { y = 1 }
            > }
            > 
            > claim c: x
            E0102 2:10 `{`: this `{` is not closed: a `}` is missing
              ^ opened here
              - 5:5 `on`: noticed at `on`

            > node N {
            >     on A {
            >         if x {
            >             y = 1
            >     }
            > 
            >     on B { y = 1 }
            > }
            > 
            > claim c: x
            E0102 3:14 `{`: this `{` is not closed: a `}` is missing
              ^ opened here
              - 7:5 `on`: noticed at `on`

            > node N {
            >     on A { x = 1 }
            > 
            > let a = 1
            > claim c: x
            E0102 1:8 `{`: this `{` is not closed: a `}` is missing
              ^ opened here
              - 4:1 `let`: noticed at `let`

            > world W { network ring
            > 
            > check a
            E0102 1:9 `{`: this `{` is not closed: a `}` is missing
              ^ opened here
              - 3:1 `check`: noticed at `check`

            > node N {
            >     start {
            >         x = 1
            E0102 2:11 `{`: this `{` is not closed: a `}` is missing
              ^ opened here
              - 4:1 ``: the file ends before it

            > enum E { A, B
            > 
            > message M
            E0102 1:8 `{`: this `{` is not closed: expected `}`, found `message`
              - 1:13 `B`: expected `}` here

            > message M { a: Id
            > message N { b: Id }
            E0102 1:11 `{`: this `{` is not closed: expected `}`, found `message`
              - 1:16 `Id`: expected `}` here

        "#]],
    );
}

#[test]
fn one_brace_too_many() {
    messages_of(
        &[
            "node N {\n    on A { x = 1 } }\n    on B { y = 1 }\n}\n\nclaim c: x\n",
            "let a = 1 }\nlet b = 2\n",
            "}\nlet b = 2\n",
            "let a = (1))\n",
            "node N {\n    on A {\n        if x { y = 1 } }\n        z = 1\n    }\n    on B { y = 1 }\n}\n\nclaim c: x\n",
        ],
        expect![[r#"
            > node N {
            >     on A { x = 1 } }
            >     on B { y = 1 }
            > }
            > 
            > claim c: x
            E0103 2:20 `}`: this `}` seems to be one too many: it ends a block early
              - 3:5 `on`: so `on` stands outside

            > let a = 1 }
            > let b = 2
            E0103 1:11 `}`: this `}` closes nothing

            > }
            > let b = 2
            E0103 1:1 `}`: this `}` closes nothing

            > let a = (1))
            E0103 1:12 `)`: this `)` closes nothing

            > node N {
            >     on A {
            >         if x { y = 1 } }
            >         z = 1
            >     }
            >     on B { y = 1 }
            > }
            > 
            > claim c: x
            E0108 4:9 `z`: `z` does not begin a part of a node
              = statements stand inside a block such as `start { … }` or `on M { … }`

        "#]],
    );
}

#[test]
fn unclosed_parentheses() {
    messages_of(
        &[
            "claim c: always (all k in M: k.x\nclaim d: y\n",
            "let a = f(1, 2\nlet b = [1\n",
        ],
        expect![[r#"
            > claim c: always (all k in M: k.x
            > claim d: y
            E0102 1:17 `(`: this `(` is not closed: expected `)`, found `claim`
              - 1:32 `x`: expected `)` here

            > let a = f(1, 2
            > let b = [1
            E0102 1:10 `(`: this `(` is not closed: expected `)`, found `let`
              - 1:14 `2`: expected `)` here
            E0101 2:9 `[`: a list `[ … ]` can stand only behind `for c =` in a check
              = a set is written `{ 1, 2 }`; an array is filled by one value, and others are set place by place, for example in `start`

        "#]],
    );
}

#[test]
fn declarations() {
    messages_of(
        &[
            "node N {\n    var x = 3\n    var y: Bool\n    var z\n    let q = 3\n    id: Id = 3\n    x = 3\n    when x > 1 { halt }\n    var if: Bool = true\n    vra y: Bool = true\n}\n",
            "param n\nparam m: 1..3\nparam k 3\nlet x: Bool = true\nlet = 3\nfn f(a) = 3\nfn g(a: Id) -> Bool = 3\nfn h() { 3 }\n",
        ],
        expect![[r#"
            > node N {
            >     var x = 3
            >     var y: Bool
            >     var z
            >     let q = 3
            >     id: Id = 3
            >     x = 3
            >     when x > 1 { halt }
            >     var if: Bool = true
            >     vra y: Bool = true
            > }
            E0109 2:11 `=`: variable `x` has no type: expected `:`, found `=`
              = write `var x: T = …`, where T says which values it can have, such as `0..9` or `Bool`
            E0109 3:12 `Bool`: variable `y` has no value to begin with: expected `=`, found the end of the line
              = give it a value, or `= any` if the claims must be true whatever it begins with
            E0101 4:9 `z`: expected `:` and a type after `z`, found the end of the line
              ^ expected `:` and a type
            E0108 5:5 `let`: `let` cannot stand beside the blocks of a node
              = write it at the top level, or inside a block; what the node remembers is a `var`
            E0109 6:5 `id`: `id` has a value to begin with, but no `var` before it
              ^ write `var`
              = without `var` it is a constant, which has no value here: checks give it one, `for id = [ … ]`
              fix 6:5 `id` -> `var id`
            E0108 7:5 `x`: `x` does not begin a part of a node
              = statements stand inside a block such as `start { … }` or `on M { … }`
            E0109 8:10 `x`: a `when` block needs a name
              = write `when NAME: condition { … }`; stories and variants call it by this name
            E0120 9:9 `if`: `if` is a word of the language and cannot be the name of a variable
            E0108 10:5 `vra`: `vra` does not begin a part of a node
              ^ did you mean `var`?
              = a node has constants `c: T`, `var`, `timer`, `start`, `on`, `every`, `when`, `action`, `ignore`
              fix 10:5 `vra` -> `var`

            > param n
            > param m: 1..3
            > param k 3
            > let x: Bool = true
            > let = 3
            > fn f(a) = 3
            > fn g(a: Id) -> Bool = 3
            > fn h() { 3 }
            E0109 1:7 `n`: a parameter needs a value: expected `=`, found the end of the line
              = write `param n: 1..9 = 3`; `for n = …` in a check gives it another value
            E0109 2:13 `3`: a parameter needs a value: expected `=`, found the end of the line
              = write `param n: 1..9 = 3`; `for n = …` in a check gives it another value
            E0101 3:9 `3`: expected `=` and a value after `k`, found `3`
              ^ expected `=` and a value
            E0101 4:6 `:`: `let` takes no type: it follows from the value
              = write `let x = e`
            E0101 5:5 `=`: expected a name for the value after `let`, found `=`
              ^ expected a name for the value
            E0101 6:7 `)`: expected `:` and a type after `a`, found `)`
              ^ expected `:` and a type
            E0105 7:13 `->`: the type of the result stands behind `:`, not `->`
              fix 7:13 `->` -> `:`
            E0101 8:8 `{`: a function has no block: write `= e` with its value

        "#]],
    );
}

#[test]
fn items() {
    messages_of(
        &[
            "mesage Foo { a: Id }\ncliam c: true\n\nconst x = 3\ninvariant y\n3 + 4\n\"hello\"\nnode N { }\n",
            "var x: Bool = true\non A { x = 1 }\nclaim c: x\n",
            "enum E { A B }\nenum F\nstruct S\nmessage M { a Id }\nmessage M { a: Id b: Id }\nmessage M { a: Id\n            b: Id }\n",
        ],
        expect![[r#"
            > mesage Foo { a: Id }
            > cliam c: true
            > 
            > const x = 3
            > invariant y
            > 3 + 4
            > "hello"
            > node N { }
            E0107 1:1 `mesage`: `mesage` does not begin an item: did you mean `message`?
              ^ did you mean `message`?
              fix 1:1 `mesage` -> `message`
            E0107 2:1 `cliam`: `cliam` does not begin an item: did you mean `claim`?
              ^ did you mean `claim`?
              fix 2:1 `cliam` -> `claim`
            E0107 4:1 `const`: `const` does not begin an item
              = items begin with one of: param, let, fn, enum, struct, message, timing, node, network, faults, initially, claim, world, variant, check
              = A constant that checks may set is `param x = 3`, any other `let x = 3`.
            E0107 5:1 `invariant`: `invariant` does not begin an item
              = items begin with one of: param, let, fn, enum, struct, message, timing, node, network, faults, initially, claim, world, variant, check
              = What should be true is `claim name: …`.

            > var x: Bool = true
            > on A { x = 1 }
            > claim c: x
            E0108 1:1 `var`: `var` stands outside of a node
              = it belongs between the braces of a `node`; is there one `}` too many before it?

            > enum E { A B }
            > enum F
            > struct S
            > message M { a Id }
            > message M { a: Id b: Id }
            > message M { a: Id
            >             b: Id }
            E0101 1:12 `B`: expected `,` before `B`
              fix 1:11 `` -> `,`
            E0101 2:6 `F`: expected `{` and the values of the enum after `F`, found the end of the line
              ^ expected `{` and the values of the enum
            E0101 3:8 `S`: expected `{` and the fields of the struct after `S`, found the end of the line
              ^ expected `{` and the fields of the struct
            E0101 4:15 `Id`: expected `:` and a type after `a`, found `Id`
              ^ expected `:` and a type
            E0101 5:19 `b`: expected `,` before `b`
              fix 5:18 `` -> `,`
            E0101 7:13 `b`: expected `,` before `b`
              fix 6:18 `` -> `,`

        "#]],
    );
}

#[test]
fn claims() {
    messages_of(
        &[
            "claim c always x\nclaim d = x\nclaim always x\nclaim e:\nclaim f(a): x\nclaim g: all k: x\nclaim h: always\n    (x)\nclaim i: largest k in S k.id\n",
        ],
        expect![[r#"
            > claim c always x
            > claim d = x
            > claim always x
            > claim e:
            > claim f(a): x
            > claim g: all k: x
            > claim h: always
            >     (x)
            > claim i: largest k in S k.id
            E0101 1:9 `always`: expected `:` behind the name of the claim, found `always`
              fix 1:8 `` -> `:`
            E0101 2:9 `=`: what a claim says stands behind `:`, not `=`
              fix 2:9 `=` -> `:`
            E0120 3:7 `always`: `always` is a word of the language and cannot be the name of a claim
            E0101 4:8 `:`: expected an expression after `:`, found the end of the line
              ^ expected an expression
            E0101 5:10 `)`: expected `:` and a type after `a`, found `)`
              ^ expected `:` and a type
            E0101 6:14 `k`: `all` is written `all x in S: …`
            E0101 7:10 `always`: expected an expression after `always`, found the end of the line
              ^ expected an expression
            E0101 9:25 `k`: expected `by` and what is compared after `S`, found `k`
              ^ expected `by` and what is compared

        "#]],
    );
}

#[test]
fn characters() {
    messages_of(
        &[
            "let a = 'x'\nlet b = 3 $ 4\nlet c = \"abc\nlet d = /* no */ 3\n",
            "let a = 1 /* open\nlet b = 2\n",
            "let a = 123456789012345678901234567890\nlet b = 1_000\nlet c = 1e5\n",
        ],
        expect![[r#"
            > let a = 'x'
            > let b = 3 $ 4
            > let c = "abc
            > let d = /* no */ 3
            E0110 1:9 `'`: the character `'` has no meaning here
            E0110 2:11 `$`: the character `$` has no meaning here
            E0110 3:9 `"abc`: there are no texts in quotes in this language
              = where a name is meant, write it without quotes; values with names are an `enum`
            E0110 4:9 `/*`: comments begin with `//` and go to the end of the line; there is no `/* … */`

            > let a = 1 /* open
            > let b = 2
            E0110 1:11 `/*`: this `/*` is never closed; comments begin with `//` and go to the end of the line

            > let a = 123456789012345678901234567890
            > let b = 1_000
            > let c = 1e5
            E0115 1:9 `123456789012345678901234567890`: this number is too large: at most 27 digits can be used
            E0118 2:10 `_000`: `_000` is not a unit of time
              = units are `ns`, `us`, `ms`, `s`, `min`, `h`; numbers are written in digits, such as `1000` or `0.5`
            E0118 3:10 `e5`: `e5` is not a unit of time
              = units are `ns`, `us`, `ms`, `s`, `min`, `h`; numbers are written in digits, such as `1000` or `0.5`

        "#]],
    );
}

#[test]
fn checks() {
    messages_of(
        &[
            "check\ncheck c expect true\ncheck c expcet holds\ncheck c where x expect holds\ncheck c expect\ncheck c for n\ncheck c for n in\ncheck c for n == 3 expect hold\ncheck least x c(x)\ncheck c in A in B\ncheck c, expect holds\ncheck possible x\ncheck c for n = 3 n = 4\n",
        ],
        expect![[r#"
            > check
            > check c expect true
            > check c expcet holds
            > check c where x expect holds
            > check c expect
            > check c for n
            > check c for n in
            > check c for n == 3 expect hold
            > check least x c(x)
            > check c in A in B
            > check c, expect holds
            > check possible x
            > check c for n = 3 n = 4
            E0101 1:1 `check`: expected the name of a claim after `check`, found the end of the line
              ^ expected the name of a claim
            E0117 2:16 `true`: `true` is not an answer
              ^ did you mean `holds`?
              = answers are `holds`, `fails`, a number or a time, `above` or `below` a time, `fails for every bound`, `possible`, `impossible`, `error` and `unknown`
              fix 2:16 `true` -> `holds`
            E0118 3:9 `expcet`: `expcet` does not begin a clause of a check
              ^ did you mean `expect`?
              = clauses are `in W`, `with V`, `for …`, `assuming e`, `unfair`, `expect …`
              fix 3:9 `expcet` -> `expect`
            E0118 4:9 `where`: `where` does not begin a clause of a check
              ^ did you mean `assuming`?
              = clauses are `in W`, `with V`, `for …`, `assuming e`, `unfair`, `expect …`
              fix 4:9 `where` -> `assuming`
            E0101 5:9 `expect`: expected an answer such as `holds` or `fails` after `expect`, found the end of the line
              ^ expected an answer such as `holds` or `fails`
            E0101 7:15 `in`: expected an expression after `in`, found the end of the line
              ^ expected an expression
            E0104 8:15 `==`: a value is given with `=`, not `==`
              ^ write `=`
              fix 8:15 `==` -> `=`
            E0117 8:27 `hold`: `hold` is not an answer
              ^ did you mean `holds`?
              = answers are `holds`, `fails`, a number or a time, `above` or `below` a time, `fails for every bound`, `possible`, `impossible`, `error` and `unknown`
              fix 8:27 `hold` -> `holds`
            E0101 9:15 `c`: expected `:` and the claims after `x`, found `c`
              ^ expected `:` and the claims
            E0108 10:14 `in`: a check has one `in`, this is the second
            E0101 11:10 `expect`: expected the name of a claim after `,`, found `expect`
              ^ expected the name of a claim
            E0101 12:7 `possible`: `possible` needs `:` and a condition
              ^ write `possible:`
              = `check possible: e` asks for a state in which e is true; a claim is asked by its name alone
              fix 12:7 `possible` -> `possible:`
            E0118 13:19 `n`: `n` does not begin a clause of a check
              = clauses are `in W`, `with V`, `for …`, `assuming e`, `unfair`, `expect …`

        "#]],
    );
}

#[test]
fn networks() {
    messages_of(
        &[
            "network ring { chanel fifo }\nnetwork ring { channel lifo }\nnetwork ring { delivery instantly }\nnetwork ring { inbox latest }\nnetwork { channel fifo }\nnetwork ring { inbox all, start empty }\nnetwork ring { channel fifo, to self }\n",
        ],
        expect![[r#"
            > network ring { chanel fifo }
            > network ring { channel lifo }
            > network ring { delivery instantly }
            > network ring { inbox latest }
            > network { channel fifo }
            > network ring { inbox all, start empty }
            > network ring { channel fifo, to self }
            E0118 1:16 `chanel`: `chanel` says nothing about a network
              ^ did you mean `channel`?
              = a network has `channel …` or `delivery …`, `to self`, `inbox …`
              fix 1:16 `chanel` -> `channel`
            E0118 2:24 `lifo`: expected `fifo`, `fifo(c)` or `unordered`, found `lifo`
              ^ did you mean `fifo`?
              fix 2:24 `lifo` -> `fifo`
            E0118 3:25 `instantly`: expected `instant`, `within x .. y` or `before next activation`, found `instantly`
              ^ did you mean `instant`?
              fix 3:25 `instantly` -> `instant`
            E0101 4:29 `}`: expected `per sender` after `latest`, found `}`
              ^ expected `per sender`
            E0101 5:9 `{`: expected a topology such as `ring` or `complete` after `network`, found `{`
              ^ expected a topology such as `ring` or `complete`
            E0118 6:27 `start`: expected `starts`, found `start`
              ^ did you mean `starts`?
              fix 6:27 `start` -> `starts`
            E0112 7:28 `,`: expected the end of the line, found `,`
              = statements are separated by the end of the line or by `;`

        "#]],
    );
}

#[test]
fn faults_and_timing() {
    messages_of(
        &[
            "faults 3 nodes: off\nfaults at most 3: off\nfaults at most 1 nodes off\nfaults\nfaults crash any time\nfaults at most 1 node: crash any tiem\ntiming t 3\ntiming t: 1 .. 2, jitter ± 3\ntiming t: 1 .. 2, frist 3\n",
        ],
        expect![[r#"
            > faults 3 nodes: off
            > faults at most 3: off
            > faults at most 1 nodes off
            > faults
            > faults crash any time
            > faults at most 1 node: crash any tiem
            > timing t 3
            > timing t: 1 .. 2, jitter ± 3
            > timing t: 1 .. 2, frist 3
            E0101 1:8 `3`: expected `at most …`, `any nodes`, `lose`, `repeat` or `none` after `faults`, found `3`
              ^ expected `at most …`, `any nodes`, `lose`, `repeat` or `none`
            E0101 2:17 `:`: expected `nodes` or a kind of node after `3`, found `:`
              ^ expected `nodes` or a kind of node
            E0101 3:24 `off`: expected `:` and what happens to them after `nodes`, found `off`
              ^ expected `:` and what happens to them
            E0101 4:1 `faults`: expected what may go wrong after `faults`, found the end of the line
              ^ expected what may go wrong
            E0101 5:8 `crash`: expected `at most …`, `any nodes`, `lose`, `repeat` or `none` after `faults`, found `crash`
              ^ expected `at most …`, `any nodes`, `lose`, `repeat` or `none`
            E0101 6:34 `tiem`: expected `time` after `any`, found `tiem`
              ^ expected `time`
            E0101 7:10 `3`: expected `:` and how often a node wakes up after `t`, found `3`
              ^ expected `:` and how often a node wakes up
            E0116 8:28 `3`: the jitter needs `per gap` or `on the grid`, found the end of the line
              = `per gap`: new in every gap, and they add up; `on the grid`: around a strict beat, they do not
            E0101 9:19 `frist`: expected `jitter` or `first` after `,`, found `frist`
              ^ expected `jitter` or `first`

        "#]],
    );
}

#[test]
fn faults_of_messages() {
    messages_of(
        &[
            "faults lose messages\nfaults lose any\nfaults lose 2 messages\nfaults repeat at most 2\nfaults lose\nmessage M\n",
            "faults lose at most 2 messages, repeat at most 1 message\nfaults lose any messages and repeat any messages\nmessage M\n",
            "faults duplicate any messages\nfaults drop at most 1 message\nfaults repaet any messages\nmessage M\n",
        ],
        expect![[r#"
            > faults lose messages
            > faults lose any
            > faults lose 2 messages
            > faults repeat at most 2
            > faults lose
            > message M
            E0101 1:13 `messages`: `faults lose` says how many messages: `lose at most 2 messages` or `lose any messages`
              ^ expected `at most 2 messages` or `any messages`
              = `of M` behind it means messages of one type
            E0101 2:13 `any`: `faults lose` says how many messages: `lose at most 2 messages` or `lose any messages`
              ^ expected `at most 2 messages` or `any messages`
              = `of M` behind it means messages of one type
            E0101 3:13 `2`: `faults lose` says how many messages: `lose at most 2 messages` or `lose any messages`
              ^ expected `at most 2 messages` or `any messages`
              = `of M` behind it means messages of one type
            E0101 4:23 `2`: `faults repeat` says how many messages: `repeat at most 2 messages` or `repeat any messages`
              ^ expected `at most 2 messages` or `any messages`
              = `of M` behind it means messages of one type
            E0101 5:8 `lose`: `faults lose` says how many messages: `lose at most 2 messages` or `lose any messages`
              ^ expected `at most 2 messages` or `any messages`
              = `of M` behind it means messages of one type

            > faults lose at most 2 messages, repeat at most 1 message
            > faults lose any messages and repeat any messages
            > message M
            E0112 1:31 `,`: a line of `faults` says one thing
              ^ write a second `faults` line
              = several `faults` lines add up
            E0112 2:26 `and`: a line of `faults` says one thing
              ^ write a second `faults` line
              = several `faults` lines add up

            > faults duplicate any messages
            > faults drop at most 1 message
            > faults repaet any messages
            > message M
            E0118 1:8 `duplicate`: there is no `faults duplicate`
              ^ did you mean `repeat`?
              fix 1:8 `duplicate` -> `repeat`
            E0118 2:8 `drop`: there is no `faults drop`
              ^ did you mean `lose`?
              fix 2:8 `drop` -> `lose`
            E0118 3:8 `repaet`: expected `at most …`, `any nodes`, `lose`, `repeat` or `none`, found `repaet`
              ^ did you mean `repeat`?
              fix 3:8 `repaet` -> `repeat`

        "#]],
    );
}

#[test]
fn nearly_a_word() {
    messages_of(
        &["claim c: p leads to q withn 5 ms\ncheck leest u: c\ncheck posible: p\ncheck lest: c"],
        expect![[r#"
            > claim c: p leads to q withn 5 ms
            > check leest u: c
            > check posible: p
            > check lest: c
            E0118 1:23 `withn`: `withn` is no word between a condition and a time
              ^ did you mean `within`?
              fix 1:23 `withn` -> `within`
            E0118 2:7 `leest`: `leest` does not begin a question
              ^ did you mean `least`?
              fix 2:7 `leest` -> `least`
            E0118 3:7 `posible`: `posible` does not begin a question
              ^ did you mean `possible`?
              fix 3:7 `posible` -> `possible`
            E0118 4:11 `:`: `:` does not begin a clause of a check
              = clauses are `in W`, `with V`, `for …`, `assuming e`, `unfair`, `expect …`

        "#]],
    );
}
