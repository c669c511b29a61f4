"""Names that come from nowhere."""

import pytest

from toolquiver.nodes.texts.invented_names import invented_names


@pytest.mark.parametrize(
    ("text", "sources", "observation", "expected"),
    [
        ("The novel is by William Shakespeare.", ["Who wrote it?"], '{"result": 28}', ["William", "Shakespeare"]),
        ("It occurs in Paris, France. Paris!", ["When is it?"], '{"utc": "2037-03-20T06:49Z"}', ["Paris", "France"]),
        ("Easter is on Sunday, April 21.", ["When is Easter?"], '{"date": "2047-04-21"}', []),
        ("Jack asked, and the answer is Nairobi.", ["Jack asks"], '{"capital": "Nairobi"}', []),
        ("The number is from Naples, Italy.", ["Whose is it?"], '{"country_code": "IT", "location": "Naples"}', []),
        ("The script is Ge'ez.", [""], '{"name": "Ge\u02bbez"}', []),
        ("That is 20 degrees Celsius in the RGB space.", [""], "20", []),
        ("Mercury is far. Venus is near.", [""], "1", []),
        ("Nothing was given, says Jack.", [""], None, []),
        ("Es ist die Temperatur in Berlin: 20 Grad.", ["Berlin"], '{"temp": 20}', []),
        ("The match is on Tue, 5 Mar 2024.", [""], '{"day": "2024-03-05"}', []),
        ("The capital is Tokyo.", [""], '{"capital": "\u6771\u4eac"}', []),
        ("The text is in German.", ["Which language is 'Guten Tag'?"], '{"lang": "de", "confidence": 0.98}', []),
        ("That is in Switzerland.", ["Where is it?"], '{"iso":"ch"}', []),
        ("It occurs in Paris.", ["Where is it?"], '{"far": 3, "unit": "km", "to": "abcd"}', ["Paris"]),
        ("100 US Dollars are 92 Euros.", ["What is 100 USD in EUR?"], '{"result": 92}', []),
        ("It is 20 degrees in Zurich.", ["How warm is it?", 'weather(at="ZRH")'], '{"temp": 20}', []),
        ("Rund 1,1 Millionen Einwohner.", ["Wie viele Einwohner hat es?"], '{"population": 1100000}', []),
        ("# Weather\n| Name | Price |\n\u2022 Rain", [""], '{"x": 1}', []),
    ],
)
def test_a_name_is_known_or_invented(text, sources, observation, expected):
    assert invented_names(text, sources, [] if observation is None else [observation]) == expected
