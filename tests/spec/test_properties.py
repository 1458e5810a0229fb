"""For random specs, styles and values: only the edited bytes differ, and reading again gives the intended value."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vally_tui.errors import SpecEditRefused, SpecUnreadable
from vally_tui.spec.apply import apply, others_changed
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import AddGrader, RemoveGrader, RemoveKey, SetKey, Sharing, SpecEdit, as_mapping
from vally_tui.spec.nodes import Style, plain
from vally_tui.spec.scalars import one_line

SPECIAL = "'\"\\:#-?,[]{}&*!|>%@`~ \t\n\r\0\x07\x7f\x85\xa0\u2028\u2029\ufeff\ufffe\ud800\udc00é😀01etrunl./$^()+"
TEXTS = st.text(st.one_of(st.sampled_from(SPECIAL), st.characters()), max_size=12)
SCALARS = st.one_of(TEXTS, TEXTS, st.booleans(), st.none(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False))

WRITTEN = [
    ("old text", "old text"),
    ("'it''s old'", "it's old"),
    ('"old \\" \\u00e9"', 'old " é'),
    ("0x1F", 31),
    ("&anchor 'old'", "old"),
    ("old\n    text", "old text"),
    ('"old\n    text"', "old text"),
    ("|-\n    old\n\n     text", "old\n\n text"),
    ("|+  # why\n    old\n", "old\n\n"),
    (">\n    old\n    text", "old text\n"),
]
"""How a pattern can be written (continued lines relative to its key), and its value."""
ON_ONE_LINE = WRITTEN[:5]

BLOCK_HEAD = """\
# top
name: n
stimuli:
  - name: s
    graders:
      - type: a
        config:
          negate: true  # kept
          pattern: """
BLOCK_TAILS = ["\n", "\n          more: [x]\n", "\n        turn: 1\n# end\n", "\n      # below\n      - type: z"]
FLOW_HEAD = "name: n\nstimuli:\n- name: s\n  graders:\n  - {type: a, config: {negate: true, pattern: "
FLOW_TAILS = ["}}", ", more: [x]}}  # end\n", " }, turn: 1}\n  - type: z\n"]


@st.composite
def specs(draw: st.DrawFn) -> tuple[str, str, str, object]:
    """The text before a pattern, the pattern as it is written, the text behind it, and the pattern's value."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    flow = draw(st.booleans())
    written, old = draw(st.sampled_from(ON_ONE_LINE if flow else WRITTEN))
    head = draw(st.sampled_from(["", "\ufeff"])) + (FLOW_HEAD if flow else BLOCK_HEAD)
    tail = draw(st.sampled_from(FLOW_TAILS if flow else BLOCK_TAILS))
    if not flow and written in (one for one, _ in ON_ONE_LINE):
        tail = draw(st.sampled_from(["", "  # why"])) + tail
    written = written.replace("\n    ", "\n            ")
    return head.replace("\n", newline), written.replace("\n", newline), tail.replace("\n", newline), old


def pattern_of(document: SpecDocument) -> object:
    config = document.spec.stimuli[0].configs[0].config
    assert isinstance(config, dict)
    return config["pattern"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(specs(), SCALARS)
def test_only_the_edited_bytes_differ_and_reading_again_gives_the_value(
    spec: tuple[str, str, str, object], value: object
) -> None:
    head, written, tail, old = spec
    before = parse_spec(head + written + tail, None)
    assert pattern_of(before) == old
    grader = before.spec.stimuli[0].graders[0].address
    after = apply(before, [SetKey(grader, ("config", "pattern"), value, old)])
    found = pattern_of(after.document)
    assert found == joined(value)
    assert isinstance(found, bool) == isinstance(value, bool)
    assert after.text.startswith(head)
    assert after.text.endswith(tail)
    assert "\r" not in after.text.replace("\r\n", "") or "\r" not in head
    assert ("\r\n" in after.text) == ("\r\n" in head)


def joined(value: object) -> object:
    """A value whose surrogate pairs are one character, as both JavaScript and YAML have it."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([Style.PLAIN, Style.SINGLE, Style.DOUBLE]), st.booleans())
def test_every_string_can_be_written_in_every_style_and_context(text: str, style: Style, flow: bool) -> None:
    written = one_line(text, style, flow=flow)
    assert "\n" not in written
    spec = f"k: {{a: [{written}, x]}}\nstimuli: []\n" if flow else f"k:\n- {written}\n- x\nstimuli: []\n"
    value = plain(parse_spec(spec, None).root)
    assert isinstance(value, dict)
    assert value["k"] == ({"a": [joined(text), "x"]} if flow else [joined(text), "x"])


SHARED = """\
name: n
pool: [&p 'shared', &cfg {pattern: x, negate: true}]
stimuli:
- name: a
  graders: &all
  - {type: t, config: *cfg}
  - &one
    type: t  # c
    config: &mine
      # why
      pattern: *p  # tail
  - type: u
    config: &block
      prompt: |
        line

        more
- name: b
  graders: *all
- name: c
  graders:
  - *one
  - type: t
    config: *mine
  - {type: u, config: *block}
  - type: last
    config: *block"""


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_behind_anchors_an_edit_changes_what_was_chosen_and_nothing_else(data: st.DataObject) -> None:
    before = parse_spec(SHARED, None)
    stimulus = data.draw(st.sampled_from(before.spec.stimuli))
    grader = data.draw(st.sampled_from(stimulus.graders))
    assert isinstance(grader.config.config, dict)
    key = data.draw(st.sampled_from(sorted(grader.config.config)))
    old = grader.config.config[key]
    value = data.draw(TEXTS)
    sharing = data.draw(st.sampled_from(Sharing))
    edits: list[SpecEdit] = [
        SetKey(grader.address, ("config", key), value, old, sharing),
        RemoveKey(grader.address, ("config", key), old, sharing),
        RemoveGrader(grader.address, as_mapping(grader.config), sharing),
        AddGrader(stimulus.name, stimulus.index, 1, {"type": "new", "config": {"k": value}}, sharing),
    ]
    edit = data.draw(st.sampled_from(edits))
    others = {(one.stimulus_index, one.grader_index) for one in others_changed(before, edit)}
    after = apply(before, [edit]).document.spec
    if not isinstance(edit, SetKey):
        return
    for place, was in enumerate(before.spec.stimuli):
        for index, other in enumerate(was.graders):
            changed = after.stimuli[place].configs[index] != other.config
            own = (place, index) == (grader.address.stimulus_index, grader.address.index)
            asked = own or (sharing is Sharing.ALL and (place, index) in others)
            assert changed == (asked and value != old)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("abnse:-?#&*!|>'\"%@`,[]{} \n\t\r\\x1~.\ufeff\u2028\0"), max_size=60), st.booleans())
def test_no_text_whatever_raises_anything_but_a_refusal(text: str, in_stimuli: bool) -> None:
    whole = f"stimuli:\n- name: s\n  graders: {text}" if in_stimuli else text
    try:
        document = parse_spec(whole, None)
        for stimulus in document.spec.stimuli:
            for grader in stimulus.graders:
                apply(document, [SetKey(grader.address, ("config", "pattern"), "x", sharing=Sharing.THIS_ONLY)])
    except (SpecUnreadable, SpecEditRefused):
        return
