"""What the target of a case tells of the talk afterwards."""

from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.proposals import at_place, at_where, on_when
from actors.sandbox.setup import Recap

_ANSWERS = {"yes": "I said that I will.", "no": "I said that I cannot."}


def recap(life: Life) -> Recap:
    """What was agreed, as far as it was said and understood."""
    talk = life.talk
    if talk is None or not talk.lines:
        return Recap(text="Nothing was said.")
    partner = life.who.names[talk.partner]
    if talk.theirs is None:
        return Recap(text=f"{partner} and I had a friendly talk. We did not agree on anything.")
    said = _ANSWERS.get(talk.answered, "I have not given an answer yet.")
    return Recap(text=f"{partner} {_asked(talk.theirs, life.who.start)} {said}")


def _asked(one: Engagement, moment: int) -> str:
    when = on_when(one, moment)
    if one.kind == "help":
        steps = ", and then to ".join(f"{act}{at_place(place)}" for act, place in one.steps)
        return f"asked me to {steps}{when}."
    asked = {
        "gathering": f"invited me to {one.name}",
        "company": f"asked me to come along {one.what}",
        "meeting": f"asked me to meet {one.what}",
    }[one.kind]
    where = " online" if one.online else at_where(one)
    missing = [] if when else ["no time was named"]
    missing += [] if where else ["no place was named"]
    text = f"{asked}{when}{where}."
    return f"{text} {' and '.join(missing).capitalize()}." if missing else text
