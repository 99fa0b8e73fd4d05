import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { replayDelivery, testEndpoint } from "../../../../domain/around/webhooks/deliveries.ts";
import { deleteEndpoint, setEndpointEnabled } from "../../../../domain/around/webhooks/endpoints.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";
import { formDrawer } from "../team/form.tsx";
import { hookHref, hookOf, hostOf, WEBHOOKS } from "./shown.ts";

/** Calls it with an event of its own. */
export async function test(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const endpoint = hookOf(visit);
  const done = await attempt(visit, async () => testEndpoint(db, by, { id: endpoint.id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, hookHref(endpoint));
  const { webhooks } = view.words;
  return said(visit, { kind: "good", title: webhooks.tested, text: webhooks.testedText }, hookHref(endpoint));
}

export async function sendAgain(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view, params } = visit;
  const endpoint = hookOf(visit);
  const id = pathId("delivery", params["delivery"] ?? null);
  const done = await attempt(visit, async () => replayDelivery(db, by, { id }, { now }));
  if (done instanceof DomainError) return notDone(visit, done, hookHref(endpoint));
  const { webhooks } = view.words;
  const what = { title: webhooks.delivery.sentAgain, text: webhooks.testedText };
  return said(visit, { kind: "good", ...what }, hookHref(endpoint));
}

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { id } = hookOf(visit);
  const endpoint = setEndpointEnabled(db, by, { id, enabled: true }, { now });
  const { webhooks } = view.words;
  const what = { title: webhooks.enabled, text: webhooks.enabledText };
  return said(visit, { kind: "good", ...what }, hookHref(endpoint));
}

export function askDisabling(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "setEndpointEnabled");
  const endpoint = hookOf(visit);
  const { webhooks } = view.words;
  return formDrawer(visit, {
    title: webhooks.disableTitle(view.format.name(hostOf(endpoint))),
    ...{ action: `${hookHref(endpoint)}/disable`, back: hookHref(endpoint), danger: true },
    submit: webhooks.disable,
    children: <p>{webhooks.disableText}</p>,
  });
}

export function disable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { id } = hookOf(visit);
  const endpoint = setEndpointEnabled(db, by, { id, enabled: false }, { now });
  return said(visit, { kind: "good", title: view.words.webhooks.disabled }, hookHref(endpoint));
}

export function askRemoval(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "deleteEndpoint");
  const endpoint = hookOf(visit);
  const { webhooks } = view.words;
  return formDrawer(visit, {
    title: webhooks.deleteTitle(view.format.name(hostOf(endpoint))),
    ...{ action: `${hookHref(endpoint)}/delete`, back: hookHref(endpoint), danger: true, leaves: true },
    submit: webhooks.delete,
    children: <p>{webhooks.deleteText}</p>,
  });
}

export function remove(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  deleteEndpoint(db, by, { id: hookOf(visit).id }, { now });
  return said(visit, { kind: "good", title: view.words.webhooks.deleted }, WEBHOOKS);
}

function notDone(visit: StaffVisit, { message }: DomainError, back: string): Response {
  const what = { title: visit.view.words.webhooks.notDone, text: sentence(message) };
  return said(visit, { kind: "bad", ...what }, back);
}
