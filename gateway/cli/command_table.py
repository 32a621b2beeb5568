"""The module of each command, and its one-sentence description in lists of commands."""

from collections.abc import Mapping
from typing import Final

COMMANDS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "run.runs": {
        "run": ("run", "Carry out a plan: play, score, show the tables."),
        "resume": ("resume", "Resume a run or a fork that was stopped."),
    },
    "run.stop": {
        "stop": ("stop", "Stop a run, a chain or an episode."),
    },
    "run.episode_control": {
        "pause": ("pause", "Pause an episode."),
        "step": ("step", "Advance a paused episode by one turn."),
        "unpause": ("unpause", "Continue a paused episode."),
    },
    "run.interviews": {
        "interview": ("interview", "Interview a character about an episode."),
    },
    "operate.archives": {
        "hide": ("hide", "Hide runs from lists, or list them again."),
        "archive": ("archive", "Move runs from the store into files."),
        "retrieve": ("retrieve", "Bring archived runs back into the store."),
    },
    "compare.scores": {
        "score": ("score", "Score stored episodes with another judge."),
    },
    "compare.comparison": {
        "compare": ("compare", "Compare runs, or two judges of the same runs."),
    },
    "compare.report": {
        "report": ("report", "Write a run's report: one HTML file, no network."),
    },
    "compare.export": {
        "export": ("export", "Write a run, a chain or an episode to files."),
    },
    "compare.validate_judge": {
        "validate-judge": ("validate", "Compare a judge's checkpoints with human labels."),
    },
    "people.annotations": {
        "agreement": ("agreement", "Measure the agreement of annotators and judges."),
        "annotate": ("annotate", "Collect people's scores of episodes."),
    },
    "look.run_list": {
        "runs": ("list_runs", "List runs and their status, newest first."),
    },
    "look.episodes": {
        "show": ("show", "Show a run's tables, a chain's episodes, or a transcript."),
        "watch": ("watch", "Follow a run, a chain or an episode as it is played."),
        "replay": ("replay", "Show an episode as it was after an event."),
    },
    "run.play_seat": {
        "play": ("play", "Play a seat in the terminal."),
    },
    "run.forks": {
        "fork": ("fork", "Play on from the middle of an episode, with changes."),
        "diff": ("diff", "Compare a fork with its parent."),
        "lineage": ("lineage", "Draw an episode's tree of forks."),
    },
    "look.chains": {
        "chains": ("chains", "List chains of episodes."),
        "memory": ("memory", "Show what the characters of a chain remember."),
        "curves": ("curves", "Show scores by the index of the episode in its chain."),
    },
    "compare.contrasts": {
        "contrast": ("contrast", "Test differences within a run: minds, memories, slopes."),
    },
    "operate.processes": {
        "serve": ("serve", "Run the server, which carries out detached runs."),
        "gateway": ("gateway_only", "Serve pages and seats without playing episodes."),
        "worker": ("worker", "Run a worker, which plays and scores for a server."),
        "doctor": ("doctor", "Check the installation and suggest fixes."),
        "schema": ("schema", "Print the JSON Schema of all events and messages."),
        "projections": ("projections", "Check and rebuild projections."),
    },
    "operate.fleet": {
        "workers": ("workers", "List workers and their current jobs."),
        "nats": ("nats_address", "Print how remote seats connect to NATS."),
        "jobs": ("jobs", "Inspect the job queue and retry dead jobs."),
    },
    "operate.backups": {
        "backup": ("backup", "Back up the store to a file, also while runs write to it."),
        "restore": ("restore", "Restore the store from a backup."),
        "verify-store": ("verify", "Check the integrity of the event store."),
    },
    "people.tokens": {
        "audit": ("audit", "List the actions of operators and researchers, newest first."),
        "token": ("tokens", "Create and revoke access tokens."),
    },
    "look.bundled_files": {
        "docs": ("docs", "Print a page of the documentation, or list all pages."),
        "examples": ("examples", "Copy example plans and judges."),
    },
    "people.study_erasure": {
        "study": ("study", "Run studies with people: plan, open, watch, export, erase."),
    },
    "operate.local_models": {
        "local": ("app", "Run a small language model on this machine."),
    },
}
"""By module below ``gateway.cli.commands``: each command's name, function and sentence. Groups are
whole ``typer.Typer``s."""

FORMER_NAMES: Final[Mapping[str, str]] = {
    "go-on": "unpause",
    "restore-run": "retrieve",
    "validate": "validate-judge",
    "verify": "verify-store",
}
"""By the name that a command had before the one that it has now (docs/decisions/0053)."""
