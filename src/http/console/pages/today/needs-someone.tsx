import { needsSomeone } from "../../../../domain/machine/check/needs-someone.ts";
import type { StaffVisit } from "../../guard.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { NeedsSomeone } from "../../parts/needs-someone.tsx";
import { refreshing } from "./live.ts";

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

/** Loads them after the page; a link without a script. */
export function NeedsLater({ visit: { view } }: { visit: StaffVisit }) {
  const { findings, today } = view.words;
  const path = "/console/today/needs";
  const live = { "hx-get": path, "hx-trigger": "load", "hx-target": "this", "hx-swap": "outerHTML" };
  return (
    <Card title={findings.title} kind="needs later" id="today-needs" live={live}>
      <p>
        <a href="/console/findings">{today.allFindings}</a>
      </p>
    </Card>
  );
}
