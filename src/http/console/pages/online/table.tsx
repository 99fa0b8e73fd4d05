import { Device } from "../../parts/device.tsx";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { OnlineLine } from "../../../../domain/service/sessions/online.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Action } from "../../../pages/parts/button.tsx";
import { Dot, type LineState } from "../../../pages/parts/chip.tsx";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import { Choose, chooseColumn } from "../../choosing.tsx";
import { figuresOf } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import { cardHrefOf, ONLINE } from "../../parts/hrefs.ts";
import type { NotedAnswer } from "./answered.ts";
import { sortedBy } from "../../parts/sorting.ts";
import { type OnlineQuery, USUAL_ORDER } from "./query.ts";

interface OnlineTableProps {
  visit: StaffVisit;
  lines: readonly OnlineLine[];
  answers: ReadonlyMap<number, NotedAnswer>;
}

/** From this share of its package on a line is as fast as it gets. */
const FULL = 0.9;

export function OnlineTable({ visit, lines, answers }: OnlineTableProps) {
  const { words } = visit.view;
  const mayEnd = may(visit.by, "subscriber_disconnect");
  const { columns } = words.online;
  const sorted = (order: OnlineQuery["order"], title: string): Column => ({
    title,
    end: true,
    ...sortedBy({ path: ONLINE, query: visit.query }, order, { usual: USUAL_ORDER, first: "-" }),
  });
  const heads: Column[] = [
    ...(mayEnd ? [chooseColumn({ all: words.online.chooseAll, title: columns.choose })] : []),
    { title: columns.name },
    { title: columns.router, low: true },
    { title: columns.address, kind: "address-cell" },
    { title: columns.device },
    { title: columns.package, low: true },
    sorted("uptime", columns.uptime),
    { ...sorted("data", columns.data), kind: "data-cell" },
    sorted("down", columns.down),
    { title: columns.share },
    { ...sorted("up", columns.up), kind: "up-cell" },
    ...(mayEnd ? [{ title: <span class="unseen">{columns.actions}</span>, end: true }] : []),
  ];
  return (
    <div class="online-table">
      <Table caption={words.online.table} columns={heads}>
        {lines.map((line) => (
          <Row visit={visit} line={line} noted={answers.get(line.id)} mayEnd={mayEnd} />
        ))}
      </Table>
    </div>
  );
}

interface RowProps {
  visit: StaffVisit;
  line: OnlineLine;
  noted: NotedAnswer | undefined;
  mayEnd: boolean;
}

function Row({ visit, line, noted, mayEnd }: RowProps) {
  const { view, by, now } = visit;
  const figures = figuresOf(view);
  const hasEnded = line.stoppedAt !== null;
  const until = line.stoppedAt ?? now;
  const isOld = isOldOf(line) && !hasEnded;
  const data = view.format.bytes(line.inputOctets + line.outputOctets);
  const rate = (bits: number | null) => (hasEnded || bits === null ? "–" : figures.megabits(bits));
  return (
    <tr id={`session-${line.id}`} class={[hasEnded && "over", isOld && "old"].filter(Boolean).join(" ")}>
      {mayEnd && (
        <Choose
          name={`session_${line.id}`}
          value="1"
          label={view.words.online.choose(nameOf(line))}
          disabled={hasEnded}
        />
      )}
      <td class="who-cell">
        <Who visit={visit} line={line} />
      </td>
      <td class="low soft-text router-cell">{line.nasName ?? line.nasAddress}</td>
      <td class="address-cell">{line.framedIp}</td>
      <td class="device-cell">
        <Device mac={line.mac} />
      </td>
      <td class="low package-cell">
        {line.packageName ?? (may(by, "subscriber_view") ? view.words.online.nobody : "")}
      </td>
      <td class="end">{view.format.duration(until - line.startedAt)}</td>
      <td class="end data-cell">{data}</td>
      <td class={`end down-cell ${isOld ? "soft-text" : "strong"}`}>{rate(line.rateOutput)}</td>
      <td class="share-cell" data-answer>
        <Share visit={visit} line={line} noted={noted} />
      </td>
      <td class="end up-cell">{rate(line.rateInput)}</td>
      {mayEnd && (
        <td class="end end-cell">
          {!hasEnded && (
            <Action
              action={`${ONLINE}/end`}
              formToken={visit.formToken}
              fields={{ id: line.id }}
              icon="power"
              kind="danger"
              size="small"
              label={view.words.online.disconnectWho(nameOf(line))}
              asking={view.words.frame.asking(line.nasName ?? line.nasAddress)}
            >
              {view.words.online.disconnect}
            </Action>
          )}
        </td>
      )}
    </tr>
  );
}

function Who({ visit: { view, by }, line }: Pick<RowProps, "visit" | "line">) {
  const { states } = view.words.online;
  const state = stateOf(line);
  const saying = {
    online: states.online,
    half: isOldOf(line) ? states.silent : states.payPage,
    offline: states.ended,
  };
  const name = nameOf(line);
  const mayOpen = line.subscriberId !== null && may(by, "subscriber_view");
  const href = mayOpen ? `/console/subscribers/${line.subscriberId}` : cardHrefOf(by, line);
  return (
    <span class="dotted">
      <Dot state={state} />
      <span class="unseen">{saying[state]}</span>
      {href !== undefined ? (
        <a class="name" dir="auto" href={href}>
          {name}
        </a>
      ) : (
        <span class="name" dir="auto">
          {name}
        </span>
      )}
    </span>
  );
}

/** Nobody knows how it is now. */
const isOldOf = ({ isStale, cutOff }: OnlineLine) => isStale || cutOff !== null;

function stateOf(line: OnlineLine): Exclude<LineState, "refused"> {
  if (line.stoppedAt !== null) return "offline";
  return isOldOf(line) || line.isConfined ? "half" : "online";
}

export const nameOf = ({ name, username }: Pick<OnlineLine, "name" | "username">) => name ?? username;

/** How much of its package the line uses, or why that cannot be said. */
function Share({ visit: { view, now }, line, noted }: Pick<RowProps, "visit" | "line" | "noted">) {
  const { words, format } = view;
  const { online } = words;
  const took = noted && format.number(Math.max(1, Math.round(noted.took)));
  if (line.stoppedAt !== null)
    return <span>{took === undefined ? online.ended : online.endedAfter(`${took} ms`)}</span>;
  if (noted?.answer.kind === "failed")
    return (
      <span class="bad-text">
        {noted.answer.isSilent
          ? online.unanswered(view.format.duration(Math.ceil(noted.took / 1000)))
          : online.refused}
      </span>
    );
  if (line.cutOff !== null)
    return <span class="warn-text">{online.asHeard(format.timeNear(line.updatedAt, now))}</span>;
  if (line.isStale)
    return <span class="warn-text">{online.old(view.format.duration(now - line.updatedAt))}</span>;
  if (line.rateOutput === null || line.packageName === null) return null;
  if (line.soldOutput === null) return <span class="soft-text">{online.unlimited}</span>;
  const share = line.rateOutput / line.soldOutput;
  const label = online.shareOf(format.percent(share), line.packageName);
  return <ShareBar share={share} label={label} {...(share >= FULL && { tone: "warn" as const })} />;
}
