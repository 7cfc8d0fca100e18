"""``make chaos``: inject faults into a real server while simulated players use it.

- `server_process`: the server in separate processes
- `fault_injection`: the faults, such as killed workers and database restarts
- `players`: simulated players and spectators, who reconnect after each disconnect
- `hostile_clients`: clients that send invalid and malicious messages
- `records`: what players sent and received at each table, and the failures found
- `verification`: checks of every table after the run
"""
