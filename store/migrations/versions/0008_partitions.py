"""PostgreSQL's log becomes partitions by position; the table that was there is the first of them.

A unique index reaches no further than its partition. What it would refuse beyond, ``log_fence``
refuses after each statement, whoever inserts: most rows by a look into small tables, which say more
than is true but never less (``log_heads``, ``log_odd_ids``, the ids of ``log_partitions``), those
that may be there already by a look into the partitions themselves. See docs/decisions/0019.
"""

import sqlalchemy as sa
from alembic import op

from store.writer.partitions import PARTITION_EVENTS

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TABLES = """
CREATE TABLE log_partitions (
    start bigint PRIMARY KEY,
    stop bigint NOT NULL,
    closed boolean NOT NULL DEFAULT false,
    after_id text COLLATE "C" NOT NULL DEFAULT '',
    least_id text COLLATE "C" NOT NULL DEFAULT 'g',
    greatest_id text COLLATE "C" NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX log_partitions_open ON log_partitions (start) WHERE NOT closed;
COMMENT ON TABLE log_partitions IS
    'Positions from start to before stop are in table log_from_<start>. Closed: a later one has '
    'events. Least and greatest id: of its events once it is closed, but for those in log_odd_ids; '
    'after_id: the greatest of all that were closed. One whose table was dropped stays listed.';
CREATE TABLE log_heads (
    stream text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    first_start bigint NOT NULL,
    last_start bigint NOT NULL
);
COMMENT ON TABLE log_heads IS
    'The last version that a stream has in closed partitions, and the first and last of those.';
CREATE TABLE log_odd_ids (event_id text COLLATE "C" PRIMARY KEY);
COMMENT ON TABLE log_odd_ids IS
    'Ids in closed partitions that do not grow with time: of events that were imported.';
"""

_FUNCTIONS = [
    # Before any row, so that who inserts without a lock of their own waits, and no deadlock arises.
    # A snapshot for the whole transaction would hide from log_fence what was committed meanwhile.
    """
CREATE FUNCTION log_one_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_advisory_xact_lock(7346021157) IS NULL
        OR current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')
    THEN
        RAISE feature_not_supported USING
            MESSAGE = 'the log is written to by transactions that are READ COMMITTED';
    END IF;
    RETURN NULL;
END $$""",
    """
CREATE FUNCTION log_add_partition(a_start bigint, a_stop bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    part text := 'log_from_' || a_start;
BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE log INCLUDING DEFAULTS, '
        'CONSTRAINT %I PRIMARY KEY (position), CONSTRAINT %I UNIQUE (event_id), '
        'CONSTRAINT %I UNIQUE (stream, version)) '
        'WITH (autovacuum_vacuum_insert_scale_factor = 0.02, '
        'autovacuum_analyze_scale_factor = 0.02)',
        part, part || '_pkey', part || '_event_id', part || '_stream_version');
    EXECUTE format(
        'ALTER TABLE log ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', part, a_start, a_stop);
    PERFORM log_guard(part);
END $$""",
    # Of statements only the triggers of the table that they name are called. Those for each row
    # are handed down to partitions by the database.
    """
CREATE FUNCTION log_guard(a_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER log_no_truncate BEFORE TRUNCATE ON %I '
        'FOR EACH STATEMENT EXECUTE FUNCTION log_only_grows()', a_table);
    EXECUTE format('CREATE TRIGGER log_one_writer BEFORE INSERT ON %I '
        'FOR EACH STATEMENT EXECUTE FUNCTION log_one_writer()', a_table);
    EXECUTE format('CREATE TRIGGER log_fence AFTER INSERT ON %I REFERENCING NEW TABLE AS added '
        'FOR EACH STATEMENT EXECUTE FUNCTION log_fence()', a_table);
END $$""",
    """
CREATE FUNCTION log_make_room(more bigint, size bigint,
    OUT head bigint, OUT open_start bigint, OUT open_stop bigint, OUT last_stop bigint)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7346021157);
    SELECT start, stop INTO open_start, open_stop
        FROM log_partitions WHERE NOT closed ORDER BY start LIMIT 1;
    SELECT max(stop) INTO last_stop FROM log_partitions;
    EXECUTE format('SELECT coalesce(max(position), %s) FROM log WHERE position >= %s',
        open_start - 1, open_start) INTO head;
    WHILE last_stop <= head + more LOOP
        PERFORM log_add_partition(last_stop, last_stop + size);
        INSERT INTO log_partitions (start, stop, after_id)
            SELECT last_stop, last_stop + size, max(after_id) FROM log_partitions;
        last_stop := last_stop + size;
    END LOOP;
END $$""",
    # Ids are UUIDs that begin with the time. Those up to some minutes from now are known by the
    # least and the greatest; a greater one would have every event there will be looked for, so it
    # is kept by itself.
    """
CREATE FUNCTION log_close_partitions(before bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    part text;
    a_start bigint;
    bound text :=
        lpad(to_hex(((extract(epoch FROM clock_timestamp()) + 300) * 1000)::bigint), 12, '0');
    low text;
    high text;
BEGIN
    FOR a_start IN
        SELECT start FROM log_partitions WHERE NOT closed AND stop <= before ORDER BY start
    LOOP
        part := 'log_from_' || a_start;
        EXECUTE format('INSERT INTO log_heads SELECT stream, max(version), %1$s, %1$s FROM %2$I '
            'GROUP BY stream ON CONFLICT (stream) DO UPDATE SET version = excluded.version, '
            'last_start = excluded.last_start', a_start, part);
        EXECUTE format('INSERT INTO log_odd_ids SELECT event_id FROM %I WHERE event_id > %L '
            'ON CONFLICT DO NOTHING', part, bound);
        EXECUTE format('SELECT min(event_id), max(event_id) FROM %I WHERE event_id <= %L',
            part, bound) INTO low, high;
        UPDATE log_partitions SET closed = true, least_id = coalesce(low, 'g'),
            greatest_id = coalesce(high, '') WHERE start = a_start;
    END LOOP;
    UPDATE log_partitions SET after_id = (SELECT max(greatest_id) FROM log_partitions)
        WHERE NOT closed;
END $$""",
    # Its tables begin empty: a plan that reads them whole would last too long once they are not.
    """
CREATE FUNCTION log_fence() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    here record;
    part record;
    last bigint;
    doubtful boolean;
    twice record;
BEGIN
    SELECT p.start, p.stop, p.after_id, EXISTS (SELECT FROM archived_streams) AS archived,
            p.start > 1 OR EXISTS (SELECT FROM log_partitions n WHERE n.start = p.stop) AS several
        INTO here FROM log_partitions p WHERE NOT p.closed ORDER BY p.start LIMIT 1;
    IF here.archived AND EXISTS (SELECT FROM added WHERE
        EXISTS (SELECT FROM archived_streams a WHERE a.stream = added.stream)
        OR EXISTS (SELECT FROM archived_streams a WHERE a.stream = 'run-' || added.correlation))
    THEN
        RAISE EXCEPTION 'what is archived does not grow: INSERT is refused';
    END IF;
    IF NOT here.several THEN
        RETURN NULL;  -- the only partition's own unique keys are enough
    END IF;

    SELECT max(n.position), bool_or(n.position < here.start OR n.event_id <= here.after_id
            OR EXISTS (SELECT FROM log_heads h
                WHERE h.stream = n.stream AND h.version >= n.version)
            OR EXISTS (SELECT FROM log_odd_ids o WHERE o.event_id = n.event_id))
        INTO last, doubtful FROM added n;
    IF doubtful OR last >= here.stop THEN
        FOR part IN SELECT p.*, 'log_from_' || start AS name FROM log_partitions p
            WHERE to_regclass('log_from_' || start) IS NOT NULL
        LOOP
            EXECUTE format('SELECT n.stream, n.version, n.event_id '
                'FROM added n JOIN %1$I l ON l.stream = n.stream AND l.version = n.version '
                'WHERE l.position <> n.position AND (NOT $1 OR EXISTS (SELECT FROM log_heads h '
                'WHERE h.stream = n.stream AND $2 BETWEEN h.first_start AND h.last_start)) '
                'UNION ALL SELECT n.stream, n.version, n.event_id '
                'FROM added n JOIN %1$I l ON l.event_id = n.event_id '
                'WHERE l.position <> n.position AND (NOT $1 OR n.event_id BETWEEN $3 AND $4 '
                'OR EXISTS (SELECT FROM log_odd_ids o WHERE o.event_id = n.event_id)) LIMIT 1',
                part.name)
                INTO twice USING part.closed, part.start, part.least_id, part.greatest_id;
            IF twice.stream IS NOT NULL THEN
                RAISE unique_violation USING MESSAGE = format('version %s of stream %s or event '
                    'id %s is there already', twice.version, twice.stream, twice.event_id);
            END IF;
        END LOOP;
    END IF;

    IF doubtful THEN  -- what is put back is in closed partitions
        INSERT INTO log_heads SELECT n.stream, max(n.version), min(p.start), max(p.start)
            FROM added n JOIN log_partitions p ON n.position >= p.start AND n.position < p.stop
            WHERE p.closed GROUP BY n.stream ON CONFLICT (stream) DO UPDATE SET
            version = greatest(log_heads.version, excluded.version),
            first_start = least(log_heads.first_start, excluded.first_start),
            last_start = greatest(log_heads.last_start, excluded.last_start);
        INSERT INTO log_odd_ids SELECT n.event_id FROM added n
            WHERE n.position < here.start AND n.event_id > here.after_id ON CONFLICT DO NOTHING;
        UPDATE log_partitions p SET least_id = least(p.least_id, n.low),
            greatest_id = greatest(p.greatest_id, n.high)
            FROM (SELECT p.start, min(n.event_id) AS low, max(n.event_id) AS high
                FROM added n JOIN log_partitions p ON n.position >= p.start AND n.position < p.stop
                WHERE p.closed AND n.event_id <= here.after_id GROUP BY p.start) AS n
            WHERE p.start = n.start;
    END IF;
    IF last >= here.stop THEN
        PERFORM log_close_partitions(last);
    END IF;
    RETURN NULL;
END $$""",
    """
CREATE FUNCTION log_drop_archived(a_start bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    part text := 'log_from_' || a_start;
    kept boolean;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I l WHERE NOT EXISTS (SELECT FROM archived_streams '
        'a WHERE a.stream = l.stream AND l.version BETWEEN a.first_version AND a.last_version))',
        part) INTO kept;
    IF kept OR NOT (SELECT closed FROM log_partitions WHERE start = a_start) THEN
        RAISE EXCEPTION 'the log only grows: DROP is refused';
    END IF;
    EXECUTE format('DELETE FROM log_odd_ids o USING %I l WHERE l.event_id = o.event_id', part);
    EXECUTE format('DROP TABLE %I', part);
END $$""",
    """
CREATE FUNCTION log_make_again(low bigint, high bigint) RETURNS void LANGUAGE sql AS $$
    SELECT log_add_partition(start, stop) FROM log_partitions
        WHERE start <= high AND stop > low AND to_regclass('log_from_' || start) IS NULL
$$""",
]


def upgrade() -> None:
    db = op.get_bind()
    if db.dialect.name == "sqlite":
        return
    head = db.scalar(sa.text("SELECT coalesce(max(position), 0) FROM log"))
    stop = max(1, -(-head // PARTITION_EVENTS)) * PARTITION_EVENTS + 1
    for trigger in ("log_no_change", "log_no_truncate", "log_no_archived"):
        op.execute(f"DROP TRIGGER {trigger} ON log")
    op.execute("DROP FUNCTION log_no_archived()")
    op.execute("ALTER TABLE log RENAME TO log_from_1")
    for name in ("pkey", "event_id", "stream_version"):
        op.execute(f"ALTER TABLE log_from_1 RENAME CONSTRAINT log_{name} TO log_from_1_{name}")
    op.execute(
        "CREATE TABLE log (LIKE log_from_1 INCLUDING DEFAULTS, "
        "CONSTRAINT log_pkey PRIMARY KEY (position)) PARTITION BY RANGE (position)"
    )
    for statement in (_TABLES, *_FUNCTIONS):
        op.execute(sa.text(statement.replace(":", "\\:")))
    op.execute(
        "CREATE TRIGGER log_no_change BEFORE UPDATE OR DELETE ON log "
        "FOR EACH ROW EXECUTE FUNCTION log_only_grows()"
    )
    # Reads the table once; nothing is copied.
    op.execute(f"ALTER TABLE log ATTACH PARTITION log_from_1 FOR VALUES FROM (1) TO ({stop})")
    op.execute(f"INSERT INTO log_partitions (start, stop) VALUES (1, {stop})")  # noqa: S608
    op.execute("SELECT log_guard('log'), log_guard('log_from_1')")
    op.execute(
        "ALTER TABLE log_from_1 SET (autovacuum_vacuum_insert_scale_factor = 0.02, "
        "autovacuum_analyze_scale_factor = 0.02)"
    )
