"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    airports,
    barcodes,
    books,
    calendars,
    chinese_calendar,
    cities,
    colours,
    countries,
    currencies,
    dates,
    elements,
    encoding,
    geodesy,
    geometry,
    iso_codes,
    languages,
    molecules,
    moon,
    networks,
    number_theory,
    phone_numbers,
    planets,
    probability,
    public_holidays,
    quick_units,
    schedules,
    statistic,
    sun,
    text,
    timezones,
    units,
    us_states,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.checking import Fact

# The parts of the day, a tuple for every six hours.
_PARTS = (("night", "morning"), ("morning",), ("afternoon",), ("evening", "night"))
# What dots, dashes and the gaps between letters look like in Morse code.
_DOTS = (".", "\N{MIDDLE DOT}", "\N{BULLET}")
_DASHES = ("-", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}")
_GAPS = (" ", " / ", "/", " | ", ", ")


def _rounded(value: float, places: int = 1) -> Fact:
    """A number, or the same rounded to so many decimal places."""
    return float(value), round(float(value), places)


def _day(iso: str) -> Fact:
    """The usual ways to write a date."""
    day = date.fromisoformat(iso[:10])
    number, short = day.day, f"{day:%b}"
    suffix = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    written = [day.isoformat(), f"{day:%d/%m/%Y}", f"{day:%m/%d/%Y}", f"{day.month}/{number}/{day.year}"]
    written += [f"{number}/{day.month}/{day.year}", f"{day:%d.%m.%Y}", f"{number}.{day.month}.{day.year}"]
    for name in (f"{day:%B}", short, f"{short}."):
        written += [f"{number} {name}", f"{name} {number}", f"{number:02} {name}", f"{name} {number:02}"]
        written += [f"{number}{suffix} {name}", f"{name} {number}{suffix}", f"{number}{suffix} of {name}"]
        written += [f"{number} of {name}", f"{number}. {name}"]
    return tuple(written)


def _clock(iso: str, slack: int = 1) -> Fact:
    """The usual ways to write a time of day, give or take some minutes."""
    moment = datetime.fromisoformat(iso).replace(tzinfo=None)
    nearest = (moment + timedelta(seconds=30)).replace(second=0)
    moments = {moment.replace(second=0)}
    moments |= {nearest + timedelta(minutes=minutes) for minutes in range(-slack, slack + 1)}
    written = list[str]()
    for when in sorted(moments):
        hour, half = when.hour % 12 or 12, "ap"[when.hour // 12]
        written += [f"{when:%H:%M}", f"{when:%H.%M}", f"{when:%Hh%M}"]
        written += [f"{hour:{width}}:{when:%M}{end}" for width in ("", "02") for end in (f" {half}m", f"{half}m")]
        written += [f"{hour}:{when:%M} {half}.m"]
        written += [f"{hour}:{when:%M}:{second:02} {half}m" for second in range(60)]
        written += [f"{hour}:{when:%M} {word} {part}" for word in ("in the", "at") for part in _PARTS[when.hour // 6]]
    return tuple(written)


def _place(number: int, *names: str) -> Fact:
    """The number of a day or a month, alone or inside a date, or its name."""
    suffix = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return (number, str(number), f"{number:02}", f"{number}{suffix}", *names)


def _grouped(number: str, *sizes: int) -> Fact:
    """A long number in one piece, or in pieces of these sizes."""
    pieces, start = list[str](), 0
    for size in sizes:
        pieces.append(number[start : start + size])
        start += size
    return (number, *(gap.join(pieces) for gap in (" ", "-", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}")))


def _address() -> Sequence[Fact]:
    return [int(networks.ip_to_number("198.51.100.77")["number"])]


def _card() -> Sequence[Fact]:
    return [_grouped(barcodes.luhn_check_digit("630419725583018")["complete"], 4, 4, 4, 4)]


def _flour() -> Sequence[Fact]:
    share = probability.normal_below(1000, 1008, 6)["probability"]
    return [(share, round(share, 3), 100 * share, round(100 * share, 1))]


def _report() -> Sequence[Fact]:
    run = schedules.cron_previous_run("25 3 31 * *", "2031-05-02T12:00")
    return [_day(run), _clock(run, slack=0)]


def _ahead() -> Sequence[Fact]:
    hours = timezones.tz_difference("America/St_Johns", "Pacific/Chatham", "2031-07-15T12:00")["hours"]
    whole, rest = divmod(round(hours * 60), 60)
    written = [f"{whole} {unit}{gap}{rest}" for unit in ("hours", "h", "hrs", "hr") for gap in (" ", " and ", ", ")]
    written += [f"{whole}{gap}{rest}" for gap in (":", "h", "h ")] + [f"{whole}h {rest}m", f"{whole}h{rest}m"]
    written += [f"{whole}h {rest}min", f"{whole}h{rest}min", f"{whole}\N{VULGAR FRACTION ONE QUARTER}", f"{whole} 1/4"]
    return [(hours, *written, f"{whole} and a quarter")]


def _typing() -> Sequence[Fact]:
    return [(text.compare_strings("Wojciechowski", "Voitchehovsky")["edit_distance"], "seven")]


def _fares() -> Sequence[Fact]:
    line = statistic.linear_regression([2.4, 3.8, 5.1, 7.6, 9.3, 12.5], [9.1, 11.4, 14.9, 19.2, 24.3, 30.6])
    return [_rounded(line["slope"], 2), _rounded(line["intercept"], 2)]


def _rabbits() -> Sequence[Fact]:
    pairs = int(number_theory.fibonacci_number(60)["result"])
    return [(pairs, f"{pairs:,}".replace(",", " "))]


def _sunrise() -> Sequence[Fact]:
    city = cities.largestCities("Tanzania", 1)[0]
    return [_clock(sun.get_sunrise(city["latitude"], city["longitude"], "2033-10-03", city["timezone"])["time"])]


def _midsummer() -> Sequence[Fact]:
    found = public_holidays.find_holiday_by_name("Sweden", 2034, "Midsummer Day")
    return [dates.day_of_year(found[0]["date"])["days_left"]]


def _metal() -> Sequence[Fact]:
    symbol = elements.element_by_number(78)["symbol"]
    return [_rounded(molecules.moles_to_grams(symbol, 0.65)["grams"])]


def _state_language() -> Sequence[Fact]:
    code = languages.official_languages("Bhutan")["languages"][0]
    return [languages.language_code(code)["alpha_3"]]


def _book_and_car() -> Sequence[Fact]:
    number = books.isbn_to_isbn10("978-0-7432-4722-1")["isbn10"]
    return [_grouped(number, 1, 4, 4, 1), _rounded(quick_units.mpg2metric(31)["litres_per_100_km"])]


def _tehran() -> Sequence[Fact]:
    found = phone_numbers.format_phone_number("021 8876 5432", "Iran")
    local = found["e164"].removeprefix("+9821")
    written = [
        f"{start}{gap}{end}" for start in ("+98", "0098", "00 98") for gap in (" ", "", "-") for end in ("21", "(21)")
    ]
    ends = [f"{gap}{local[:4]}{between}{local[4:]}" for gap in (" ", "", "-") for between in ("", " ", "-")]
    return [
        *(row["iata"] for row in airports.v2_airports_in_city("Tehran")),
        (found["e164"], found["international"], *(start + end for start in written for end in ends)),
    ]


def _geocache() -> Sequence[Fact]:
    state = us_states.us_state(us_states.stateOfCapital("Lansing")["state"])
    morse = encoding.to_morse(state["name"])["text"]
    drawn = [
        morse.replace("-", "_").replace(".", dot).replace("_", dash).replace(" ", gap)
        for dot in _DOTS
        for dash in _DASHES
        for gap in _GAPS
    ]
    return [words.to_roman(state["statehood_year"] or 0)["roman"], tuple(drawn)]


def _wedding() -> Sequence[Fact]:
    day = "2030-09-14"
    persian, chinese = calendars.gregorian_to_calendar(day, "persian"), chinese_calendar.gregorian_to_chinese(day)
    ink = colours.color_to_cmyk("#7A2E4F")
    return [
        persian["year"],
        _place(persian["month"], "Shahrivar", "Shahriwar", "Sahrivar", "sixth"),
        _place(persian["day"], "twenty-third"),
        _place(chinese["month"], "eighth"),
        _place(chinese["day"], "seventeenth"),
        _rounded(moon.moon_phase(day)["illuminated_percent"], 0),
        (ink["cyan"], "no cyan"),
        *(_rounded(part, 0) for part in (ink["magenta"], ink["yellow"], ink["key"])),
    ]


def _neighbours() -> Sequence[Fact]:
    names = countries.get_country_borders("Eswatini")["neighbours"]
    return [iso_codes.v1_country_codes(name)["numeric"] for name in names]


def _boats() -> Sequence[Fact]:
    point = geodesy.geo_midpoint(38.7, -9.4, 17.2, -61.8)
    west, moment = point["longitude"], "2032-05-10T22:00"
    seen = planets.planet_above_horizon("Saturn", moment, point["latitude"], west)
    fuel = units.add_quantities(145, "gallon", 230, "litre")["value"]
    return [
        _rounded(point["latitude"], 2),
        (west, round(west, 2), -west, round(-west, 2)),
        (seen["altitude_degrees"], round(seen["altitude_degrees"], 1), round(seen["altitude_degrees"])),
        _rounded(seen["azimuth_degrees"], 0),
        _rounded(fuel),
    ]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "Our visitor log keeps the addresses of computers as plain decimal integers instead of four parts with dots. "
        "Which integer do I have to look for to find the visits from 198.51.100.77?",
        _address,
    ),
    Question(
        "new-one-02",
        1,
        "The last of the 16 digits on my loyalty card has worn off. I can still read 6304 1972 5583 018, and the "
        "shop says the final digit is worked out by the same rule as on bank cards. What's the whole number?",
        _card,
    ),
    Question(
        "new-one-03",
        1,
        "Our machine fills bags with 1,008 grams of flour on average. The fillings follow a bell curve with a "
        "standard deviation of 6 grams. What percentage of the bags, to one decimal, gets less than the 1,000 grams "
        "printed on them?",
        _flour,
    ),
    Question(
        "new-one-04",
        1,
        "A report is mailed by the crontab line `25 3 31 * *`. When we looked at noon on 2 May 2031, on which date "
        "and at what time had it most recently been due?",
        _report,
    ),
    Question(
        "new-one-05",
        1,
        "I want to paint a closed round tank all over, lid and underside too. It measures 2.8 m across and is 3.2 m "
        "tall, with straight walls. How many square metres do I have to paint, to one decimal?",
        lambda: [_rounded(geometry.cylinder_measures(1.4, 3.2)["surface"])],
    ),
    Question(
        "new-one-06",
        1,
        "The card payment service we use wants every price as a whole number of the smallest coin, so 5 euros "
        "becomes 500. What do I have to send for 23.75 Bahraini dinars?",
        lambda: [currencies.to_minor_units(23.75, "BHD")["minor_units"]],
    ),
    Question(
        "new-one-07",
        1,
        "My sister lives in St. John's, Newfoundland, my brother on the Chatham Islands of New Zealand. At noon at "
        "my sister's on 15 July 2031, how many hours is his clock ahead of hers?",
        _ahead,
    ),
    Question(
        "new-one-08",
        1,
        "A clerk wrote Voitchehovsky instead of Wojciechowski. How many letters at the very least must be replaced, "
        "put in or taken out, each counting as one, to get from one to the other?",
        _typing,
    ),
    Question(
        "new-one-09",
        1,
        "I noted six taxi rides in one town: 2.4 km for 9.10, 3.8 km for 11.40, 5.1 km for 14.90, 7.6 km for 19.20, "
        "9.3 km for 24.30 and 12.5 km for 30.60. If a spreadsheet draws the usual straight trend line of price over "
        "distance, what does that line charge per kilometre, and what for zero kilometres? Two decimals.",
        _fares,
    ),
    Question(
        "new-one-10",
        1,
        "A riddle: there's one pair of rabbits in the first month and one in the second, and from then on every "
        "month has as many pairs as the two months before it together. Exactly how many pairs are there in month 60?",
        _rabbits,
    ),
    Question(
        "new-two-01",
        2,
        "When does the sun come up on 3 October 2033, by the clocks there, in the Tanzanian city with the most "
        "inhabitants?",
        _sunrise,
    ),
    Question(
        "new-two-02",
        2,
        "In Sweden people are off on Midsummer Day, which moves from year to year. Once that day is over in 2034, "
        "how many days does the year still have?",
        _midsummer,
    ),
    Question(
        "new-two-03",
        2,
        "For chemistry class: our lump consists only of the element that has 78 protons in each atom, and it's 0.65 "
        "moles of it. How many grams does the lump weigh, to one decimal?",
        _metal,
    ),
    Question(
        "new-two-04",
        2,
        "Our library marks every book with the three-letter ISO abbreviation of its language. Which one goes on a "
        "book in the state language of Bhutan?",
        _state_language,
    ),
    Question(
        "new-two-05",
        2,
        "Two little things: an old card file lists books only under the ten-character number used before 2007 - "
        "what's that for the one with ISBN 978-0-7432-4722-1? And the American car I'm looking at does 31 miles on a "
        "US gallon - how many litres does it burn on 100 kilometres, to one decimal?",
        _book_and_car,
    ),
    Question(
        "new-two-06",
        2,
        "I'm off to Tehran. Which three-letter codes do its two airports have on tickets, and how do I save my "
        "host's number there, 021 8876 5432, so that it can be dialled from any country?",
        _tehran,
    ),
    Question(
        "new-more-01",
        4,
        "A geocaching riddle is about the US state governed from Lansing. I need the year in which it became a state "
        "in Roman numerals, and the state's name in Morse code, in dots and dashes on one line. Can you work them "
        "out?",
        _geocache,
    ),
    Question(
        "new-more-02",
        4,
        "We're marrying on 14 September 2030. For the families in Shiraz and in Chengdu: what's that day in the "
        "Iranian solar calendar (day, month and year), and which day of which month in the traditional Chinese one? "
        "How many percent of the moon's disc will be lit around noon universal time that day? And the invitations "
        "are to be in #7A2E4F: how many percent cyan, magenta, yellow and black is that by the plain formula, "
        "without a colour profile?",
        _wedding,
    ),
    Question(
        "new-more-03",
        3,
        "Our customs form wants three-digit ISO numbers instead of country names. I need those of all countries that "
        "you can enter by land directly from Eswatini.",
        _neighbours,
    ),
    Question(
        "new-more-04",
        3,
        "Two boats, one at 38.70 N, 9.40 W and one at 17.20 N, 61.80 W, want to meet exactly in the middle of the "
        "shortest way between them. Where is that, in decimal degrees with two decimals? Seen from there, how many "
        "degrees above the horizon and at how many degrees from north, clockwise, will Saturn be at 22:00 universal "
        "time on 10 May 2032 (whole degrees)? And one boat has 145 US gallons of fuel and takes on 230 litres more: "
        "how many US gallons is that in all, to one decimal?",
        _boats,
    ),
]
