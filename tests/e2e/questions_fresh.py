"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    arithmetic,
    barcodes,
    body,
    business_days,
    chinese_calendar,
    cities,
    colours,
    countries,
    currencies,
    dates,
    encoding,
    finance,
    geodesy,
    geometry,
    languages,
    molecules,
    moon,
    networks,
    phone_numbers,
    planets,
    probability,
    public_holidays,
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
        written += [f"{hour}:{when:%M} {half}.m", f"{when.hour}:{when:%M} utc"]
        if not when.minute:
            written += [f"{hour} {half}m", f"{hour}{half}m", f"{hour} {half}.m", f"{when.hour} utc"]
        written += [f"{hour}:{when:%M}:{second:02} {half}m" for second in range(60)]
        written += [f"{hour}:{when:%M} {word} {part}" for word in ("in the", "at") for part in _PARTS[when.hour // 6]]
    return tuple(written)


def _grouped(number: str, *sizes: int) -> tuple[str, ...]:
    """A long number in one piece, or in pieces of these sizes."""
    pieces, start = list[str](), 0
    for size in sizes:
        pieces.append(number[start : start + size])
        start += size
    return (number, *(gap.join(pieces) for gap in (" ", "-", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}")))


def _spaced(number: float) -> Fact:
    """A large number with the usual separators."""
    return int(number), f"{int(number):,}".replace(",", " "), f"{int(number):,}".replace(",", ".")


def _percent(chance: float, places: int = 1) -> Fact:
    """A chance as a percentage, or between 0 and 1."""
    return 100 * chance, round(100 * chance, places), chance, round(chance, places + 2)


def _smallest() -> Sequence[Fact]:
    number = currencies.to_minor_units(62.75, "JOD")["minor_units"]
    return [(number, f"{number:,}".replace(",", " "))]


def _carrier() -> Sequence[Fact]:
    name = phone_numbers.phone_carrier("+880 1713 094826")["carrier"]
    return [(name, name.replace("phone", " phone"))]


def _identity() -> Sequence[Fact]:
    number = barcodes.verhoeff_check_digit("48271930655")["complete"]
    return [(*_grouped(number, 4, 4, 4), f"{number[:-1]} {number[-1]}", f"{number[:-1]}-{number[-1]}")]


def _constellation() -> Sequence[Fact]:
    found = planets.constellation_at(7.9, -21.5)
    return [(found["name"], found["abbreviation"])]


def _changes() -> Sequence[Fact]:
    changes = [change["at_utc"] for change in timezones.clock_changes("America/Santiago", 2033)]
    return [fact for moment in changes for fact in (_day(moment), _clock(moment, slack=0))]


def _zodiac() -> Sequence[Fact]:
    year = chinese_calendar.gregorian_to_chinese("1986-01-25")["year"]
    found = chinese_calendar.chinese_zodiac(year)
    return [found["animal"], (found["element"], f"{found['element']}en")]


def _summer() -> Sequence[Fact]:
    holiday = public_holidays.find_holiday_by_name("Iceland", 2035, "First Day of Summer")[0]["date"]
    return [_day(holiday), (dates.iso_week(holiday)["week"], f"W{dates.iso_week(holiday)['week']}")]


def _bakery() -> Sequence[Fact]:
    growth = finance.cagr(38_400, 61_900, 6)["percent"]
    return [_rounded(growth, 2), _rounded(finance.years_to_double(growth)["years"])]


def _half_way() -> Sequence[Fact]:
    middle = geodesy.geo_midpoint(45.76, 4.84, 54.69, 25.28)
    return [cities.cities_near(middle["latitude"], middle["longitude"])[0]["name"]]


def _coach() -> Sequence[Fact]:
    pulse, weight = body.heart_rate_zone(47), body.healthy_weight(173)
    slow, fast = pulse["training_from"], pulse["training_to"]
    low, high = weight["minimum_kg"], weight["maximum_kg"]
    # A hyphen before the second number is not a minus sign.
    ranges = f"{low}-{high}", f"{low:.0f}-{high:.0f}"
    return [slow, (fast, f"{slow}-{fast}"), _rounded(low, 0), (high, float(round(high)), *ranges)]


def _poster() -> Sequence[Fact]:
    ink = colours.color_to_cmyk("#2e6f95")
    parts = (ink["cyan"], ink["magenta"], ink["key"])
    return [*((part, round(part / 100, 3)) for part in parts), words.to_roman(1894)["roman"]]


def _petrol() -> Sequence[Fact]:
    litres = arithmetic.multiply(quick_units.mpg2metric(27)["litres_per_100_km"], 7.4)["result"]
    return [_rounded(arithmetic.multiply(litres, 1.82)["result"], 2)]


def _neighbours() -> Sequence[Fact]:
    names = countries.get_country_borders("Malawi")["neighbours"]
    areas = [_spaced(countries.countryAreaAndPopulation(name)["area_km2"]) for name in names]
    return [*names, *areas]


def _equinox() -> Sequence[Fact]:
    day = moon.season_start(2037, "march equinox")["utc"][:10]
    city = cities.largestCities("New Zealand", 1)[0]
    return [
        _day(day),
        _clock(sun.get_sunrise(city["latitude"], city["longitude"], day, city["timezone"])["time"]),
    ]


def _lapland() -> Sequence[Fact]:
    tank = geometry.cylinder_measures(0.32, 0.95)["volume"]
    course = geodesy.geo_bearing(67.86, 20.23, 69.65, 18.96)["degrees"]
    return [
        (course, round(course, 1), round(course)),
        _rounded(moon.moon_phase("2033-02-20")["illuminated_percent"], 0),
        languages.language_name("se")["own_name"],
        (tank, round(tank, 3), 1000 * tank),
    ]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "The company that handles our card payments wants every amount as a whole number, counted in the currency's "
        "smallest unit. What do I have to send for a bill of 62.75 Jordanian dinars (JOD)?",
        _smallest,
    ),
    Question(
        "new-one-02",
        1,
        "Of the people who come to our screening, 1.8 percent have the disease. The test finds 94 percent of those, "
        "but it's also positive for 7 percent of the healthy ones. Somebody has just tested positive: how likely is "
        "it that they really have it? In percent with one decimal, please.",
        lambda: [_percent(probability.bayes(0.018, 0.94, 0.07)["probability"])],
    ),
    Question(
        "new-one-03",
        1,
        "My niece left me a secret note: Cqn byjan tnh qjwpb knqrwm cqn kudn bqdccna. She says she moved every letter "
        "nine places forward in the alphabet. What does it say?",
        lambda: [encoding.caesar_cipher("Cqn byjan tnh qjwpb knqrwm cqn kudn bqdccna", -9)["text"]],
    ),
    Question(
        "new-one-04",
        1,
        "I keep getting missed calls from +880 1713 094826. Which mobile operator was that number originally given to?",
        _carrier,
    ),
    Question(
        "new-one-05",
        1,
        "We're making up identity numbers to test a form, with eleven free digits and one check digit after Verhoeff's "
        "method at the end. One of them starts with 48271930655. Please give me the complete number.",
        _identity,
    ),
    Question(
        "new-one-06",
        1,
        "My landlord in Poland has to pay back the deposit within 25 working days after 3 April 2031. On which date "
        "does that period end, if weekends and Polish public holidays don't count?",
        lambda: [_day(business_days.add_business_days("2031-04-03", 25, "Poland")["date"])],
    ),
    Question(
        "new-one-07",
        1,
        "I photographed a faint cluster last night; the mount showed a right ascension of 7.9 hours and a declination "
        "of -21.5 degrees (J2000). In which constellation is that?",
        _constellation,
    ),
    Question(
        "new-one-08",
        1,
        "For a cleaning solution in the lab I need 0.65 mol of potassium dichromate, K2Cr2O7. How many grams do I "
        "weigh out? One decimal is enough.",
        lambda: [_rounded(molecules.moles_to_grams("K2Cr2O7", 0.65)["grams"])],
    ),
    Question(
        "new-one-09",
        1,
        "We were given 10.84.96.0/20 for our campus and want to cut all of it up into /23 blocks, one for each "
        "department. Can you write down the blocks?",
        lambda: list(networks.split_subnet("10.84.96.0/20", 23)),
    ),
    Question(
        "new-one-10",
        1,
        "I run a nightly job for an office in Santiago de Chile (time zone America/Santiago) and have to know when the "
        "clocks are put back and forward there in 2033. On which two dates, and at what time in UTC each?",
        _changes,
    ),
    Question(
        "new-two-01",
        2,
        "A colleague was born on 25 January 1986, and I'd like to give her a card with her sign in the Chinese zodiac. "
        "Which animal and which element go with the year of the Chinese calendar in which that day lies?",
        _zodiac,
    ),
    Question(
        "new-two-02",
        2,
        "Our office in Reykjavik closes on Iceland's public holiday called the First Day of Summer. Which date is that "
        "in 2035, and what's the ISO number of that calendar week?",
        _summer,
    ),
    Question(
        "new-two-03",
        2,
        "The yearly sales of our bakery have grown from 38,400 to 61,900 euros in six years. What average growth per "
        "year is that, in percent with two decimals and compounded? And growing on like that, how many years does it "
        "take for sales to double, to one decimal?",
        _bakery,
    ),
    Question(
        "new-two-04",
        2,
        "I live at 45.76° N, 4.84° E, my sister at 54.69° N, 25.28° E, and we'd like to meet exactly half-way along "
        "the great circle between us. Which town of more than 15,000 people is the closest to that point?",
        _half_way,
    ),
    Question(
        "new-two-05",
        2,
        "I'm 47 and 173 cm tall and getting back into sport. Between which pulse rates should I stay for endurance "
        "training, if that means 60 to 80 percent of 220 minus my age? And from how many kilograms to how many is a "
        "body mass index of 18.5 to 25 for me?",
        _coach,
    ),
    Question(
        "new-two-06",
        2,
        "Our choir was founded in 1894 and I'm designing the anniversary poster. How's that year written in Roman "
        "numerals? And the print shop wants #2e6f95 as cyan, magenta, yellow and black percentages: what are they by "
        "the plain formula without a colour profile, to one decimal?",
        _poster,
    ),
    Question(
        "new-more-01",
        3,
        "The car we're going to rent is said to do 27 miles to the US gallon. We'll drive 740 km with it, and petrol "
        "costs 1.82 euros a litre over there. What will we spend on petrol, to the cent?",
        _petrol,
    ),
    Question(
        "new-more-02",
        4,
        "For a geography lesson: which countries does Malawi share a land border with, and how many square kilometres "
        "does each of them cover?",
        _neighbours,
    ),
    Question(
        "new-more-03",
        3,
        "A friend wants to watch the sun come up in the most populous city of New Zealand on the day of the March "
        "equinox of 2037, going by the equinox's date in UTC. Which date is that, and at what time is sunrise in the "
        "city, by the clocks there?",
        _equinox,
    ),
    Question(
        "new-more-04",
        4,
        "We're taking a camper van to Lapland to see the northern lights. In which direction do we start if we go "
        "straight (along the great circle) from 67.86 N, 20.23 E to 69.65 N, 18.96 E, in degrees clockwise from north? "
        "How much of the moon's disc is lit at noon UTC on 20 February 2033, in percent? What do the speakers of "
        "Northern Sami (language code se) call their language themselves? And how many cubic metres does our water "
        "tank hold, a cylinder with a radius of 0.32 m and a height of 0.95 m, to three decimals?",
        _lapland,
    ),
]
