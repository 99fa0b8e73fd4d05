import type { Outage, OutageLine } from "../../../../domain/service/outages/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { CallLink } from "../../../pages/parts/call-link.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { BULK, mayDo } from "../subscribers/bulk-bar.tsx";
import { outageLines } from "./lines.ts";
import {
  answering,
  boxHref,
  clockTime,
  outageAdvice,
  outageEvidence,
  outageHref,
  outageTitle,
  personHref,
} from "./phrases.ts";

type Members = { readonly members: readonly OutageLine[] };
type Visited<T> = { readonly visit: StaffVisit } & T;

/** An outage: what, since when, what shows it, and whom to call. */
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
          <Button href="/console/outages" icon="back">
            {outages.all}
          </Button>
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
        hint={outages.back(view.format.number(outage.back), view.format.number(outage.lines))}
      />
      <div class="columns">
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
          [outages.overdue, outages.overdueReports(format.number(evidence.overdue))],
          [outages.usual, evidence.usual === null ? outages.usualNew : format.duration(evidence.usual)],
        ]
      : evidence.sign === "lost"
        ? [[outages.most, outages.mostLines(format.number(evidence.most))]]
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
  const columns = [
    { title: outages.name },
    { title: outages.boxNumber, low: true },
    { title: outages.port, end: true, low: true },
    { title: outages.dark },
    { title: outages.backAt },
    { title: outages.phone },
  ];
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
      {outage.members.length === 0 ? (
        <p class="hint">{outages.noLines}</p>
      ) : (
        <Table caption={outages.lines} columns={columns}>
          {outage.members.map((line) => (
            <Line visit={visit} line={line} />
          ))}
        </Table>
      )}
    </Card>
  );
}

/** Writes to those who are dark, or to all once it is over. */
function MessageThem({ visit, outage }: Visited<{ outage: Outage & Members }>) {
  const { view } = visit;
  const { length } = outageLines(outage);
  if (length === 0 || !mayDo(visit, "message") || !may(visit.by, "subscriber_bulk")) return null;
  const words = view.words.messageWriting.outage;
  const say = outage.endedAt === null ? words.dark : words.all;
  return (
    <Button href={`${BULK}?operation=message&outage=${outage.id}`} size="small" icon="chat" drawer>
      {say(view.format.number(length), length === 1)}
    </Button>
  );
}

function Line({ visit: { view }, line }: Visited<{ line: OutageLine }>) {
  const { outages } = view.words;
  const { subscriberId, name, mobile, boxNumber, port, darkAt, backAt } = line;
  return (
    <tr>
      <td>
        <a href={personHref(subscriberId)}>
          <bdi>{name}</bdi>
        </a>
      </td>
      <td class="low">{boxNumber !== null && <a href={boxHref(boxNumber)}>{boxNumber}</a>}</td>
      <td class="end low">{port}</td>
      <td>{clockTime(darkAt, view)}</td>
      <td>
        <span class="dotted">
          <Dot state={backAt === null ? "offline" : "online"} />
          {backAt === null ? outages.still : clockTime(backAt, view)}
        </span>
      </td>
      <td>
        <CallLink number={mobile} missing={view.words.frame.missing} />
      </td>
    </tr>
  );
}

/** What went dark together, the newest first. */
export function OutageList({
  visit,
  outages: rows,
  next,
}: Visited<{ outages: readonly Outage[]; next: string | undefined }>) {
  const { view } = visit;
  const { outages } = view.words;
  const columns = [
    { title: outages.kind },
    { title: outages.beganAt },
    { title: outages.endedAt },
    { title: outages.count, end: true },
    { title: outages.backAt, end: true, low: true },
  ];
  return (
    <>
      <div class="page-head">
        <h1>{outages.title}</h1>
      </div>
      {rows.length === 0 ? (
        <Empty icon="check" title={outages.none} text={outages.noneText} />
      ) : (
        <Table caption={outages.title} columns={columns}>
          {rows.map((outage) => (
            <tr>
              <td>
                <a href={outageHref(outage.id)}>{outageTitle(outage, view)}</a>
              </td>
              <td>{view.format.time(outage.beganAt)}</td>
              <td>
                <span class="dotted">
                  <Dot state={outage.endedAt === null ? "refused" : "online"} />
                  {outage.endedAt === null ? outages.open : view.format.time(outage.endedAt)}
                </span>
              </td>
              <td class="end">{view.format.number(outage.lines)}</td>
              <td class="end low">{view.format.number(outage.back)}</td>
            </tr>
          ))}
        </Table>
      )}
      {next !== undefined && (
        <p class="actions box-next">
          <Button href={next} icon="forward">
            {visit.view.words.log.older}
          </Button>
        </p>
      )}
    </>
  );
}
