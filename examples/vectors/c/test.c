/* Runs an implementation of the membership node against the vectors that `scrutineer tests` made of the model:
 *
 *     scrutineer tests models/membership.scrut -D p=3 --out vectors
 *     cc -std=c99 -o membership-test examples/vectors/c/test.c examples/vectors/c/member.c
 *     ./membership-test vectors/vectors.json
 *
 * With -DPLANTED the implementation has a mistake, and the test fails. */

#include "json.h"
#include "member.h"

static nodes set_of(const json *list)
{
    nodes set = 0;
    const json *item;
    for (item = list->item; item != NULL; item = item->next)
        set |= (nodes)1 << (item->number - 1);
    return set;
}

static alive alive_of(const json *message)
{
    const json *fields = json_get(message, "fields");
    alive said;
    said.from = (int)json_get(fields, "from")->number;
    said.heard = set_of(json_get(fields, "heard"));
    said.proposal = set_of(json_get(fields, "proposal"));
    return said;
}

static member member_of(int me, const json *state)
{
    const json *vars = json_get(state, "vars");
    const json *message;
    member node;
    memset(&node, 0, sizeof node);
    node.me = me;
    node.heard = set_of(json_get(vars, "heard"));
    node.proposal = set_of(json_get(vars, "proposal"));
    node.view = set_of(json_get(vars, "view"));
    node.reading = json_get(vars, "reading")->number != 0;
    for (message = json_get(state, "inbox")->item; message != NULL; message = message->next) {
        int from = (int)json_get(message, "from")->number - 1;
        node.has |= (nodes)1 << from;
        node.inbox[from] = alive_of(message);
    }
    return node;
}

static int differs(long vector, const char *what, nodes is, nodes should)
{
    if (is == should)
        return 0;
    printf("vector %ld: %s is 0x%lx and should be 0x%lx\n", vector, what, (unsigned long)is, (unsigned long)should);
    return 1;
}

/* The neighbours of a node. */
static nodes neighbours_of(const json *all, int me)
{
    const json *node;
    for (node = json_get(all, "nodes")->item; node != NULL; node = node->next)
        if (json_get(node, "node")->number == me)
            return set_of(json_get(node, "neighbours"));
    return 0;
}

/* Runs one vector; whether something differs. */
static int failed(const json *all, const json *vector)
{
    long number = json_get(vector, "number")->number;
    int me = (int)json_get(vector, "node")->number;
    member node = member_of(me, json_get(vector, "before"));
    member after = member_of(me, json_get(vector, "after"));
    alive said = member_activate(&node);
    const json *sent;
    nodes to = 0;
    int wrong = differs(number, "heard", node.heard, after.heard);
    wrong |= differs(number, "proposal", node.proposal, after.proposal);
    wrong |= differs(number, "view", node.view, after.view);
    wrong |= differs(number, "reading", node.reading, after.reading);
    wrong |= differs(number, "the set of senders in the inbox", node.has, after.has);
    for (sent = json_get(vector, "sent")->item; sent != NULL; sent = sent->next) {
        alive should = alive_of(sent);
        to |= (nodes)1 << (json_get(sent, "to")->number - 1);
        wrong |= differs(number, "the sender in the message", (nodes)said.from, (nodes)should.from);
        wrong |= differs(number, "heard in the message", said.heard, should.heard);
        wrong |= differs(number, "the proposal in the message", said.proposal, should.proposal);
    }
    return wrong | differs(number, "the set of receivers", neighbours_of(all, me), to);
}

int main(int argc, char **argv)
{
    const json *all, *vector;
    int count = 0, bad = 0;
    if (argc != 2) {
        fprintf(stderr, "write: %s vectors.json\n", argv[0]);
        return 2;
    }
    all = json_file(argv[1]);
    if (json_get(all, "scrutineer_vectors")->number != 1 || json_get(all, "kind")->text == NULL
        || strcmp(json_get(all, "kind")->text, "Member") != 0) {
        fprintf(stderr, "these are no vectors of a Member\n");
        return 2;
    }
    for (vector = json_get(all, "vectors")->item; vector != NULL; vector = vector->next) {
        bad += failed(all, vector);
        count++;
    }
    printf("%d of %d vectors passed\n", count - bad, count);
    return bad == 0 ? 0 : 1;
}
