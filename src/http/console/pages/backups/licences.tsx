import { applianceStore } from "../../../../domain/machine/appliance/store.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";

const RULE = "=".repeat(100);

interface Notice {
  readonly name: string;
  readonly text: string;
}

/** The introduction, and each package's notice. */
function noticesIn(text: string): { lead: string; notices: Notice[] } {
  const [lead = "", ...parts] = text.split(`${RULE}\n`);
  const notices: Notice[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name = "", ...from] = (parts[at] ?? "").trim().split("\n");
    notices.push({ name, text: [...from, "", (parts[at + 1] ?? "").trim()].join("\n") });
  }
  return { lead: lead.trim(), notices };
}

export async function showLicences(visit: StaffVisit): Promise<Response> {
  const { db, by, needs, view, path, query } = visit;
  applianceStore(db, by); // whoever may look at the appliance
  const { appliance } = view.words.backups;
  const { lead, notices } = noticesIn(await needs.appliance().notices());
  const chosen = notices[Number(query.get("of") ?? Number.NaN)];
  return page(
    visit,
    <SettingsFrame visit={visit} current="appliance" title={appliance.licencesTitle}>
      <p class="sentence">{lead}</p>
      <div class="split">
        <div>
          {chosen && (
            <Card title={chosen.name}>
              <pre class="mono licences">{chosen.text}</pre>
            </Card>
          )}
          <ul class="card rows">
            {notices.map((notice, index) => (
              <li>
                <a
                  href={`${path}?of=${index}`}
                  {...(notice === chosen && { "aria-current": "true" as const })}
                >
                  {notice.name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </SettingsFrame>,
  );
}
