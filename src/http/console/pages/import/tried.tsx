import type { Found, NoticeRow } from "../../../../domain/machine/imports/runs/result.ts";
import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import type { MoveReport } from "../../../../domain/machine/imports/report.ts";
import type { NoticeKind } from "../../../../domain/machine/imports/notices.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Figure } from "../../../pages/parts/figure.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { runPath } from "./addresses.ts";
import { CHOICES, Choices } from "./choices.tsx";
import { Discard } from "./run.tsx";
import { termsText, NoticesCard } from "./notices.tsx";

interface TriedProps {
  visit: StaffVisit;
  run: Run;
  found: Found;
  kind: NoticeKind | undefined;
  rows: readonly NoticeRow[];
}

export function TriedPage({ visit, run, found, kind, rows }: TriedProps) {
  const words = visit.view.words.importing.tried;
  const here = runPath(run.id);
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={words.title}
      actions={<Discard visit={visit} run={run} />}
    >
      <Ready visit={visit} run={run} report={found.report} refused={refusedRows(found.report)} />
      <Counts visit={visit} report={found.report} href={here} />
      <Choices visit={visit} run={run} report={found.report} />
      <NoticesCard
        visit={visit}
        href={here}
        counts={found.counts}
        kind={kind}
        rows={rows}
        file={`${here}/told.csv`}
      />
      <PackagesCard visit={visit} report={found.report} />
      <BatchesCard visit={visit} report={found.report} />
      <People visit={visit} found={found} />
    </SettingsFrame>
  );
}

interface ReadyProps {
  visit: StaffVisit;
  run: Run;
  report: MoveReport;
  /** Of any noun. */
  refused: number;
}

function Ready({ visit, run, report, refused }: ReadyProps) {
  const { words: all } = visit.view;
  const words = all.importing.tried;
  const { new: made, changed } = report.counts.subscribers;
  const count = made + changed;
  const others = Object.values(report.counts).reduce((sum, one) => sum + one.new + one.changed, 0);
  const change =
    run.source === "csv" ? (
      <Button href={`${runPath(run.id)}?columns=1`}>{words.changeColumns}</Button>
    ) : null;
  if (report.undecided !== undefined)
    return (
      <Verdict
        tone="warn"
        icon="alert"
        label={words.title}
        title={words.undecided}
        text={words.undecidedText}
        actions={
          <Button kind="solid" href={`${runPath(run.id)}?columns=1#standings`}>
            {words.decide}
          </Button>
        }
      />
    );
  if (others === 0)
    return (
      <Verdict
        tone="quiet"
        icon="check"
        label={words.title}
        title={words.nobody}
        text={words.nobodyText}
        actions={change}
      />
    );
  return (
    <Verdict
      tone={refused === 0 ? "good" : "warn"}
      icon="people"
      label={words.title}
      title={words.ready(count)}
      text={words.text(refused)}
      actions={
        <>
          <Button kind="solid" icon="download" form={CHOICES}>
            {words.submit(count)}
          </Button>
          {change}
        </>
      }
      hint={words.submitHint}
    />
  );
}

/** How many rows of any noun are refused. */
export function refusedRows({ told: notices }: MoveReport): number {
  return notices.find(({ kind }) => kind === "refused")?.count ?? 0;
}

export function Counts({ visit, report, href }: { visit: StaffVisit; report: MoveReport; href: string }) {
  const { format, words: all } = visit.view;
  const { tiles } = all.importing.tried;
  const { new: made, changed, same } = report.counts.subscribers;
  const refused = refusedRows(report);
  const figures = [
    { label: tiles.new, value: made, hint: tiles.newHint, to: "#people" },
    { label: tiles.changed, value: changed, hint: tiles.changedHint, to: "#people" },
    { label: tiles.same, value: same, hint: tiles.sameHint, to: "#people" },
    {
      label: tiles.refused,
      value: refused,
      hint: tiles.refusedHint,
      to: "?kind=refused#told",
      isBad: refused > 0,
    },
    {
      label: tiles.passwords,
      value: report.passwords,
      hint: tiles.passwordsHint,
      to: "?kind=new_password#told",
    },
  ];
  return (
    <div class="figures">
      {figures.map(({ label, value, hint, to, isBad }) => (
        <Figure
          label={label}
          value={format.number(value)}
          hint={hint}
          href={href + to}
          {...(isBad && { tone: "warn" })}
        />
      ))}
    </div>
  );
}

export function PackagesCard({ visit, report: { packages } }: { visit: StaffVisit; report: MoveReport }) {
  const words = visit.view.words.importing.tried;
  if (packages.length === 0) return null;
  return (
    <Card title={words.packages} lead={words.packagesLead}>
      <Packages visit={visit} rows={packages} />
    </Card>
  );
}

export const Packages = list<MoveReport["packages"][number]>(({ view }) => {
  const words = view.words.importing.tried;
  return {
    name: words.packages,
    kind: PLAIN,
    columns: [
      { title: words.package, narrow: "lead", cell: ({ name }) => name },
      { title: words.holders, end: true, cell: ({ holders }) => view.format.number(holders) },
      { title: words.terms, narrow: "low", cell: ({ terms }) => termsText(view, terms) },
      {
        title: words.price,
        end: true,
        cell: ({ price }) => price ?? <span class="soft-text">{words.noPrice}</span>,
      },
    ],
    empty: words.noPrice,
  };
});

type Batch = NonNullable<MoveReport["cards"]>[number];

export function BatchesCard({ visit, report }: { visit: StaffVisit; report: MoveReport }) {
  const { words: all } = visit.view;
  const words = all.importing.cards;
  const { cards: batches = [] } = report;
  if (batches.length === 0) return null;
  const sum = batches.reduce((count, { cards }) => count + cards, 0);
  return (
    <Card title={words.title(sum)} lead={words.lead}>
      <Batches visit={visit} rows={batches.slice(0, BATCHES)} />
      {batches.length > BATCHES && <p class="soft-text">{words.more(batches.length - BATCHES)}</p>}
    </Card>
  );
}

const BATCHES = 50;

export const Batches = list<Batch>(({ view: { format, words: all } }) => {
  const words = all.importing.cards;
  return {
    name: words.lead,
    kind: PLAIN,
    columns: [
      { title: words.name, narrow: "low", cell: ({ name }) => name ?? words.nameless },
      { title: words.kind, narrow: "lead", cell: ({ kind }) => words.kinds[kind] },
      { title: words.package, cell: ({ package: sold }) => sold ?? words.noPackage },
      { title: words.price, end: true, cell: ({ price }) => price },
      { title: words.cards, end: true, cell: ({ cards }) => format.number(cards) },
    ],
    empty: words.noPackage,
  };
});

function People({ visit, found }: { visit: StaffVisit; found: Found }) {
  const words = visit.view.words.importing.tried;
  return (
    <Card title={words.people} lead={words.peopleLead} id="people">
      <FoundPeople visit={visit} rows={found.people} />
    </Card>
  );
}

export const FoundPeople = list<Found["people"][number]>(({ view: { format, words: all } }) => {
  const words = all.importing.tried;
  const { person } = words;
  return {
    name: words.people,
    kind: PLAIN,
    columns: [
      { title: person.name, narrow: "lead", cell: ({ name, username }) => name || username },
      { title: person.username, cell: ({ username }) => username },
      { title: person.phone, narrow: "low", cell: ({ phone }) => phone },
      { title: person.package, cell: ({ package: sold }) => sold },
      {
        title: person.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? words.noExpiry : format.date(expiresAt)),
      },
      { title: person.balance, end: true, narrow: "low", cell: ({ balance }) => balance },
    ],
    empty: all.list.none,
  };
});
