"""Figures about actors. Labels are class names only, never an id."""

from collections import Counter as Tally
from collections.abc import Iterator

from prometheus_client import REGISTRY, Counter
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from pykka import ActorRegistry

from actors.runtime.inbox import LoopInbox

FAILURES = Counter(
    "troupe_actor_failures_total",
    "Actors that stopped because of an error.",
    ["class", "error_type"],
)
REFUSALS = Counter(
    "troupe_actor_refusals_total",
    "Commands that an actor's rules said no to.",
    ["class"],
)


class MailboxDepth(Collector):
    """Counts waiting messages when somebody looks, so that sending one costs nothing more."""

    def describe(self) -> Iterator[Metric]:
        """The family without values: registering does not visit every actor."""
        yield self._family()

    def collect(self) -> Iterator[Metric]:
        """Messages waiting in all inboxes, by the actors' class."""
        waiting: Tally[str] = Tally()
        for ref in ActorRegistry.get_all():
            if isinstance(ref.actor_inbox, LoopInbox):
                waiting[ref.actor_class.__name__] += len(ref.actor_inbox.queue)
        family = self._family()
        for name, messages in waiting.items():
            family.add_metric([name], messages)
        yield family

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "troupe_actor_mailbox_depth",
            "Messages waiting in the inboxes of all actors of a class.",
            labels=["class"],
        )


REGISTRY.register(MailboxDepth())
