import type { EntryEvent, TimelineEvent } from "../../../domain/desk/subscriber-page/timeline-sources.ts";
import type { Messages } from "../compiled/messages.ts";
import { byAction } from "./trail.ts";

type Of<K extends TimelineEvent["kind"]> = Extract<TimelineEvent, { kind: K }>;
type Named = Readonly<Record<string, string>>;

export function timelineWords({ list, timeline: m }: Pick<Messages, "list" | "timeline">) {
  const methods: Named = m.methods;
  const paidBy: Named = m.paidBy;
  const actions: Named = byAction(m.actions);
  return {
    ...m,
    refused: (times: number, isMore: boolean) => m.refused2(times, isMore ? m.refused : ""),
    answered: ({ answers, by }: Of<"router">) =>
      answers.length === 0
        ? m.answered(by)
        : answers
            .map(({ kind, took }) => `${m.answers[kind]}${took === null ? "" : m.answered2(took)}`)
            .join("; ") +
          list.comma +
          by,
    entry: ({ entry, method }: Pick<EntryEvent, "entry" | "method">) =>
      entry === "payment" && method !== null
        ? `${m.entries.payment} ${methods[method] ?? method}`
        : m.entries[entry],
    short: ({ entry, method }: Pick<EntryEvent, "entry" | "method">) =>
      entry === "payment" && method !== null ? (paidBy[method] ?? method) : m.entries[entry],
    extension: (isOnTrust: boolean) => (isOnTrust ? m.extension : m.extension2),
    action: (action: string) => actions[action] ?? action,
  };
}
