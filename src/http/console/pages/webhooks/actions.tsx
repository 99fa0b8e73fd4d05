import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { replayDelivery, testEndpoint } from "../../../../domain/around/webhooks/deliveries.ts";
import { deleteEndpoint, setEndpointEnabled } from "../../../../domain/around/webhooks/endpoints.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { sentence } from "../../parts/phrases.ts";
import { hookOf, hostOf } from "./words.ts";
import { hookHref, WEBHOOKS } from "../../parts/hrefs.ts";

const HOOK = `${WEBHOOKS}/:id`;

export async function test(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const endpoint = hookOf(visit);
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
  const endpoint = hookOf(visit);
  const id = pathId("delivery", params["delivery"] ?? null);
  const done = await attempt(visit, async () => replayDelivery(db, by, { id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, hookHref(endpoint));
  const { webhooks } = view.words;
  const what = { title: webhooks.delivery.sentAgain, text: webhooks.testedText };
  return flash(visit, { kind: "good", ...what }, hookHref(endpoint));
}

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { id } = hookOf(visit);
  const endpoint = setEndpointEnabled(db, by, { id, enabled: true }, { now });
  const { webhooks } = view.words;
  const what = { title: webhooks.enabled, text: webhooks.enabledText };
  return flash(visit, { kind: "good", ...what }, hookHref(endpoint));
}

const disabling = form({
  path: `${HOOK}/disable`,
  permit: "setEndpointEnabled",
  of: hookOf,
  content: ({ view }, endpoint) => {
    const { webhooks: words } = view.words;
    return {
      title: words.disableTitle(view.format.name(hostOf(endpoint))),
      back: hookHref(endpoint),
      submit: words.disable,
      danger: true,
      text: <p>{words.disableText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => setEndpointEnabled(db, by, { id, enabled: false }, { now }),
  done: ({ view: { words } }) => words.webhooks.disabled,
});

const removal = form({
  path: `${HOOK}/delete`,
  permit: "deleteEndpoint",
  of: hookOf,
  content: ({ view }, endpoint) => {
    const { webhooks: words } = view.words;
    return {
      title: words.deleteTitle(view.format.name(hostOf(endpoint))),
      back: hookHref(endpoint),
      submit: words.delete,
      danger: true,
      leaves: true,
      text: <p>{words.deleteText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deleteEndpoint(db, by, { id }, { now }),
  done: ({ view: { words } }) => ({ title: words.webhooks.deleted, to: WEBHOOKS }),
});

export const webhookConfirmations = [...disabling, ...removal];

function notDone(visit: StaffVisit, { message }: DomainError, back: string): Response {
  const what = { title: visit.view.words.webhooks.notDone, text: sentence(message) };
  return flash(visit, { kind: "bad", ...what }, back);
}
