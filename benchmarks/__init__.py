"""Speed and size as ratios, measured side by side in one run: `python -m benchmarks` (design.md, 16).

Machines differ and are shared, so nothing is demanded in seconds: what is ours is measured in turns with a bare
counterpart on the same server, and the median of the rounds counts. Linux only (CPU time of other processes).
"""
