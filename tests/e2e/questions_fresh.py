"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    arithmetic,
    banking,
    barcodes,
    body,
    calendars,
    chinese_calendar,
    colours,
    dates,
    elements,
    encoding,
    finance,
    geodesy,
    geometry,
    iso_codes,
    moon,
    networks,
    number_theory,
    planets,
    probability,
    quick_units,
    statistic,
    sun,
    timezones,
    units,
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
    for name in (f"{day:%B}", short, f"{short}.", f"{day:%B}"[:4], f"{day:%B}"[:4] + "."):
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
        written += [f"{when:%H:%M}", f"{when:%H:%M}z", f"{when:%H.%M}", f"{when:%Hh%M}", f"{when.hour}:{when:%M} utc"]
        written += [f"{hour:{width}}:{when:%M}{end}" for width in ("", "02") for end in (f" {half}m", f"{half}m")]
        written += [f"{hour}:{when:%M} {half}.m"]
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


def _spaced(number: int) -> Fact:
    """A large number with the usual separators."""
    return number, f"{number:,}".replace(",", " "), f"{number:,}".replace(",", ".")


def _percent(chance: float, places: int = 1) -> Fact:
    """A chance as a percentage, or between 0 and 1."""
    return 100 * chance, round(100 * chance, places), chance, round(chance, places + 2)


def _letter() -> Sequence[Fact]:
    day = calendars.calendar_to_gregorian("french republican", 11, 9, 14)["date"]
    return [_day(day), int(day[:4])]


def _ship() -> Sequence[Fact]:
    end = geodesy.geo_destination(35.52, 24.06, 117, 560)
    return [_rounded(end["latitude"], 2), _rounded(end["longitude"], 2)]


def _bank() -> Sequence[Fact]:
    code = banking.parse_iban("AT26 2081 5000 2734 0961")["bic"] or ""
    return [(code, code[:8]), ("Steiermärkische", "Steiermaerkische")]


def _ice_cream() -> Sequence[Fact]:
    line = statistic.linear_regression([2, 3.5, 5, 6, 8, 9.5], [41, 52, 58, 71, 83, 90])
    return [_rounded(line["slope"], 2), _rounded(line["intercept"], 2)]


def _dahomey() -> Sequence[Fact]:
    found = iso_codes.v1_former_country("Dahomey")
    return [found["alpha_4"], int(found["withdrawn"])]


def _xenon() -> Sequence[Fact]:
    shares = {row["mass_number"]: row["abundance_percent"] for row in elements.element_isotopes("xenon")}
    return [_rounded(shares[136], 2)]


def _opposite() -> Sequence[Fact]:
    end = geodesy.geo_antipode(43.6, 110.4)
    return [timezones.tz_at(end["latitude"], end["longitude"])["timezone"]]


def _mid_autumn() -> Sequence[Fact]:
    day = chinese_calendar.chinese_to_gregorian(2042, 8, 15)["date"]
    there = calendars.gregorian_to_hijri(day)
    year, month, number = there["year"], there["month"], there["day"]
    figures = [f"{year}-{month}-{number}", f"{number}-{month}-{year}", f"{number}/{month}/{year}"]
    figures += [f"{year}/{month}/{number}", f"{number}.{month}.{year}"]
    return [
        _day(day),
        (number, *figures),
        (there["month_name"], f"{month}th month", f"month {month}", *figures),
        (year, *figures),
    ]


def _blend() -> Sequence[Fact]:
    mixed = colours.mix_colors("#d94f70", "#1f6f8b", 0.35)["hex"]
    parts = colours.colorToHSL(mixed)
    numbers = (parts["hue_degrees"], parts["saturation_percent"], parts["lightness_percent"])
    return [mixed.removeprefix("#"), *(_rounded(number, 0) for number in numbers)]


def _puzzle() -> Sequence[Fact]:
    number = int(number_theory.fibonacci_number(41)["result"])
    return [_spaced(row["prime"]) for row in number_theory.prime_factors(number)]


def _couple() -> Sequence[Fact]:
    energy, height = body.daily_calories(74.2, 172, 44, "female", "light"), quick_units.cm2feet(187)
    return [_rounded(energy["kcal_per_day"], 0), height["feet"], height["inches"]]


def _shop() -> Sequence[Fact]:
    number = barcodes.luhn_check_digit("6048173952")["complete"]
    return [
        (*_grouped(number, 4, 4, 3), *_grouped(number, 10, 1), *_grouped(number, 4, 4, 2, 1)),
        encoding.base64Encode("ferry-bot:q7Lanterns")["text"],
    ]


def _reunion() -> Sequence[Fact]:
    day = dates.nth_weekday_of_month(2034, 9, "Saturday", 3)["date"]
    age = dates.age_on("1961-05-23", day)
    return [_day(day), age["years"], age["months"], age["days"], dates.day_of_year(day)["day_of_year"]]


def _observing() -> Sequence[Fact]:
    place, day = (43.36, -8.41), "2032-03-14"
    moments = [
        sun.twilight_times(*place, day, "nautical")["dawn"],
        moon.moonrise_moonset(*place, day)["moonset"],
        planets.planetRiseSet("Jupiter", day, *place)["rises"],
    ]
    return [_clock(moment) for moment in moments]


def _turf() -> Sequence[Fact]:
    areas = [
        geometry.rectangle_measures(6.35, 4.2)["area"],
        geometry.circle_measures(1.85)["area"],
        geometry.triangleFromSides(7.4, 5.9, 6.6)["area"],
    ]
    return [_rounded(arithmetic.sum_list(areas)["result"], 2)]


def _sister() -> Sequence[Fact]:
    ahead = timezones.tz_difference("America/St_Johns", "Asia/Kathmandu", "2031-07-01T12:00")["hours"]
    hours, minutes = divmod(round(60 * ahead), 60)
    miles = units.add_quantities(3.2, "mile", 850, "yard")["value"]
    written = [f"{hours}{hour}{gap}{minutes}" for hour in (" hours", " h", "h", " hrs") for gap in (" ", " and ", ", ")]
    return [
        (
            ahead,
            *written,
            f"{hours}h{minutes}",
            f"{hours}:{minutes}",
            f"{hours:02}:{minutes}",
            f"{hours}h {minutes}m",
            f"{hours}h{minutes}m",
        ),
        _rounded(miles, 2),
        _rounded(quick_units.miles2km(miles)["result"], 2),
        geodesy.geohash_encode(47.561, -52.712, 8)["geohash"],
    ]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "In a French archive I found a letter dated 14 Prairial of the year 11, in the calendar of the French Republic "
        "(Prairial was its ninth month). Which date is that in the calendar we use now?",
        _letter,
    ),
    Question(
        "new-one-02",
        1,
        "A ship leaves a point off Crete at 35.52° N, 24.06° E on a heading of 117 degrees and goes 560 km straight on "
        "along the great circle. At which latitude and longitude does it end up? Decimal degrees with two places, "
        "please.",
        _ship,
    ),
    Question(
        "new-one-03",
        1,
        "I'm planning a picture of Jupiter. In which constellation will the planet be on 1 June 2034 at 0:00 UTC?",
        lambda: [planets.planet_position("Jupiter", "2034-06-01T00:00")["constellation"]],
    ),
    Question(
        "new-one-04",
        1,
        "A supplier only sent me their account, AT26 2081 5000 2734 0961, but the transfer form wants the BIC and the "
        "name of the bank as well. What are they?",
        _bank,
    ),
    Question(
        "new-one-05",
        1,
        "Our filling machine puts 502.4 g of flour into a bag on average, normally distributed with a standard "
        "deviation of 3.1 g. What percentage of the bags will hold less than 500 g? One decimal will do.",
        lambda: [_percent(probability.normal_below(500, 502.4, 3.1)["probability"])],
    ),
    Question(
        "new-one-06",
        1,
        "I wrote down how many hours the sun shone on six days (2, 3.5, 5, 6, 8, 9.5) and how many ice creams we sold "
        "on them (41, 52, 58, 71, 83, 90). What's the least-squares line for sales by sunshine? I need slope and "
        "intercept to two decimals.",
        _ice_cream,
    ),
    Question(
        "new-one-07",
        1,
        "Our old database keeps IP addresses as plain decimal integers. Under which number do I have to look for "
        "185.214.37.96?",
        lambda: [_spaced(int(networks.ip_to_number("185.214.37.96")["number"]))],
    ),
    Question(
        "new-one-08",
        1,
        "I'm labelling a stamp collection with the four-letter codes that ISO 3166-3 gives to countries no longer in "
        "the standard. Which one belongs to Dahomey, and in what year was the country withdrawn?",
        _dahomey,
    ),
    Question(
        "new-one-09",
        1,
        "Our experiment needs xenon-136. How many percent of the xenon found in nature is that isotope? Please give "
        "two decimals.",
        _xenon,
    ),
    Question(
        "new-one-10",
        1,
        "An insurer will pay me 18,500 euros in seven years. Reckoning with 3.4 percent interest a year, compounded "
        "yearly, how much is that worth to me now?",
        lambda: [_rounded(finance.present_value(18_500, 3.4, 7)["present_value"], 0)],
    ),
    Question(
        "new-two-01",
        2,
        "My daughter wonders where she'd come out if she dug a tunnel through the centre of the Earth from our camp in "
        "Mongolia at 43.6° N, 110.4° E. Which time zone of the IANA database holds at the point on the other side?",
        _opposite,
    ),
    Question(
        "new-two-02",
        2,
        "The Mid-Autumn Festival is on the 15th day of the eighth month of the Chinese calendar. Which Gregorian date "
        "is that in 2042, and what day, month and year does the Islamic (Umm al-Qura) calendar show on it?",
        _mid_autumn,
    ),
    Question(
        "new-two-03",
        2,
        "For a logo I'd like to blend 35 percent of #d94f70 with 65 percent of #1f6f8b. Which hex code comes out, and "
        "what are the hue, saturation and lightness (HSL) of that blend?",
        _blend,
    ),
    Question(
        "new-two-04",
        2,
        "I'm making up a puzzle and need the 41st Fibonacci number, where the first and the second are both 1, broken "
        "down into its prime factors. Which primes are they?",
        _puzzle,
    ),
    Question(
        "new-two-05",
        2,
        "I'm a woman of 44, 172 cm tall, 74.2 kg, and only lightly active (factor 1.375). How many kilocalories a day "
        "keep my weight where it is, starting from the Mifflin-St Jeor formula? And my husband needs his 187 cm in "
        "feet and inches, to a tenth of an inch.",
        _couple,
    ),
    Question(
        "new-two-06",
        2,
        "Two small things for our web shop. Customer number 6048173952 has to get a Luhn check digit at the end: how "
        "does it read then? And what's ferry-bot:q7Lanterns in Base64, for the login header?",
        _shop,
    ),
    Question(
        "new-more-01",
        3,
        "Our class reunion is always on the third Saturday of September. Which date will that be in 2034? How old, in "
        "years, months and days, will our teacher be on that day, who was born on 23 May 1961? And which "
        "number does the day have, counted from 1 January?",
        _reunion,
    ),
    Question(
        "new-more-02",
        3,
        "We'll have our telescope at 43.36° N, 8.41° W on 14 March 2032. When does nautical twilight begin there in "
        "the morning, when does the moon set, and when does Jupiter rise on that date? All times in UTC, please.",
        _observing,
    ),
    Question(
        "new-more-03",
        4,
        "I want to order turf for three lawns: one is 6.35 m by 4.2 m, one is a circle with a radius of 1.85 m, and "
        "the last is a triangle with sides of 7.4 m, 5.9 m and 6.6 m. How many square metres are they together, to two "
        "decimals?",
        _turf,
    ),
    Question(
        "new-more-04",
        4,
        "My sister lives in St. John's (time zone America/St_Johns) and I'm in Nepal (Asia/Kathmandu). By how many "
        "hours are my clocks ahead of hers on 1 July 2031? She writes that she walked 3.2 miles and then another 850 "
        "yards: how many miles is that in all, and how many kilometres, both to two decimals? And which geohash of "
        "eight characters has her house at 47.561° N, 52.712° W?",
        _sister,
    ),
]
