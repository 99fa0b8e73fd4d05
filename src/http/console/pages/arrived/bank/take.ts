import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { type Assigned, assignGuessed } from "../../../../../domain/desk/incoming/assign.ts";
import { takeBankFile } from "../../../../../domain/desk/incoming/bank/files.ts";
import { flash } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { awaitRouter } from "../../../parts/router-answer.ts";
import { ARRIVED } from "../../../parts/hrefs.ts";
import { bankInput, type BankUpload, listMethods, readTicks } from "./upload.ts";

/** Stores new lines and books the ticked ones for the subscribers shown; the result is on the next page, so that a reload does nothing. */
export async function takeLines(visit: StaffVisit, file: BankUpload, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { bankFiles: words } = view.words;
  const ticks = readTicks(input);
  const lines = takeBankFile(db, by, bankInput(file, input), { now });
  const fresh = lines.filter(({ state }) => state === "new");
  const ids = fresh
    .filter(({ line, guess }) => guess !== null && ticks.has(`${line}:${guess.subscriberId}`))
    .flatMap(({ incomingId }) => incomingId ?? []);
  const first = words.taken(fresh.length);
  return bookAll(visit, { ids, first, ...listMethods(visit, file.ispId, String(input["method"])) });
}

interface Booking {
  readonly ids: readonly number[];
  readonly method: string;
  /** The beginning of the message. */
  readonly first?: string;
}

/** Books those with a guessed subscriber; says how many, and why others were not. */
export async function bookAll(visit: StaffVisit, { ids, method, first }: Booking): Promise<Response> {
  const { db, by, now, view } = visit;
  const { bankFiles: words } = view.words;
  const results = assignGuessed(db, by, { ids, method }, { now });
  await tellRouters(visit, results);
  const booked = results.filter((one) => one.booked !== null).length;
  const refusals = results.flatMap(({ refusal }) => refusal ?? []);
  const title = words.booked(booked);
  const refused =
    refusals.length > 0 &&
    words.notBooked(refusals.length, [...new Set(refusals)].join(view.words.list.semicolon));
  const text = [first, refused].filter(Boolean).join(" ");
  return flash(visit, { kind: refusals.length > 0 ? "bad" : "good", title, text }, ARRIVED);
}

/** Tells routers of open sessions of the renewals; the page waits a moment at the most. */
async function tellRouters({ db, needs, view }: StaffVisit, results: readonly Assigned[]): Promise<void> {
  const sales = results.flatMap(({ booked }) =>
    booked !== null && booked.renewal !== null && typeof booked.renewal === "object"
      ? { subscriberId: booked.subscriberId, invoiceId: booked.renewal.invoiceId }
      : [],
  );
  await Promise.all(sales.map((sale) => awaitRouter(db, sale, needs, view.words.arrived.late)));
}
