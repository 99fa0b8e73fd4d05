import { deletePaymentSource, setPaymentSourceEnabled } from "../../../../domain/desk/incoming/sources.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { sourceHref, sourceOf, SOURCES } from "./words.ts";

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { id } = sourceOf(visit);
  const source = setPaymentSourceEnabled(db, by, { id, enabled: true }, { now });
  const title = view.words.paymentSources.enabled(view.format.name(source.name));
  return flash(visit, { kind: "good", title }, sourceHref(source));
}

const disabling = form({
  path: `${SOURCES}/:id/disable`,
  permit: "setPaymentSourceEnabled",
  of: sourceOf,
  content: ({ view }, source) => {
    const { paymentSources: words } = view.words;
    return {
      title: words.disableTitle(view.format.name(source.name)),
      back: sourceHref(source),
      submit: words.disable,
      danger: true,
      text: <p>{words.disableText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => setPaymentSourceEnabled(db, by, { id, enabled: false }, { now }),
  done: ({ view }, { name }) => view.words.paymentSources.disabled(view.format.name(name)),
});

const removal = form({
  path: `${SOURCES}/:id/delete`,
  permit: "deletePaymentSource",
  of: sourceOf,
  content: ({ view }, source) => {
    const { paymentSources: words } = view.words;
    return {
      title: words.deleteTitle(view.format.name(source.name)),
      back: sourceHref(source),
      submit: words.delete,
      danger: true,
      leaves: true,
      text: <p>{words.deleteText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deletePaymentSource(db, by, { id }, { now }),
  done: ({ view }, { name }) => ({
    title: view.words.paymentSources.deleted(view.format.name(name)),
    to: SOURCES,
  }),
});

export const sourceConfirmations = [...disabling, ...removal];
