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
        ("The country is Australia.", ["Where is it?"], '{"country": "AU"}', []),
        ("The state is Michigan.", ["Where is it?"], '{"state": "MI"}', []),
        ("The country is Norway.", ["Where is it?"], '{"country": "no"}', []),
        ("It is in English.", ["Which language is it?"], '{"lang": "en"}', []),
        ("It means Cat in German.", ["What is it?", 'translate(to="de")'], '{"text": "Katze"}', []),
        ("The rate is 8.1 in Switzerland.", ["VAT rate in CH"], '{"rate": 8.1}', []),
        ("It is in the United States of America.", ["Is it in the USA?"], '{"result": true}', []),
        ("He lives in Paris.", ["Does he live in London?"], '{"status": "ok"}', ["Paris"]),
        ("He lives in Paris.", ["Does he live in London?"], '{"lang": "en", "found": "yes"}', ["Paris"]),
        ("He lives in Paris.", ["Does he live in London?"], '{"far": "12 KM", "at": "5 PM"}', ["Paris"]),
        ("He lives in Paris.", ["What does NASA say about London?"], '{"result": 3}', ["Paris"]),
        ("He lives in Paris.", ["Is he in London, NYC or the USA at 5 PM? OK, ASAP."], '{"result": 3}', ["Paris"]),
        ("# Weather\n| Name | Price |\n\u2022 Rain", [""], '{"x": 1}', []),
    ],
)
def test_a_name_is_known_or_invented(text, sources, observation, expected):
    assert invented_names(text, sources, [] if observation is None else [observation]) == expected
