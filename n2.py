"""Naive second engine of 2459n, from the specification alone."""
from collections import Counter
HIT = Counter()
S = "shdc"; R = "A23456789TJQK"; SLOTS = "2459F"
DECK = [r + s for s in S for r in R] + ["Jk"]
DEF = {3: 30, 4: 24, 5: 20}
def slot(c):
    if c == "Jk": return None
    if c[0] in "2459": return c[0]
    if c[0] in "JQK": return "F"
    return None
def complete(col): return len(col) == 5 and len({c[1] for c in col.values()}) == 1
def run(col):
    best = 0
    for i in range(5):
        for j in range(i + 2, 6):
            part = [col.get(s) for s in SLOTS[i:j]]
            if all(part) and len({c[1] for c in part}) == 1: best = max(best, j - i)
    return best
def strength(col):
    f = {"J": 1, "Q": 2, "K": 3}[col["F"][0]] if "F" in col else 0
    num = 0 if f else max([int(c[0]) for s, c in col.items() if s != "F"], default=0)
    return (run(col), f, num)
class N:
    def __init__(g, n, tempo, rounds):
        g.n, g.live, g.rounds = n, tempo == "live", rounds
        g.pos = None; g.over = False; g.r = 1
        g.col = [dict() for _ in range(n)]
        g.draw = [None] * n      # (card, position)
        g.jk = None; g.com = {}; g.last = None; g.end = None
    def turn(g):
        if g.over: return ("over",)
        if g.pos is None: return ("chance", "table", list(DECK))
        if g.live: return ("live", list(range(g.n)))
        return ("wait", [i for i in range(g.n) if i not in g.com])
    def chance(g, out):
        g.pos = [dict(card=c, up=False, by=None) for c in out]
    def places(g):
        away = {d[1] for d in g.draw if d}
        return [p for p in range(53) if g.pos[p] is not None or p in away]
    def legal(g, i):
        if g.over or g.pos is None: return []
        if g.live:
            out = []
            d = g.draw[i]
            if d is None: out = [{"type": "draw", "at": p} for p in range(53) if g.pos[p]]
            elif slot(d[0]) is None: out = [{"type": "put-back"}]
            else: out = [{"type": "put-back", "keep": k} for k in ("held", "drawn")]
            if complete(g.col[i]): out.append({"type": "show"}); HIT["show possible"] += 1
            return out
        if i in g.com: return []
        base = [{"type": "draw", "at": p} for p in g.places()] + [{"type": "stay"}]
        if g.draw[i] is None: return base
        return [dict(a, keep=k) for k in ("held", "drawn") for a in base]
    def lay(g, p, card, by): g.pos[p] = dict(card=card, up=g.jk is not None, by=by)
    def putback(g, i, keep):
        c, p = g.draw[i]; g.draw[i] = None
        if keep == "drawn":
            s = slot(c); g.col[i][s], c = c, g.col[i][s]
        g.lay(p, c, i)
    def clock(g):
        HIT["clock"] += 1
        g.finish(None, "time")
    def action(g, i, a):
        if g.live: return g.live_action(i, a)
        g.com[i] = a
        if len(g.com) == g.n: g.resolve()
    def resolve(g):
        n = g.n; com = g.com; g.com = {}
        back = False
        for i in range(n):
            if g.draw[i]: back = True; HIT["putback " + com[i]["keep"]] += 1; g.putback(i, com[i]["keep"])
        order = [((g.r - 1) + k) % n for k in range(n)]
        got = {}; taken = {}; g.last = [None] * n
        for i in order:
            a = com[i]
            if a["type"] == "stay": g.last[i] = "stay"; continue
            p = a["at"]
            if p in taken: g.last[i] = (p, "empty"); HIT["empty-handed"] += 1; continue
            taken[p] = i; got[i] = (g.pos[p]["card"], p); g.last[i] = (p, "card")
            if g.pos[p]["up"]: HIT["face up drawn"] += 1
            g.pos[p] = None
        for i, (c, p) in got.items():
            if c == "Jk": g.jk = i; HIT["joker"] += 1
        for i, (c, p) in got.items():
            if c == "Jk": continue
            s = slot(c)
            if s is None: g.lay(p, c, i); HIT["blank up" if g.jk is not None else "blank down"] += 1
            elif s not in g.col[i]: g.col[i][s] = c; HIT["kept"] += 1
            else:
                new = dict(g.col[i]); new[s] = c
                if complete(new):
                    old = g.col[i][s]; g.col[i] = new; g.lay(p, old, i); HIT["auto"] += 1
                else: g.draw[i] = (c, p); HIT["waits"] += 1
        done = [i for i in range(n) if complete(g.col[i])]
        if done: return g.finish(done, "complete")
        if g.r == g.rounds: HIT["rounds over"] += 1; return g.finish(None, "time")
        if not back and all(a["type"] == "stay" for a in com.values()): HIT["all stay"] += 1; return g.finish(None, "time")
        if back and all(a["type"] == "stay" for a in com.values()): HIT["all stay, back"] += 1
        g.r += 1
    def live_action(g, i, a):
        HIT["live " + a["type"] + str(a.get("keep", ""))] += 1
        if a["type"] == "draw":
            p = a["at"]; c = g.pos[p]["card"]; s = slot(c)
            if g.pos[p]["up"]: HIT["live up drawn"] += 1
            g.pos[p] = None
            if c == "Jk": g.jk = i; HIT["live joker"] += 1
            elif s is not None and s not in g.col[i]: g.col[i][s] = c
            else: g.draw[i] = (c, p)
        elif a["type"] == "put-back": g.putback(i, a.get("keep"))
        else: g.finish([i], "complete")
    def finish(g, done, why):
        for i in range(g.n):
            if g.draw[i]:
                c, p = g.draw[i]; s = slot(c)
                if s is None: g.putback(i, None); HIT["settle blank"] += 1; continue
                new = dict(g.col[i]); new[s] = c
                k = "drawn" if strength(new) > strength(g.col[i]) else "held"
                HIT["settle " + k] += 1
                g.putback(i, k)
        g.over = True
        st = [strength(c) for c in g.col]
        sc = tuple(x[0] for x in st)
        if done:
            top = max(st[i][1] for i in done) if not g.live else None
            w = tuple(i for i in done if g.live or st[i][1] == top)
            if len(done) > 1: HIT["several complete -> %d" % len(w)] += 1
            g.end = (w, sc, "complete")
        else:
            b = max(st); w = tuple(i for i in range(g.n) if st[i] == b)
            g.end = (w, sc, "time-up") if len(w) == 1 else ((), sc, "mascot")
            if b[0] == 0: HIT["all run 0 " + g.end[2]] += 1
            if b[0] == 5: HIT["time-up with run 5"] += 1
            if b == (0, 0, 0): HIT["all empty"] += 1
        HIT[g.end[2]] += 1
    def result(g): return g.end
    def fallback(g, i):
        if g.over or g.pos is None or g.live or i in g.com: return None
        return {"type": "stay", "keep": "held"} if g.draw[i] else {"type": "stay"}
    def table(g, v):
        """What v sees at each position: 'vacant', None or a card."""
        if g.pos is None: return None
        away = {d[1]: i for i, d in enumerate(g.draw) if d}
        out = []
        for p in range(53):
            x = g.pos[p]
            if x is None:
                if p in away and not g.live and away[p] != v: out.append(None)
                else: out.append("vacant" if p not in away else "own" if away[p] == v else "away")
            elif x["up"]: out.append(x["card"])
            elif not g.live and v is not None and x["by"] == v: out.append(x["card"])
            else: out.append(None)
        return out
    def codes(g, v):
        out = Counter()
        if g.pos is not None: out.update(x for x in g.table(v) if x and x not in ("vacant", "own", "away"))
        if g.jk is not None: out["Jk"] += 1
        for i in range(g.n):
            if g.over or i == v: out.update(g.col[i].values())
            if i == v and g.draw[i]: out[g.draw[i][0]] += 1
        return out
    def committed(g): return sorted(g.com)
