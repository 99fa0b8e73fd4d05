import {
  type Endpoint,
  endpointSecret,
  rotateEndpointSecret,
} from "../../../../domain/around/webhooks/endpoints.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { Terminal } from "../../parts/terminal.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { hookHost, readHook } from "./words.ts";
import { hookHref, WEBHOOKS } from "../../parts/hrefs.ts";

/** `SECRET` is the only name of ours in it. */
const SAMPLE = `import { Webhook } from "standardwebhooks";

const event = new Webhook(SECRET).verify(body, headers); // throws what is not ours`;

export function showSecret(
  visit: StaffVisit,
  endpoint: Endpoint,
  { secret, why }: { secret: string; why: "made" | "rotated" | "again" },
): Response {
  const { view } = visit;
  const { shown: secretText } = view.words.webhooks;
  return page(
    visit,
    <SettingsFrame visit={visit} current="webhooks" title={secretText[why]}>
      <p class="sentence">{why === "rotated" ? secretText.rotatedLead : secretText.lead}</p>
      <Card title={secretText.title} lead={<bdi>{hookHost(endpoint)}</bdi>}>
        <Terminal id="secret" label={secretText.value} visit={visit}>
          {secret}
        </Terminal>
      </Card>
      <Card title={secretText.verify}>
        <ol class="stack near listed">
          {secretText.verifySteps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <p class="hint">{secretText.sample}</p>
        <Terminal id="sample" label={secretText.sample} visit={visit}>
          {SAMPLE}
        </Terminal>
      </Card>
      <div class="actions">
        <Button href={hookHref(endpoint)} kind="solid" size="large">
          {secretText.next}
        </Button>
      </div>
    </SettingsFrame>,
  );
}

/** Leaves an audit entry. */
export function revealSecret(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const endpoint = readHook(visit);
  const secret = endpointSecret(db, by, { id: endpoint.id }, { now });
  return showSecret(visit, endpoint, { secret, why: "again" });
}

/** A rotation, once for each press: a second one would end the secret that the receiver still has. */
export const secretRotation = form({
  path: `${WEBHOOKS}/:id/rotate`,
  permit: "rotateEndpointSecret",
  of: readHook,
  content: ({ view }, endpoint) => {
    const { webhooks: words } = view.words;
    return {
      title: words.rotateTitle(view.format.name(hookHost(endpoint))),
      back: hookHref(endpoint),
      submit: words.rotateSubmit,
      answersPage: true,
      text: <p>{words.rotateText}</p>,
    };
  },
  once: ({ id }): { id: number; secret?: string } => ({ id }),
  save: ({ db, by, now }, { id }) => ({ id, secret: rotateEndpointSecret(db, by, { id }, { now }).secret }),
  done: (visit, { id, secret }, endpoint) => {
    const { db, by, now } = visit;
    const secretText = secret ?? endpointSecret(db, by, { id }, { now });
    return showSecret(visit, endpoint, { secret: secretText, why: "rotated" });
  },
});
