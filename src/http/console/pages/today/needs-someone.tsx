import type { Finding } from "../../../../domain/check/finding.ts";
import { isAdminOfAll } from "../../../../domain/staff/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Nothing } from "./lists.tsx";
import { refreshing } from "./live.ts";

/** What waits for somebody: what is wrong with the appliance, each with what mends it. */
export function NeedsSomeone({ visit }: { visit: StaffVisit }) {
  const { db, by, now, view, needs } = visit;
  const { format, words } = view;
  const found = isAdminOfAll(db, by) ? needs.findings().filter(({ severity }) => severity !== "ok") : [];
  found.sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const text = words.today.needs;
  return (
    <Card
      id="today-needs"
      title={text.title}
      lead={found.length > 0 && <Count>{format.number(found.length)}</Count>}
      aside={text.checked(format.timeNear(now, now))}
      live={refreshing("/console/today/needs", ["findings"])}
    >
      {found.length === 0 ? (
        <Nothing title={text.none} text={text.noneHint} />
      ) : (
        <ul class="rows today-needs">
          {found.map((finding) => (
            <Row finding={finding} mend={text.mend} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A finding says first what is, and after the semicolon what to do. */
function Row({ finding: { severity, subject, message }, mend }: { finding: Finding; mend: string }) {
  const [what = "", ...remedy] = message.split("; ");
  return (
    <li>
      <span class={severity === "error" ? "bad-text" : "warn-text"}>
        <Icon name="alert" />
      </span>
      <details>
        <summary>
          <span>
            <span class="strong today-subject">{subject}</span>
            <span class="hint">{what}</span>
          </span>
          {remedy.length > 0 && <span class="button outline small">{mend}</span>}
        </summary>
        <p class="hint">{remedy.join("; ")}</p>
      </details>
    </li>
  );
}
