import type { Db } from "../../../../db/open.ts";
import { operator } from "../../core/actor/operator.ts";
import { formatTime } from "../../core/time/time.ts";
import { commandName } from "../../goods/nas/sources.ts";
import { routerFindings, type RouterFinding } from "../../service/router-watch/findings.ts";
import { error, type Finding, warning } from "./finding.ts";

const appliance = operator("gatehouse", "system");

/** Unhidden findings of the router watch: a line for a router's errors, one for the rest. */
export function checkWatched(db: Db): Finding[] {
  const counted = routerFindings(db, appliance).findings.filter(
    ({ countedAt, hidden }) => countedAt !== null && hidden === null,
  );
  const groups = Map.groupBy(counted, ({ nasId, level }) => `${nasId} ${level}`);
  return [...groups.values()].flatMap((found) => toFindings(found));
}

function toFindings(found: readonly RouterFinding[]): Finding[] {
  const [one] = found;
  if (!one) return [];
  const { nasId: id, router: name, level, kind, values } = one;
  const others = found.length === 1 ? "" : ` and ${found.length - 1} more`;
  const since = formatTime(Math.min(...found.map(({ foundAt }) => foundAt)));
  const findings = level === "error" ? error : warning;
  return [
    findings(
      "routers",
      `${name}: what is set there is not as it should be since ${since}: ${kind}${others}; see what it is and what mends it: gatehouse nas watch ${commandName({ name, address: String(id) })}`,
      "router_drifted",
      { id, name, found: found.length, one: { kind, values } as RouterFinding },
    ),
  ];
}
