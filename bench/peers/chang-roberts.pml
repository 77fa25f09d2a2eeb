/* Chang and Roberts' election with exactly the states of models/chang-roberts.scrut: a start, the delivery of a message
 * with the whole handler, and the sending of a message that waits for room are one step each. -DN=… and -DIDS=… (ranks
 * from 1, one for each member, separated by commas) come from the command line.
 *
 * Variables that only a running step needs are `hidden`, and ids never change: neither is part of a state. A member that
 * has halted stays in its loop, so that the end of a process is not a step. */

#define ELECTION 1
#define ELECTED  2
#define NOTHING  0

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
    unsigned leader : 5 = 0;            /* 0: none */

end:
    do
    :: d_step { mode == WAITING ->
            mode = RUNNING;
            send(ELECTION, id[_pid])
        }
    :: d_step { waiting != NOTHING && nfull(OUT) ->
            OUT!waiting, content;
            waiting = NOTHING;
            content = 0
        }
    :: d_step { mode == RUNNING && waiting == NOTHING && nempty(INTO) ->
            INTO?kind, number;
            if
            :: kind == ELECTION && number > id[_pid] -> send(ELECTION, number)
            :: kind == ELECTION && number == id[_pid] ->
                leader = number;
                send(ELECTED, number)
            :: kind == ELECTION && number < id[_pid] -> skip
            :: kind == ELECTED ->
                if
                :: number != id[_pid] -> leader = number; send(ELECTED, number)
                :: else -> skip
                fi;
                mode = HALTED;
                assert(leader == N)
            fi
        }
    od
}
