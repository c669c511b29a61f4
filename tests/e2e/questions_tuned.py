"""Questions on which prompts may be tuned, with answers worked out by the demo's own APIs."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from tests.e2e.checking import Fact, Question
from toolquiver.catalog.demo import (
    airports,
    arithmetic,
    banking,
    barcodes,
    body,
    books,
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
    languages,
    molecules,
    moon,
    networks,
    number_theory,
    phone_numbers,
    planets,
    probability,
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

_LATVIAN = ("Latvian rouble", "Latvian ruble", "Latvian roubles", "Latvian rubles", "rublis", "rubļi")
# The parts of the day, a tuple for every six hours.
_PARTS = (("night", "morning"), ("morning",), ("afternoon",), ("evening",))


def _rounded(value: float, places: int = 2) -> Fact:
    """A number, or the same rounded to so many decimal places."""
    return float(value), round(float(value), places)


def _day(iso: str) -> Fact:
    """The usual ways to write a date."""
    day = date.fromisoformat(iso[:10])
    number, month, short = day.day, f"{day:%B}", f"{day:%b}"
    suffix = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    written = [day.isoformat(), f"{number:02}/{day:%m/%Y}", f"{day:%m}/{number:02}/{day.year}"]
    written += [f"{number:02}.{day:%m.%Y}", f"{number}.{day.month}.{day.year}"]
    for name in (month, short, f"{short}."):
        written += [f"{number} {name}", f"{name} {number}", f"{number:02} {name}", f"{name} {number:02}"]
        written += [f"{number}{suffix} {name}", f"{name} {number}{suffix}", f"{number}{suffix} of {name}"]
    return tuple(written)


def _clock(iso: str, slack: int = 0) -> Fact:
    """The usual ways to write a time of day, give or take some minutes."""
    moment = datetime.fromisoformat(iso).replace(tzinfo=None)
    nearest = (moment + timedelta(seconds=30)).replace(second=0)
    moments = {moment.replace(second=0), nearest}
    moments |= {nearest + timedelta(minutes=minutes) for minutes in range(-slack, slack + 1)}
    written = list[str]()
    for when in sorted(moments):
        hour, half = when.hour % 12 or 12, "ap"[when.hour >= 12]
        written += [f"{when:%H:%M}", f"{when:%Hh%M}"]
        written += [f"{hour:{width}}:{when:%M}{end}" for width in ("", "02") for end in (f" {half}m", f"{half}m")]
        written += [f"{hour}:{when:%M} {half}.m"]
        written += [f"{hour}:{when:%M}:{second:02} {half}m" for second in range(60)]
        written += [f"{hour}:{when:%M} in the {part}" for part in _PARTS[when.hour // 6]]
    return tuple(written)


def _hours(hours: float) -> Fact:
    """The usual ways to write a length of time."""
    written = list[str | int | float]()
    for minutes in {int(hours * 60), round(hours * 60)}:
        whole, rest = divmod(minutes, 60)
        written += [f"{whole} hours {rest} minutes", f"{whole} hours and {rest} minutes"]
        written += [f"{whole} hours, {rest} minutes", f"{whole} h {rest} min", f"{whole} hr {rest} min"]
        written += [f"{whole} hrs {rest} mins", f"{whole} hr {rest} mins", f"{whole} hours {rest} min"]
        written += [
            f"{minutes} minutes",
            f"{whole}h {rest}m",
            f"{whole}h{rest}m",
            f"{whole}h {rest}min",
            f"{whole}:{rest:02}",
        ]
    return (hours, round(hours, 2), round(hours, 1), *written)


def _groups(number: str, size: int = 4) -> str:
    return " ".join(number[place : place + size] for place in range(0, len(number), size))


def _iban() -> list[Fact]:
    iban = banking.make_iban("Germany", "10010010", "0987654321")["iban"]
    return [(iban, _groups(iban))]


def _barcode() -> list[Fact]:
    code = barcodes.ean_check_digit("473128904561")["complete"]
    return [(code, f"{code[0]} {code[1:7]} {code[7:]}", f"{code[:-1]} {code[-1]}", f"{code[0]}-{code[1:7]}-{code[7:]}")]


def _isbn() -> list[Fact]:
    found = books.isbn_to_isbn13("0596520689")
    return [(found["isbn13"], found["formatted"], f"978-{found['isbn13'][3:]}", found["formatted"].replace("-", " "))]


def _checksum() -> list[Fact]:
    digest = encoding.crc32("The night train leaves at nine")["hexdigest"]
    return [(digest, f"0x{digest}", digest.lstrip("0"), int(digest, 16))]


def _subnet() -> list[Fact]:
    found = networks.subnet_info("172.19.77.130/20")
    return [found["first_address"], found["last_address"]]


def _cron() -> list[Fact]:
    run = schedules.cron_next_runs("50 22 * 2 0", "2029-05-01T00:00", 1)[0]
    return [_day(run), "2030", _clock(run)]


def _flight_and_time() -> list[Fact]:
    there = timezones.convert_time_between_zones("2031-04-03T20:20", "Australia/Adelaide", "Asia/Kathmandu")
    return [airports.v2_flight_distance("KEF", "NBO")["kilometres"], _clock(there["local_time"])]


def _sound_and_spread() -> list[Fact]:
    spread = statistic.standardDeviation([12.4, 15.1, 9.8, 14.7, 11.3, 16.9, 13.2])
    return [text.sound_code("Featherstone")["soundex"], _rounded(spread["standard_deviation"])]


def _base_and_easter() -> list[Fact]:
    number = number_theory.convert_base("987654", 10, 7)["digits"]
    return [(number, int(number)), _day(dates.easter_date(2047, "orthodox")["date"])]


def _chance_and_orders() -> list[Fact]:
    chance = probability.binomialProbability(20, 12, 0.55)["probability"]
    percent, orders = 100 * chance, int(probability.count_anagrams("Saskatchewan")["count"])
    return [(chance, round(chance, 3), round(chance, 4), percent, round(percent, 1), round(percent, 2)), orders]


def _burned_and_oven() -> list[Fact]:
    return [body.calories_burned(78, 50, 8.3)["kcal"], _rounded(quick_units.f2c(412)["result"], 0)]


def _work_and_star() -> list[Fact]:
    working = business_days.count_business_days("2027-04-01", "2027-05-31", "Japan")["business_days"]
    return [working, _rounded(planets.star_info("Alphecca")["declination_degrees"], 1)]


def _elevation() -> list[Fact]:
    feet = airports.v2_lookup_airport("LPB")["elevation_ft"]
    return [_rounded(units.convert_units(feet, "foot", "meter")["value"], 0)]


def _days_to_easter() -> list[Fact]:
    return [dates.days_between("2038-01-01", dates.easter_date(2038, "orthodox")["date"])["days"]]


def _zinc() -> list[Fact]:
    kelvin = elements.element_temperatures("zinc")["melting_point_kelvin"]
    return [_rounded(units.convert_units(float(kelvin or 0), "kelvin", "degree_Fahrenheit")["value"], 0)]


def _parcel() -> list[Fact]:
    return [_day(dates.dateAdd(chinese_calendar.chineseNewYear(2044)["date"], days=90)["date"])]


def _prime_in_hexadecimal() -> list[Fact]:
    digits = number_theory.convert_base(str(number_theory.nth_prime(3100)["result"]), 10, 16)["digits"]
    return [(digits, f"0x{digits}", f"{digits}h", f"{digits}_16", f"{digits}16")]


def _daylight(name: str, country: str, day: str) -> list[Fact]:
    city = cities.city_lookup(name, country)
    return [_hours(sun.day_length(city["latitude"], city["longitude"], day)["hours"])]


def _sunset_in_capital() -> list[Fact]:
    city = cities.city_lookup(countries.get_country_capital("Uzbekistan")["capital"], "Uzbekistan")
    when = sun.get_sunset(city["latitude"], city["longitude"], "2032-05-01", city["timezone"])
    return [_clock(when["time"], slack=1)]


def _between_capitals() -> list[Fact]:
    first, second = (
        cities.city_lookup(countries.get_country_capital(country)["capital"], country) for country in ("Kenya", "Peru")
    )
    way = geodesy.geo_distance(first["latitude"], first["longitude"], second["latitude"], second["longitude"])
    return [way["kilometres"]]


def _airport_of_capital() -> list[Fact]:
    city = cities.city_lookup(countries.get_country_capital("Kyrgyzstan")["capital"], "Kyrgyzstan")
    nearest = airports.v2_nearestAirports(city["latitude"], city["longitude"], 1)[0]
    return [airports.v2_lookup_airport(nearest["iata"])["elevation_ft"]]


def _three_sums() -> list[Fact]:
    shares = {row["element"]: row["mass_percent"] for row in molecules.mass_composition("C8H10N4O2")}
    full = moon.next_moon_phase("2033-10-20", "full")["utc"]
    return [
        number_theory.least_common_multiple([84, 126, 330])["result"],
        _rounded(shares["N"], 1),
        _day(full),
        _clock(full, slack=1),
    ]


def _state_capital() -> list[Fact]:
    return _daylight(us_states.us_state_capital("Montana")["capital"], "US", "2033-06-21")


def _after_tax() -> list[Fact]:
    grown = finance.compound_interest(12_000, 3.2, 9, 12)
    tax = arithmetic.percentOf(18, grown["interest"])["result"]
    return [float(arithmetic.subtract(grown["final_amount"], tax)["result"])]


def _mass_index() -> list[Fact]:
    weight = quick_units.pounds2kg(196)["result"]
    height = units.convert_units(71, "inch", "centimeter")["value"]
    return [(body.bmi(weight, height)["bmi"], round(weight / (height / 100) ** 2, 2))]


def _three_checks() -> list[Fact]:
    made = networks.mac_vendor("00:1B:63:84:45:E6")["organisation"]
    return [
        networks.subnet_info("10.64.0.0/13")["addresses"],
        made.split()[0].strip(",."),
        encoding.hash_text("raspberry", "md5")["hexdigest"],
    ]


QUESTIONS: list[Question] = [
    Question(
        "one-01",
        1,
        "I have to pay somebody in Germany who only gave me the bank code 10010010 and the account number 0987654321. "
        "What is the IBAN of that account?",
        _iban,
    ),
    Question(
        "one-02",
        1,
        "The label of a product is torn: of its 13-digit EAN I can read the first twelve digits, 473128904561, "
        "but not the last one. Please write out the whole code.",
        _barcode,
    ),
    Question(
        "one-03",
        1,
        "I'm a 34-year-old woman, 168 cm tall, and weigh 61.5 kg. How many kilocalories a day does my body need at "
        "complete rest, going by the Mifflin-St Jeor formula?",
        lambda: [body.basalMetabolicRate(61.5, 168, 34, "female")["kcal_per_day"]],
    ),
    Question(
        "one-04",
        1,
        "An old paperback on my shelf carries the ISBN 0-596-52068-9. What's its number in the current "
        "thirteen-digit form?",
        _isbn,
    ),
    Question(
        "one-05",
        1,
        "On which date of our ordinary Gregorian calendar does the first day of Ramadan of the Islamic year 1455 fall, "
        "according to the Umm al-Qura calendar?",
        lambda: [_day(calendars.hijri_to_gregorian(1455, 9, 1)["date"])],
    ),
    Question(
        "one-06",
        1,
        "I want to put text in #5a7d2b on a background of #fff4e0. What contrast ratio does that give by the web "
        "accessibility guidelines? Two decimals, please.",
        lambda: [colours.contrast_ratio("#5a7d2b", "#fff4e0")["ratio"]],
    ),
    Question(
        "one-07",
        1,
        "My grandmother kept some money from Riga. Which currency was legal tender in Latvia on 1 January 1993?",
        lambda: [(*currencies.get_currency_of_country("Latvia", "1993-01-01")["currencies"], *_LATVIAN)],
    ),
    Question(
        "one-08",
        1,
        "Exactly how many days lie between 17 March 1987 and 2 November 2031?",
        lambda: [dates.days_between("1987-03-17", "2031-11-02")["days"]],
    ),
    Question(
        "one-09",
        1,
        "How many moles are there in 35 grams of aspirin (C9H8O4)? Give at least three decimals.",
        lambda: [_rounded(molecules.grams_to_moles("C9H8O4", 35)["moles"], 3)],
    ),
    Question(
        "one-10",
        1,
        'Which CRC-32 checksum, in hexadecimal, does the text "The night train leaves at nine" have '
        "(without the quotation marks)?",
        _checksum,
    ),
    Question(
        "one-11",
        1,
        "We are thinking of a mortgage of 285,000 dollars at 4.35 percent a year, to be paid off in equal monthly "
        "instalments over 22 years. How much would we pay each month?",
        lambda: [finance.loanPayment(285_000, 4.35, 22)["monthly_payment"]],
    ),
    Question(
        "one-12",
        1,
        "How many nautical miles is it, along the great circle, from 36.14° N, 5.35° W to 32.65° N, 16.91° W?",
        lambda: [geodesy.geo_distance(36.14, -5.35, 32.65, -16.91)["nautical_miles"]],
    ),
    Question(
        "one-13",
        1,
        "In the international standard for the names of scripts (ISO 15924), which four-letter code and which number "
        "has the script in which Amharic is normally written?",
        lambda: [languages.script_of_language("am")["code"], int(languages.script_of_language("am")["number"])],
    ),
    Question(
        "one-14",
        1,
        "At noon universal time on 4 July 2033, how far will Mars be from the Earth, in astronomical units?",
        lambda: [_rounded(planets.planet_distance("Mars", "2033-07-04T12:00")["from_earth_au"], 3)],
    ),
    Question(
        "one-15",
        1,
        "My server has the address 172.19.77.130 with a /20 mask. What are the very first and the very last address "
        "of the network it is in, network and broadcast address included?",
        _subnet,
    ),
    Question(
        "one-16",
        1,
        "Somebody left the number +390818765432 on my answering machine. For which Italian city is this number?",
        lambda: [(phone_numbers.phoneOrigin("+390818765432")["location"], "Napoli")],
    ),
    Question(
        "one-17",
        1,
        "The gauge says my tyres are at 34.5 psi, but the manual only speaks of kilopascals. What is my value in kPa?",
        lambda: [_rounded(units.convert_units(34.5, "psi", "kilopascal")["value"], 0)],
    ),
    Question(
        "one-18",
        1,
        "A cleanup task has the crontab line `50 22 * 2 0`. After 1 May 2029, on which date and at what time will it "
        "first be started?",
        _cron,
    ),
    Question(
        "one-19",
        1,
        "For a cheque I need the number 7346 spelled out in Polish, in the nominative. How is it written?",
        lambda: [words.number_to_words(7346, "pl")["text"]],
    ),
    Question(
        "one-20",
        1,
        "If 2 is the first prime number, 3 the second and so on, which one is the 4321st?",
        lambda: [number_theory.nth_prime(4321)["result"]],
    ),
    Question(
        "two-01",
        2,
        "How many kilometres is it as the crow flies from Keflavik airport in Iceland (KEF) to Jomo Kenyatta airport "
        "in Nairobi (NBO), and what time is it in Kathmandu when the clocks in Adelaide show 8:20 in the evening "
        "on 3 April 2031?",
        _flight_and_time,
    ),
    Question(
        "two-02",
        2,
        "What is the Soundex code of the surname Featherstone, and what is the sample standard deviation of these "
        "seven measurements: 12.4, 15.1, 9.8, 14.7, 11.3, 16.9, 13.2?",
        _sound_and_spread,
    ),
    Question(
        "two-03",
        2,
        "How do you write the decimal number 987654 in base 7, and on which day of our calendar will the Orthodox "
        "churches celebrate Easter Sunday in 2047?",
        _base_and_easter,
    ),
    Question(
        "two-04",
        2,
        "A biased coin shows heads with probability 0.55. How likely, in percent, are exactly 12 heads in 20 "
        "tosses, and in how many different orders can the letters of the word SASKATCHEWAN be written down?",
        _chance_and_orders,
    ),
    Question(
        "two-05",
        2,
        "I weigh 78 kg and ran for 50 minutes at an intensity of 8.3 MET: how many kilocalories did that burn? And "
        "what do I have to set my Celsius oven to if the recipe says 412 degrees Fahrenheit, to the nearest degree?",
        _burned_and_oven,
    ),
    Question(
        "two-06",
        2,
        "How many working days (Monday to Friday, without the public holidays) does Japan have from 1 April to "
        "31 May 2027, both days counted, and what is the declination of the star Alphecca (epoch 2000), as a decimal "
        "number of degrees?",
        _work_and_star,
    ),
    Question(
        "two-07",
        2,
        "How many metres above sea level does the airport of La Paz in Bolivia (LPB) lie?",
        _elevation,
    ),
    Question(
        "two-08",
        2,
        "How many days after 1 January 2038 is the Easter Sunday of the Orthodox churches in that year?",
        _days_to_easter,
    ),
    Question(
        "two-09",
        2,
        "At how many degrees Fahrenheit does zinc melt?",
        _zinc,
    ),
    Question(
        "two-10",
        2,
        "A ship sails on the day of the Chinese New Year in 2044 and comes back exactly 90 days later. On which date "
        "does it return?",
        _parcel,
    ),
    Question(
        "two-11",
        2,
        "Take the 3100th prime number (2 being the first). How does it look in hexadecimal?",
        _prime_in_hexadecimal,
    ),
    Question(
        "two-12",
        2,
        "How long is the sun up in Reykjavik, Iceland, on 6 November 2030, from sunrise to sunset?",
        lambda: _daylight("Reykjavik", "Iceland", "2030-11-06"),
    ),
    Question(
        "more-01",
        3,
        "When does the sun set in the capital of Uzbekistan on 1 May 2032? I need the local time there.",
        _sunset_in_capital,
    ),
    Question(
        "more-02",
        5,
        "How far is the capital of Kenya from the capital of Peru as the crow flies, in kilometres?",
        _between_capitals,
    ),
    Question(
        "more-03",
        4,
        "Of all airports, take the one closest to the centre of Kyrgyzstan's capital. How many feet above sea level "
        "is it?",
        _airport_of_capital,
    ),
    Question(
        "more-04",
        3,
        "Three things for a quiz: what is the least common multiple of 84, 126 and 330, what percentage of the mass "
        "of caffeine (C8H10N4O2) is nitrogen, and when exactly, date and universal time, is the first full moon after "
        "20 October 2033?",
        _three_sums,
    ),
    Question(
        "more-05",
        3,
        "How many hours of daylight will the capital of the US state of Montana get on 21 June 2033?",
        _state_capital,
    ),
    Question(
        "more-06",
        3,
        "I put 12,000 euros into an account that pays 3.2 percent a year, compounded monthly, for 9 years. "
        "At the end I pay 18 percent tax on the interest. How much money is left?",
        _after_tax,
    ),
    Question(
        "more-07",
        3,
        "What's the body mass index of a man who weighs 196 pounds and is 71 inches tall?",
        _mass_index,
    ),
    Question(
        "more-08",
        3,
        "For my network notes: how many addresses are there in 10.64.0.0/13, which company made the device "
        'with the MAC address 00:1B:63:84:45:E6, and what is the MD5 hash of the word "raspberry" in lower case?',
        _three_checks,
    ),
]
