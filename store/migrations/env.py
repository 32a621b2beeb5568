"""Run by Alembic: migrates on the connection and inside the transaction it is given."""

from alembic import context

from store.database.tables import metadata

connection = context.config.attributes["connection"]
# Both databases can take back DDL; Alembic does not expect that of SQLite.
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
