/* Dolev, Klawe and Rodeh's election with exactly the states of models/dolev-klawe-rodeh.scrut: a start, the delivery of a
 * message with the whole handler, and the sending of a message that waits for room are one step each. -DN=… and -DIDS=…
 * (ranks from 1, one for each member, separated by commas) come from the command line; chang-roberts.pml explains the
 * hidden variables. */

#define FIRST   1
#define SECOND  2
#define WINNER  3
#define NOTHING 0

#define WAITING 0
#define RUNNING 1
#define HALTED  2

hidden byte id[N] = { IDS };
hidden byte kind, number;               /* of the delivered message */

chan channel[N] = [1] of { byte, byte };    /* from member i to the next one */

#define INTO  channel[(_pid + N - 1) % N]
#define OUT   channel[_pid]

/* At the end of a step: on the channel if there is room, otherwise into the outbox. */
inline send(k, v) {
    if
    :: nfull(OUT) -> OUT!k, v
    :: full(OUT) -> waiting = k; content = v
    fi
}

active [N] proctype member() {
    unsigned mode : 2 = WAITING;
    unsigned waiting : 2 = NOTHING;     /* the outbox: at most one message, because a step sends at most one */
    unsigned content : 5 = 0;
    bit active_ = 1;
    unsigned maximum : 5 = id[_pid];
    unsigned left : 5 = 0;              /* 0: none */
    unsigned leader : 5 = 0;            /* 0: none */

end:
    do
    :: d_step { mode == WAITING ->
            mode = RUNNING;
            send(FIRST, maximum)
        }
    :: d_step { waiting != NOTHING && nfull(OUT) ->
            OUT!waiting, content;
            waiting = NOTHING;
            content = 0
        }
    :: d_step { mode == RUNNING && waiting == NOTHING && nempty(INTO) ->
            INTO?kind, number;
            if
            :: kind == FIRST && !active_ -> send(FIRST, number)
            :: kind == FIRST && active_ && number != maximum ->
                left = number;
                send(SECOND, number)
            :: kind == FIRST && active_ && number == maximum ->
                leader = number;
                assert(leader == N);
                send(WINNER, number)
            :: kind == SECOND && !active_ -> send(SECOND, number)
            :: kind == SECOND && active_ && left > number && left > maximum ->
                maximum = left;
                left = 0;
                send(FIRST, maximum)
            :: kind == SECOND && active_ && !(left > number && left > maximum) ->
                left = 0;
                active_ = 0
            :: kind == WINNER ->
                if
                :: leader == 0 -> leader = number; send(WINNER, number)
                :: else -> skip
                fi;
                mode = HALTED;
                assert(leader == N)
            fi
        }
    od
}
