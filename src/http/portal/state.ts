import { isCutOff, type Line } from "../../domain/desk/portal/line.ts";
import type { View } from "./layout.tsx";

/** How the line of a subscriber is, for programs. */
export const states = ["expired", "inactive", "used_up", "online", "offline"] as const;

interface State {
  readonly code: (typeof states)[number];
  readonly tone: "bad" | "idle" | "good";
  readonly title: string;
  readonly text: string;
}

/** The same in words of its language, as the first page and the app have it. */
export function describeState({ words, format }: Pick<View, "words" | "format">, line: Line): State {
  const { home } = words;
  const { status, online, expiresAt, fair } = line;
  if (status === "expired") {
    const text = home.expiredSince(format.time(expiresAt ?? 0));
    return { code: "expired", tone: "bad", title: home.expired, text };
  }
  if (status === "inactive")
    return { code: "inactive", tone: "idle", title: home.inactive, text: home.inactiveHint };
  if (isCutOff(line)) {
    const text = fair?.isByCalendar ? words.fair.again(format.time(fair.returnsAt)) : home.usedUpHint;
    return { code: "used_up", tone: "bad", title: home.usedUp, text };
  }
  if (online) return { code: "online", tone: "good", title: home.online, text: "" };
  return { code: "offline", tone: "idle", title: home.offline, text: home.offlineHint };
}
