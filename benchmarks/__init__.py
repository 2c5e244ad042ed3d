"""Speed and size as ratios, measured side by side in one run: `python -m benchmarks`.

Machines differ and are shared, so most targets are not in seconds: our code and a bare counterpart are measured
alternately on the same machine, and the median of the rounds counts. This needs Linux, which tells the CPU time of
other processes.
"""
