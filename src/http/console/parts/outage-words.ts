import type { Outage } from "../../../domain/service/outages/find.ts";
import type { Seconds } from "../../../domain/core/time/time.ts";
import type { ConsoleView } from "../view.ts";

type Words = Pick<ConsoleView["words"], "list" | "outages">;

/** `5 to 8`, `1, 3 and 5 to 8`. */
export function portList(ports: readonly string[], { list, outages: words }: Words): string {
  const runs: string[][] = [];
  for (const port of ports) {
    const run = runs.at(-1);
    if (run && Number(port) === Number(run.at(-1)) + 1) run.push(port);
    else runs.push([port]);
  }
  const parts = runs.flatMap((run) => {
    const [first = "", last = ""] = [run[0], run.at(-1)];
    if (run.length === 1) return [first];
    return run.length === 2 ? [first, last] : [words.to(first, last)];
  });
  const end = parts.pop() ?? "";
  return parts.length === 0 ? end : words.and(parts.join(list.comma), end);
}

/** `BOX-77: ports 5 to 8 went dark together`. */
export function outageTitle(outage: Outage, { words }: Pick<ConsoleView, "words">): string {
  const { kind, evidence, lines } = outage;
  const { outages } = words;
  const name = outage.nasName ?? outage.areaName ?? outage.boxNumber ?? outages.gone;
  if (evidence.sign === "silent") return outages.router(name);
  if (kind === "router") return outages.routerLost(name, lines);
  if (kind === "area") return outages.area(name, lines);
  return evidence.sign === "lost" && evidence.ports.length === lines
    ? outages.box(name, portList(evidence.ports, words))
    : outages.boxPort(name, lines);
}

/** `14:05, within 9 s; ports 1 to 4 answer`; `No packet for 11 min; 122 lines as last heard`. */
export function outageEvidence(outage: Outage, { words, format, now }: ConsoleView): string {
  const { evidence, beganAt, endedAt } = outage;
  const { outages } = words;
  if (evidence.sign === "silent") {
    const silence =
      endedAt === null
        ? outages.silence(format.duration(now - beganAt))
        : outages.silenceWas(format.timeNear(beganAt, now));
    return `${silence}${words.list.semicolon}${outages.heardLast(outage.lines)}`;
  }
  if (evidence.sign === "unknown") return outages.unknown(format.timeNear(beganAt, now));
  const when = outages.within(format.timeNear(beganAt, now), Math.max(1, evidence.seconds));
  return `${when}${words.list.semicolon}${answering(outage, { words, format })}`;
}

/** What of it still works. */
export function answering(
  { kind, evidence }: Outage,
  { words }: Pick<ConsoleView, "words" | "format">,
): string {
  const { outages } = words;
  if (evidence.sign === "silent") return outages.others(evidence.othersHeard, evidence.others);
  if (evidence.sign === "unknown") return outages.answerUnknown;
  if (kind === "box" && evidence.answeringPorts.length > 0)
    return outages.answerPorts(portList(evidence.answeringPorts, words));
  if (kind === "box" && evidence.answering === 0) return outages.answerNone;
  return outages.answerLines(evidence.answering);
}

/** What to look at first. */
export function outageAdvice({ kind, evidence }: Outage, { outages }: ConsoleView["words"]): string {
  if (evidence.sign === "silent") return outages.routerFirst;
  if (kind === "router") return outages.uplink;
  if (kind === "area") return outages.areaFirst;
  return evidence.sign === "lost" && evidence.answering > 0 ? outages.feed : outages.noFeed;
}

/** `14:05:03`, with the day unless it is today. */
export function clockTime(at: Seconds, { format, now }: ConsoleView): string {
  return format.date(at) === format.date(now) ? format.clock(at) : format.time(at);
}
