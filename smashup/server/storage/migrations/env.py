"""What Alembic runs: the migrations, on the connection that `upgrade` hands over."""

from __future__ import annotations

from alembic import context

from smashup.server.storage.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
