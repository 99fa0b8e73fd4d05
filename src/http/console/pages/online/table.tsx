import { Device } from "../../parts/device.tsx";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { OnlineLine } from "../../../../domain/service/sessions/online.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Action } from "../../../pages/parts/button.tsx";
import { Dot, type LineState } from "../../../pages/parts/chip.tsx";
import { cachedFigures } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import { cardHrefFor, ONLINE } from "../../parts/hrefs.ts";
import type { NotedAnswer } from "./answered.ts";
import { list, type ListColumn, PLAIN } from "../../parts/list.tsx";
import { sortedBy } from "../../parts/sorting.ts";
import { type OnlineQuery, USUAL_ORDER } from "./query.ts";

interface OnlineRow {
  readonly line: OnlineLine;
  readonly noted: NotedAnswer | undefined;
}

/** The share of its package from which on a line counts as full. */
const FULL = 0.9;

export const Lines = list<OnlineRow>((visit) => {
  const { view, by, now, query } = visit;
  const { words, format } = view;
  const { online } = words;
  const mayEnd = may(by, "subscriber_disconnect");
  const sorted = (order: OnlineQuery["order"]) => ({
    title: online.columns[order],
    end: true,
    ...sortedBy({ path: ONLINE, query }, order, { usual: USUAL_ORDER, first: "-" }),
  });
  const rate = ({ stoppedAt }: OnlineLine, bits: number | null) =>
    stoppedAt !== null || bits === null ? "–" : cachedFigures(view).megabits(bits);
  const columns: ListColumn<OnlineRow>[] = [
    {
      title: online.columns.name,
      narrow: "lead",
      cell: ({ line }) => <Who visit={visit} line={line} />,
    },
    {
      title: online.columns.router,
      name: "router-cell",
      narrow: "low",
      kind: "soft-text",
      cell: ({ line }) => line.nasName ?? line.nasAddress,
    },
    { title: online.columns.address, name: "spare-cell", cell: ({ line }) => line.framedIp },
    {
      title: online.columns.device,
      name: "device-cell",
      cell: ({ line }) => <Device words={words} mac={line.mac} />,
    },
    {
      title: online.columns.package,
      name: "package-cell",
      narrow: "low",
      cell: ({ line }) => line.packageName ?? (may(by, "subscriber_view") ? online.nobody : ""),
    },
    { ...sorted("uptime"), cell: ({ line }) => format.duration((line.stoppedAt ?? now) - line.startedAt) },
    {
      ...sorted("data"),
      name: "spare-cell",
      cell: ({ line }) => format.bytes(line.inputOctets + line.outputOctets),
    },
    {
      ...sorted("down"),
      narrow: "sum",
      kind: ({ line }) => (isOld(line) && line.stoppedAt === null ? "soft-text" : "strong"),
      cell: ({ line }) => rate(line, line.rateOutput),
    },
    {
      title: online.columns.share,
      name: "share-cell",
      attributes: { "data-answer": true },
      cell: (row) => <Share visit={visit} {...row} />,
    },
    { ...sorted("up"), name: "up-cell", cell: ({ line }) => rate(line, line.rateInput) },
  ];
  const end: ListColumn<OnlineRow> = {
    title: <span class="unseen">{online.columns.actions}</span>,
    narrow: "act",
    end: true,
    cell: ({ line }) => line.stoppedAt === null && <End visit={visit} line={line} />,
  };
  return {
    name: online.table,
    kind: PLAIN,
    columns: mayEnd ? [...columns, end] : columns,
    row: ({ line }) => ({
      id: `session-${line.id}`,
      class: line.stoppedAt !== null ? "over" : isOld(line) ? "old" : "",
    }),
    choose: mayEnd && {
      all: online.chooseAll,
      title: online.columns.choose,
      of: ({ line }) => ({
        name: `session_${line.id}`,
        value: "1",
        label: online.choose(lineName(line)),
        disabled: line.stoppedAt !== null,
      }),
    },
    empty: { icon: "sessions", ...online.empty },
  };
});

interface LineProps {
  visit: StaffVisit;
  line: OnlineLine;
}

function End({ visit: { view, formToken }, line }: LineProps) {
  const { online, frame } = view.words;
  return (
    <Action
      action={`${ONLINE}/end`}
      formToken={formToken}
      fields={{ id: line.id }}
      icon="power"
      kind="danger"
      size="small"
      label={online.disconnectWho(lineName(line))}
      asking={frame.asking(line.nasName ?? line.nasAddress)}
    >
      {online.disconnect}
    </Action>
  );
}

function Who({ visit: { view, by }, line }: LineProps) {
  const { states } = view.words.online;
  const state = stateOf(line);
  const saying = {
    online: states.online,
    half: isOld(line) ? states.silent : states.payPage,
    offline: states.ended,
  };
  const name = lineName(line);
  const mayOpen = line.subscriberId !== null && may(by, "subscriber_view");
  const href = mayOpen ? `/console/subscribers/${line.subscriberId}` : cardHrefFor(by, line);
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

/** Whether its rates are too old to tell. */
const isOld = ({ isStale, cutOff }: OnlineLine) => isStale || cutOff !== null;

function stateOf(line: OnlineLine): Exclude<LineState, "refused"> {
  if (line.stoppedAt !== null) return "offline";
  return isOld(line) || line.isConfined ? "half" : "online";
}

export const lineName = ({ name, username }: Pick<OnlineLine, "name" | "username">) => name ?? username;

/** The share of its package, or why there is none. */
function Share({ visit: { view, now }, line, noted }: LineProps & OnlineRow) {
  const { words, format } = view;
  const { online } = words;
  const took = noted && format.milliseconds(Math.max(1, Math.round(noted.took)));
  if (line.stoppedAt !== null)
    return <span>{took === undefined ? online.ended : online.endedAfter(took)}</span>;
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
