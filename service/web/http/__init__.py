"""The parts that all endpoints share: the caller, the body and the query, limits, headers, problem
responses, polling.
"""
