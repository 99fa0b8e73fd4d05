import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import {
  type Endpoint,
  endpointSecret,
  rotateEndpointSecret,
} from "../../../../domain/around/webhooks/endpoints.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { doOnce, FormKey } from "../money/keyed.tsx";
import { Terminal } from "../routers/commands.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { formDrawer } from "../team/form.tsx";
import { hookHref, hookOf, hostOf } from "./shown.ts";

/** What a receiver does with it; `SECRET` is the only name of ours in it. */
const SAMPLE = `import { Webhook } from "standardwebhooks";

const event = new Webhook(SECRET).verify(body, headers); // throws what is not ours`;

/** The secret, which no page of its own has: it is answered to a press alone. */
export function showSecret(
  visit: StaffVisit,
  endpoint: Endpoint,
  { secret, why }: { secret: string; why: "made" | "rotated" | "again" },
): Response {
  const { view } = visit;
  const { shown } = view.words.webhooks;
  return page(
    visit,
    <SettingsFrame visit={visit} current="webhooks" title={shown[why]}>
      <p class="sentence">{why === "rotated" ? shown.rotatedLead : shown.lead}</p>
      <Card title={shown.title} lead={<bdi>{hostOf(endpoint)}</bdi>}>
        <Terminal id="secret" label={shown.value} visit={visit}>
          {secret}
        </Terminal>
      </Card>
      <Card title={shown.verify}>
        <ol class="hook-steps">
          {shown.verifySteps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        <p class="hint">{shown.sample}</p>
        <Terminal id="sample" label={shown.sample} visit={visit}>
          {SAMPLE}
        </Terminal>
      </Card>
      <div class="actions">
        <Button href={hookHref(endpoint)} kind="solid" size="large">
          {shown.next}
        </Button>
      </div>
    </SettingsFrame>,
  );
}

/** Once more, which stands in the trail. */
export function revealSecret(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const endpoint = hookOf(visit);
  const secret = endpointSecret(db, by, { id: endpoint.id }, { now });
  return showSecret(visit, endpoint, { secret, why: "again" });
}

export function askRotation(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "rotateEndpointSecret");
  const endpoint = hookOf(visit);
  const { webhooks } = view.words;
  return formDrawer(visit, {
    title: webhooks.rotateTitle(view.format.name(hostOf(endpoint))),
    ...{ action: `${hookHref(endpoint)}/rotate`, back: hookHref(endpoint), leaves: true },
    submit: webhooks.rotateSubmit,
    children: (
      <>
        <FormKey />
        <p>{webhooks.rotateText}</p>
      </>
    ),
  });
}

/** Once for each press: a second rotation would end the secret that the receiver still has. */
export async function rotate(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const endpoint = hookOf(visit);
  const { id } = endpoint;
  let made: string | undefined;
  const done = await doOnce(visit, `${hookHref(endpoint)}/rotate`, input, (tx) => () => {
    made = rotateEndpointSecret(tx, by, { id }, { now }).secret;
    return { id };
  });
  if (done instanceof DomainError) throw done;
  const secret = made ?? endpointSecret(db, by, { id }, { now });
  return showSecret(visit, endpoint, { secret, why: "rotated" });
}
