//! What is accepted and what is refused, with positions.

use tck::{Subsumption, parse, reach};

/// A system with a place for a guard and for statements of its only edge, which begin in column 1 of lines 11 and 13.
fn with(guard: &str, statements: &str) -> String {
    format!(
        "system:s\nevent:a\nclock:1:x\nclock:2:y\nint:1:0:9:1:i\nint:3:-9:9:2:t\nprocess:P\nlocation:P:l{{initial:}}\n\
         location:P:m{{labels:m}}\nedge:P:l:m:a{{provided:\n{guard}\n:do:\n{statements}\n}}\n"
    )
}

/// Whether the edge is taken, or the error.
fn run(guard: &str, statements: &str) -> Result<bool, String> {
    let system = parse(&with(guard, statements)).map_err(|error| error.to_string())?;
    let query = system.query(&["m"]).expect("a label");
    let found = reach(&system, &query, Subsumption::Inclusion, &mut |_| true);
    let found = found.map_err(|why| why.to_string())?;
    Ok(found.is_reachable)
}

#[test]
fn guards_have_the_precedence_of_the_tool() {
    for (guard, holds) in [
        ("", true),
        ("i==1", true),
        ("! i==0", true),
        ("!i", false),
        ("i && t[0]", true),
        ("1-1", false),
        ("i==1 && (t[1]==2 && i<2)", true),
        ("1+2*3==7 && (1+2)*3==9", true),
        ("7-2-1==4 && 8/2/2==2", true),
        ("(0-7)/2==-3 && (0-7)%2==-1", true),
        ("-t[i]==-2", true),
        ("- - 2==2", true),
        ("(if i==1 then 5 else 6)==5", true),
        ("0<i<=1", true),
        ("0<=i<1", false),
        ("i!=1", false),
        ("(i==1)", true),
        ("x>=i+1", true),
        ("3<=x<3", false),
        ("2<x<3 && y[0]>2 && x==y[i]", false),
    ] {
        let expected = match guard.contains("x==y") {
            true => Err("11:21: diagonal constraints, which compare two clocks, are not supported"),
            false => Ok(holds),
        };
        assert_eq!(run(guard, ""), expected.map_err(str::to_string), "{guard}");
    }
}

#[test]
fn statements_change_integers_and_clocks() {
    for (statements, check) in [
        ("i=2; i=i*3", "i==6"),
        ("i=2;", "i==2"),
        ("nop", "i==1"),
        ("if i==1 then i=5 end", "i==5"),
        ("if i==2 then i=5 else i=6; t[0]=1 end", "i==6 && t[0]==1"),
        ("while i<9 do i=i+2 end", "i==9"),
        ("local k; k=i+1; i=k", "i==2"),
        ("local k=4; i=k", "i==4"),
        ("local k[3]; k[2]=7; i=k[2]", "i==7"),
        ("x=3", "x<=3 && x>=3 && y[1]<=0"),
        ("x=1; y[1]=2+x", "y[1]<=3 && y[0]<=0"),
        ("x=1; y[0]=x; x=0", "y[0]<=1 && x<=0"),
        ("x=(if i==1 then 4 else 0)", "x>=4 && y[0]<=0"),
    ] {
        // A second edge without a delay checks the result.
        let text = with("x==0", statements)
            .replace("location:P:m{", "location:P:u{urgent:}\nlocation:P:m{")
            .replace("edge:P:l:m:a", "edge:P:l:u:a");
        let text = format!("{text}edge:P:u:m:a{{provided:{check}}}\n");
        let system = parse(&text).unwrap_or_else(|error| panic!("{statements}: {error}"));
        let query = system.query(&["m"]).expect("a label");
        let found = reach(&system, &query, Subsumption::Alu, &mut |_| true);
        assert!(found.expect("a result").is_reachable, "{statements}");
    }
}

#[test]
fn mistakes_in_expressions_have_a_position() {
    for (guard, statements, expected) in [
        (
            "(i && i) && i",
            "",
            "11:2: a conjunction in parentheses must be the last operand of `&&`",
        ),
        ("i || i", "", "11:3: there is no `||`: write several edges"),
        (
            "i == ",
            "",
            "11:5: the end of the attribute instead of a name",
        ),
        ("i == )", "", "11:6: `)` instead of a name"),
        (
            "i == 1 2",
            "",
            "11:8: `2` instead of the end of the attribute",
        ),
        (
            "1 > i > 0",
            "",
            "11:7: at most two comparisons are chained, both `<` or `<=`",
        ),
        (
            "1 + (i==1)",
            "",
            "11:6: an integer is expected here, not a condition",
        ),
        ("j==1", "", "11:1: there is no variable `j`"),
        ("t==1", "", "11:1: `t` is an array: write `t[index]`"),
        (
            "x!=1",
            "",
            "11:2: a clock is compared with ==, <, <=, > or >=",
        ),
        (
            "!(x>1)",
            "",
            "11:3: clocks are compared only in the conjunction of a guard",
        ),
        (
            "x-y[0]>=1",
            "",
            "11:2: diagonal constraints, which compare two clocks, are not supported",
        ),
        (
            "x+1>=1",
            "",
            "11:1: an integer is expected here, not a clock",
        ),
        ("99999999999", "", "11:1: the number has more than 32 bits"),
        ("i==1 é", "", "11:6: `é` is no symbol of expressions"),
        (
            "",
            "x=y[0]+1",
            "13:3: a clock is the right operand of a sum: write `term + clock`",
        ),
        ("", "i=x", "13:3: an integer is expected here, not a clock"),
        (
            "",
            "i=1 i=2",
            "13:5: `i` instead of the end of the attribute",
        ),
        (
            "",
            "if i then i=1",
            "13:14: the end of the attribute instead of `end`",
        ),
        ("", "local i", "13:7: there is a variable `i` already"),
        (
            "",
            "local k; local k",
            "13:16: there is a variable `k` already",
        ),
        (
            "",
            "local k[i]",
            "13:9: the size of a local array is a number",
        ),
        (
            "",
            "local k[0]",
            "13:7: the size is less than 1, or all exceed 10000",
        ),
    ] {
        assert_eq!(
            run(guard, statements),
            Err(expected.to_string()),
            "{guard} {statements}"
        );
    }
}

#[test]
fn errors_during_the_search_have_a_position() {
    for (guard, statements, expected) in [
        ("1/(i-1)", "", "11:2: division by zero"),
        ("t[i+2]", "", "11:1: the index 3 is not in 0..2"),
        ("2147483647+i", "", "11:11: the value has more than 32 bits"),
        ("", "i=10", "13:1: the value 10 is not in 0..9"),
        ("", "t[0-i]=0", "13:1: the index -1 is not in 0..2"),
        (
            "",
            "x=0-i",
            "13:1: a clock is assigned the negative value -1",
        ),
    ] {
        assert_eq!(
            run(guard, statements),
            Err(expected.to_string()),
            "{guard} {statements}"
        );
    }
}

#[test]
fn mistakes_in_declarations_have_a_position() {
    for (text, expected) in [
        ("", "1:1: a name is expected here"),
        ("event:a", "1:1: the first declaration is `system:name`"),
        ("system:s\nsystem:s\n", "2:1: `system` is declared twice"),
        (
            "system:s\nfoo:s\n",
            "2:1: `foo` is no declaration: write process, event, clock, int, location, edge or sync",
        ),
        (
            "system:s\nprocess:P\nprocess:P\n",
            "3:9: the process `P` is declared twice",
        ),
        ("system:s\nlocation:P:l\n", "2:10: there is no process `P`"),
        (
            "system:s\nclock:0:x\n",
            "2:1: the size is less than 1, or all sizes exceed 500",
        ),
        (
            "system:s\nclock:1:x\nint:1:0:1:0:x\n",
            "3:13: the variable `x` is declared twice",
        ),
        (
            "system:s\nint:1:0:1:2:x\n",
            "2:1: the first value 2 is not in 0..1",
        ),
        (
            "system:s\nint:1:0:a:2:x\n",
            "2:9: an integer of 32 bits is expected here",
        ),
        ("system:s\nprocess:P{a:b:c}\n", "2:16: `:` is expected here"),
        ("system:s\nprocess:P{a:b#c}\n", "2:14: `#` in an attribute"),
        (
            "system:s\nprocess:P{a:b\n",
            "3:1: the attributes are not closed by `}`",
        ),
        (
            "system:s\nprocess:P x\n",
            "2:11: the end of the line is expected here",
        ),
        (
            "system:s\nprocess:P\nevent:a\nsync:P@a:P@a\n",
            "4:1: a process takes part in a synchronisation at most once",
        ),
        (
            "system:s\nprocess:P\nlocation:P:l{invariant:1:invariant:1}\n",
            "3:26: the attribute `invariant` is given twice",
        ),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn free_forms_are_accepted() {
    let text = "# a comment\n\nsystem:s # another\r\n  process : P {x:y:z:}\nevent:a{}\nint:1:-3:+3:0:a.b\n\
                location:P:P{initial: : invariant: : labels: a , b ,, a.b }\nedge:P:P:P:a{do:\n nop\n}\nsync:P@a?\n";
    let system = parse(text).expect("a system");
    assert_eq!(system.name(), "s");
    assert_eq!(system.labels().collect::<Vec<_>>(), ["a", "b", "a.b"]);
    let query = system.query(&["a", "b"]).expect("labels");
    let found = reach(&system, &query, Subsumption::Equality, &mut |_| true);
    assert!(found.expect("a result").is_reachable);
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, close: &str| {
        let guard = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        run(&guard, "").expect_err("too deep")
    };
    for (open, close) in [("(", ")"), ("-", ""), ("!", ""), ("1+", ""), ("t[", "]")] {
        let error = deep(open, close);
        assert!(error.contains("nested levels"), "{open}: {error}");
    }
    let deep = format!(
        "{}i=1{}",
        "if i then ".repeat(10_000),
        " end".repeat(10_000)
    );
    assert!(
        run("", &deep)
            .expect_err("too deep")
            .contains("nested levels")
    );
    let long = "i && ".repeat(10_000) + "i";
    assert_eq!(run(&long, ""), Ok(true));
}

#[test]
fn damaged_files_cause_no_panic() {
    let text = include_str!("../vectors/v7_program.tck");
    for (at, _) in text.char_indices() {
        parse(&text[..at]).ok();
        for symbol in ["", "é", "{", "}", ":", "(", "]", "\n", "0", "y", "&&"] {
            let end = at + 1;
            if let Some(rest) = text.get(end..) {
                parse(&format!("{}{symbol}{rest}", &text[..at])).ok();
            }
        }
    }
}
