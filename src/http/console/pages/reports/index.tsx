import { Card } from "../../../pages/parts/card.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { looksFor, REPORTS } from "./query.ts";
import { reportGroups, slugOf } from "./looks.ts";

export function ReportIndex({ visit }: { visit: StaffVisit }) {
  const { places, reports } = visit.view.words;
  const open = looksFor(visit.by);
  return (
    <Frame visit={visit} title={places.reports} place="reports">
      <div class="page-head">
        <h1>{places.reports}</h1>
      </div>
      <p class="sentence">{reports.lead}</p>
      <div class="halves after">
        {reportGroups.map((group) => {
          const own = open.filter((look) => look.group === group);
          return (
            own.length > 0 && (
              <Card title={reports.groups[group]}>
                <ul class="rows">
                  {own.map((look) => (
                    <li>
                      <div>
                        <a href={`${REPORTS}/${slugOf(look)}`}>{reports.tabs[look.report.name]}</a>
                        <p class="hint">{reports.about[look.report.name]}</p>
                      </div>
                    </li>
                  ))}
                </ul>
              </Card>
            )
          );
        })}
      </div>
    </Frame>
  );
}
