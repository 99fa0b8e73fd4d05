import type { LineState } from "../../../domain/desk/subscriber-table/line-state.ts";
import type { TableRow } from "../../../domain/desk/subscriber-table/table.ts";
import { Chip, Dot, type LineState as DotState } from "../../pages/parts/chip.tsx";
import type { ConsoleView } from "../view.ts";

type Ends = Pick<TableRow, "status" | "isFrozen" | "expiresAt">;

/** The status; a chip unless it is normal. */
export function Status({ row, view }: { row: Ends; view: ConsoleView }) {
  const words = view.words.subscribers;
  if (row.isFrozen) return <Chip>{words.frozen}</Chip>;
  if (row.status === "expired") return <Chip tone="bad">{words.status.expired}</Chip>;
  if (row.status !== "active") return <Chip>{words.status[row.status]}</Chip>;
  if (endsToday(row, view)) return <Chip tone="warn">{words.expiresToday}</Chip>;
  return <span class="soft-text">{words.status.active}</span>;
}

/** Time left, or since the end. */
export function TimeLeft({ row, view }: { row: Ends; view: ConsoleView }) {
  const { words, format, now } = view;
  const { expiresAt, status } = row;
  if (expiresAt === null || status === "disabled" || status === "inactive")
    return <span class="soft-text">{words.subscribers.none}</span>;
  if (status === "expired")
    return <span class="bad-text strong">{words.subscribers.ago(format.duration(now - expiresAt))}</span>;
  const isToday = endsToday(row, view);
  return <span class={isToday ? "warn-text strong" : ""}>{format.duration(expiresAt - now)}</span>;
}

/** The day of the end; today its time. */
export function EndDay({ row: { expiresAt, status }, view }: { row: Ends; view: ConsoleView }) {
  if (expiresAt === null || status === "disabled" || status === "inactive") return null;
  const { format, now } = view;
  return (
    <span class="soft-text">
      {format.isSameDay(expiresAt, now) ? format.timeOfDay(expiresAt) : format.shortDay(expiresAt)}
    </span>
  );
}

function endsToday({ status, expiresAt }: Ends, { format, now }: ConsoleView): boolean {
  return status === "active" && expiresAt !== null && format.isSameDay(expiresAt, now);
}

export function Balance({ minor, view }: { minor: number; view: ConsoleView }) {
  const tone = minor < 0 ? "bad-text strong" : minor === 0 ? "soft-text" : "";
  return <span class={tone}>{view.format.amount(minor)}</span>;
}

const dots: Readonly<Record<LineState["kind"], DotState>> = {
  online: "online",
  garden: "half",
  unsure: "half",
  refused: "refused",
  offline: "offline",
  never: "offline",
};

/** The state of a line as a dot and words. */
export function Line({ line, view }: { line: LineState; view: ConsoleView }) {
  const isNormal = line.kind === "online";
  const tone = line.kind === "refused" ? "bad-text" : isNormal ? "" : "soft-text";
  return (
    <span class="dotted">
      <Dot state={dots[line.kind]} />
      <span class={tone}>{lineWords(line, view)}</span>
    </span>
  );
}

function lineWords(line: LineState, { words, format, now }: ConsoleView): string {
  const phrases = words.subscribers.line;
  switch (line.kind) {
    case "online":
      return format.isSameDay(line.since, now)
        ? phrases.since(format.timeOfDay(line.since))
        : format.duration(now - line.since);
    case "garden":
      return phrases.garden;
    case "unsure":
      return phrases.unsure(format.duration(now - line.since));
    case "refused":
      return phrases.refused(line.times);
    case "offline":
      return phrases.off(format.duration(now - line.since));
    case "never":
      return phrases.never;
  }
}

/** The dot alone; its words stand beside it for screen readers. */
export function LineDot({ line, view }: { line: LineState; view: ConsoleView }) {
  return (
    <>
      <Dot state={dots[line.kind]} />
      <span class="unseen">{lineWords(line, view)}</span>
    </>
  );
}
