"""What the target of a case tells of the talk afterwards."""

from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.times import clock, said_day
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.proposals import spoken
from actors.sandbox.setup import Recap


def recap(life: Life) -> Recap:
    """What was agreed, as far as it was said and understood."""
    talk = life.talk
    if talk is None or not talk.lines:
        return Recap(text="Nothing was said.")
    partner = life.who.names[talk.partner]
    theirs = talk.theirs
    if theirs is None:
        return Recap(text=f"{partner} and I had a friendly talk. We did not agree on anything.")
    said = {
        "yes": "I said that I will.",
        "no": "I said that I cannot.",
    }.get(talk.answered, "I have not given an answer yet.")
    return Recap(text=f"{_asked(partner, theirs, life)} {said}")


def _asked(partner: str, one: Engagement, life: Life) -> str:
    today = life.who.start // 1440
    day = said_day(one.when.day, today).rstrip(",") if one.when.day is not None else ""
    hour = f"at {clock(one.when.minute)}" if one.when.minute is not None else ""
    when = " ".join(filter(None, (day, hour)))
    where = "online" if one.online else f"at {spoken(one.where)}" if one.where else ""
    if one.kind == "help":
        steps = ", and then to ".join(
            f"{step.act}{f' at {step.place}' if step.place else ''}" for step in one.steps
        )
        return f"{partner} asked me to {steps}{f' {when}' if when else ''}."
    asked = {
        "gathering": f"{partner} invited me to {one.name}",
        "company": f"{partner} asked me to come along {one.what}",
        "meeting": f"{partner} asked me to meet {one.what}",
    }[one.kind]
    details = " ".join(filter(None, (when, where)))
    missing = [] if when else ["no time was named"]
    missing += [] if where else ["no place was named"]
    text = f"{asked}{f', {details}' if details else ''}."
    return f"{text} {' and '.join(missing).capitalize()}." if missing else text
