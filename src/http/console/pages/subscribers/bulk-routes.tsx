import { randomUUID } from "node:crypto";
import { bulkJob, bulkResults, listBulkJobs, listBulkRows } from "../../../../domain/around/bulk/jobs.ts";
import { permitBulk, startBulk } from "../../../../domain/around/bulk/start.ts";
import { type Trial, tryBulk } from "../../../../domain/around/bulk/try.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { oneOf } from "../../../../domain/core/fields/fields.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { drawer, page } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { pageAsked } from "../../page-links.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { backOf, BulkForm } from "./bulk.tsx";
import { BULK } from "./bulk-bar.tsx";
import { JobPage, JobsPage, JOBS, ROWS } from "./job.tsx";
import { saysSomething } from "../messages/letter.tsx";
import { LIST } from "./query.ts";
import { givenOf, type Wanted, wantedIn, wantedOf } from "./selection.ts";

/** What is done to many: the preview, the start, how far it is, and what came of each. */
export const bulkRoutes = [
  staffPage(BULK, (visit) => {
    const wanted = wantedIn(visit);
    return wanted === null ? nobody(visit) : preview(visit, wanted, randomUUID());
  }),
  staffForm(`${BULK}/preview`, (visit, input) =>
    preview(visit, wantedOf(input), textOf(input, "key", 100) || randomUUID()),
  ),
  staffForm(BULK, async (visit, input) => {
    const wanted = wantedOf(input);
    const key = textOf(input, "key", 100);
    const started = await attempt(visit, async () => start(visit, wanted, key));
    if (!(started instanceof DomainError)) return seeOther(`${JOBS}/${started}`);
    const { fields = {}, message } = started;
    return preview(visit, wanted, key, { faults: fields, problem: message, status: 422 });
  }),
  staffPage(JOBS, (visit) => {
    const jobs = listBulkJobs(visit.db, visit.by, {
      operation: null,
      before: Number.MAX_SAFE_INTEGER,
      limit: 50,
    });
    return page(visit, <JobsPage visit={visit} jobs={jobs} />);
  }),
  staffPage(`${JOBS}/:id`, (visit) => {
    const { db, by, query, params } = visit;
    const id = idOf(params["id"] ?? "");
    const job = bulkJob(db, by, id);
    const result = oneOf(...bulkResults).read(query.get("result")) ?? null;
    const pageNumber = pageAsked(query);
    const choice = { result, descending: false, limit: ROWS, offset: (pageNumber - 1) * ROWS };
    const { rows, total } = listBulkRows(db, by, id, choice);
    return page(
      visit,
      <JobPage visit={visit} job={job} rows={rows} total={total} result={result} page={pageNumber} />,
    );
  }),
];

function idOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new DomainError("not_found", `there is no bulk operation ${text}`);
}

function start({ db, by, now }: StaffVisit, wanted: Wanted, key: string): number {
  const { operation, ids } = wanted;
  const given = sent(givenOf(wanted));
  return once(
    db,
    by,
    { path: BULK, key, input: { operation, ids: ids.join(","), ...given } },
    { now },
    (tx) => {
      permitBulk(by, operation);
      return () => startBulk(tx, by, { operation, ids, given }, { now });
    },
  );
}

/** What was filled in. */
const sent = (given: Record<string, string>) =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== "" || name === "reason"));

interface Refusal {
  readonly faults?: FieldErrors;
  readonly problem?: string;
  readonly status?: number;
}

/** Where nobody is chosen, and nothing can be done. */
function nobody(visit: StaffVisit): Response {
  const { bulk } = visit.view.words.subscribers;
  permit(visit.by, "tryBulk");
  return drawer(visit, {
    title: bulk.bar,
    place: "subscribers",
    back: LIST,
    children: <p class="drawer-body">{bulk.nobody}</p>,
  });
}

async function preview(visit: StaffVisit, wanted: Wanted, formKey: string, refusal: Refusal = {}) {
  const { view } = visit;
  const words = view.words.subscribers.bulk;
  const { operation, ids } = wanted;
  if (ids.length === 0) return nobody(visit);
  permitBulk(visit.by, operation);
  const tried = await attempt(visit, async () => trialOf(visit, wanted));
  const isRefused = tried instanceof DomainError;
  const faults = refusal.faults ?? (isRefused ? (tried.fields ?? {}) : {});
  return drawer(visit, {
    title: words.title[operation](view.format.number(ids.length), ids.length === 1),
    place: "subscribers",
    back: backOf(wanted),
    status: refusal.status ?? 200,
    children: (
      <BulkForm
        visit={visit}
        wanted={wanted}
        trial={isRefused ? null : tried}
        faults={faults}
        formKey={formKey}
        problem={refusal.problem}
      />
    ),
  });
}

/** A reason that is still to be written changes nothing of what would come of it; what is still to be chosen does. */
function trialOf({ db, by, now }: StaffVisit, wanted: Wanted): Promise<Trial | null> | null {
  const { operation, ids, typed } = wanted;
  if (operation === "message" && !saysSomething(typed)) return null;
  const filled =
    operation === "extend" ? { ...wanted, typed: { count: "1", ...typed, reason: "?" } } : wanted;
  const given = sent(givenOf(filled));
  const needsChoice = operation !== "disable" && operation !== "enable";
  if (needsChoice && Object.keys(given).length === 0) return null;
  return tryBulk(db, by, { operation, ids, given }, { now });
}
