"""Naive second engine of oracle-land, from the specification alone."""
from itertools import combinations
from collections import Counter
HIT = Counter()
S = "shdc"; R = "A23456789TJQK"
def key(c): return (S.index(c[1]), R.index(c[0]))
PACK = [r + s for s in S for r in "2345678"]
class Oracle:
    def __init__(g, n, obo):
        g.n, g.obo = n, obo
        ranks = "AJQK" if n == 4 else "JQK"
        g.bids = [[ranks[p] + s for s in S] for p in range(n)]
        g.points = [[] for _ in range(n)]
        g.joker = None
        g.deal = 1
        g.start_deal()
        g.over = False
        g.leader = 0
    def start_deal(g):
        n = g.n
        g.phase = "deal"
        g.held = [[] for _ in range(n)]; g.hand = [[] for _ in range(n)]
        g.stock = {s: ["9" + s, "T" + s] for s in S}
        g.row = [[] for _ in range(n)]       # uncovered
        g.cov = [[] for _ in range(n)]       # covered cards + 4s (codes)
        g.secret = [None] * n; g.secret4 = [None] * n
        g.open = False
        g.aside = []; g.trick = []; g.taken4 = []
        g.rest = []; g.closed = []; g.moon = []
        g.wish = [False] * n
        g.bid = [None] * n
        g.com = {}
        g.tricks = 0
    def turn(g):
        """(chance, waiting)"""
        if g.over: return ("over",)
        if g.phase == "deal": return ("chance", "deal", list(PACK))
        return ("wait", g.waiting())
    def waiting(g):
        n = g.n
        if g.phase == "wish": return [i for i in range(n) if len(g.bids[i]) >= 3 and i not in g.com]
        if g.phase in ("bid", "secret"): return [i for i in range(n) if i not in g.com]
        if g.phase == "play": return [(g.leader + len(g.trick)) % n]
        if g.phase == "bonus": return [g.loser]
        if g.phase == "erase": return [g.winner]
        if g.phase == "joker": return [g.joker]
    def legal(g, i):
        if g.over or g.phase == "deal" or i not in g.waiting(): return []
        return getattr(g, "legal_" + g.phase)(i)
    def legal_wish(g, i): return [{"type": "wish", "tie": False}, {"type": "wish", "tie": True}]
    def legal_bid(g, i):
        p = (i - 1) % g.n; cs = sorted(g.bids[p], key=key)
        if not g.wish[p]:
            return [{"type": "bid", "most": [a], "least": [b]} for a in cs for b in cs if a != b]
        out = []
        for a in cs:
            for b, c in combinations(cs, 2):
                if a not in (b, c): out.append({"type": "bid", "most": [a], "least": [b, c]})
        for b, c in combinations(cs, 2):
            for a in cs:
                if a not in (b, c): out.append({"type": "bid", "most": [b, c], "least": [a]})
        return out
    def legal_secret(g, i): return [{"type": "secret", "card": c} for c in sorted(g.hand[i], key=key)]
    def legal_play(g, i):
        out = []; hand = sorted(g.hand[i], key=key)
        lead = not g.trick
        if not lead:
            led = g.led()
            if led is not None and any(c[1] == led and c[0] != "4" for c in hand):
                hand = [c for c in hand if c[1] == led or c[0] in "24"]; HIT["obliged"] += 1
            elif led is None: HIT["nosuitled"] += 1
            else:
                HIT["void"] += 1
                if any(c == "4" + led for c in hand): HIT["void but own 4"] += 1
        for c in hand:
            for j in ([None, "plus", "minus"] if lead else [None]):
                sw = [False]
                if c[0] == "6" or (c[0] == "5" and j == "plus") or (c[0] == "7" and j == "minus"): sw.append(True)
                for w in sw: out.append({"type": "play", "card": c, "sideways": w, "joker": j})
        return out
    def number(g, a):
        v = int(a["card"][0]); w = a["sideways"]
        if v == 6 and w: x = 0; made = False
        else: x = v; made = True
        if a["joker"] == "plus": x += 1
        if a["joker"] == "minus": x -= 1
        x = max(0, x)
        if v in (5, 7) and x == 6 and w: x = 0
        return x
    def suit(g, a): return None if g.number(a) == 4 else a["card"][1]
    def led(g): return g.suit(g.trick[0])
    def outcome(g):
        led = g.led(); st = []
        for t, a in enumerate(g.trick):
            x = g.number(a); s = g.suit(a)
            if led is None: f = 0
            elif s is None: f = 0
            elif s == led or (t > 0 and x == 2): f = 2
            else: f = 1
            st.append((f, x, -t))
        w = st.index(max(st)); l = st.index(min(st))
        HIT["led none" if led is None else "led suit"] += 1
        HIT["loser strength %d" % min(st)[0]] += 1
        return (g.leader + w) % g.n, (g.leader + l) % g.n
    def legal_bonus(g, i): return [{"type": "bonus", "card": g.stock[s][0]} for s in S if g.stock[s]]
    def legal_erase(g, i):
        return [{"type": "erase", "cards": list(x)} for x in combinations(sorted(g.row[i], key=key), len(g.taken4))]
    def legal_joker(g, i): return [{"type": "joker", "suit": s} for s in S]
    # events
    def chance(g, out):
        n = g.n
        if g.obo:
            for k, c in enumerate(out):
                (g.held[k % 4] if k % 4 < 3 else g.closed).append(c)
            g.closed.reverse()
        else:
            for k in range(7 * n): g.held[k % n].append(out[k])
            g.rest = list(out[7 * n:])
        g.com = {}
        g.phase = "wish" if g.deal == 2 and any(len(b) >= 3 for b in g.bids) else "bid"
        if g.deal == 2: HIT["deal2 " + g.phase] += 1
    def action(g, i, a):
        HIT[a["type"]] += 1
        getattr(g, "do_" + g.phase)(i, a)
    def do_wish(g, i, a):
        g.com[i] = a
        if not g.waiting():
            for j, x in g.com.items(): g.wish[j] = x["tie"]
            g.com = {}; g.phase = "bid"
    def do_bid(g, i, a):
        g.com[i] = a
        if not g.waiting():
            for j in range(g.n):
                p = (j - 1) % g.n
                g.bid[p] = (g.com[j]["most"], g.com[j]["least"])
                g.hand[p] = g.held[j]
            g.held = [[] for _ in range(g.n)]
            g.com = {}; g.phase = "secret"
    def do_secret(g, i, a):
        g.com[i] = a
        if not g.waiting():
            for j in range(g.n):
                g.secret[j] = g.com[j]["card"]; g.hand[j].remove(g.secret[j])
            if g.deal == 1: g.joker = 0
            g.leader = g.joker
            g.com = {}; g.phase = "play"
    def do_play(g, i, a):
        g.hand[i].remove(a["card"]); g.trick.append(a)
        if len(g.trick) == g.n:
            g.winner, g.loser = g.outcome(); g.phase = "bonus"
    def do_bonus(g, i, a):
        g.stock[a["card"][1]].pop(0); g.row[i].append(a["card"])
        w = g.winner; g.joker = w
        g.taken4 = sorted([x["card"] for x in g.trick if x["card"][0] == "4"], key=key)
        g.row[w] += [x["card"] for x in g.trick if x["card"][0] != "4"]
        g.trick = []
        k, t = len(g.taken4), len(g.row[w])
        if k == 0: return g.end_trick()
        if k < t:
            HIT["erase k=%d" % k] += 1
            g.phase = "erase"; return
        HIT["k>=T"] += 1
        left = g.taken4[t:]
        g.cov[w] += g.row[w] + g.taken4[:t]; g.row[w] = []
        if left:
            HIT["left"] += 1
            if t == 0: HIT["left, T empty"] += 1
            if g.secret4[w] is None: g.secret4[w] = left.pop(0); HIT["on secret"] += 1
            else: HIT["secret has one"] += 1
            if left: HIT["aside"] += 1
            g.aside += left
        g.taken4 = []
        g.end_trick()
    def do_erase(g, i, a):
        for c in a["cards"]: g.row[i].remove(c); g.cov[i].append(c)
        g.cov[i] += g.taken4; g.taken4 = []
        g.end_trick()
    def end_trick(g):
        if g.obo: g.moon.append(g.closed.pop(0))
        g.leader = g.winner; g.tricks += 1
        if g.tricks < 6: g.phase = "play"
        else: g.phase = "joker"; g.open = True
    def counts(g, p, suit):
        c = {s: 0 for s in S}
        for x in g.row[p]: c[x[1]] += 1
        if g.secret4[p] is None: c[g.secret[p][1]] += 1
        if g.joker == p: c[suit] += 1
        return c
    def scored(g, p, suit):
        c = g.counts(p, suit); out = []
        for side, sign in ((g.bid[p][0], 1), (g.bid[p][1], -1)):
            ss = [x[1] for x in side]; others = [s for s in S if s not in ss]
            if len({c[s] for s in ss}) == 1 and all(sign * c[ss[0]] > sign * c[o] for o in others):
                out += side
                HIT["scored %s %d" % ("most" if sign > 0 else "least", len(side))] += 1
        return out
    def do_joker(g, i, a):
        got = [g.scored(p, a["suit"]) for p in range(g.n)]
        g.last_counts = [g.counts(p, a["suit"]) for p in range(g.n)]
        g.last_got = got
        for p in range(g.n):
            g.points[p] += got[p]; g.bids[p] = [c for c in g.bids[p] if c not in got[p]]
        if g.deal == 1: g.deal = 2; g.start_deal()
        else: g.over = True; g.phase = "over"
    def result(g):
        if not g.over: return None
        sc = [len(p) for p in g.points]; top = max(sc)
        tied = [i for i in range(g.n) if sc[i] == top]
        if len(tied) == 1: return (tuple(tied), tuple(sc), "points")
        w = min(tied, key=lambda i: (i - g.joker) % g.n)
        HIT["joker tie with %s" % ("owner" if w == g.joker else "other")] += 1
        return ((w,), tuple(sc), "joker")
    def fallback(g, i):
        if g.over or g.phase == "deal" or i not in g.waiting(): return None
        ph = g.phase
        if ph == "wish": return {"type": "wish", "tie": False}
        if ph == "bid":
            p = (i - 1) % g.n; cs = sorted(g.bids[p], key=key)
            return {"type": "bid", "most": cs[:1], "least": cs[1:3] if g.wish[p] else cs[1:2]}
        if ph == "secret": return {"type": "secret", "card": sorted(g.hand[i], key=key)[0]}
        if ph == "play":
            return min((a for a in g.legal(i) if a["joker"] is None and not a["sideways"]), key=lambda a: (int(a["card"][0]), key(a["card"])))
        if ph == "bonus": return g.legal(i)[0]
        if ph == "erase": return g.legal(i)[0]
        return {"type": "joker", "suit": max(S, key=lambda s: (len(g.scored(i, s)), -S.index(s)))}
    def codes(g, v):
        """The codes that viewer v may see, as a Counter (each once)."""
        out = Counter(); n = g.n
        add = lambda cs: out.update(cs)
        for p in range(n): add(g.bids[p]); add(g.points[p]); add(g.row[p]); add(g.cov[p])
        for s in S: add(g.stock[s])
        add(["Jk"])
        add(x["card"] for x in g.trick); add(g.taken4); add(g.aside); add(g.moon)
        for p in range(n):
            if g.secret4[p]: add([g.secret4[p]])
            if g.secret[p] and (v == p or (g.open and not g.secret4[p])): add([g.secret[p]])
        if v is not None: add(g.held[v]); add(g.hand[v])
        return out
    def committed(g): return sorted(g.com)
