"""What the person has changed of the graders, as one frozen value; undo and redo are a matter of keeping old ones."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from vally_tui.grading.model import GraderConfig
from vally_tui.spec.edit import same


class TypedText(Struct, frozen=True):
    """What a person made of a grader's text."""

    source: str
    """The text as it stands in the spec."""
    text: str


class Edits(Struct, frozen=True):
    """All edits since the graders were read, by slot; a slot that is not named is as it was read."""

    configs: Mapping[int, GraderConfig] = field(default_factory=lambda: MappingProxyType({}))
    """Slot -> its config now."""
    removed: frozenset[int] = frozenset()
    added: Mapping[str | None, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Stimulus -> slots that were added to it."""
    texts: Mapping[int, TypedText] = field(default_factory=lambda: MappingProxyType({}))
    """Slot -> its text as it was typed, whose comments are to be kept; its config may have been edited since."""

    def with_text(self, slot: int, text: TypedText | None) -> "Edits":
        """These edits with a text that was typed for a slot; None: its own comments stay as they are."""
        texts = {other: kept for other, kept in self.texts.items() if other != slot}
        return replace(self, texts=MappingProxyType(texts if text is None else {**texts, slot: text}))

    def with_config(self, slot: int, config: GraderConfig, base: GraderConfig) -> "Edits":
        """These edits with another config for a slot; one that equals ``base`` is no edit."""
        configs = {**self.configs, slot: config}
        if same_config(config, base) and not self.is_added(slot):
            del configs[slot]
        return replace(self, configs=MappingProxyType(configs))

    def without(self, slot: int) -> "Edits":
        """These edits with a slot removed."""
        added = {name: tuple(other for other in slots if other != slot) for name, slots in self.added.items()}
        configs = {other: config for other, config in self.configs.items() if other != slot}
        removed = self.removed if self.is_added(slot) else self.removed | {slot}
        return Edits(
            MappingProxyType(configs),
            removed,
            MappingProxyType({name: slots for name, slots in added.items() if slots}),
            self.with_text(slot, None).texts,
        )

    def with_added(self, stimulus: str | None, slot: int, config: GraderConfig) -> "Edits":
        """These edits with a new slot for a stimulus."""
        added = {**self.added, stimulus: (*self.added.get(stimulus, ()), slot)}
        return replace(self, added=MappingProxyType(added), configs=MappingProxyType({**self.configs, slot: config}))

    def with_slots_of(self, other: "Edits", slots: frozenset[int]) -> "Edits":
        """These edits, but with some slots as they are in other ones."""

        def mixed(own: Iterable[int], others: Iterable[int]) -> list[int]:
            return [*(slot for slot in own if slot not in slots), *(slot for slot in others if slot in slots)]

        configs = {slot: self.configs[slot] for slot in self.configs if slot not in slots}
        configs |= {slot: other.configs[slot] for slot in other.configs if slot in slots}
        added = {
            name: tuple(mixed(self.added.get(name, ()), other.added.get(name, ())))
            for name in dict.fromkeys((*self.added, *other.added))
        }
        return Edits(
            MappingProxyType(configs),
            frozenset(mixed(self.removed, other.removed)),
            MappingProxyType({name: found for name, found in added.items() if found}),
            MappingProxyType(
                {slot: text for slot, text in self.texts.items() if slot not in slots}
                | {slot: text for slot, text in other.texts.items() if slot in slots}
            ),
        )

    def is_added(self, slot: int) -> bool:
        """Whether the slot was made here."""
        return any(slot in slots for slots in self.added.values())

    def count_against(self, saved: "Edits") -> int:
        """How many slots differ from the saved edits."""
        slots = {*self.configs, *saved.configs, *self.removed, *saved.removed, *self.texts}
        return sum(1 for slot in slots if self._state_of(slot) != saved._state_of(slot) or self.is_typed(slot, saved))

    def is_typed(self, slot: int, saved: "Edits") -> bool:
        """Whether a text was typed for a slot that is not saved."""
        return slot in self.texts and self.texts[slot] != saved.texts.get(slot)

    def _state_of(self, slot: int) -> tuple[GraderConfig | None, bool, bool]:
        return self.configs.get(slot), slot in self.removed, self.is_added(slot)


NO_EDITS = Edits()


def same_config(one: GraderConfig | None, other: GraderConfig | None) -> bool:
    """Whether two configs say the same. 1 and true do not, though Python has them equal: the one may mend the other."""
    if one is None or other is None or one != other:
        return one is other
    return same((one.config, one.turn), (other.config, other.turn), ordered=False)
