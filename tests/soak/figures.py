"""What a process holds, as it is seen from within and from without."""

import msgspec


class Inside(msgspec.Struct, frozen=True, kw_only=True):
    """What only the process itself can tell."""

    blocks: int
    """Blocks that Python's own allocator has given out: its objects, and what is garbage and not
    collected yet."""
    tasks: int
    """Of asyncio."""
    actors: int
    """In memory."""
    episodes: int
    """That have actors."""
    malloc_used: int
    """Bytes that glibc has given out; 0 with another C library."""
    malloc_free: int
    """Bytes that glibc keeps though nobody has them."""
    sqlite: int
    """Bytes that SQLite has, most of them pages; 0 where that cannot be asked."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A process at a moment of rest."""

    seconds: float
    """Since the first."""
    episodes: int
    """That have ended by now, wherever they were played."""
    events: int
    """In the store."""
    rss: int
    """Bytes of memory that are resident."""
    uss: int
    """Bytes that no other process shares."""
    fds: int
    """Open files and connections."""
    threads: int
    wal: int
    """Bytes of SQLite's write-ahead log; 0 on PostgreSQL."""
    inside: Inside
