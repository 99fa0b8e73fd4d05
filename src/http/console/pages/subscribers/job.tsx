import { storedTold } from "../../attempt.ts";
import { Empty } from "../../../pages/parts/empty.tsx";
import type { BulkJob, BulkResult, BulkRow } from "../../../../domain/around/bulk/jobs.ts";
import { bulkName } from "../../../../domain/around/bulk/operations.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { messagePages } from "../../parts/messages-frame.tsx";
import { SUBSCRIBERS } from "../../parts/hrefs.ts";
import { actorName } from "../../parts/phrases.ts";

export const JOBS = `${SUBSCRIBERS}/jobs`;
export const ROWS = 100;

interface JobProps {
  visit: StaffVisit;
  job: BulkJob;
  rows: readonly BulkRow[];
  total: number;
  result: BulkResult | null;
}

export function JobPage({ visit, job, rows, total, result }: JobProps) {
  const { view } = visit;
  const words = view.words.subscribers.job;
  const here = `${JOBS}/${job.id}`;
  const isRunning = job.finishedAt === null;
  const named = rows.map((row) => ({ ...row, isMessage: job.operation === "message" }));
  const again = isRunning
    ? {
        "hx-get": here,
        "hx-trigger": "every 1s",
        "hx-select": "#job",
        "hx-target": "this",
        "hx-swap": "outerMorph",
      }
    : {};
  return (
    <Frame
      visit={visit}
      title={jobTitle(visit, job)}
      place="subscribers"
      back={{ href: JOBS, label: words.list }}
    >
      <div class="page-head">
        <h1>{jobTitle(visit, job)}</h1>
        <div class="actions">
          {isRunning && <a href={here}>{words.refresh}</a>}
          {job.operation === "message" && may(visit.by, "message_view") && seesWholeIsp(visit.by.scope) && (
            <a href={messagePages.outbox}>{view.words.messageWriting.many.outbox}</a>
          )}
        </div>
      </div>
      <div id="job" class="stack" {...again}>
        <Progress visit={visit} job={job} />
        <ResultViews visit={visit} job={job} result={result} />
        <Results visit={visit} rows={named} total={total} limit={ROWS} />
      </div>
    </Frame>
  );
}

function jobTitle({ view }: Pick<StaffVisit, "view">, job: BulkJob): string {
  const name = bulkName.read(job.operation);
  return name === undefined ? job.operation : view.words.subscribers.job.title[name];
}

function Progress({ visit: { view }, job }: { visit: StaffVisit; job: BulkJob }) {
  const { format, words } = view;
  const phrases = words.subscribers.job;
  const { total, done, refused, finishedAt, actor, createdAt } = job;
  const share = total === 0 ? 1 : (done + refused) / total;
  const sentence = finishedAt === null ? phrases.running : phrases.finished;
  return (
    <Card
      title={sentence(format.number(done), format.number(total))}
      aside={phrases.startedBy(actor, format.timeNear(createdAt, view.now))}
    >
      {refused > 0 && <p>{refused === 1 ? phrases.leftOne : phrases.left(refused)}</p>}
      <div aria-live="polite">
        <ShareBar share={share} label={phrases.progress(format.percent(share))} />
      </div>
    </Card>
  );
}

function ResultViews({ visit: { view }, job, result }: Pick<JobProps, "visit" | "job" | "result">) {
  const phrases = view.words.subscribers.job;
  const href = `${JOBS}/${job.id}`;
  const { total, done, refused } = job;
  const tabs = [
    { name: null, label: phrases.all, count: total },
    { name: "done" as const, label: phrases.done, count: done },
    { name: "refused" as const, label: phrases.refused, count: refused },
    { name: "waiting" as const, label: phrases.waiting, count: total - done - refused },
  ].map(({ name, label, count }) => ({
    href: name === null ? href : `${href}?result=${name}`,
    label,
    count: view.format.number(count),
    current: name === result,
  }));
  return <Segments label={phrases.result} tabs={tabs} />;
}

export const Results = list<BulkRow & { readonly isMessage: boolean }>(({ view }) => {
  const phrases = view.words.subscribers.job;
  return {
    name: phrases.result,
    kind: PLAIN,
    columns: [
      {
        title: phrases.name,
        narrow: "lead",
        cell: ({ subscriberId, name }) =>
          name === null ? phrases.gone : <a href={`${SUBSCRIBERS}/${subscriberId}`}>{name}</a>,
      },
      {
        title: phrases.result,
        cell: ({ result, message, isMessage }) => {
          if (result === "waiting") return <Chip>{phrases.waiting}</Chip>;
          if (result !== "done") return <span class="bad-text">{message && storedTold(view, message)}</span>;
          return (
            <span class="good-text dotted">
              <Icon name="check" />
              {isMessage ? phrases.okMessage : phrases.ok}
            </span>
          );
        },
      },
    ],
    empty: view.words.list.none,
  };
});

export function JobsPage({ visit, jobs }: { visit: StaffVisit; jobs: readonly BulkJob[] }) {
  const { format, words, now } = visit.view;
  const phrases = words.subscribers.job;
  return (
    <Frame
      visit={visit}
      title={phrases.list}
      place="subscribers"
      back={{ href: SUBSCRIBERS, label: words.subscribers.title }}
    >
      <div class="page-head">
        <h1>{phrases.list}</h1>
      </div>
      {jobs.length === 0 ? (
        <section class="card">
          <Empty icon="people" title={phrases.nothing} text={phrases.nothingText} />
        </section>
      ) : (
        <ul class="card rows">
          {jobs.map((job) => (
            <li>
              <a href={`${JOBS}/${job.id}`}>{jobTitle(visit, job)}</a>
              <span class="soft-text">
                {phrases.finished(format.number(job.done), format.number(job.total))}
              </span>
              <span class="soft-text">
                {phrases.startedBy(actorName(words, job.actor), format.timeNear(job.createdAt, now))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Frame>
  );
}
