"""PyYAML's pure scanner and parser, taught what YAML 1.2 and the npm package ``yaml`` read differently.

Owns the sequence of events with their places. What the events mean is compose.py's.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct
from yaml.events import Event
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import AliasToken, AnchorToken, BlockEntryToken, ScalarToken, Token, ValueToken

_FOREIGN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
"""What PyYAML refuses or takes for a line break, and JavaScript's reader takes for an ordinary character."""
BOM = "\ufeff"
_FIRST_SUBSTITUTE = 0xF0000

_ENDS_WORD = "\0 \t\r\n"


class Substitution:
    """Swaps the characters that PyYAML would not read for private ones that the text does not hold, one for one."""

    def __init__(self, text: str) -> None:
        foreign = sorted(set(_FOREIGN.findall(text)))
        free = (chr(code) for code in range(_FIRST_SUBSTITUTE, 0x110000) if chr(code) not in text)
        self._there = {ord(character): substitute for character, substitute in zip(foreign, free, strict=False)}
        self._back = {ord(substitute): chr(code) for code, substitute in self._there.items()}
        # A CR is swapped only where no LF follows, which translate() alone cannot tell.
        self._lone_cr = self._there.pop(ord("\r"), None)

    def there(self, text: str) -> str:
        """The text as PyYAML is to see it; every character keeps its offset, and a BOM at the beginning stays."""
        first = len(BOM) if text.startswith(BOM) else 0
        swapped = text[:first] + text[first:].translate(self._there) if self._there else text
        return re.sub("\r(?!\n)", self._lone_cr, swapped) if self._lone_cr else swapped

    def back(self, text: str) -> str:
        """A value or message as it stands in the real text."""
        return text.translate(self._back) if self._back else text


class Placed(Struct, frozen=True):
    """An event and the places that it does not tell itself."""

    event: Event
    start: int
    """Where it begins, its anchor and tag included."""
    end: int
    """Where it ends; of a collection's start, behind its bracket (flow) or at its first member (block)."""
    dash: int
    """Where the ``-`` stands that opened this list member; -1 where there is none."""
    colon: int
    """Where the ``:`` stands before this value; -1 where there is none."""
    content: int
    """Where a scalar begins after its anchor and tag."""
    indent: int
    """Columns before the content of a block scalar."""


class PlacedParser(Reader, Scanner, Parser):
    """Gives the events of a text one by one."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        if text.startswith(BOM):
            self.pointer = self.index = 1
        self._taken: list[Token] = []
        self._block_indent = 0
        self._is_ready = False

    def check_printable(self, data: str) -> None:
        """Let everything through: a Substitution has swapped what would be refused, but for a BOM at the beginning."""

    def next_placed(self) -> Placed:
        """The next event; raises ``yaml.YAMLError`` for a text that is no YAML, ValueError for an impossible escape."""
        self._taken.clear()
        event: Event = super().get_event()  # type: ignore[no-untyped-call]
        start, end = _index(event.start_mark), _index(event.end_mark)
        dash = colon = -1
        scalar: Token | None = None
        for token in self._taken:
            if isinstance(token, BlockEntryToken):
                dash = _index(token.start_mark)
            elif isinstance(token, ValueToken):
                colon = _index(token.start_mark)
            elif isinstance(token, ScalarToken):
                scalar = token
        if scalar is None or start == end or _index(scalar.end_mark) != end:
            return Placed(event, start, end, dash, colon, end, 0)
        return Placed(event, start, end, dash, colon, _index(scalar.start_mark), getattr(scalar, "block_indent", 0))

    def check_token(self, *choices: Any) -> bool:
        """Whether the next token is one of these; asked several times for each, so it is made ready once only."""
        if not self._is_ready:
            while self.need_more_tokens():
                self.fetch_more_tokens()
            self._is_ready = True
        return bool(self.tokens) and (not choices or isinstance(self.tokens[0], choices))

    def get_token(self) -> Token:
        """Remember what was taken, since events do not tell where dashes, colons and scalars began."""
        self._is_ready = False
        token: Token = super().get_token()  # type: ignore[no-untyped-call]
        self._taken.append(token)
        return token

    def forward(self, length: int = 1) -> None:
        """Move on; only LF ends a line (other breaks are swapped out), which makes this cheap."""
        passed = self.buffer[self.pointer : self.pointer + length]
        self.pointer += length
        self.index += length
        breaks = passed.count("\n")
        if breaks:
            self.line += breaks
            self.column = length - 1 - passed.rfind("\n")
        else:
            self.column += length

    def scan_to_next_token(self) -> None:
        """Skip spaces, comments and line breaks, and tabs where YAML allows them as separation."""
        while True:
            self._skip_blanks()
            if self.peek() == "#":
                self._check_comment_stands_apart()
                while self.peek() not in "\0\r\n":
                    self.forward()
            if not self.scan_line_break():  # type: ignore[no-untyped-call]
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def _skip_blanks(self) -> None:
        while self.peek() == " ":
            self.forward()
        if self.peek() == "\t":
            length = 0
            while self.peek(length) in " \t":
                length += 1
            if self._tab_separates(self.peek(length)):
                self.forward(length)

    def _check_comment_stands_apart(self) -> None:
        if self.pointer and self.buffer[self.pointer - 1] not in " \t\r\n" + BOM:
            raise ScannerError(None, None, "comment without a space", self.get_mark())

    def _tab_separates(self, following: str) -> bool:
        """Whether tabs here are mere separation: after a value's colon, inside flow style, or before the line's end."""
        if following in "\0\r\n#" or self.flow_level:
            return True
        before: str = self.buffer[self.buffer.rfind("\n", 0, self.pointer) + 1 : self.pointer]
        return before.rstrip(" \t").endswith(":")

    def scan_anchor(self, TokenClass: type[AnchorToken | AliasToken]) -> AnchorToken | AliasToken:  # noqa: N803 PyYAML's
        """An anchor or alias; what follows without a space belongs to its name in YAML 1.2, and PyYAML has no such names."""
        token: AnchorToken | AliasToken = super().scan_anchor(TokenClass)  # type: ignore[no-untyped-call]
        if self.peek() not in "\0 \t\r\n,[]{}":
            raise ScannerError(None, None, "expected alphabetic or numeric character", self.get_mark())
        return token

    def scan_block_scalar(self, style: str) -> ScalarToken:
        """Note the column at which the content begins."""
        self._block_indent = 0
        token: ScalarToken = super().scan_block_scalar(style)
        token.block_indent = self._block_indent  # type: ignore[attr-defined]
        return token

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], object]:
        """Called for every line of a block scalar, with the indentation that was found."""
        self._block_indent = indent
        found: tuple[list[str], object] = super().scan_block_scalar_breaks(indent)
        return found

    def scan_plain(self) -> ScalarToken:
        """A plain scalar, which in YAML 1.2 may hold tabs, and ``?`` also in flow style."""
        start = end = self.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        gap: list[str] = []
        while self.peek() != "#" and (length := self._plain_run()):
            self.allow_simple_key = False
            chunks += [*gap, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            gap = self.scan_plain_spaces(indent, start) or []
            if not gap or (not self.flow_level and self.column < indent):
                break
        text = "".join(chunks)
        if text == "-" and self.flow_level:
            raise ScannerError(None, None, "found character '-' that cannot start any token", start)
        return ScalarToken(text, True, start, end)

    def _plain_run(self) -> int:
        """How many characters from here belong to a plain scalar before white space or an indicator."""
        flow = bool(self.flow_level)
        length = 0
        while True:
            character = self.peek(length)
            if character in _ENDS_WORD or (flow and character in ",[]{}"):
                return length
            if character == ":" and self.peek(length + 1) in _ENDS_WORD + (",[]{}" if flow else ""):
                return length
            length += 1

    def scan_plain_spaces(self, indent: int, start_mark: object) -> list[str] | None:
        """White space inside a plain scalar, folded; None where a document marker ends the scalar."""
        blank = self._take(" \t")
        if self.peek() not in "\r\n":
            return [blank] if blank else []
        self.scan_line_break()  # type: ignore[no-untyped-call]
        self.allow_simple_key = True
        breaks: list[str] = []
        while not self._at_document_marker():
            self._take(" " if self.column < indent and not self.flow_level else " \t")
            if self.peek() not in "\r\n":
                return breaks or [" "]
            breaks.append(self.scan_line_break())  # type: ignore[no-untyped-call]
        return None

    def _take(self, characters: str) -> str:
        length = 0
        while self.peek(length) in characters:
            length += 1
        taken: str = self.prefix(length)
        self.forward(length)
        return taken

    def _at_document_marker(self) -> bool:
        return self.column == 0 and self.prefix(3) in ("---", "...") and self.peek(3) in _ENDS_WORD


def _index(mark: Any) -> int:
    # The stubs allow events without marks, for those that are made by hand to be written; scanned ones have them.
    return int(mark.index)
