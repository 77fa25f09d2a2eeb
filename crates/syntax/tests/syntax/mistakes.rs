//! Common mistakes in statements, and the diagnostics for them.

use crate::text;

use expect_test::expect;
use text::in_block;

#[test]
fn assignment_or_comparison() {
    in_block(
        &[
            "if x = 3 { y = 1 }",
            "x == 3",
            "assert x = 1",
            "let y == 3",
            "y := 3",
            "if x is none { halt }",
            "if x is not none { halt }",
            "a = b = c",
        ],
        expect![[r#"
            > if x = 3 { y = 1 }
            E0104 3:14 `=`: `=` gives a variable a value; to compare two values write `==`
              ^ write `==`
              fix 3:14 `=` -> `==`

            > x == 3
            E0104 3:11 `==`: a value is given with `=`, not `==`
              ^ write `=`
              fix 3:11 `==` -> `=`

            > assert x = 1
            E0104 3:18 `=`: `=` gives a variable a value; to compare two values write `==`
              ^ write `==`
              fix 3:18 `=` -> `==`

            > let y == 3
            E0104 3:15 `==`: a value is given with `=`, not `==`
              ^ write `=`
              fix 3:15 `==` -> `=`

            > y := 3
            E0104 3:11 `:=`: a value is given with `=`, not `:=`
              ^ write `=`
              fix 3:11 `:=` -> `=`

            > if x is none { halt }
            E0104 3:14 `is none`: `is` gives a value a name; to compare with `none` write `== none`
              fix 3:14 `is none` -> `== none`

            > if x is not none { halt }
            E0104 3:14 `is not none`: `is` gives a value a name; to compare with `none` write `!= none`
              fix 3:14 `is not none` -> `!= none`

            > a = b = c
            E0104 3:15 `=`: `=` gives a variable a value; to compare two values write `==`
              ^ write `==`
              fix 3:15 `=` -> `==`

        "#]],
    );
}

#[test]
fn foreign_operators() {
    in_block(
        &[
            "if a && b || !c { halt }",
            "x = a&&b",
            "x = !a",
            "if a ≠ b { halt }",
            "if a ≤ b and not c → d { halt }",
            "x++",
            "x--",
            "x += 2",
            "x = y % 3",
            "if x not in s { halt }",
            "x = a ? b : c",
            "x -> y",
            "x = ∀ k ∈ s: k",
        ],
        expect![[r#"
            > if a && b || !c { halt }
            E0105 3:14 `&&`: `&&` is not an operator of this language: write `and`
              ^ write `and`
              fix 3:14 `&&` -> `and`
            E0105 3:19 `||`: `||` is not an operator of this language: write `or`
              ^ write `or`
              fix 3:19 `||` -> `or`
            E0105 3:22 `!`: `!` is not an operator of this language: write `not`
              ^ write `not`
              fix 3:22 `!` -> `not `

            > x = a&&b
            E0105 3:14 `&&`: `&&` is not an operator of this language: write `and`
              ^ write `and`
              fix 3:14 `&&` -> ` and `

            > x = !a
            E0105 3:13 `!`: `!` is not an operator of this language: write `not`
              ^ write `not`
              fix 3:13 `!` -> `not `

            > if a ≠ b { halt }
            E0105 3:14 `≠`: `≠` is not an operator of this language: write `!=`
              ^ write `!=`
              fix 3:14 `≠` -> `!=`

            > if a ≤ b and not c → d { halt }
            E0105 3:14 `≤`: `≤` is not an operator of this language: write `<=`
              ^ write `<=`
              fix 3:14 `≤` -> `<=`
            E0105 3:28 `→`: `→` is not an operator of this language: write `implies`
              ^ write `implies`
              fix 3:28 `→` -> `implies`

            > x++
            E0105 3:10 `++`: there is no `++`: write `x = x + 1`
              fix 3:9 `x++` -> `x = x + 1`

            > x--
            E0105 3:10 `-`: there is no `--`: write `x = x - 1`
              fix 3:9 `x--` -> `x = x - 1`

            > x += 2
            E0105 3:11 `+=`: there is no `+=`: write `x = x + …`
              fix 3:11 `+=` -> `= x +`

            > x = y % 3
            E0105 3:15 `%`: the remainder of a division is written `mod`; `%` stands behind `±` only
              ^ write `mod`
              fix 3:15 `%` -> `mod`

            > if x not in s { halt }
            E0105 3:14 `not`: `not in` is not an operator: write `not (x in S)`
              ^ put `not` before the comparison

            > x = a ? b : c
            E0110 3:15 `?`: the character `?` has no meaning here
              = a value is chosen by `if c then a else b`

            > x -> y
            E0119 3:11 `->`: `x` is not a statement: expected `=`, found `->`

            > x = ∀ k ∈ s: k
            E0105 3:13 `∀`: `∀` is not an operator of this language: write `all`
              ^ write `all`
              fix 3:13 `∀` -> `all`
            E0105 3:17 `∈`: `∈` is not an operator of this language: write `in`
              ^ write `in`
              fix 3:17 `∈` -> `in`

        "#]],
    );
}

#[test]
fn chains() {
    in_block(
        &["if a < b < c { halt }", "x = a == b == c", "x = 1..2..3"],
        expect![[r#"
            > if a < b < c { halt }
            E0106 3:18 `<`: comparisons are not chained: `a < b < …` has no meaning
              = write two comparisons with `and` between them: `a < b and b < c`

            > x = a == b == c
            E0106 3:20 `==`: comparisons are not chained: `a == b == …` has no meaning
              = write two comparisons with `and` between them: `a < b and b < c`

            > x = 1..2..3
            E0106 3:17 `..`: a range has two ends: a second `..` or `±` has no meaning

        "#]],
    );
}

#[test]
fn no_braces() {
    in_block(
        &[
            "if x:\n    y = 1\nelse:\n    y = 2\nz = 1",
            "if x then y = 1",
            "if x y = 1",
            "if x\n    y = 1",
            "for k in s: y = 1",
            "else { y = 1 }",
        ],
        expect![[r#"
            > if x:
            >     y = 1
            > else:
            >     y = 2
            > z = 1
            E0114 3:13 `:`: the statements stand in `{ … }`, not behind `:`
              = a value is chosen by `if c then a else b`, statements by `if c { … } else { … }`

            > if x then y = 1
            E0114 3:14 `then`: the statements stand in `{ … }`, not behind `then`
              = a value is chosen by `if c then a else b`, statements by `if c { … } else { … }`

            > if x y = 1
            E0114 3:14 `y`: expected `{` and the statements, found `y`
              = statements stand in braces, also a single one: `if c { … }`, `for x in S { … }`

            > if x
            >     y = 1
            E0114 3:12 `x`: expected `{` and the statements, found the end of the line
              = statements stand in braces, also a single one: `if c { … }`, `for x in S { … }`

            > for k in s: y = 1
            E0114 3:19 `:`: the statements stand in `{ … }`, not behind `:`
              = a value is chosen by `if c then a else b`, statements by `if c { … } else { … }`

            > else { y = 1 }
            E0108 3:9 `else`: this `else` has no `if`: it stands directly behind the `}` of one

        "#]],
    );
}

#[test]
fn sends() {
    in_block(
        &[
            "send M { a: 1 }",
            "send M { a: 1 } next",
            "broadcast M to next",
            "send",
            "send M { a = 1 } to next",
            "send M { a: 1 b: 2 } to next",
            "send M { a: 1 to next",
        ],
        expect![[r#"
            > send M { a: 1 }
            E0113 3:9 `send M { a: 1 }`: `send` needs a receiver: expected `to`, found the end of the line
              ^ to whom?
              = `send M to e` sends to a node or a set of nodes; `broadcast M` to all neighbours

            > send M { a: 1 } next
            E0113 3:9 `send M { a: 1 }`: `send` needs a receiver: expected `to`, found `next`
              = `send M to e` sends to a node or a set of nodes; `broadcast M` to all neighbours
              fix 3:24 `` -> ` to`

            > broadcast M to next
            E0113 3:21 `to`: `broadcast` goes to all neighbours and takes no `to`; `send … to …` chooses receivers

            > send
            E0101 3:9 `send`: expected an expression after `send`, found the end of the line
              ^ expected an expression

            > send M { a = 1 } to next
            E0101 3:20 `=`: the value of a field stands behind `:`, not `=`
              fix 3:20 `=` -> `:`

            > send M { a: 1 b: 2 } to next
            E0101 3:23 `b`: expected `,` before `b`
              fix 3:22 `` -> `,`

            > send M { a: 1 to next
            E0102 3:16 `{`: this `{` is not closed: expected `}`, found `to`
              - 3:23 `to`: expected `}` here

        "#]],
    );
}

#[test]
fn statements() {
    in_block(
        &[
            "return x",
            "while x { y = 1 }",
            "halt()",
            "foo",
            "foo bar",
            "brodcast M",
            "x = 1 y = 2",
            "if a { b = 1 } c = 2",
            "x + 1",
            "x",
            "k.y",
            "var x: Bool = true",
            "3",
            "x = 3 sec",
            "x = 50µs",
            "choose x from s",
            "let x",
            "set t 3 ms",
            "clear",
            "x = 3 4",
            "x = \"a\"",
            "x = a @ b",
            "x = # 3",
            "for x { }",
            "x = [1, 2]",
            "claim c: x",
        ],
        expect![[r#"
            > return x
            E0119 3:9 `return`: there is no `return`: a block runs to its end; choose with `if` what is done

            > while x { y = 1 }
            E0119 3:9 `while`: there is no `while`: the only loop is `for x in S { … }`

            > halt()
            E0112 3:13 `(`: expected the end of the line, found `(`
              = statements are separated by the end of the line or by `;`

            > foo
            E0119 3:9 `foo`: `foo` alone is not a statement
              = to run an action write `foo()`

            > foo bar
            E0119 3:9 `foo`: `foo` does not begin a statement
              ^ did you mean `for`?
              fix 3:9 `foo` -> `for`

            > brodcast M
            E0119 3:9 `brodcast`: `brodcast` does not begin a statement
              ^ did you mean `broadcast`?
              fix 3:9 `brodcast` -> `broadcast`

            > x = 1 y = 2
            E0112 3:15 `y`: expected the end of the line, found `y`
              = statements are separated by the end of the line or by `;`

            > if a { b = 1 } c = 2
            E0112 3:24 `c`: expected the end of the line, found `c`
              = statements are separated by the end of the line or by `;`

            > x + 1
            E0119 3:11 `+`: `x` is not a statement: expected `=`, found `+`

            > x
            E0119 3:9 `x`: `x` alone is not a statement
              = to run an action write `x()`

            > k.y
            E0119 3:11 `y`: `k.y` is not a statement: expected `=`, found the end of the line

            > var x: Bool = true
            E0108 3:9 `var`: `var` stands inside a block of statements, where it has no meaning
              = variables are declared in the node, beside its blocks; a value for this block only is `let x = e`

            > 3
            E0119 3:9 `3`: `3` is not a statement: expected `=`, found the end of the line

            > x = 3 sec
            E0118 3:15 `sec`: `sec` is not a unit of time
              ^ write `s`
              = units are `ns`, `us`, `ms`, `s`, `min`, `h`; numbers are written in digits, such as `1000` or `0.5`
              fix 3:15 `sec` -> `s`

            > x = 50µs
            E0118 3:15 `µs`: `µs` is not a unit of time
              ^ write `us`
              = units are `ns`, `us`, `ms`, `s`, `min`, `h`; numbers are written in digits, such as `1000` or `0.5`
              fix 3:15 `µs` -> `us`

            > choose x from s
            E0101 3:18 `from`: expected `in` and a set after `x`, found `from`
              ^ expected `in` and a set

            > let x
            E0101 3:13 `x`: expected `=` and a value after `x`, found the end of the line
              ^ expected `=` and a value

            > set t 3 ms
            E0101 3:15 `3`: expected `in` and when the timer expires after `t`, found `3`
              ^ expected `in` and when the timer expires

            > clear
            E0101 3:9 `clear`: expected `inbox` after `clear`, found the end of the line
              ^ expected `inbox`

            > x = 3 4
            E0112 3:15 `4`: expected the end of the line, found `4`
              = statements are separated by the end of the line or by `;`

            > x = "a"
            E0110 3:13 `"a"`: there are no texts in quotes in this language
              = where a name is meant, write it without quotes; values with names are an `enum`

            > x = a @ b
            E0110 3:15 `@`: the character `@` has no meaning here

            > x = # 3
            E0110 3:13 `#`: the character `#` has no meaning here
              = comments begin with `//`

            > for x { }
            E0101 3:15 `{`: expected `in` and a set after `x`, found `{`
              ^ expected `in` and a set

            > x = [1, 2]
            E0101 3:13 `[`: a list `[ … ]` can stand only behind `for c =` in a check
              = a set is written `{ 1, 2 }`; an array is filled by one value, and others are set place by place, for example in `start`

            > claim c: x
            E0108 3:9 `claim`: `claim` stands inside a block of statements, where it has no meaning
              = is a `}` missing before it?

        "#]],
    );
}

#[test]
fn unclosed_parenthesis_in_a_block() {
    in_block(
        &["x = (1 + 2\ny = 3"],
        expect![[r#"
            > x = (1 + 2
            > y = 3
            E0102 3:13 `(`: this `(` is not closed: expected `)`, found `y`
              - 3:18 `2`: expected `)` here

        "#]],
    );
}
