"""The walk of an office's program by the client that openapi-python-client has made: walk.py ADDRESS USERNAME PASSWORD."""

import base64
import sys
import uuid

from gatehouse_client import AuthenticatedClient, Client
from gatehouse_client.api.activation import activate
from gatehouse_client.api.money import take_payment
from gatehouse_client.api.packages import get_package
from gatehouse_client.api.places_and_choices import list_choices
from gatehouse_client.api.staff_authentication import login, profile
from gatehouse_client.api.subscribers import create_subscriber, get_subscriber, list_subscribers, update_subscriber
from gatehouse_client.models import Activate, CreateSubscriber, Error, ProfileStatus, LoginForm, TakePayment, UpdateSubscriber


def got(answer):
    if answer is None or isinstance(answer, Error):
        raise SystemExit(f"refused: {answer}")
    return answer


def same(seen, expected, what):
    if seen != expected:
        raise SystemExit(f"{what}: {seen}, not {expected}")


address, username, password = sys.argv[1:]
basic = base64.b64encode(f"{username}:{password}".encode()).decode()
office = AuthenticatedClient(base_url=address, token=basic, prefix="Basic")

token = got(login.sync(client=Client(base_url=address), body=LoginForm(email=username, password=password))).data.token
user = got(profile.sync(client=AuthenticatedClient(base_url=address, token=token))).data.user
same(user.username, username, "who is signed in")

choices = got(list_choices.sync(client=office))
sold = got(get_package.sync(choices.packages[0].id, client=office))
name = f"walk-py-{uuid.uuid4().hex[:8]}"
created = got(
    create_subscriber.sync(
        client=office,
        body=CreateSubscriber(
            isp_id=user.isp_id,
            name="Wanda Walker",
            username=name,
            password="pw-wanda",
            package_id=sold.id,
            connection_type_id=1,
            salesperson_id=choices.salespersons[0].id,
            nas_id=choices.nas[0].id,
            nic_number=name,
            mobile_number=name,
            email=f"{name}@example.com",
        ),
    )
)


def get():
    return got(get_subscriber.sync(created.id, client=office))


found = got(list_subscribers.sync(client=office, username=name, profile_status=ProfileStatus.INACTIVE))
same([one.id for one in found], [created.id], "who is listed by the filters")
seen = set()
for offset in range(0, 6, 2):
    page = list_subscribers.sync_detailed(client=office, limit=2, offset=offset)
    seen.update(one.id for one in got(page.parsed))
    same(len(seen), min(int(page.headers["x-total-count"]), offset + 2), "rows of the pages so far")

amount = sold.price + 0.1 + 0.2  # a sum of floats
body = TakePayment(user_id=created.id, amount=amount, method="cash")
taken = got(take_payment.sync(client=office, body=body, idempotency_key=name))
again = take_payment.sync_detailed(client=office, body=body, idempotency_key=name)
same(got(again.parsed).payment.id, taken.payment.id, "the payment of the same key")
same(again.headers["idempotent-replayed"], "true", "what a repeated answer says")
same(get().balance, round(amount, 2), "the balance to the cent")

body = Activate(user_id=created.id, package_id=sold.id)
same(got(activate.sync(client=office, body=body)).amount_charged, sold.price, "what was charged")
same(get().balance, 0.3, "what is left to the cent")
refused = activate.sync(client=office, body=body)
same(isinstance(refused, Error) and refused.code, "too_soon", "the code of a refusal")

same(get().email, f"{name}@example.com", "the address")
got(update_subscriber.sync(client=office, body=UpdateSubscriber(isp_id=user.isp_id, username=name, email=None)))
same(get().email, None, "the address that was cleared")
print(f"{name}: {sold.price} of {amount}")
