import { rotatePaymentSource, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { doOnce, FormKey } from "../money/keyed.tsx";
import { Terminal } from "../routers/commands.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { formDrawer } from "../team/form.tsx";
import { sourceHref, sourceOf } from "./shown.ts";

/** The secret of a program, which is nowhere to be read again. */
export function showSourceSecret(visit: StaffVisit, source: Source, secret: string): Response {
  const { paymentSources: words } = visit.view.words;
  const { shown } = words;
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" title={shown.title}>
      <p class="sentence">{shown.lead}</p>
      <Card title={<bdi>{source.name}</bdi>}>
        <Terminal id="secret" label={shown.value} visit={visit}>
          {secret}
        </Terminal>
        <p class="hint">{words.signedText}</p>
      </Card>
      <div class="actions">
        <Button href={sourceHref(source)} kind="solid" size="large">
          {shown.next}
        </Button>
      </div>
    </SettingsFrame>,
  );
}

export function askRotation(visit: StaffVisit): Response {
  const { view } = visit;
  permit(visit.by, "rotatePaymentSource");
  const source = sourceOf(visit);
  const { paymentSources: words } = view.words;
  const isSigned = source.kind === "signed";
  const name = view.format.name(source.name);
  return formDrawer(visit, {
    title: isSigned ? words.rotateSecretTitle(name) : words.rotateAddressTitle(name),
    ...{ action: `${sourceHref(source)}/rotate`, back: sourceHref(source), danger: true, leaves: true },
    submit: isSigned ? words.rotateSecret : words.rotateAddress,
    children: (
      <>
        <FormKey />
        <p>{isSigned ? words.rotateSecretText : words.rotateAddressText}</p>
      </>
    ),
  });
}

/** Once for each press; a reload of the answer leads to the source, for the secret was shown. */
export async function rotate(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now, view } = visit;
  const source = sourceOf(visit);
  const { id } = source;
  let secret: string | null | undefined;
  const done = await doOnce(visit, `${sourceHref(source)}/rotate`, input, (tx) => () => {
    secret = rotatePaymentSource(tx, by, { id }, { now }).secret;
    return { id };
  });
  if (done instanceof DomainError) throw done;
  if (secret === undefined && source.kind === "signed") return seeOther(sourceHref(source));
  if (secret) return showSourceSecret(visit, source, secret);
  const { paymentSources: words } = view.words;
  const title = words.rotated(view.format.name(source.name));
  return said(visit, { kind: "good", title, text: words.madeText }, sourceHref(source));
}
