import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import type { Kept } from "../../kept.ts";
import type { ConsoleView } from "../../view.ts";
import { Entry } from "../../parts/entry.tsx";

/** Input of an expired session, sent again without a script. */
export function SendAgainPage({
  view,
  formToken,
  kept,
}: {
  view: ConsoleView;
  formToken: string;
  kept: Kept;
}) {
  const words = view.words.signIn;
  return (
    <Entry view={view} title={words.resendTitle}>
      <h1>{words.resendTitle}</h1>
      <p class="entry-lead">{words.resendLead}</p>
      <form method="post" action={kept.path} class="stack">
        <FormToken value={formToken} />
        <dl class="facts kept">
          {kept.fields
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <div>
                <dt>{fieldLabel(words.fields, name)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {kept.fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {kept.secrets.map((name) => (
          <Field
            name={name}
            label={fieldLabel(words.fields, name)}
            type="password"
            help={words.typeAgain}
            attributes={{ autocomplete: "off" }}
          />
        ))}
        <Button kind="solid">{words.resend}</Button>
        <Button href="/console" kind="quiet">
          {words.leave}
        </Button>
      </form>
    </Entry>
  );
}

function fieldLabel(known: ReadonlyMap<string, string>, name: string): string {
  const bare = name.replaceAll("_", " ");
  return known.get(name) ?? bare.charAt(0).toUpperCase() + bare.slice(1);
}
