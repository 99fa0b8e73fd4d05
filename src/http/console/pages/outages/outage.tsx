import type { Outage, OutageLine } from "../../../../domain/service/outages/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { CallLink } from "../../../pages/parts/call-link.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { mayDo } from "../../parts/may.ts";
import { BULK, boxHref, outageHref, personHref } from "../../parts/hrefs.ts";
import { outageLines } from "../../parts/outage-lines.ts";
import { answering, clockTime, outageAdvice, outageEvidence, outageTitle } from "../../parts/outage-words.ts";

type Members = { readonly members: readonly OutageLine[] };
type Visited<T> = { readonly visit: StaffVisit } & T;

export function OutagePage({ visit, outage }: Visited<{ outage: Outage & Members }>) {
  const { view } = visit;
  const { outages, boxes } = view.words;
  const { endedAt, boxNumber, id } = outage;
  return (
    <div
      id="outage"
      class="stack"
      data-live="sessions"
      hx-get={outageHref(id)}
      hx-select="#outage"
      hx-target="this"
      hx-swap="outerMorph"
      hx-trigger="live:sessions from:body throttle:5s"
    >
      <div class="page-head">
        <h1>{outageTitle(outage, view)}</h1>
        <div class="actions">
          {boxNumber !== null && (
            <Button href={boxHref(boxNumber)} icon="box">
              {outages.toBox}
            </Button>
          )}
        </div>
      </div>
      <Verdict
        tone={endedAt === null ? "bad" : "good"}
        icon={endedAt === null ? "alert" : "check"}
        label={endedAt === null ? outages.what : outages.was}
        title={endedAt === null ? outageEvidence(outage, view) : outages.overTitle}
        text={endedAt === null ? outageAdvice(outage, view.words) : outageEvidence(outage, view)}
        hint={outages.back(outage.back, outage.lines)}
      />
      <div class="split">
        <Lines visit={visit} outage={outage} />
        <Card title={outages.evidence}>
          <EvidenceFacts visit={visit} outage={outage} />
        </Card>
      </div>
      <p class="unseen">{boxes.heard(view.format.clock(visit.now))}</p>
    </div>
  );
}

function EvidenceFacts({ visit: { view }, outage }: Visited<{ outage: Outage }>) {
  const { outages } = view.words;
  const { format } = view;
  const { evidence, beganAt, foundAt, endedAt } = outage;
  const ofSign: readonly (readonly [string, string])[] =
    evidence.sign === "silent"
      ? [
          [outages.overdue, outages.overdueReports(evidence.overdue)],
          [outages.usual, evidence.usual === null ? outages.usualNew : format.duration(evidence.usual)],
        ]
      : evidence.sign === "lost"
        ? [[outages.most, outages.mostLines(evidence.most)]]
        : [];
  return (
    <Facts
      facts={[
        [outages.beganAt, clockTime(beganAt, view)],
        [outages.foundAt, clockTime(foundAt, view)],
        [outages.endedAt, endedAt === null ? null : clockTime(endedAt, view)],
        [outages.answering, answering(outage, view)],
        ...ofSign,
      ]}
    />
  );
}

function Lines({ visit, outage }: Visited<{ outage: Outage & Members }>) {
  const { outages } = visit.view.words;
  return (
    <Card
      title={outages.lines}
      lead={outages.linesHint}
      aside={
        outage.members.length === 0 ? undefined : (
          <span class="actions">
            <MessageThem visit={visit} outage={outage} />
            <Button href={`${outageHref(outage.id)}/lines.csv`} size="small" icon="download">
              {outages.file}
            </Button>
          </span>
        )
      }
    >
      <LineList visit={visit} rows={outage.members} />
    </Card>
  );
}

function MessageThem({ visit, outage }: Visited<{ outage: Outage & Members }>) {
  const { view } = visit;
  const { length } = outageLines(outage);
  if (length === 0 || !mayDo(visit, "message") || !may(visit.by, "subscriber_bulk")) return null;
  const words = view.words.messageWriting.outage;
  const phrases = outage.endedAt === null ? words.dark : words.all;
  return (
    <Button href={`${BULK}?operation=message&outage=${outage.id}`} size="small" icon="chat" drawer>
      {phrases(length)}
    </Button>
  );
}

export const LineList = list<OutageLine>(({ view }) => {
  const { outages, frame } = view.words;
  return {
    name: outages.lines,
    columns: [
      {
        title: outages.name,
        cell: ({ subscriberId, name }) => (
          <a href={personHref(subscriberId)}>
            <bdi>{name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      {
        title: outages.boxNumber,
        cell: ({ boxNumber }) => boxNumber !== null && <a href={boxHref(boxNumber)}>{boxNumber}</a>,
        narrow: "low",
      },
      { title: outages.port, cell: ({ port }) => port, end: true, narrow: "low" },
      { title: outages.dark, cell: ({ darkAt }) => clockTime(darkAt, view) },
      {
        title: outages.backAt,
        cell: ({ backAt }) => (
          <span class="dotted">
            <Dot state={backAt === null ? "offline" : "online"} />
            {backAt === null ? outages.still : clockTime(backAt, view)}
          </span>
        ),
        narrow: "sum",
      },
      {
        title: outages.phone,
        cell: ({ mobile }) => <CallLink number={mobile} missing={frame.missing} />,
      },
    ],
    empty: outages.noLines,
  };
});

export const Outages = list<Outage>(({ view }) => {
  const { words, format } = view;
  const { outages } = words;
  return {
    name: outages.title,
    call: "listOutages",
    columns: [
      {
        title: outages.kind,
        cell: (outage) => <a href={outageHref(outage.id)}>{outageTitle(outage, view)}</a>,
        narrow: "lead",
      },
      { title: outages.beganAt, cell: ({ beganAt }) => format.time(beganAt) },
      {
        title: outages.endedAt,
        cell: ({ endedAt }) => (
          <span class="dotted">
            <Dot state={endedAt === null ? "refused" : "online"} />
            {endedAt === null ? outages.open : format.time(endedAt)}
          </span>
        ),
      },
      {
        title: outages.count,
        cell: ({ lines }) => format.number(lines),
        word: words.boxes.linesWord,
        end: true,
        narrow: "sum",
      },
      { title: outages.backAt, cell: ({ back }) => format.number(back), end: true, narrow: "low" },
    ],
    empty: { icon: "check", title: outages.none, text: outages.noneText },
  };
});
