import { deletePaymentSource, setPaymentSourceEnabled } from "../../../../domain/desk/incoming/sources.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { formDrawer } from "../team/form.tsx";
import { sourceHref, sourceOf, SOURCES } from "./shown.ts";

export function enable(visit: StaffVisit): Response {
  return switched(visit, true);
}

export function disable(visit: StaffVisit): Response {
  return switched(visit, false);
}

function switched(visit: StaffVisit, enabled: boolean): Response {
  const { db, by, now, view } = visit;
  const { id } = sourceOf(visit);
  const source = setPaymentSourceEnabled(db, by, { id, enabled }, { now });
  const { paymentSources: words } = view.words;
  const name = view.format.name(source.name);
  const title = enabled ? words.enabled(name) : words.disabled(name);
  return said(visit, { kind: "good", title }, sourceHref(source));
}

export function askDisabling(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "setPaymentSourceEnabled");
  const source = sourceOf(visit);
  const { paymentSources: words } = view.words;
  return formDrawer(visit, {
    title: words.disableTitle(view.format.name(source.name)),
    ...{ action: `${sourceHref(source)}/disable`, back: sourceHref(source), danger: true },
    submit: words.disable,
    children: <p>{words.disableText}</p>,
  });
}

export function askRemoval(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "deletePaymentSource");
  const source = sourceOf(visit);
  const { paymentSources: words } = view.words;
  return formDrawer(visit, {
    title: words.deleteTitle(view.format.name(source.name)),
    ...{ action: `${sourceHref(source)}/delete`, back: sourceHref(source), danger: true, leaves: true },
    submit: words.delete,
    children: <p>{words.deleteText}</p>,
  });
}

export function remove(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const gone = deletePaymentSource(db, by, { id: sourceOf(visit).id }, { now });
  const title = view.words.paymentSources.deleted(view.format.name(gone.name));
  return said(visit, { kind: "good", title }, SOURCES);
}
