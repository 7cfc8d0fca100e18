"""Several workers that serve the same tables: docs/server.md, "A crowd".

- `reach`: the way to Redis
- `exchange`: what they say to each other, through Redis, and who of them is there
- `carrier`: requests and sockets on their way to the worker that has the table (`calls`)
- `neighbours`: what a worker does for the others, and about those that are gone
- `supervisor`: the process that starts them, and starts them again
"""
