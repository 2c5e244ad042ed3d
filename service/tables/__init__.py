"""Everything that happens at a table: before it starts, while it is played, with its clocks and its talk; and how it
is shown.
"""
