"""The laboratory: plays thousands of games, stores them as data and analyzes them.

A *study* defines which games to play (`matrix`, `tournament`); a *study store* keeps them in
chunks, so that a study can stop and resume; an *executor* plays chunks, on this machine
(`local_pool`) or on a Ray cluster (`cluster`); `analysis` turns the games into *findings*, and
`report` renders them.
"""
