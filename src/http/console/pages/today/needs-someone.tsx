import { needsSomeone } from "../../../../domain/findings/needs-someone.ts";
import type { StaffVisit } from "../../guard.ts";
import { NeedsSomeone } from "../outages/needs-someone.tsx";
import { refreshing } from "./live.ts";

/** What waits for somebody: the box, outages, and what is the matter with single subscribers. */
export function Needs({ visit }: { visit: StaffVisit }) {
  const { db, by, now, needs } = visit;
  const items = needsSomeone(db, by, { findings: needs.findings() }, { now });
  return (
    <NeedsSomeone
      visit={visit}
      items={items}
      id="today-needs"
      live={refreshing("/console/today/needs", ["findings"])}
    />
  );
}
