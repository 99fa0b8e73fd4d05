import type { WithSecret } from "../../../../domain/people/api-keys/api-keys.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { readOrigin } from "../../parts/call.tsx";
import { keyHref } from "../../parts/hrefs.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { Terminal } from "../../parts/terminal.tsx";

/** A new secret, this once. */
export function showSecret(
  visit: StaffVisit,
  { key, secret }: WithSecret,
  why: "made" | "rotated",
): Response {
  const { view, now } = visit;
  const { apiKeys: words } = view.words;
  const pair = `${key.key}:${secret}`;
  const { formerUntil } = key;
  const isKept = formerUntil !== null && formerUntil > now;
  const former = isKept ? words.rotatedLead(view.format.timeNear(formerUntil, now)) : words.rotatedAtOnce;
  return page(
    visit,
    <SettingsFrame visit={visit} current="keys" title={words[why](key.name)}>
      <p class="sentence">
        {words.shownLead} {why === "rotated" && former}
      </p>
      <Card title={words.value} lead={words.valueText}>
        <Terminal id="secret" label={words.value} visit={visit}>
          {pair}
        </Terminal>
      </Card>
      <Card title={words.try}>
        <Terminal id="sample" label={words.try} visit={visit}>
          {`curl -u ${pair} ${readOrigin(visit)}/api/v1/subscriber/list?limit=1`}
        </Terminal>
      </Card>
      <div class="actions">
        <Button href={keyHref(key)} kind="solid" size="large">
          {words.next}
        </Button>
      </div>
    </SettingsFrame>,
  );
}
