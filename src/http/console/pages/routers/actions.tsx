import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { countHolders } from "../../../../domain/goods/nas/find.ts";
import { nasWithSources } from "../../../../domain/goods/nas/list.ts";
import { removeNas, updateNas } from "../../../../domain/goods/nas/nas.ts";
import { routerStates } from "../../../../domain/service/outages/states.ts";
import { attempt } from "../../attempt.ts";
import { readTextField } from "../../../pages/text-of.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { newSecret } from "../../made-password.ts";
import { readRouterId } from "./state.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

export const routerRemoval = form({
  path: `${ROUTERS}/:id/remove`,
  permit: "removeNas",
  of: ({ db, by, ...visit }) => nasWithSources(db, by, readRouterId(visit)).router,
  content: (visit, { id, name }) => {
    const { db, by, now, needs, openSessions, view } = visit;
    const { remove } = view.words.routers;
    const [state] = routerStates(db, by, { nasId: id }, { now, arrivals: needs.arrivals, openSessions });
    const holders = countHolders(db, id);
    const sessions = state?.now?.sessions ?? 0;
    return {
      title: remove.title,
      lead: <bdi>{name}</bdi>,
      place: "routers",
      back: routerHref(id),
      submit: remove.confirm,
      danger: true,
      leaves: true,
      text: (
        <>
          <p>
            {remove.text(name)} {sessions > 0 && remove.lines(sessions)}
          </p>
          {holders > 0 && (
            <p>
              {remove.holders(holders)} <a href={`/console/subscribers?router=${id}`}>{remove.holdersLink}</a>
            </p>
          )}
        </>
      ),
      fields: holders > 0 ? [{ name: "detach", as: "tick", label: remove.detach }] : [],
    };
  },
  save: ({ db, by, now }, { id }, { detach }) =>
    removeNas(db, by, { nasId: id, detach: detach === "1" }, { now }),
  done: ({ needs, view }, { removed, detached, ended }, { id }) => {
    needs.routerTests.forget(id);
    const { remove } = view.words.routers;
    const count = view.format.number.bind(view.format);
    return {
      title: remove.done(removed.name),
      text: remove.doneText(count(detached), count(ended)),
      to: ROUTERS,
    };
  },
});

export const secretForm = form({
  path: `${ROUTERS}/:id/secret`,
  permit: "updateNas",
  of: ({ db, by, ...visit }) => nasWithSources(db, by, readRouterId(visit)).router,
  content: ({ view }, { id, name }) => {
    const { newSecret: words } = view.words.routers;
    return {
      title: words.title,
      lead: <bdi>{name}</bdi>,
      place: "routers",
      back: routerHref(id),
      submit: words.confirm,
      danger: true,
      leaves: true,
      text: <p>{words.text}</p>,
    };
  },
  save: ({ db, by, now }, { id }) =>
    updateNas(db, by, { nasId: id, input: { secret: newSecret() } }, { now }),
  done: ({ view: { words } }, _, { id }) => {
    const { done, doneText } = words.routers.newSecret;
    return { title: done, text: doneText, to: routerHref(id, "/setup") };
  },
});

/** Back to "auto" for one address. */
export async function forgetLatch(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { routers } = view.words;
  const nasId = readRouterId(visit);
  const address = readTextField(input, "address", 45);
  const done = await attempt(visit, async () =>
    updateNas(db, by, { nasId, input: {}, forget: address }, { now }),
  );
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: routers.notForgotten, text: done.message }, routerHref(nasId));
  return flash(
    visit,
    { kind: "good", title: routers.forgotten(address), text: routers.forgottenText },
    routerHref(nasId),
  );
}

/** Moves a router to the address that a packet came from. */
export async function takeAddress(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { saved } = view.words.routers;
  const nasId = readRouterId(visit);
  const address = readTextField(input, "address", 45);
  const back = routerHref(nasId, "/setup");
  const done = await attempt(visit, async () => updateNas(db, by, { nasId, input: { address } }, { now }));
  if (done instanceof DomainError) {
    const text = done.fields?.["address"]?.join(view.words.list.semicolon) ?? done.message;
    return flash(visit, { kind: "bad", title: saved.failed, text }, back);
  }
  return flash(visit, { kind: "good", title: saved.used(done.address), text: saved.usedText }, back);
}
