import { receiveNotice, noticeFields, noticeRequired } from "../../domain/desk/incoming/receive-notice.ts";
import { renewedBy } from "../../domain/desk/incoming/receive.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import {
  arrivedSchema,
  exampleArrived,
  type ArrivedJson,
  arrivedToJson,
} from "../../wire/incoming-payment.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const receive = managed({
  method: "POST",
  path: "/api/v1/payment/receive",
  takesKey: false, // its external_id tells whether it came before
  operation: "receivePayment",
  operationId: "receivePayment",
  tags: ["Payments that arrive"],
  summary: "Tell of a payment that was made elsewhere",
  description:
    "Into the wallet, on what is owed, and a service that has ended is renewed, with a receipt: once for each `external_id` of a `provider`, however often it is told. `user_id`, `username`, `invoice` or `reference`, one of them, says whose it is; what cannot be booked (nobody is known by it, another currency) is kept for staff, with why, and answered 200 too: look at `state`. Takes HTTP Basic of an account whose role has `api_access` and this permission, which needs no other one; or no account, with the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), signed with the secret of a payment source.",
  form: {
    ...managementForm(noticeFields, noticeRequired, {
      external_id: "T-20300115-7",
      provider: "till",
      amount: 22,
      currency: "USD",
      paid_at: "2030-01-15 11:59:58",
      reference: "5724",
    }),
    narrowedBy: [],
  },
  signed: true,
  success: {
    description:
      "`state` booked, or unmatched: it waits for staff. The same body gets the first answer again.",
    schema: arrivedSchema,
    example: exampleArrived,
  },
  refusals: { 409: "The same external_id of this provider was told with another body; nothing was booked." },
  run: ({ db, by, values: value, input, now, source, renewed }): ArrivedJson => {
    const toAnswer = (payment: Parameters<typeof arrivedToJson>[0]) => JSON.stringify(arrivedToJson(payment));
    const arrived = receiveNotice(db, by, { values: value, input }, { now, source, toAnswer });
    const subscriberId = renewedBy(arrived);
    if (subscriberId !== null) renewed(subscriberById(db, by.scope, subscriberId));
    return JSON.parse(arrived.answer ?? toAnswer(arrived));
  },
});

export const paymentReceiveOperations = [receive];
