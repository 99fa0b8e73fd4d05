import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { replayDelivery, resendEvents, testEndpoint } from "../../../../domain/around/webhooks/deliveries.ts";
import { deleteEndpoint, setEndpointEnabled } from "../../../../domain/around/webhooks/endpoints.ts";
import { from } from "../../../../domain/core/fields/fields.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { pathId, read } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { form } from "../../parts/form.tsx";
import { removal, switching } from "../../parts/plain.tsx";
import { hookHost, readHook } from "./words.ts";
import { hookHref, WEBHOOKS } from "../../parts/hrefs.ts";

export async function test(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const endpoint = readHook(visit);
  const done = await attempt(visit, async () => testEndpoint(db, by, { id: endpoint.id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, hookHref(endpoint));
  const { webhooks } = view.words;
  return flash(
    visit,
    { kind: "good", title: webhooks.tested, text: webhooks.testedText },
    hookHref(endpoint),
  );
}

export async function sendAgain(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view, params } = visit;
  const endpoint = readHook(visit);
  const id = pathId("delivery", params["delivery"] ?? null);
  const done = await attempt(visit, async () => replayDelivery(db, by, { id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, hookHref(endpoint));
  const { webhooks } = view.words;
  const what = { title: webhooks.delivery.sentAgain, text: webhooks.testedText };
  return flash(visit, { kind: "good", ...what }, hookHref(endpoint));
}

/** Seconds that are offered. */
const OFFERED = 2 * 86_400;

const resending = form({
  path: `${WEBHOOKS}/:id/resend`,
  permit: "resendEvents",
  of: readHook,
  content: ({ view, now }, endpoint) => {
    const { webhooks: words } = view.words;
    return {
      title: words.resendTitle(view.format.name(hookHost(endpoint))),
      back: hookHref(endpoint),
      submit: words.resend,
      text: <p>{words.resendText}</p>,
      fields: [
        {
          name: "from",
          label: words.resendFrom,
          type: "date",
          value: formatTime(now - OFFERED).slice(0, 10),
          required: true,
        },
      ],
    };
  },
  save: ({ db, by, now }, { id }, values) => {
    const { from: since } = read({ fields: { from }, required: ["from"], example: {} }, values);
    return resendEvents(db, by, { id, from: since }, { now });
  },
  done: ({ view: { words, format } }, { sent, isAll }) => ({
    title: words.webhooks.resent(format.number(sent)),
    ...(!isAll && { text: words.webhooks.resentMore }),
  }),
});

const hook = {
  path: WEBHOOKS,
  of: readHook,
  name: hookHost,
  words: ({ webhooks }: StaffVisit["view"]["words"]) => webhooks,
};

export const webhookConfirmations = [
  ...resending,
  ...switching(hook, { permit: "setEndpointEnabled", run: setEndpointEnabled }),
  ...removal(hook, { permit: "deleteEndpoint", run: deleteEndpoint }),
];

function notDone(visit: StaffVisit, { message }: DomainError, back: string): Response {
  const what = { title: visit.view.words.webhooks.notDone, text: sentence(message) };
  return flash(visit, { kind: "bad", ...what }, back);
}
