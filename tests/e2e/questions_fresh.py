"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    airports,
    arithmetic,
    banking,
    barcodes,
    body,
    books,
    calendars,
    chinese_calendar,
    cities,
    colours,
    currencies,
    dates,
    encoding,
    finance,
    geodesy,
    molecules,
    moon,
    networks,
    number_theory,
    phone_numbers,
    planets,
    quick_units,
    statistic,
    text,
    timezones,
    units,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.checking import Fact


def _on(iso: str) -> Fact:
    """The ways to write a date."""
    day = date.fromisoformat(iso[:10])
    ending = "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    ways = [f"{day:%Y-%m-%d}"]
    for number in (f"{day.day}", f"{day.day:02}", f"{day.day}{ending}"):
        for month in (f"{day:%B}", f"{day:%b}"):
            ways += [
                f"{number} {month} {day.year}",
                f"{number} {month}, {day.year}",
                f"{number} of {month} {day.year}",
                f"{number} of {month}, {day.year}",
                f"{month} {number}, {day.year}",
                f"{month} {number} {day.year}",
            ]
    return tuple(ways)


def _crc() -> Sequence[Fact]:
    found = encoding.crc32("Harbour-Gate 47b")["hexdigest"]
    return [(found, f"0x{found}", int(found, 16))]


def _verhoeff() -> Sequence[Fact]:
    found = barcodes.verhoeff_check_digit("84729301556")["complete"]
    return [found]


def _iban() -> Sequence[Fact]:
    found = banking.make_iban("Germany", "20050550", "1238474026")["iban"].replace(" ", "")
    return [(found, " ".join(found[at : at + 4] for at in range(0, len(found), 4)))]


def _isbn() -> Fact:
    found = books.isbn_to_isbn13("0743298764")
    return (found["isbn13"], found["formatted"], f"{found['isbn13'][:3]}-{found['isbn13'][3:]}")


def _factors() -> Sequence[Fact]:
    decimal = number_theory.convert_base("33aa0b7", 16, 10)["digits"]
    return [row["prime"] for row in number_theory.prime_factors(int(decimal))]


def _altitude() -> Sequence[Fact]:
    row = airports.v2_lookup_airport("CUZ")
    return [float(units.convert_units(row["elevation_ft"], "foot", "metre")["value"])]


def _currency_number() -> Sequence[Fact]:
    code = currencies.get_currency_of_country("Mauritania")["currencies"][0]
    return [int(currencies.get_currency_by_code(code)["numeric_code"])]


def _full_moon() -> Sequence[Fact]:
    start = chinese_calendar.chineseNewYear(2041)["date"]
    day = moon.next_moon_phase(start, "full")["utc"][:10]
    weekday = dates.day_of_week(day)["weekday"]
    return [_on(day), (weekday, weekday[:3])]


def _journey() -> Sequence[Fact]:
    stops = ["KEF", "YYZ", "BOG", "SCL"]
    legs = [airports.v2_flight_distance(start, end)["kilometres"] for start, end in pairwise(stops)]
    return [float(arithmetic.sum_list(legs)["result"])]


def _jupiter() -> Sequence[Fact]:
    city = cities.city_lookup("Nairobi", "Kenya")
    moment = timezones.convert_time_between_zones("2031-06-14T22:30", city["timezone"], "UTC")["local_time"]
    seen = planets.planet_above_horizon("Jupiter", moment[:16], city["latitude"], city["longitude"])
    return [seen["altitude_degrees"]]


def _house() -> Sequence[Fact]:
    saved = finance.compound_interest(48_000, 3.4, 6, 4)["final_amount"]
    rest = arithmetic.subtract(310_000, saved)["result"]
    return [finance.loanPayment(rest, 4.1, 25)["monthly_payment"]]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "Our membership numbers end in a Verhoeff check digit. What does the full number look like if the part "
        "before the check digit is 84729301556?",
        _verhoeff,
    ),
    Question(
        "new-one-02",
        1,
        "Could you give me the CRC-32 checksum of this text, exactly as it stands between the quotes: "
        '"Harbour-Gate 47b"?',
        _crc,
    ),
    Question(
        "new-one-03",
        1,
        "I need 0.42 mol of potassium dichromate, K2Cr2O7, for a titration. How many grams do I have to weigh out?",
        lambda: [molecules.moles_to_grams("K2Cr2O7", 0.42)["grams"]],
    ),
    Question(
        "new-one-04",
        1,
        "A customer in Germany only gave me the old bank details: Bankleitzahl 20050550, account number 1238474026. "
        "Which IBAN is that?",
        _iban,
    ),
    Question(
        "new-one-05",
        1,
        "In a database dump I've got to compare, IPv4 addresses are kept as plain decimal integers. Which integer "
        "would stand for 172.22.201.143?",
        lambda: [int(networks.ip_to_number("172.22.201.143")["number"])],
    ),
    Question(
        "new-one-06",
        1,
        "I'm a 34-year-old woman, 171 cm tall, and weigh 63.5 kg. Going by the Mifflin-St Jeor formula, how many "
        "calories does my body burn per day at complete rest?",
        lambda: [float(body.basalMetabolicRate(63.5, 171, 34, "female")["kcal_per_day"])],
    ),
    Question(
        "new-one-07",
        1,
        "My Iranian grandfather's passport says he was born on 23 Bahman 1317 of the Persian (Solar Hijri) calendar. "
        "What date is that in our Western calendar, year included?",
        lambda: [_on(calendars.calendar_to_gregorian("persian", 1317, 11, 23)["date"])],
    ),
    Question(
        "new-one-08",
        1,
        "I had a missed call from +39 0165 236 627. Which place in Italy does that number belong to?",
        lambda: [(phone_numbers.phoneOrigin("+390165236627")["location"], "Aosta")],
    ),
    Question(
        "new-one-09",
        1,
        "For a genealogy index I have to file the surname Kowalczyk under its Soundex code. What is the code?",
        lambda: [text.sound_code("Kowalczyk")["soundex"]],
    ),
    Question(
        "new-one-10",
        1,
        "How far will Mars be from the Earth, in astronomical units, on 12 March 2033 at 00:00 UTC? "
        "Please give four decimals.",
        lambda: [planets.planet_distance("Mars", "2033-03-12T00:00")["from_earth_au"]],
    ),
    Question(
        "new-two-01",
        2,
        "I'm finishing a book cover: what contrast ratio (WCAG, two decimals) does lettering in #3F6FB5 have on a "
        "#FFF4D6 background, and what is the ISBN-13 of the book whose ISBN-10 is 0743298764?",
        lambda: [colours.contrast_ratio("#3F6FB5", "#FFF4D6")["ratio"], _isbn()],
    ),
    Question(
        "new-two-02",
        2,
        "The brochure says the car gets 34 miles per US gallon - what is that in litres per 100 km, to two decimals? "
        "And what's the sample standard deviation, also to two decimals, of the distances I drove this week: 212, "
        "187, 240, 166 and 231 km?",
        lambda: [
            quick_units.mpg2metric(34)["litres_per_100_km"],
            statistic.standardDeviation([212, 187, 240, 166, 231])["standard_deviation"],
        ],
    ),
    Question(
        "new-two-03",
        2,
        "We want to sail from 43.30 N, 5.37 E straight to 36.80 N, 10.18 E along the great circle. What initial "
        "bearing do we set out on (degrees, one decimal) and how many nautical miles is it?",
        lambda: [
            geodesy.geo_bearing(43.30, 5.37, 36.80, 10.18)["degrees"],
            geodesy.geo_distance(43.30, 5.37, 36.80, 10.18)["nautical_miles"],
        ],
    ),
    Question(
        "new-two-04",
        2,
        "How many metres above sea level is the airport of Cusco in Peru (CUZ)?",
        _altitude,
    ),
    Question(
        "new-two-05",
        2,
        "Our payment form wants the three-digit ISO 4217 number of the money that people in Mauritania pay with "
        "today. Which number do I enter?",
        _currency_number,
    ),
    Question(
        "new-two-06",
        2,
        "Somebody hid two primes in the hexadecimal number 33AA0B7: it is their product. Which primes, in ordinary "
        "decimal notation?",
        _factors,
    ),
    Question(
        "new-more-01",
        3,
        "When is the first full moon after Chinese New Year 2041? I'd like the date (in UTC) and the day of the week.",
        _full_moon,
    ),
    Question(
        "new-more-02",
        4,
        "We fly from Keflavik (KEF) to Toronto Pearson (YYZ), then on to Bogota (BOG), and finally to Santiago de "
        "Chile (SCL). How many kilometres is that altogether, each flight taken as the shortest way?",
        _journey,
    ),
    Question(
        "new-more-03",
        3,
        "If I look up from the centre of Nairobi, Kenya, on 14 June 2031 at 22:30 local time, how many degrees above "
        "the horizon will Jupiter be? One decimal will do.",
        _jupiter,
    ),
    Question(
        "new-more-04",
        3,
        "I'm putting 48,000 euros away for 6 years at 3.4 percent a year, with interest credited every quarter. "
        "All of it then goes into a house that costs 310,000 euros, and I borrow the rest at 4.1 percent a year over "
        "25 years in equal monthly instalments. What will I pay per month?",
        _house,
    ),
]
