"""``make chaos``: a real server, people who play on it, and everything that can go wrong.

- `notes`: what everybody was told and has done, table by table, and what should not have been
- `people`: who plays and watches: cut off, they come back; now and then they reload the page
- `hostile`: who only wants to do harm
- `trouble`: the server in processes of its own, which are killed, stalled and started again
- `exactness`: what must be true of every table afterwards
"""
