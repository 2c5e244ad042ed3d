"""The pages of people without scripts: signing in, settings, vacations, blocks, circles, players, ratings and
series.
"""
