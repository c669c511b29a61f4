"""Measures of the human body."""

from typing import Annotated, Literal

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Health"
TOOL = "BodyMetrics"

UNDERWEIGHT, OVERWEIGHT, OBESE = 18.5, 25, 30
ACTIVITY = {"sedentary": 1.2, "light": 1.375, "moderate": 1.55, "active": 1.725, "very active": 1.9}

Kilograms = Annotated[float, Field(description="body weight in kilograms")]
Centimetres = Annotated[float, Field(description="height in centimetres")]
Sex = Literal["female", "male"]


class Bmi(TypedDict):
    """A body mass index."""

    bmi: float
    category: str


class Energy(TypedDict):
    """Energy in a day."""

    kcal_per_day: float


class Weight(TypedDict):
    """A range of weights."""

    minimum_kg: float
    maximum_kg: float


class HeartRate(TypedDict):
    """Beats of the heart in a minute."""

    maximum: int
    training_from: int
    training_to: int


class Burned(TypedDict):
    """Energy used."""

    kcal: float


def _positive(*numbers: float) -> None:
    if any(number <= 0 for number in numbers):
        raise ToolException("weight, height, age and time must be positive")


def bmi(weight_kg: Kilograms, height_cm: Centimetres) -> Bmi:
    """Body mass index and its category for adults."""
    _positive(weight_kg, height_cm)
    index = weight_kg / (height_cm / 100) ** 2
    limits = [(UNDERWEIGHT, "underweight"), (OVERWEIGHT, "normal weight"), (OBESE, "overweight")]
    category = next((name for limit, name in limits if index < limit), "obesity")
    return {"bmi": round(index, 1), "category": category}


def healthy_weight(height_cm: Centimetres) -> Weight:
    """Weights with a normal body mass index for a height."""
    _positive(height_cm)
    square = (height_cm / 100) ** 2
    return {"minimum_kg": round(UNDERWEIGHT * square, 1), "maximum_kg": round(OVERWEIGHT * square, 1)}


def basalMetabolicRate(weight_kg: Kilograms, height_cm: Centimetres, age: int, sex: Sex) -> Energy:
    """Energy a resting body needs in a day (Mifflin-St Jeor)."""
    _positive(weight_kg, height_cm, age)
    rest = 10 * weight_kg + 6.25 * height_cm - 5 * age + (5 if sex == "male" else -161)
    return {"kcal_per_day": round(rest, 1)}


def daily_calories(
    weight_kg: Kilograms,
    height_cm: Centimetres,
    age: int,
    sex: Sex,
    activity: Literal["sedentary", "light", "moderate", "active", "very active"] = "moderate",
) -> Energy:
    """Reach your goals! Calories that keep your weight, from the basal rate and how active you are."""
    rest = basalMetabolicRate(weight_kg, height_cm, age, sex)["kcal_per_day"]
    return {"kcal_per_day": round(rest * ACTIVITY[activity], 1)}


def heart_rate_zone(age: int) -> HeartRate:
    """Maximum heart rate (220 minus age) and the zone for endurance training, 60 to 80 percent of it."""
    _positive(age)
    top = 220 - age
    if top <= 0:
        raise ToolException("this formula does not hold for that age")
    return {"maximum": top, "training_from": round(0.6 * top), "training_to": round(0.8 * top)}


def calories_burned(
    weight_kg: Kilograms,
    minutes: float,
    met: Annotated[float, Field(description="metabolic equivalent of the activity")],
) -> Burned:
    """Energy burned by an activity."""
    _positive(weight_kg, minutes, met)
    return {"kcal": round(met * weight_kg * minutes / 60, 1)}


APIS = [bmi, healthy_weight, basalMetabolicRate, daily_calories, heart_rate_zone, calories_burned]
