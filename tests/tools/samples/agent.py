"""What an agent does in a trial: each action changes the workspace and is recorded as an event of the trajectory.

Owns the actions and the shape of events. Times and token counts are made up from the actions themselves, so that the
same actions always give the same record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.tools.samples.workspace import Workspace, workspace

WORK_DIR = "/tmp/vally-eval/workspace"
Json = dict[str, Any]


@dataclass(frozen=True)
class Action:
    """Base of what an agent can do; by itself it changes nothing."""

    def call(self) -> tuple[str, Json, str] | None:
        """Tool name, arguments and result text; None where no tool is called."""
        return None

    def apply(self, place: Workspace) -> None:
        """Change the workspace."""


@dataclass(frozen=True)
class Say(Action):
    """A message of the assistant; the last one of a trial is its output."""

    text: str


@dataclass(frozen=True)
class View(Action):
    """Read a file."""

    path: str

    def call(self) -> tuple[str, Json, str]:
        return "view", {"path": f"{WORK_DIR}/{self.path}"}, f"1. (contents of {self.path})"


@dataclass(frozen=True)
class Edit(Action):
    """Replace the one place where a text stands in a file."""

    path: str
    old: str
    new: str

    def call(self) -> tuple[str, Json, str]:
        arguments = {"path": f"{WORK_DIR}/{self.path}", "old_str": self.old, "new_str": self.new}
        return "edit", arguments, f"File {self.path} updated with changes."

    def apply(self, place: Workspace) -> None:
        place.replace(self.path, self.old, self.new)


@dataclass(frozen=True)
class Create(Action):
    """Write a new file."""

    path: str
    text: str

    def call(self) -> tuple[str, Json, str]:
        arguments = {"path": f"{WORK_DIR}/{self.path}", "file_text": self.text}
        return "create", arguments, f"Created file {self.path} with {len(self.text)} characters."

    def apply(self, place: Workspace) -> None:
        place.write(self.path, self.text)


@dataclass(frozen=True)
class Shell(Action):
    """Run a command; what it prints is given, and it changes nothing."""

    command: str
    prints: str = ""

    def call(self) -> tuple[str, Json, str]:
        return "bash", {"command": self.command}, f"{self.prints}<exited with exit code 0>"


@dataclass(frozen=True)
class Move(Shell):
    """Rename a file with ``git mv``."""

    old: str = ""
    new: str = ""

    def apply(self, place: Workspace) -> None:
        place.move(self.old, self.new)


def move(old: str, new: str) -> Move:
    """A renamed file, as the command that did it."""
    return Move(f"git mv {old} {new}", "", old, new)


@dataclass(frozen=True)
class Turn:
    """One prompt and what the agent did about it."""

    prompt: str
    actions: Sequence[Action]


@dataclass
class Recording:
    """A trial as it happened: its events, and git's diffs of it."""

    events: list[Json] = field(default_factory=list)
    whole: str = ""
    """The diff from the fixture to the end."""
    by_turn: list[str] = field(default_factory=list)
    output: str = ""
    tools: list[str] = field(default_factory=list)
    """The tools that were called, in order, repeated ones too."""
    started: str = ""
    ended: str = ""
    milliseconds: int = 0
    iterations: int = 0
    """Assistant iterations; Vally's ``metrics.turnCount``."""
    input_tokens: int = 0
    output_tokens: int = 0


class _Clock:
    """The time of the trial, which goes on by what is done."""

    def __init__(self, start: datetime) -> None:
        self.start = self.now = start

    def after(self, milliseconds: int) -> str:
        self.now += timedelta(milliseconds=milliseconds)
        return stamp(self.now)


def stamp(moment: datetime) -> str:
    """An ISO instant with milliseconds, as JavaScript writes it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def record(fixture: Mapping[str, str | bytes], turns: Sequence[Turn], start: datetime, model: str) -> Recording:
    """Do the turns in a new workspace of the fixture and record them."""
    made = Recording()
    clock = _Clock(start)
    numbered = len(turns) > 1
    with workspace(fixture) as place:
        for number, turn in enumerate(turns):
            if number:
                place.commit()
            events = _turn(made, turn, clock, model)
            made.events += [{**event, "turn": number} for event in events] if numbered else events
            for action in turn.actions:
                action.apply(place)
            made.by_turn.append(place.diff())
        made.whole = place.diff(f"HEAD~{len(turns) - 1}") if numbered else made.by_turn[0]
    made.started, made.ended = stamp(clock.start), stamp(clock.now)
    made.milliseconds = int((clock.now - clock.start).total_seconds() * 1000)
    return made


def _turn(made: Recording, turn: Turn, clock: _Clock, model: str) -> list[Json]:
    events = [_event("user_message", clock.after(40), {"content": turn.prompt})]
    for action in turn.actions:
        events += _iteration(made, action, clock, model)
    return events


def _iteration(made: Recording, action: Action, clock: _Clock, model: str) -> list[Json]:
    """One round of the assistant: what it says, or the one tool that it calls."""
    called = action.call()
    said = action.text if isinstance(action, Say) else ""
    turn_id = str(made.iterations)
    tokens_in, tokens_out = 20_480 + 512 * made.iterations, 24 + len(said or repr(called)) // 4
    made.iterations += 1
    made.input_tokens += tokens_in
    made.output_tokens += tokens_out
    made.output = said or made.output
    used = {"inputTokens": tokens_in, "outputTokens": tokens_out, "model": model}
    events = [
        _event("turn_start", clock.after(150), {"turnId": turn_id}),
        _event("token_usage", clock.after(2_000 + 20 * tokens_out), used),
        _event("assistant_message", clock.after(3), {"content": said}),
    ]
    if called is not None:
        events += _tool(made, called, clock)
    return [*events, _event("turn_end", clock.after(4), {"turnId": turn_id})]


def _tool(made: Recording, called: tuple[str, Json, str], clock: _Clock) -> list[Json]:
    tool, arguments, prints = called
    made.tools.append(tool)
    call_id = f"call_{len(made.tools):04d}"
    result = {"toolName": tool, "toolCallId": call_id, "success": True, "result": {"content": prints}}
    return [
        _event("tool_call", clock.after(2), {"toolName": tool, "toolCallId": call_id, "arguments": arguments}),
        _event("tool_result", clock.after(180 if tool != "bash" else 1_400), result),
    ]


def _event(kind: str, time: str, data: Json) -> Json:
    return {"type": kind, "timestamp": time, "data": data}
