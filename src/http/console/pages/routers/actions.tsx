import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { countHolders } from "../../../../domain/goods/nas/find.ts";
import { nasOfId } from "../../../../domain/goods/nas/list.ts";
import { removeNas, updateNas } from "../../../../domain/goods/nas/nas.ts";
import { routerStates } from "../../../../domain/service/outages/states.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { drawer, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { newSecret } from "./form.tsx";
import { hrefOf, idOf, PATH } from "./state.ts";

/** Asks before a router goes, and says what stands in its way. */
export function removePage(visit: StaffVisit): Response {
  permit(visit.by, "removeNas");
  const nasId = idOf(visit);
  const { db, by, now, needs, view, formToken } = visit;
  const { router } = nasOfId(db, by, nasId);
  const { remove } = view.words.routers;
  const [state] = routerStates(db, by, { nasId }, { now, arrivals: needs.arrivals });
  const holders = countHolders(db, nasId);
  const sessions = state?.now?.sessions ?? 0;
  return drawer(visit, {
    ...{ title: remove.title, place: "routers", back: hrefOf(nasId) },
    lead: <bdi>{router.name}</bdi>,
    children: (
      <form method="post" action={hrefOf(nasId, "/remove")}>
        <FormToken value={formToken} />
        <div class="drawer-body">
          <p>
            {remove.text(router.name)} {sessions > 0 && remove.lines(view.format.number(sessions))}
          </p>
          {holders > 0 && (
            <>
              <p>
                {remove.holders(view.format.number(holders))}{" "}
                <a href={`/console/subscribers?router=${nasId}`}>{remove.holdersLink}</a>
              </p>
              <Check name="detach" label={remove.detach} />
            </>
          )}
        </div>
        <div class="drawer-foot">
          <Button kind="danger" size="large">
            {remove.confirm}
          </Button>
        </div>
      </form>
    ),
  });
}

export async function removeRouter(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, needs, sessionKey } = visit;
  const nasId = idOf(visit);
  const { remove } = view.words.routers;
  const detach = input["detach"] === "1";
  const done = await attempt(visit, async () => removeNas(db, by, { nasId, detach }, { now }));
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: remove.failed, text: done.message }, hrefOf(nasId));
  needs.routerTests.forget(nasId);
  const count = view.format.number.bind(view.format);
  needs.notes.add(sessionKey, {
    kind: "good",
    title: remove.done(done.removed.name),
    text: remove.doneText(count(done.detached), count(done.ended)),
  });
  return seeOther(PATH);
}

/** Asks before the router is not understood any more. */
export function secretPage(visit: StaffVisit): Response {
  permit(visit.by, "updateNas");
  const nasId = idOf(visit);
  const { router } = nasOfId(visit.db, visit.by, nasId);
  const { newSecret: words } = visit.view.words.routers;
  return drawer(visit, {
    ...{ title: words.title, place: "routers", back: hrefOf(nasId) },
    lead: <bdi>{router.name}</bdi>,
    children: (
      <form method="post" action={hrefOf(nasId, "/secret")}>
        <FormToken value={visit.formToken} />
        <div class="drawer-body">
          <p>{words.text}</p>
        </div>
        <div class="drawer-foot">
          <Button kind="danger" size="large">
            {words.confirm}
          </Button>
        </div>
      </form>
    ),
  });
}

export function replaceSecret(visit: StaffVisit): Response {
  const { db, by, now, needs, sessionKey, view } = visit;
  const nasId = idOf(visit);
  const { newSecret: words } = view.words.routers;
  updateNas(db, by, { nasId, input: { secret: newSecret() } }, { now });
  needs.notes.add(sessionKey, { kind: "good", title: words.done, text: words.doneText });
  return seeOther(hrefOf(nasId, "/setup"));
}

/** "auto" begins anew for one address. */
export async function forgetLatch(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { routers } = view.words;
  const nasId = idOf(visit);
  const address = textOf(input, "address", 45);
  const done = await attempt(visit, async () =>
    updateNas(db, by, { nasId, input: {}, forget: address }, { now }),
  );
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: routers.notForgotten, text: done.message }, hrefOf(nasId));
  return said(
    visit,
    { kind: "good", title: routers.forgotten(address), text: routers.forgottenText },
    hrefOf(nasId),
  );
}

/** A packet came from another address: that is the router's. */
export async function takeAddress(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { saved } = view.words.routers;
  const nasId = idOf(visit);
  const address = textOf(input, "address", 45);
  const back = hrefOf(nasId, "/setup");
  const done = await attempt(visit, async () => updateNas(db, by, { nasId, input: { address } }, { now }));
  if (done instanceof DomainError) {
    const text = done.fields?.["address"]?.join("; ") ?? done.message;
    return said(visit, { kind: "bad", title: saved.failed, text }, back);
  }
  return said(visit, { kind: "good", title: saved.used(done.address), text: saved.usedText }, back);
}
