"""How a model is asked goes by its profile, and by its class where that says nothing."""

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI

from toolquiver.models import (
    ScriptedModel,
    action_form,
    decision_method,
    takes_orders_whole,
)
from toolquiver.models.local.chat import LocalChatModel


class ToolCaller(FakeListChatModel):
    def bind_tools(self, tools, **_):
        return self


@pytest.mark.parametrize(
    ("profile", "method"),
    [
        ({"structured_output": True, "tool_calling": True}, "json_schema"),
        ({"structured_output": False, "tool_calling": True}, "function_calling"),
        ({"tool_calling": True}, "function_calling"),
        ({"tool_calling": False}, "prompt"),
        ({"structured_output": False, "tool_calling": False}, "prompt"),
    ],
)
def test_the_profile_decides(profile, method):
    assert decision_method(ToolCaller(responses=[], profile=profile)) == method
    assert decision_method(ScriptedModel(str, profile=profile)) == method


def test_without_a_profile_the_class_decides():
    assert decision_method(ToolCaller(responses=[])) == "function_calling"
    assert decision_method(FakeListChatModel(responses=[])) == "prompt"
    assert decision_method(ChatOpenAI(model="my-own-server", api_key="x")) == "json_schema"


def test_a_model_that_langchain_has_a_profile_of_goes_by_it():
    assert decision_method(ChatOpenAI(model="gpt-4o-mini", api_key="x")) == "json_schema"


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model.with_config(tags=["mine"]),
        lambda model: model.bind(temperature=0).with_config(tags=["mine"]),
        lambda model: model.with_fallbacks([model]),
        lambda model: model.with_config(tags=["mine"]).with_fallbacks([model]).with_config(tags=["all"]),
    ],
)
def test_a_model_with_tags_arguments_or_fallbacks_is_asked_as_the_one_inside(wrap):
    hosted = wrap(ChatOpenAI(model="my-own-server", api_key="x"))
    assert (decision_method(hosted), action_form(hosted)) == ("json_schema", "native")
    plain = wrap(FakeListChatModel(responses=[]))
    assert (decision_method(plain), action_form(plain)) == ("prompt", "written")


def test_the_local_model_takes_orders_whole_and_others_only_if_they_say_so():
    assert takes_orders_whole(LocalChatModel(model="local", api_key="x", base_url="http://127.0.0.1:1"))
    assert not takes_orders_whole(ScriptedModel(str, profile={}))
