"""An explanation as JSON; all keys always there, null where unknown. Offsets as in ``grade``: half-open, code points."""

from __future__ import annotations

from collections.abc import Iterable

from vally_tui.cli.output import JsonValue
from vally_tui.grading.graders import turn_of
from vally_tui.triage.explain.model import Changed, Choice, Explanation, Finding, Near, Spot
from vally_tui.triage.gathered import GatheredTrial


def explanation_object(own: GatheredTrial, position: int, explanation: Explanation) -> JsonValue:
    """One grader on one trial; ``position``: 0-based, printed from 1."""
    trial, config = own.trial, explanation.subject.config
    turn = turn_of(config.turn)
    return {
        "type": "explanation",
        "itemId": trial.item_id,
        "stimulus": trial.stimulus,
        "variant": trial.variant,
        "model": trial.model,
        "trialIndex": trial.trial_index,
        "grader": {
            "position": position + 1,
            "name": config.label,
            "graderType": config.type,
            "turn": turn if isinstance(turn, int) else None,
        },
        "stance": explanation.stance.value,
        "state": explanation.state.value,
        "findings": [_finding(finding) for finding in explanation.findings],
        "choices": [_choice(choice) for choice in explanation.choices],
        "triedInVain": [*explanation.in_vain],
        "near": _near(explanation.near),
        "kinds": [
            {"kind": kind.kind.value, "count": kind.count, "spots": _spots(kind.spots)} for kind in explanation.kinds
        ],
        "changed": _changed(explanation.changed),
        "turns": [
            {"turn": answer.turn, "state": answer.state.value, "matchCount": answer.count, "own": answer.own}
            for answer in explanation.turns
        ],
        "exhausted": explanation.exhausted,
    }


def spot_object(spot: Spot) -> JsonValue:
    """A place; ``line`` counts the rows of the diff from 1, ``fileLine`` is the file's own number."""
    return {
        "turn": spot.turn,
        "start": spot.start,
        "end": spot.end,
        "file": spot.file,
        "fileLine": spot.number,
        "line": spot.row + 1,
        "kind": spot.kind.value,
        "text": spot.line,
        "mark": [*spot.mark],
    }


def _spots(spots: Iterable[Spot]) -> list[JsonValue]:
    return [spot_object(spot) for spot in spots]


def _finding(finding: Finding) -> JsonValue:
    spot = spot_object(finding.spot) if finding.spot is not None else None
    return {"code": finding.code, "sentence": finding.sentence, "doubt": finding.doubt is not None, "spot": spot}


def _choice(choice: Choice) -> JsonValue:
    config, turn = choice.config.config, turn_of(choice.config.turn)
    mapping = config if isinstance(config, dict) else {}
    effect = choice.effect
    return {
        "code": choice.code,
        "label": choice.label,
        "graderType": choice.config.type,
        "pattern": _text(mapping.get("pattern")),
        "value": _text(mapping.get("value")),
        "substring": _text(mapping.get("substring")),
        "turn": turn if isinstance(turn, int) else None,
        "passes": choice.passes,
        "wider": choice.wider,
        "matchCount": choice.count,
        "spots": _spots(choice.spots),
        "nowPass": effect.now_pass if effect is not None else None,
        "nowFail": effect.now_fail if effect is not None else None,
        "same": effect.same if effect is not None else None,
        "unknown": effect.unknown if effect is not None else None,
    }


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _near(near: Near | None) -> JsonValue:
    if near is None:
        return None
    return {
        "words": near.words,
        "upTo": near.upto,
        "wants": near.wants,
        "finds": near.finds,
        "spot": spot_object(near.spot),
    }


def _changed(changed: Changed | None) -> JsonValue:
    if changed is None:
        return None
    files: list[JsonValue] = [
        {"path": file.path, "kind": file.word, "added": file.added, "removed": file.removed} for file in changed.files
    ]
    return {"total": changed.total, "added": changed.added, "removed": changed.removed, "files": files}
