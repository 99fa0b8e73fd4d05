import { rotatePaymentSource, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { Terminal } from "../../parts/terminal.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { readSource, sourceHref, SOURCES } from "./words.ts";

/** The signing secret, which cannot be read again. */
export function showSourceSecret(visit: StaffVisit, source: Source, secret: string): Response {
  const { paymentSources: words } = visit.view.words;
  const { shown: secretWords } = words;
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" title={secretWords.title}>
      <p class="sentence">{secretWords.lead}</p>
      <Card title={<bdi>{source.name}</bdi>}>
        <Terminal id="secret" label={secretWords.value} visit={visit}>
          {secret}
        </Terminal>
        <p class="hint">{words.signedText}</p>
      </Card>
      <div class="actions">
        <Button href={sourceHref(source)} kind="solid" size="large">
          {secretWords.next}
        </Button>
      </div>
    </SettingsFrame>,
  );
}

/** A rotation, once for each press; a reload leads to the source. */
export const sourceRotation = form({
  path: `${SOURCES}/:id/rotate`,
  permit: "rotatePaymentSource",
  of: readSource,
  content: ({ view }, source) => {
    const { paymentSources: words } = view.words;
    const isSigned = source.kind === "signed";
    const name = view.format.name(source.name);
    return {
      title: isSigned ? words.rotateSecretTitle(name) : words.rotateAddressTitle(name),
      back: sourceHref(source),
      danger: true,
      answersPage: true,
      submit: isSigned ? words.rotateSecret : words.rotateAddress,
      text: <p>{isSigned ? words.rotateSecretText : words.rotateAddressText}</p>,
    };
  },
  once: (): { secret?: string | null } => ({}),
  save: ({ db, by, now }, { id }) => ({ secret: rotatePaymentSource(db, by, { id }, { now }).secret }),
  done: (visit, { secret }, source) => {
    const { view } = visit;
    if (secret) return showSourceSecret(visit, source, secret);
    if (source.kind === "signed") return seeOther(sourceHref(source));
    const { paymentSources: words } = view.words;
    return { title: words.rotated(view.format.name(source.name)), text: words.madeText };
  },
});
