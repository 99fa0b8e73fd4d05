"""A check for schemathesis: what the caller's permissions (FLAGS) do not have is refused with 403 and its name, and what they have is not."""

import os
import re

import schemathesis

FLAGS = set(os.environ["FLAGS"].split(","))
# said before anybody looks at permissions: there is no such path or method, or nothing that could be read
SAID_BEFORE = {"malformed", "unknown_path", "method_not_allowed", "unsupported_media_type", "too_large"}


@schemathesis.check
def permission_conformance(ctx, response, case):
    needed = re.search(r"Permission: `(\w+)`", case.operation.definition.raw.get("description", ""))
    if not needed or response.status_code >= 500:
        return
    flag = needed[1]
    try:
        refusal = response.json() if response.status_code >= 400 else {}
    except ValueError:
        refusal = {}
    said = (refusal.get("code"), refusal.get("param")) if isinstance(refusal, dict) else (None, None)
    is_refused = said == ("permission_missing", flag)
    if is_refused:
        assert response.status_code == 403, f"{flag} is missing, said by {response.status_code}"
        assert flag not in FLAGS, f"{flag} is there, and is said to be missing"
    elif flag not in FLAGS:
        assert said[0] in SAID_BEFORE, f"{flag} is missing, and the answer is {response.status_code} {said}"
