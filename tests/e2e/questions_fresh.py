"""Questions that no prompt was tuned on, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.e2e.checking import Question
from toolquiver.catalog.demo import (
    banking,
    barcodes,
    body,
    books,
    calendars,
    chinese_calendar,
    colours,
    countries,
    currencies,
    elements,
    finance,
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
    statistic,
    sun,
    text,
    timezones,
    us_states,
    versions,
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
        written += [f"{hour}:{when:%M} {half}.m"]
        written += [f"{hour}:{when:%M}:{second:02} {half}m" for second in range(60)]
        written += [f"{hour}:{when:%M} {word} {part}" for word in ("in the", "at") for part in _PARTS[when.hour // 6]]
    return tuple(written)


def _grouped(number: str, *sizes: int) -> Fact:
    """A long number in one piece, or in pieces of these sizes."""
    pieces, start = list[str](), 0
    for size in sizes:
        pieces.append(number[start : start + size])
        start += size
    return (number, *(gap.join(pieces) for gap in (" ", "-", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}")))


def _spaced(number: int | str) -> Fact:
    """A large number with the usual separators."""
    return int(number), f"{int(number):,}".replace(",", " "), f"{int(number):,}".replace(",", ".")


def _degrees(value: float) -> Fact:
    """An angle to one decimal place, or in whole degrees."""
    return value, round(value, 1), round(value)


def _swift() -> Sequence[Fact]:
    return [banking.parse_bic("BREXPLPW")["bank_names"][0].split()[0]]


def _pointer() -> Sequence[Fact]:
    return [networks.ipInfo("2001:db8:40:7::1f")["reverse_pointer"]]


def _voicemail() -> Sequence[Fact]:
    kind = phone_numbers.validate_phone_number("+39 899 412763")["type"]
    return [(kind, *(kind.replace("_", gap) for gap in (" ", "-", "\N{NON-BREAKING HYPHEN}")), "premium")]


def _birthday() -> Sequence[Fact]:
    return [_day(chinese_calendar.chinese_to_gregorian(2032, 10, 24)["date"])]


def _temperature_and_sales() -> Sequence[Fact]:
    found = statistic.correlation([4, 7, 9, 12, 15, 18, 21], [62, 55, 58, 41, 44, 30, 33])
    return [_rounded(found["value"], 3)]


def _passover() -> Sequence[Fact]:
    found = calendars.gregorian_to_hijri(calendars.hebrewToGregorian(5795, 1, 15)["date"])
    number, month, year = found["day"], found["month"], found["year"]
    named = (found["month_name"], "second month", f"month {month}")
    written = (f"{year}-{month:02}-{number:02}", f"{number:02}/{month:02}/{year}", f"{number:02}.{month:02}.{year}")
    return [(number, str(number), f"{number}th"), (*named, *written), year]


def _photographs() -> Sequence[Fact]:
    holiday = public_holidays.nextHoliday("Peru", "2032-09-10")["date"]
    light = sun.goldenHour(-12.05, -77.04, holiday)
    return [_day(holiday), _clock(light["start"]), _clock(light["end"])]


def _island() -> Sequence[Fact]:
    zone = timezones.tz_at(-31.55, 159.08)["timezone"]
    offset = timezones.tz_offset(zone, "2031-07-20T12:00")["utc_offset"].lstrip("+")
    hours, minutes = (int(part) for part in offset.split(":"))
    written = [f"{hours} {unit}{gap}{minutes}" for unit in ("hours", "h", "hrs", "hr") for gap in (" ", " and ", ", ")]
    written += [f"{hours}{gap}{minutes}" for gap in (":", "h", "h ", ".")] + [f"{hours}h {minutes}m"]
    written += [f"{hours}h{minutes}m", f"{hours}h {minutes}min", f"{hours}h{minutes}min", f"{hours}{minutes}"]
    written += [f"{hours}\N{VULGAR FRACTION ONE HALF}", f"{hours} \N{VULGAR FRACTION ONE HALF}", f"{hours} 1/2"]
    written += [f"{hours} and a half", f"{hours} hours and a half", "ten and a half"]
    return [(hours + minutes / 60, *written)]


def _library() -> Sequence[Fact]:
    number, script = books.issn_check_digit("2391754")["complete"], languages.script_info("Cherokee")
    return [_grouped(number.replace("-", ""), 4, 4), script["code"], int(script["number"])]


def _runner() -> Sequence[Fact]:
    food = body.daily_calories(84, 181, 47, "male", "moderate")["kcal_per_day"]
    return [_rounded(food, 0), _rounded(quick_units.km2miles(26.5)["result"])]


def _release() -> Sequence[Fact]:
    return [
        versions.bump_version("4.9.17", "minor")["version"],
        text.changeCase("XMLHttpRequestTimeout", "snake")["text"],
    ]


def _joined() -> Sequence[Fact]:
    states = [us_states.us_state(name) for name in us_states.us_states_admitted(1907, 1912)]
    return [fact for state in states for fact in (state["name"], state["fips"])]


def _shop() -> Sequence[Fact]:
    contact = countries.country_calling_code("Slovakia")
    prefix = contact["calling_code"].lstrip("+")
    price = currencies.format_money(12499.5, "EUR", "sk_SK")["text"]
    region = iso_codes.v1_subdivision_by_code("SK-TC")["name"]
    return [
        (f"+{prefix}", f"00{prefix}", f"00 {prefix}", prefix),
        contact["top_level_domain"],
        (price, price.replace("\N{NO-BREAK SPACE}\N{EURO SIGN}", "\N{EURO SIGN}")),
        _grouped(barcodes.upc_to_ean13("718103041829")["ean13"], 1, 6, 6),
        (region, region.split()[0], "Trenčín"),
    ]


def _camp() -> Sequence[Fact]:
    place, day = (44.2, 7.9), "2032-08-14"
    panel = sun.sun_position(*place, f"{day}T15:30")
    rise = planets.planetRiseSet("Saturn", f"{day}T18:00", *place)["rises"]
    return [
        _clock(moon.moonrise_moonset(*place, day)["moonset"]),
        _clock(rise),
        _degrees(panel["elevation_degrees"]),
        _degrees(panel["azimuth_degrees"]),
    ]


def _homework() -> Sequence[Fact]:
    shells = [str(count) for count in elements.electronConfiguration("arsenic")["shells"]]
    letters = list(zip("KLMN", shells, strict=True))
    rows = [
        gap.join(shells) for gap in (", ", ",", " ", "-", " - ", "/", ".", "; ", " | ", "\N{EN DASH}", " \N{EN DASH} ")
    ]
    rows += [f"{', '.join(shells[:-1])}{gap}{shells[-1]}" for gap in (" and ", ", and ")]
    rows += [", ".join(f"{name}{gap}{count}" for name, count in letters) for gap in ("=", ": ", " = ", " ", "")]
    return [
        _rounded(molecules.molar_mass("K3Fe(CN)6")["grams_per_mole"]),
        tuple(rows),
        number_theory.greatestCommonDivisor([98280, 61740, 25872])["result"],
        words.from_roman("MDCCXLVIII")["number"],
    ]


QUESTIONS: list[Question] = [
    Question(
        "new-one-01",
        1,
        "I sell soup. The outdoor temperatures on seven days were 4, 7, 9, 12, 15, 18 and 21 degrees, and on those "
        "days I sold 62, 55, 58, 41, 44, 30 and 33 bowls. What's the Pearson correlation between temperature and "
        "bowls sold, to three decimals?",
        _temperature_and_sales,
    ),
    Question(
        "new-one-02",
        1,
        "24 runners start in our race and there are five different prizes, for places one to five. How many different "
        "outcomes are there for the list of prize winners, if nobody ties?",
        lambda: [_spaced(probability.count_permutations(24, 5)["count"])],
    ),
    Question(
        "new-one-03",
        1,
        "My new tenant's payment form gives only the SWIFT code BREXPLPW and not the name of the bank. Which bank is "
        "it?",
        _swift,
    ),
    Question(
        "new-one-04",
        1,
        "For our logo I want a mix of 60 percent #1f77b4 and 40 percent #ffdd57, simply averaging red, green and blue "
        "with those weights. What's the hex code of the resulting colour?",
        lambda: [colours.mix_colors("#1f77b4", "#ffdd57", 0.6)["hex"].lstrip("#")],
    ),
    Question(
        "new-one-05",
        1,
        "My aunt promises me 20,000 euros seven years from now. If I count on 3.4 percent interest a year, compounded "
        "annually, how much is that promise worth today, to the cent?",
        lambda: [finance.present_value(20_000, 3.4, 7)["present_value"]],
    ),
    Question(
        "new-one-06",
        1,
        "Our delivery app wants the drop-off point as a geohash of eight characters. What do I enter for latitude "
        "47.5596, longitude 7.5886?",
        lambda: [geodesy.geohash_encode(47.5596, 7.5886, 8)["geohash"]],
    ),
    Question(
        "new-one-07",
        1,
        "I have to set up reverse DNS for the host at 2001:db8:40:7::1f. What's the full ip6.arpa name for its PTR "
        "record?",
        _pointer,
    ),
    Question(
        "new-one-08",
        1,
        "Somebody left the Italian number +39 899 412763 on my voicemail. Before I call back: what type of number is "
        "that, a normal landline, a mobile or something else?",
        _voicemail,
    ),
    Question(
        "new-one-09",
        1,
        "My grandfather keeps his birthday by the traditional Chinese calendar, on the 24th day of the tenth month. "
        "On which date of our calendar is that in the Chinese year that begins in February 2032?",
        _birthday,
    ),
    Question(
        "new-one-10",
        1,
        "We're ordering helium for a round advertising balloon, a perfect sphere 3.6 metres in diameter. How many "
        "cubic metres fit into it, to two decimals?",
        lambda: [_rounded(geometry.sphere_measures(1.8)["volume"], 2)],
    ),
    Question(
        "new-two-01",
        2,
        "We're making an interfaith wall calendar. Which day, month and year of the Islamic calendar (Umm al-Qura) "
        "goes on the square for 15 Nisan 5795 of the Hebrew calendar? I mean the daytime, not the evening before.",
        _passover,
    ),
    Question(
        "new-two-02",
        2,
        "I want to take pictures in Lima, at 12.05 S, 77.04 W, on the first public holiday that Peru has after 10 "
        "September 2032. Which date is that, and when does the evening golden hour begin and end there that day, in "
        "UTC? By golden hour I mean the sun sinking from 6 degrees above to 4 degrees below the horizon.",
        _photographs,
    ),
    Question(
        "new-two-03",
        2,
        "Our boat will be moored at 31.55° S, 159.08° E. How far ahead of UTC are the official clocks there at noon "
        "on 20 July 2031?",
        _island,
    ),
    Question(
        "new-two-04",
        2,
        "Two things for the library catalogue. A journal's ISSN starts with 2391-754 and the last character is torn "
        "off, so what's the whole ISSN? And which four-letter code and which number does the Cherokee script have in "
        "ISO 15924?",
        _library,
    ),
    Question(
        "new-two-05",
        2,
        "I'm a man of 47, 84 kg and 181 cm, and moderately active. How many calories a day do I need to keep my "
        "weight (Mifflin-St Jeor times 1.55)? And how many miles is the 26.5 km run I've signed up for, to one "
        "decimal?",
        _runner,
    ),
    Question(
        "new-two-06",
        2,
        "Our library is at 4.9.17, and the next release adds a feature without breaking anything. Which version "
        "number does it get by semantic versioning? And we're moving to snake case: what does XMLHttpRequestTimeout "
        "become?",
        _release,
    ),
    Question(
        "new-more-01",
        4,
        "For a table of census data I need the states that joined the United States from 1907 to 1912, each with its "
        "two-digit FIPS code. Can you list them?",
        _joined,
    ),
    Question(
        "new-more-02",
        4,
        "We're opening our online shop to Slovakia. What are the country's international dialling code and its "
        "internet country domain? How do I print a price of 12499.5 euros the way it's written in Slovak, with the "
        "euro sign? What's the 13-digit EAN of the article with the American UPC 718103041829? And a customer's "
        "address has the region code SK-TC: which region is that?",
        _shop,
    ),
    Question(
        "new-more-03",
        3,
        "I'm camping at 44.2 N, 7.9 E with a telescope and a solar panel. On 14 August 2032, at what time does the "
        "moon set? When does Saturn next come up after 18:00 that day? And to point the panel: how many degrees above "
        "the horizon is the sun at 15:30 that day, and at how many degrees clockwise from north? All times in UTC, "
        "the angles to one decimal.",
        _camp,
    ),
    Question(
        "new-more-04",
        4,
        "Please help me check my son's homework: what's the molar mass of K3Fe(CN)6 in g/mol, to one decimal? How "
        "many electrons are in each shell of an arsenic atom, from the inside out (just the numbers in a row)? What's "
        "the greatest common divisor of 98280, 61740 and 25872? And which year is MDCCXLVIII?",
        _homework,
    ),
]
