"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    arithmetic,
    banking,
    body,
    business_days,
    calendars,
    chinese_calendar,
    cities,
    colours,
    countries,
    currencies,
    dates,
    elements,
    encoding,
    finance,
    geodesy,
    geometry,
    iso_codes,
    languages,
    moon,
    networks,
    phone_numbers,
    planets,
    probability,
    quick_units,
    sun,
    timezones,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.checking import Fact

# The parts of the day, a tuple for every six hours.
_PARTS = (("night", "morning"), ("morning",), ("afternoon",), ("evening", "night"))
_IVORY_COAST = ("Ivory Coast", "Cote d'Ivoire", "Cote d\N{RIGHT SINGLE QUOTATION MARK}Ivoire")
# What may stand where a word can be broken.
_BREAKS = ("-", " - ", "\N{HYPHEN}", "\N{MIDDLE DOT}", " \N{MIDDLE DOT} ", "\N{BULLET}", "|", "/")


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


def _positive() -> Sequence[Fact]:
    chance = probability.bayes(0.008, 0.91, 0.06)["probability"]
    return [(chance, round(chance, 3), round(100 * chance, 1))]


def _pieces() -> Sequence[Fact]:
    pieces = [piece.split("/")[0] for piece in networks.split_subnet("172.30.64.0/18", 21)]
    return [f"{pieces[0]}/21", *pieces[1:]]


def _isotope() -> Sequence[Fact]:
    most = elements.element_isotopes("hafnium", 1)[0]
    number = str(most["mass_number"])
    return [(number, f"{number}Hf", f"Hf{number}"), _rounded(most["abundance_percent"])]


def _franc() -> Sequence[Fact]:
    found = currencies.countries_using_currency("XOF")
    ways = {
        "Côte d'Ivoire": _IVORY_COAST,
        "Guinea-Bissau": ("Guinea-Bissau", "Guinea Bissau", "Guinea\N{HYPHEN}Bissau"),
    }
    return [ways.get(name, name) for name in found]


def _hebrew() -> Sequence[Fact]:
    found = calendars.gregorianToHebrew("2022-05-24")
    return [found["day"], (found["month_name"], "Iyyar"), found["year"]]


def _plot() -> Sequence[Fact]:
    found = geometry.triangleFromSides(41, 58, 73)
    return [_rounded(found["area"]), _rounded(max(found["angles_degrees"]))]


def _hsl() -> Sequence[Fact]:
    found = colours.colorToHSL("#2F7D6B")
    parts = (found["hue_degrees"], found["saturation_percent"], found["lightness_percent"])
    return [_rounded(part, 0) for part in parts]


def _landfall() -> Sequence[Fact]:
    found = geodesy.geo_destination(47.5, -8.7, 232, 640)
    west = found["longitude"]
    return [_rounded(found["latitude"], 2), (west, round(west, 2), -west, round(-west, 2))]


def _note_and_word() -> Sequence[Fact]:
    note = encoding.caesar_cipher("Mctyr esp mwfp dftenldp ez awleqzcx ytyp", -11)["text"]
    broken = words.hyphenate("Geschwindigkeitsbegrenzung", "de")["hyphenated"]
    return [note, tuple(broken.replace("-", mark) for mark in _BREAKS)]


def _tall() -> Sequence[Fact]:
    height, weight = quick_units.cm2feet(187), body.healthy_weight(187)
    return [height["feet"], height["inches"], weight["minimum_kg"], weight["maximum_kg"]]


def _bank_and_mobile() -> Sequence[Fact]:
    bic = banking.parse_iban("PL27 1140 2004 0000 3002 0135 5387")["bic"] or ""
    return [(bic, bic[:8]), phone_numbers.phone_carrier("+38670412763")["carrier"]]


def _shares() -> Sequence[Fact]:
    rate = finance.cagr(8400, 13_150, 7)["percent"]
    return [_rounded(rate, 2), _rounded(finance.years_to_double(rate)["years"])]


def _dark() -> Sequence[Fact]:
    zone = timezones.tz_at(-31.8, 141.6)["timezone"]
    return [_clock(sun.twilight_times(-31.8, 141.6, "2032-01-17", "astronomical", zone)["dusk"])]


def _other_side() -> Sequence[Fact]:
    point = geodesy.geo_antipode(2.95, -75.3)
    return [cities.cities_near(point["latitude"], point["longitude"])[0]["name"]]


def _larger() -> Sequence[Fact]:
    zambia, poland, austria = (
        countries.countryAreaAndPopulation(name)["area_km2"] for name in ("Zambia", "Poland", "Austria")
    )
    return [_rounded(arithmetic.percent_change(arithmetic.add(poland, austria)["result"], zambia)["result"])]


def _exam() -> Sequence[Fact]:
    exam = dates.nth_weekday_of_month(2034, 6, "Tuesday", 2)["date"]
    last = business_days.add_business_days(exam, -30, "Germany")["date"]
    return [_day(last), dates.iso_week(last)["week"]]


def _grandmother() -> Sequence[Fact]:
    born = chinese_calendar.chinese_to_gregorian(1948, 5, 12)["date"]
    age, sign = dates.age_on(born, "2035-02-01"), chinese_calendar.chinese_zodiac(1948)
    return [_day(born), age["years"], age["months"], age["days"], sign["animal"], sign["element"]]


def _solstice() -> Sequence[Fact]:
    moment = moon.season_start(2041, "december solstice")["utc"]
    return [
        _day(moment),
        _clock(moment),
        _rounded(planets.angular_separation("Venus", "Jupiter", moment)["degrees"]),
        planets.planet_position("Mars", moment)["constellation"],
    ]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "About 0.8 percent of people have a certain disease. The test for it catches 91 percent of those who have it, "
        "but also gives a false alarm in 6 percent of those who don't. My test came back positive - how likely is it, "
        "in percent to one decimal, that I'm ill?",
        _positive,
    ),
    Question(
        "new-one-02",
        1,
        "At work we have to cut the network 172.30.64.0/18 into equal pieces of size /21. Which pieces do we get? "
        "Please list every one of them.",
        _pieces,
    ),
    Question(
        "new-one-03",
        1,
        "In our shipping data the region of a parcel is given only by its ISO code, KE-22. Which Kenyan county is it "
        "going to?",
        lambda: [iso_codes.v1_subdivision_by_code("KE-22")["name"]],
    ),
    Question(
        "new-one-04",
        1,
        "Which isotope of hafnium is the most common one in nature, and what percentage of natural hafnium does it "
        "make up?",
        _isotope,
    ),
    Question(
        "new-one-05",
        1,
        "I have a pile of West African CFA francs left. In which countries are they legal tender? All of them, please.",
        _franc,
    ),
    Question(
        "new-one-06",
        1,
        "For a sign in Budapest: what do you call the Chuvash language in Hungarian?",
        lambda: [languages.language_name("cv", "hu")["name"]],
    ),
    Question(
        "new-one-07",
        1,
        "Our son was born around noon on 24 May 2022. What's his birthday in the Jewish calendar - day, month and "
        "year?",
        _hebrew,
    ),
    Question(
        "new-one-08",
        1,
        "The three sides of my garden measure 41 m, 58 m and 73 m. How many square metres is it, and how many degrees "
        "does its widest corner have? One decimal is enough.",
        _plot,
    ),
    Question(
        "new-one-09",
        1,
        "A drawing program wants hue, saturation and lightness, but I only have the colour #2F7D6B. What do I type in? "
        "Whole numbers will do.",
        _hsl,
    ),
    Question(
        "new-one-10",
        1,
        "A drone boat leaves 47.5 N, 8.7 W on a course of 232 degrees and goes 640 kilometres straight ahead along "
        "the great circle. At which latitude and longitude does it end up, in decimal degrees with two decimals?",
        _landfall,
    ),
    Question(
        "new-two-01",
        2,
        'For an escape room: a note reads "Mctyr esp mwfp dftenldp ez awleqzcx ytyp", and we know that every letter '
        "was moved 11 places forward in the alphabet. What was the original sentence? And at which places can the "
        "German word Geschwindigkeitsbegrenzung be hyphenated? Write it with all its hyphens.",
        _note_and_word,
    ),
    Question(
        "new-two-02",
        2,
        "I'm 187 cm tall. How many feet and inches is that (inches to one decimal), and between which two weights in "
        "kilograms, also to one decimal, would I have a normal body mass index of 18.5 to 25?",
        _tall,
    ),
    Question(
        "new-two-03",
        2,
        "Two things about an invoice: which BIC belongs to the account PL27 1140 2004 0000 3002 0135 5387, and to "
        "which mobile operator was the driver's number, +386 70 412 763, originally given?",
        _bank_and_mobile,
    ),
    Question(
        "new-two-04",
        2,
        "Seven years ago I bought shares for 8,400 dollars; now they're worth 13,150. What's the average growth per "
        "year in percent, compounded, with two decimals? And at that pace, how many years does it take for money to "
        "double, to one decimal?",
        _shares,
    ),
    Question(
        "new-two-05",
        2,
        "We'll be camping in the Australian outback, at 31.80 S, 141.60 E, on 17 January 2032 and want to watch the "
        "stars. What will the clocks there show when astronomical twilight ends in the evening?",
        _dark,
    ),
    Question(
        "new-two-06",
        2,
        "If I drilled a hole straight down from 2.95 N, 75.30 W, through the centre of the Earth and out on the other "
        "side, which city would I be closest to when I come out?",
        _other_side,
    ),
    Question(
        "new-more-01",
        5,
        "By how many percent is Zambia larger in area than Poland and Austria taken together? One decimal, please.",
        _larger,
    ),
    Question(
        "new-more-02",
        3,
        "My exam in Germany is on the second Tuesday of June 2034, and I have to sign up 30 working days before that "
        "day, where Saturdays, Sundays and the nationwide German public holidays don't count. On which date is that, "
        "and in which ISO calendar week?",
        _exam,
    ),
    Question(
        "new-more-03",
        3,
        "My grandmother was born on the 12th day of the fifth month of the Chinese year that began in 1948 (not a "
        "leap month). On which date of our calendar was that, how old will she be on 1 February 2035 in years, months "
        "and days, and which zodiac animal with which element belongs to her year?",
        _grandmother,
    ),
    Question(
        "new-more-04",
        3,
        "When exactly, date and universal time, is the December solstice of 2041? And at that moment, how many degrees "
        "apart are Venus and Jupiter in the sky (one decimal), and in which constellation is Mars?",
        _solstice,
    ),
]
