"""ToolBench's observed calls: found by their names, told by what the wrapper and the APIs say."""

import asyncio
import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.calling import CallError, Failure, Observation
from toolquiver.calling.replay import Imported, Recording, Recordings, ReplayCaller, import_toolbench
from toolquiver.calling.replay.toolbench_names import by_function, function_name, parameter_name
from toolquiver.calling.replay.toolbench_outcome import outcome_of
from toolquiver.catalog import API
from toolquiver.errors import RecordingError

DATA = Path(os.environ.get("TOOLQUIVER_DATA") or Path(__file__).parents[3] / "shared" / "data")
OBSERVED = DATA / "toolbench_responses" / "observed_calls.jsonl.gz"
TOOLS = DATA / "toolbench" / "catalogue_toolbench16k.jsonl.gz"

TRACK = API(
    id="logistics/mail/track",
    name="Track a parcel",
    tool="Mail (v2)",
    category="Logistics",
    parameters={
        "type": "object",
        "properties": {"trackingNumber": {"type": "string"}, "id": {"type": "number"}, "page": {"default": 1}},
    },
)
FUNCTION = "track_a_parcel_for_mail_v2"


def line(response, arguments='{"trackingnumber": "X1"}', function=FUNCTION, *, error=""):
    wrapped = json.dumps({"error": error, "response": response})
    return {"function": function, "arguments": arguments, "response": wrapped, "code": 0, "source": "a test"}


def written(path, *lines):
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def recordings():
    with Recordings.create() as made:
        yield made


@pytest.mark.parametrize("name", ["calls.jsonl", "calls.jsonl.gz"])
def test_a_call_is_found_by_its_own_names(tmp_path, recordings, name):
    path = written(tmp_path / name, line("{'where': None}", '{"trackingnumber": " X1", "is_id": "7", "page": 1}'), "")
    counts = import_toolbench(path, recordings, [TRACK])
    assert counts == Imported(lines=1, calls=1, outcomes=Counter(observation=1))
    found = asyncio.run(ReplayCaller(recordings).call(TRACK, {"id": 7.0, "trackingNumber": "X1"}))
    assert found == Observation(text='{"where": null}')
    kept = recordings.find(TRACK.id, '{"id":7,"trackingNumber":"X1"}')
    assert (kept.recorded, kept.simulated) == (None, False)


def test_every_line_is_counted_once(tmp_path, recordings):
    twin = TRACK.model_copy(update={"id": "other/mail/track", "category": "Other", "name": "Twin"})
    path = written(
        tmp_path / "calls.jsonl",
        line("a"),
        line("a"),
        line("b"),
        line("", error="Unsubscribed error..."),
        line("a"),
        line("a", function="nobody_knows"),
        line("a", function="twin_for_mail_v2"),
        line("a", "{no JSON"),
        line("a", "[1]"),
        line("", error=f"No such function name: {FUNCTION}"),
    )
    counts = import_toolbench(path, recordings, [TRACK, twin, twin.model_copy(update={"id": "third/mail/track"})])
    assert counts == Imported(
        lines=10,
        calls=1,
        repeated=2,
        differing=2,
        unknown=1,
        ambiguous=1,
        unreadable=2,
        unanswered=1,
        outcomes=Counter(observation=4, forbidden=1),
    )
    assert recordings.counts() == {"observation": 1}
    assert recordings.find(TRACK.id, '{"trackingNumber":"X1"}').outcome == Observation(text="a")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("{no JSON", "line 3: is no recorded call of ToolBench: the line"),
        ('{"function": "f", "arguments": "{}"}', "line 3: .* response: Field required"),
        ('{"function": "f", "arguments": {}, "response": ""}', "line 3: .* arguments: .*string"),
        ('["a"]', "line 3"),
    ],
)
def test_a_broken_line_is_named_and_nothing_imported(tmp_path, recordings, broken, said):
    recordings.put([Recording(api="a/b/c", arguments="{}", outcome=Observation(text="before"))])
    path = written(tmp_path / "calls.jsonl", line("a"), "", broken, line("b"))
    with pytest.raises(RecordingError, match=said):
        import_toolbench(path, recordings, [TRACK])
    assert recordings.counts() == {"observation": 1}
    assert recordings.find("a/b/c", "{}") is not None


def test_a_file_that_ends_too_early_is_not_imported(tmp_path, recordings):
    path = written(tmp_path / "calls.jsonl.gz", *(line(str(number), f'{{"is_id": {number}}}') for number in range(500)))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(RecordingError, match=r"calls\.jsonl\.gz.* cannot be read"):
        import_toolbench(path, recordings, [TRACK])
    assert len(recordings) == 0


def test_a_file_that_is_not_there_is_said(tmp_path, recordings):
    with pytest.raises(RecordingError, match="There is no file"):
        import_toolbench(tmp_path / "no.jsonl", recordings, [])


@pytest.mark.parametrize(
    ("name", "tool", "function"),
    [
        ("/Get_Cities/", "Geo DB!", "get_cities_for_geo_db"),
        ("24 hours", "1a", "get_24_hours_for_get_1a"),
        ("from", "class", "is_from_for_class"),
        ("a__b--c", "Ünï", "a_b_c_for_n"),
        ("x" * 70, "tool", f"{'x' * 55}_for_tool"),
    ],
)
def test_functions_are_named_as_in_toolbench(name, tool, function):
    assert function_name(TRACK.model_copy(update={"name": name, "tool": tool})) == function


@given(st.text())
def test_a_standard_parameter_name_is_its_own(name):
    once = parameter_name(name)
    assert parameter_name(once) == once


def test_a_name_that_several_apis_share_is_nobodys():
    other = TRACK.model_copy(update={"id": "x/y/z"})
    assert by_function([TRACK]) == {FUNCTION: TRACK}
    assert by_function([TRACK, other]) == by_function([TRACK, other, other]) == {FUNCTION: None}


def wrapped(response, error=""):
    return json.dumps({"error": error, "response": response})


@pytest.mark.parametrize(
    ("response", "error", "kind"),
    [
        ("{'message': 'You are not subscribed to this API.'}", "Unsubscribed error...", "forbidden"),
        ("{'statusCode': 401}", "Unauthorized error...", "unauthorized"),
        ("{'message': 'Too many requests'}", "Too many requests error...", "rate_limited"),
        ("", "Rate limit error...", "rate_limited"),
        ("", "Timeout error...HTTPConnectionPool(host='a'): Read timed out.", "timeout"),
        ("{'messages': 'The API is unreachable'}", "API not working error...", "server_error"),
        ("", "request invalid, data error. status_code=500", "server_error"),
        ("", "request invalid, data error. status_code=400", "invalid_arguments"),
        (
            "",
            "Function executing from x import f error...\nf() got an unexpected keyword argument 'q'",
            "invalid_arguments",
        ),
        (
            "",
            "Function executing from x import f error...\nf() missing 1 required positional argument",
            "invalid_arguments",
        ),
        ("", "Function executing from x import f error...\nMax retries exceeded with url: /docs/keys", "network"),
        ("", "Function executing from x import f error...\nname 'x' is not defined", "tool_error"),
        ("{'error': 'Route not found'}", "Message error...", "tool_error"),
        ("{'message': 'Internal server error'}", "Message error...", "tool_error"),
        ("{'code': 403, 'message': 'for plans', 'status': 'error'}", "Message error...", "forbidden"),
        ("There was an error processing your API key", "Message error...", "tool_error"),
        ("<html>\n<title>500 Server Error</title>", "Message error...", "server_error"),
        ("{'message': \"API doesn't exists\"}", "", "not_found"),
        ("{'message': \"Endpoint '/a/b' does not exist\"}", "", "not_found"),
        ("{'detail': 'An API key must be passed in request header'}", "", "unauthorized"),
        ("{'title': 'Bad Request', 'status': 400}", "", "invalid_arguments"),
        ("{'stat': 'fail', 'err': {'code': '401', 'msg': 'Invalid'}, 'took': 1}", "", "unauthorized"),
        ("{'success': False, 'error': {'code': 101, 'type': 'missing_access_key'}}", "", "tool_error"),
        ("<html>\r\n<head><title>403 Forbidden</title></head>", "", "forbidden"),
        ("403 - Forbidden | Access to this page is forbidden.", "", "forbidden"),
    ],
)
def test_errors_have_the_kind_that_their_texts_tell(response, error, kind):
    outcome = outcome_of(wrapped(response, error))
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind
    assert outcome.message


@pytest.mark.parametrize(
    ("response", "error", "text"),
    [
        ("{'a': None, 'b': [True, 'ü']}", "", '{"a": null, "b": [true, "ü"]}'),
        ('{"a": null}', "", '{"a": null}'),
        ("0.5", "", "0.5"),
        ("plain words", "", "plain words"),
        ("", "", ""),
        ("{'a': 1, 'b': 'cut he", "", "{'a': 1, 'b': 'cut he"),
        ("{'a': {1, 2}}", "", "{'a': {1, 2}}"),
        ("[" * 5000, "", "[" * 5000),
        ("{'films': [{'title': 'Trial and error'}]}", "Message error...", '{"films": [{"title": "Trial and error"}]}'),
        (
            "{'status': 'OK', 'error': '', 'data': [{'cut': 'he",
            "Message error...",
            "{'status': 'OK', 'error': '', 'data': [{'cut': 'he",
        ),
        ("{'message': 'Success', 'code': 200, 'data': [1]}", "", '{"message": "Success", "code": 200, "data": [1]}'),
        ("{'message': 'Thank you.'}", "", '{"message": "Thank you."}'),
        ("{'code': 404, 'title': 'Area code'}", "", '{"code": 404, "title": "Area code"}'),
        ("{'error': 0.04, 'mean': 2}", "", '{"error": 0.04, "mean": 2}'),
    ],
)
def test_answers_are_observations_in_json(response, error, text):
    assert outcome_of(wrapped(response, error)) == Observation(text=text)


def test_a_function_that_was_not_on_the_list_is_no_outcome():
    assert outcome_of(wrapped("", "No such function name: f")) is None
    assert outcome_of('{"error": "No such function name: f and so o...') is None


@given(st.text(max_size=40).map(lambda text: wrapped(text)[:-2]), st.data())
def test_a_response_that_was_cut_is_kept_as_far_as_it_goes(whole, data):
    start = len('{"error": "", "response": "')
    cut = whole[: data.draw(st.integers(start, len(whole)))]
    outcome = outcome_of(f"{cut}...")
    assert isinstance(outcome, Observation)
    assert outcome.text.endswith("...")
    assert not outcome.text.startswith('{"error"')
    assert json.loads(f'{whole}"}}')["response"].startswith(outcome.text[:-3].rstrip("?"))


@given(st.text())
def test_any_text_has_an_outcome(text):
    for response in (text, wrapped(text), wrapped(text, "Message error..."), wrapped("", text)):
        outcome = outcome_of(response)
        assert outcome is None or isinstance(outcome, Observation | Failure)


def tools_of(path):
    """The APIs of ToolBench's catalogue, as far as replay needs them."""
    types = {"STRING": "string", "NUMBER": "number", "BOOLEAN": "boolean"}
    with gzip.open(path) as lines:
        for tool in map(json.loads, lines):
            for api in tool["apis"]:
                parameters = api["required_parameters"] + api["optional_parameters"]
                said = {one["name"]: {"type": types[one["type"]]} if one["type"] in types else {} for one in parameters}
                yield API(
                    id=f"{tool['category']}/{tool['tool_name']}/{api['name']}",
                    name=api["name"],
                    tool=tool["tool_name"],
                    category=tool["category"],
                    parameters={"type": "object", "properties": said},
                )


@pytest.mark.skipif(not (OBSERVED.is_file() and TOOLS.is_file()), reason=f"no ToolBench data in {DATA}")
def test_the_observed_calls_of_toolbench_are_imported_and_replayed(recordings):
    apis = list(tools_of(TOOLS))
    counts = import_toolbench(OBSERVED, recordings, apis)
    taken = sum(counts.outcomes.values())
    assert counts.lines == 4_721
    assert taken + counts.unknown + counts.ambiguous + counts.unreadable + counts.unanswered == counts.lines
    assert counts.calls + counts.repeated + counts.differing == taken
    assert (counts.calls, counts.unknown, counts.ambiguous, counts.unreadable) == (3_374, 596, 26, 20)
    assert len(recordings) == counts.calls
    assert recordings.counts()["observation"] > 1_000
    assert "simulated" not in recordings.counts()
    replay = ReplayCaller(recordings)
    carriers = next(api for api in apis if function_name(api) == "carriers_detect_for_trackingmore_v2")
    (name,) = (one.name for one in carriers.parameter_list())
    found = asyncio.run(replay.call(carriers, {name: " YT2003521266065328"}))
    assert json.loads(found.text)["data"] == [{"name": "Yun Express", "code": "yunexpress"}]
    with pytest.raises(CallError) as caught:
        asyncio.run(replay.call(carriers, {name: "another"}))
    assert caught.value.kind == "not_recorded"
