import { BACKUPS } from "../../parts/hrefs.ts";
import type { BackupResult } from "../../../../domain/machine/backup/desk.ts";
import type { Counted, Trial } from "../../../../domain/machine/backup/trial.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Note } from "../../../pages/note.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { ended } from "./ended.ts";

export function Work({ visit }: { visit: StaffVisit }) {
  const { needs, view, now } = visit;
  const { work, last } = needs.backups;
  const { backups: words } = view.words;
  const asks = {
    "hx-get": `${BACKUPS}/work`,
    "hx-trigger": "every 1s",
    "hx-target": "this",
    "hx-swap": "outerHTML",
  };
  return (
    <div id="backup-work" {...(work && asks)}>
      {work ? (
        <Card title={words.work} lead={words.since(view.format.near(work.begunAt, now))}>
          <p class="row" role="status">
            <span class="dot half" aria-hidden="true" />
            <span>
              <strong>{work.kind === "make" ? words.making(work.name) : words.tryingName(work.name)}</strong>{" "}
              {work.kind === "try" && (work.step === null ? words.begins : words.steps[work.step])}
            </span>
          </p>
          <noscript>
            <Button href={BACKUPS}>{words.look}</Button>
          </noscript>
        </Card>
      ) : (
        last && <Result visit={visit} last={last} />
      )}
    </div>
  );
}

function Result({ visit, last }: { visit: StaffVisit; last: BackupResult }) {
  const { view, now } = visit;
  const { backups: words } = view.words;
  return (
    <Card title={words.result} lead={view.format.near(last.endedAt, now)}>
      {"fault" in last ? (
        <Failed visit={visit} last={last} />
      ) : last.kind === "make" ? (
        <Note kind="good">
          {words.madeResult(last.name, view.format.bytes(last.made.bytes), words.secondsLong(last.took))}{" "}
          {last.made.hasKey ? words.madeKey : words.madeNoKey}
        </Note>
      ) : (
        <Tried visit={visit} last={last} />
      )}
    </Card>
  );
}

function Failed({ visit, last }: { visit: StaffVisit; last: Extract<BackupResult, { fault: string }> }) {
  const { backups: words } = visit.view.words;
  return (
    <Note kind="bad">
      <strong>{last.kind === "make" ? words.badMake(last.name) : words.bad(last.name)}.</strong>{" "}
      {last.fault === "" ? words.logged : ended(last.fault)}
    </Note>
  );
}

function Tried({ visit, last }: { visit: StaffVisit; last: Extract<BackupResult, { trial: Trial }> }) {
  const { view, now } = visit;
  const { words, format } = view;
  const { backups: b } = words;
  const { trial, name, byPassphrase, took } = last;
  if (trial.faults.length > 0)
    return (
      <div class="stack how-to">
        <Note kind="bad">
          <strong>{b.bad(name)}.</strong> {trial.faults.map(ended).join(" ")}
        </Note>
        <Beside visit={visit} rows={compareCounts(visit, trial)} />
      </div>
    );
  const { restored, paymentsSince, createdAt } = trial;
  return (
    <div class="stack how-to">
      <Note kind="good">
        <strong>{b.restores(restored.subscribers, restored.subscribers, format.near(createdAt, now))}</strong>{" "}
        {b.missing(paymentsSince, paymentsSince)}
      </Note>
      <p class="hint">
        {name}. {byPassphrase ? b.opened : b.openedHere} {b.took(b.secondsLong(took))}
      </p>
      <Beside visit={visit} rows={compareCounts(visit, trial)} />
    </div>
  );
}

interface Compared {
  readonly what: string;
  readonly inIt: string;
  readonly live: string;
  /** Undefined: equal. */
  readonly change: string | undefined;
}

/** Counts of the restored store beside the live one's. */
function compareCounts({ view: { words, format } }: StaffVisit, { restored, live }: Trial): Compared[] {
  const { rows } = words.backups;
  const counts = (["subscribers", "payments", "invoices", "entries"] as const).map((name): Compared => {
    const difference = live[name] - restored[name];
    return {
      what: rows[name],
      inIt: format.number(restored[name]),
      live: format.number(live[name]),
      change: difference === 0 ? undefined : format.change(difference),
    };
  });
  const currencies = [...new Set([...live.balances, ...restored.balances].map(({ currency }) => currency))];
  const amountIn = ({ balances }: Counted, of: string) =>
    balances.find(({ currency }) => currency === of)?.amount ?? 0;
  const sums = currencies.map((currency): Compared => {
    const [then, today] = [amountIn(restored, currency), amountIn(live, currency)];
    return {
      what: rows.balances(currency),
      inIt: format.amount(then),
      live: format.amount(today),
      change: today === then ? undefined : format.amount(today - then, { plus: true }),
    };
  });
  return [...counts, ...sums];
}

export const Beside = list<Compared>(({ view }) => {
  const { backups: b } = view.words;
  return {
    name: b.counted,
    kind: PLAIN,
    columns: [
      { title: b.what, narrow: "lead", cell: ({ what }) => what },
      { title: b.inIt, end: true, cell: ({ inIt }) => inIt },
      { title: b.live, end: true, cell: ({ live }) => live },
      { title: b.differs, end: true, cell: ({ change }) => change ?? "–" },
    ],
    empty: b.counted,
  };
});
