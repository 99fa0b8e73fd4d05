import { randomUUID } from "node:crypto";
import { bulkJob, bulkResults, listBulkJobs, listBulkRows } from "../../../../domain/around/bulk/jobs.ts";
import { permitBulk, startBulk } from "../../../../domain/around/bulk/start.ts";
import { type Trial, tryBulk } from "../../../../domain/around/bulk/try.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { oneOf } from "../../../../domain/core/fields/fields.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { drawer, page } from "../../answers.tsx";
import { type StaffVisit, staffForm, staffPage } from "../../guard.ts";
import { pageCounted } from "../../parts/pager.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { backHref, BulkForm } from "./bulk.tsx";
import { BULK, SUBSCRIBERS } from "../../parts/hrefs.ts";
import { JobPage, JobsPage, JOBS, ROWS } from "./job.tsx";
import { isWritten } from "../../parts/letter.tsx";
import { toInput, type BulkSelection, selectionIn, readSelection } from "./selection.ts";

export const bulkRoutes = [
  staffPage(BULK, (visit) => {
    const selection = selectionIn(visit);
    return selection === null ? nobody(visit) : preview(visit, selection, randomUUID());
  }),
  staffForm(`${BULK}/preview`, (visit, input) =>
    preview(visit, readSelection(input), readTextField(input, "key", 100) || randomUUID()),
  ),
  staffForm(BULK, async (visit, input) => {
    const selection = readSelection(input);
    const key = readTextField(input, "key", 100);
    const started = await attempt(visit, async () => start(visit, selection, key));
    if (!(started instanceof DomainError)) return seeOther(`${JOBS}/${started}`);
    const { fields = {}, message } = started;
    return preview(visit, selection, key, { faults: fields, problem: message, status: 422 });
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
    const job = bulkJob(db, by, parseJobId(params["id"] ?? ""));
    const result = oneOf(...bulkResults).read(query.get("result")) ?? null;
    const { rows, total } = pageCounted(query, ROWS, (paging) =>
      listBulkRows(db, by, job, { result, descending: false, ...paging }),
    );
    return page(visit, <JobPage visit={visit} job={job} rows={rows} total={total} result={result} />);
  }),
];

function parseJobId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new DomainError("not_found", phrase`there is no bulk operation ${text}`);
}

function start({ db, by, now, view }: StaffVisit, selection: BulkSelection, key: string): number {
  const { operation, ids } = selection;
  const values = sent(toInput(view, selection));
  return once(
    db,
    by,
    { path: BULK, key, input: { operation, ids: ids.join(","), ...values } },
    { now },
    (tx) => {
      permitBulk(by, operation);
      return () => startBulk(tx, by, { operation, ids, values }, { now });
    },
  );
}

const sent = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== "" || name === "reason"));

interface Refusal {
  readonly faults?: FieldErrors;
  readonly problem?: string;
  readonly status?: number;
}

/** The answer where nobody is chosen. */
function nobody(visit: StaffVisit): Response {
  const { bulk } = visit.view.words.subscribers;
  permit(visit.by, "tryBulk");
  return drawer(visit, {
    title: bulk.bar,
    place: "subscribers",
    back: SUBSCRIBERS,
    children: <p class="drawer-body">{bulk.nobody}</p>,
  });
}

async function preview(visit: StaffVisit, selection: BulkSelection, formKey: string, refusal: Refusal = {}) {
  const { view } = visit;
  const words = view.words.subscribers.bulk;
  const { operation, ids } = selection;
  if (ids.length === 0) return nobody(visit);
  permitBulk(visit.by, operation);
  const tried = await attempt(visit, async () => trySelection(visit, selection));
  const isRefused = tried instanceof DomainError;
  const faults = refusal.faults ?? (isRefused ? (tried.fields ?? {}) : {});
  return drawer(visit, {
    title: words.title[operation](ids.length),
    place: "subscribers",
    back: backHref(selection),
    status: refusal.status ?? 200,
    children: (
      <BulkForm
        visit={visit}
        selection={selection}
        trial={isRefused ? null : tried}
        faults={faults}
        formKey={formKey}
        problem={refusal.problem}
      />
    ),
  });
}

/** A reason that is still to be written changes nothing of what would come of it; what is still to be chosen does. */
function trySelection(
  { db, by, now, view }: StaffVisit,
  selection: BulkSelection,
): Promise<Trial | null> | null {
  const { operation, ids, values } = selection;
  if (operation === "message" && !isWritten(values)) return null;
  const filled =
    operation === "extend" ? { ...selection, values: { duration: "1", ...values, reason: "?" } } : selection;
  const value = sent(toInput(view, filled));
  const needsChoice = operation !== "disable" && operation !== "enable";
  if (needsChoice && Object.keys(value).length === 0) return null;
  return tryBulk(db, by, { operation, ids, values: value }, { now });
}
