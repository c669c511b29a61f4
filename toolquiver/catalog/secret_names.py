"""Which names say that what goes by them is secret: a credential, or a token that only leads on."""

from __future__ import annotations

import re

from toolquiver.catalog.text import content_words

SECRET_NAMES = frozenset(  # without their `x-` and what is no letter; names that mean nothing else
    "accesskey accesstoken apikey apisecret apitoken appkey appsecret authenticationtoken authkey authorization"
    " authtoken bearertoken clientsecret developerkey devkey mashapekey oauthtoken ocpapimsubscriptionkey privatetoken"
    " rapidapikey refreshtoken secretaccesskey secretkey subscriptionkey amzcredential amzsecuritytoken"
    " amzsignature".split()
)
LEADS_ON = re.compile(r"(?:client|continuation|cursor|idempoten|next|page|pagin|sync).*token$")
"""What begins so is a token that lets nobody in: it says where a list goes on, or that a request is the same."""

_WORDS = frozenset(
    "auth authorization bearer credential credentials cvv jwt key otp passcode passcodes passphrase passphrases passwd"
    " password passwords pin privatekey pwd secret secrets token".split()
)
_FINDS = re.compile(
    r"(?:cache|foreign|group|idempotency|index|pagination|partition|primary|public|range|row|sort|unique)key$"
)
_LETS_IN = frozenset("access api auth bearer pass refresh secret session".split())  # as in `page_access_token`


def letters(name: str) -> str:
    """A name without what differs from one spelling to the next: `X-API-Key` is `apikey`."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"^x[-_]", "", name.lower()))


def hides_value(name: str) -> bool:
    """Whether what goes by a name had better not be shown: more than what a request takes for a credential.

    A name of which `key` or `token` is but a word may mean anything, so it counts, unless it says what that is for.
    """
    plain, words = letters(name), set(content_words(name))
    if (LEADS_ON.match(plain) or _FINDS.match(plain)) and not _LETS_IN & words:
        return False
    spelled = {plain, *words}
    return bool(spelled & _WORDS or {one.removesuffix("s") for one in spelled} & SECRET_NAMES)
