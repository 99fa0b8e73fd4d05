import { applyExtension } from "../../../../domain/service/control/apply-change.ts";
import { disableSubscriber } from "../../../../domain/service/control/disable.ts";
import type { Ended } from "../../../../domain/service/control/disconnect.ts";
import { type Answered, endAnswered } from "../../../../domain/service/control/end-answered.ts";
import { freezeSubscriber } from "../../../../domain/desk/subscriber-page/freeze.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { archiveSubscriber, restoreSubscriber } from "../../../../domain/desk/subscriber-page/archive.ts";
import { thawSubscriber } from "../../../../domain/desk/subscriber-page/freeze-service.ts";
import { unlockMac } from "../../../../domain/goods/subscribers/mac.ts";
import { setSubscriberStatus } from "../../../../domain/goods/subscribers/status.ts";
import { takeDevice } from "../../../../domain/desk/subscriber-page/take-device.ts";
import { failedAtOnce } from "../../../pages/attempt.ts";
import { flash } from "../../answers.tsx";
import { staffForm, type StaffVisit } from "../../guard.ts";
import type { Flash } from "../../notes.ts";
import { storedTold } from "../../attempt.ts";
import { makePhrases, sentence } from "../../parts/phrases.ts";
import { readSubscriberId, subscriberPath } from "./context.ts";
import { extend } from "../../../../domain/service/activation/extend.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../domain/goods/subscribers/find.ts";

const PAGE = "/console/subscribers/:id";

type Done = Omit<Flash, "kind"> & { readonly kind?: Flash["kind"] };
type Work = (visit: StaffVisit, subscriberId: number, input: Input) => Done | Promise<Done>;

/** One press, with its result on the subscriber's page. */
function action(name: string, work: Work) {
  return staffForm(`${PAGE}/${name}`, async (visit, input) => {
    const id = readSubscriberId(visit);
    const done = work(visit, id, input);
    const { kind = "good", ...what } = done instanceof Promise ? await failedAtOnce(done) : done;
    return flash(visit, { kind, ...what }, subscriberPath(id));
  });
}

const flashWords = ({ view }: StaffVisit) => view.words.subscriber.said;
const controlNeeds = ({ needs: { clock, routers } }: StaffVisit) => ({ clock, routers });
const textOrNone = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const disconnect = action("disconnect", async (visit, subscriberId, { session }) => {
  const { db, by } = visit;
  const words = flashWords(visit);
  const chosen = {
    subscriberId,
    sessionId: /^\d+$/.test(textOrNone(session) ?? "") ? Number(session) : undefined,
  };
  const { answers, isConfirmed, open } = await endAnswered(db, by, chosen, controlNeeds(visit));
  if (answers.length === 0) return { title: words.nothingOpen };
  const stands = open > 0 ? words.stillOpen(open) : words.nowOffline;
  const results = answers.map((answer) => describeAnswer(visit, answer));
  const failed = answers.some(({ answer }) => answer.kind === "failed");
  const seen = isConfirmed ? words.confirmed : "";
  return {
    kind: failed ? "bad" : "good",
    title: results.map(({ title }) => title).join(" "),
    text: [...results.map(({ text }) => text), seen, stands].filter(Boolean).join(" "),
  };
});

/** The router's answer and its time. */
function describeAnswer(
  visit: StaffVisit,
  { answer, nasName, took }: Answered,
): { title: string; text: string } {
  const words = flashWords(visit);
  const router = nasName ?? words.router;
  if (answer.kind === "acknowledged") return { title: words.ended(router), text: words.after(took) };
  if (answer.kind === "gone") return { title: words.gone(router), text: words.after(took) };
  const why = sentence(storedTold(visit.view, answer.reason));
  return answer.isSilent
    ? { title: words.silent(router), text: `${words.waited((took / 1000).toFixed(1))} ${why}` }
    : { title: words.refused(router), text: `${words.after(took)} ${why}` };
}

function describeEnded(visit: StaffVisit, { ended, failures }: Ended): string {
  const words = flashWords(visit);
  return failures.length === 0
    ? words.sessionsEnded(ended)
    : words.notEnded(
        failures.map((one) => storedTold(visit.view, one)).join(visit.view.words.list.semicolon),
      );
}

const enable = action("enable", (visit, subscriberId) => {
  setSubscriberStatus(visit.db, visit.by, { subscriberId, enabled: true }, { now: visit.now });
  return { title: flashWords(visit).enabled, text: flashWords(visit).enabledText };
});

const disable = action("disable", async (visit, subscriberId) => {
  const ended = await failedAtOnce(
    disableSubscriber(visit.db, visit.by, { subscriberId }, controlNeeds(visit)),
  );
  return { title: flashWords(visit).disabled, text: describeEnded(visit, ended) };
});

const freeze = action("freeze", async (visit, subscriberId) => {
  const words = flashWords(visit);
  const frozen = await failedAtOnce(
    freezeSubscriber(visit.db, visit.by, { subscriberId }, controlNeeds(visit)),
  );
  const until = visit.view.format.weekTime(frozen.until);
  return { title: words.frozen, text: `${words.frozenText(until)} ${describeEnded(visit, frozen)}` };
});

const thaw = action("thaw", (visit, subscriberId) => {
  const { expiresAt } = thawSubscriber(visit.db, visit.by, { subscriberId }, { now: visit.now });
  return {
    title: flashWords(visit).thawed,
    text: flashWords(visit).runsUntil(visit.view.format.weekTime(expiresAt)),
  };
});

const archive = action("archive", async (visit, subscriberId) => {
  const ended = await failedAtOnce(
    archiveSubscriber(visit.db, visit.by, { subscriberId }, controlNeeds(visit)),
  );
  return { title: flashWords(visit).archived, text: describeEnded(visit, ended) };
});

const restore = action("restore", (visit, subscriberId) => {
  restoreSubscriber(visit.db, visit.by, { subscriberId }, { now: visit.now });
  return { title: flashWords(visit).restored, text: flashWords(visit).restoredText };
});

const unlock = action("unlock", (visit, subscriberId) => {
  unlockMac(visit.db, visit.by, { subscriberId }, { now: visit.now });
  return { title: flashWords(visit).unlocked, text: flashWords(visit).unlockedText };
});

const take = action("take-device", (visit, subscriberId, { mac }) => {
  const taken = takeDevice(visit.db, visit.by, { subscriberId, mac: textOrNone(mac) }, { now: visit.now });
  const { device } = makePhrases(visit.view, "USD");
  return { title: flashWords(visit).taken(device(taken.mac)), text: flashWords(visit).takenText };
});

const HOURS = 24;

const trust = action("trust", async (visit, subscriberId, { key }) => {
  const { db, view } = visit;
  const words = flashWords(visit);
  const reason = view.words.subscriber.forms.trustReason;
  const { expiresAt } = extendOnce(visit, { subscriberId, hours: HOURS, reason, trust: true }, key);
  const session = await applyExtension(db, { subscriberId }, controlNeeds(visit));
  return { title: words.extended(view.format.weekTime(expiresAt)), text: `${words.onTrust} ${session}` };
});

export const actionRoutes = [
  ...[disconnect, enable, disable, freeze, thaw, archive, restore, unlock, take, trust],
];

type Extension = Parameters<typeof extend>[2];

/** Extends the service once for the form's key. */
function extendOnce({ db, by, now, path }: StaffVisit, extension: Extension, key: unknown) {
  const keyed = {
    path,
    key: typeof key === "string" && key !== "" ? key : crypto.randomUUID(),
    input: { ...extension },
  };
  return once(db, by, keyed, { now }, (tx) => {
    permit(by, "extend");
    subscriberById(tx, by.scope, extension.subscriberId);
    return () => extend(tx, by, extension, { now });
  });
}
