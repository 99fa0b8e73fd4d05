import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { type Assigned, assignGuessed } from "../../../../../domain/desk/incoming/assign.ts";
import { takeBankFile } from "../../../../../domain/desk/incoming/bank/files.ts";
import { flash } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { answerOf } from "../../../parts/router-answer.ts";
import { ARRIVED } from "../../../parts/hrefs.ts";
import { bankInput, type BankUpload, methodsOf, ticksOf } from "./upload.ts";

/** Takes the new lines, and books those that are ticked for whom they were ticked; told on the page that follows, so that a reload does nothing. */
export async function takeLines(visit: StaffVisit, file: BankUpload, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { bankFiles: words } = view.words;
  const ticks = ticksOf(input);
  const lines = takeBankFile(db, by, bankInput(file, input), { now });
  const fresh = lines.filter(({ state }) => state === "new");
  const ids = fresh
    .filter(({ line, guess }) => guess !== null && ticks.has(`${line}:${guess.subscriberId}`))
    .flatMap(({ incomingId }) => incomingId ?? []);
  const first = words.taken(fresh.length, view.format.number(fresh.length));
  return bookAll(visit, { ids, first, ...methodsOf(visit, file.ispId, String(input["method"])) });
}

interface Booking {
  readonly ids: readonly number[];
  readonly method: string;
  /** Said before what was booked. */
  readonly first?: string;
}

/** Books those that are thought to be somebody's, and says how many were and why others were not. */
export async function bookAll(visit: StaffVisit, { ids, method, first }: Booking): Promise<Response> {
  const { db, by, now, view } = visit;
  const { bankFiles: words } = view.words;
  const results = assignGuessed(db, by, { ids, method }, { now });
  await tellRouters(visit, results);
  const booked = results.filter((one) => one.booked !== null).length;
  const refusals = results.flatMap(({ refusal }) => refusal ?? []);
  const title = words.booked(booked, view.format.number(booked));
  const refused =
    refusals.length > 0 &&
    words.notBooked(refusals.length, view.format.number(refusals.length), [...new Set(refusals)].join("; "));
  const text = [first, refused].filter(Boolean).join(" ");
  return flash(visit, { kind: refusals.length > 0 ? "bad" : "good", title, text }, ARRIVED);
}

/** The routers of open sessions are told what was renewed; who waits does so for a moment at the most. */
async function tellRouters({ db, needs, view }: StaffVisit, results: readonly Assigned[]): Promise<void> {
  const sales = results.flatMap(({ booked }) =>
    booked !== null && booked.renewal !== null && typeof booked.renewal === "object"
      ? { subscriberId: booked.subscriberId, invoiceId: booked.renewal.invoiceId }
      : [],
  );
  await Promise.all(sales.map((sale) => answerOf(db, sale, needs, view.words.arrived.late)));
}
