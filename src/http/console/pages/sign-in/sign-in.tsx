import { Entry } from "../../parts/entry.tsx";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { type Kept, writeKept } from "../../kept.ts";
import type { ConsoleView } from "../../view.ts";

export interface SignInProps {
  view: ConsoleView;
  formToken: string;
  onward: string;
  username?: string;
  kept?: Kept | undefined;
  problem?: string | undefined;
  done?: string | undefined;
  host?: string | undefined;
}

export function SignInPage(props: SignInProps) {
  const { view, formToken, onward, kept, host } = props;
  const words = view.words.signIn;
  return (
    <Entry view={view} title={words.title} host={host}>
      <h1>{words.title}</h1>
      <p class="entry-lead">{words.lead(view.brand.name)}</p>
      <form method="post" action="/console/sign-in" class="stack">
        <FormToken value={formToken} />
        <Onward onward={onward} kept={kept} />
        <Credentials {...props} />
      </form>
      <p class="hint">{words.forgotten}</p>
      <p class="hint">
        {words.subscriber} <a href="/portal">{words.portal}</a>
      </p>
    </Entry>
  );
}

export function SignInPart(props: SignInProps) {
  const words = props.view.words.signIn;
  return (
    <div class="entry-card">
      <h2 id="again-title">{words.again}</h2>
      <p class="entry-lead">{words.againLead}</p>
      <form method="post" action="/console/sign-in" class="stack" {...aboveForm("/console/sign-in/again")}>
        <FormToken value={props.formToken} />
        <Credentials {...props} idPrefix="again-" />
      </form>
    </div>
  );
}

/** What has a form answered within the dialog that it stands in. */
export function aboveForm(path: string) {
  return { "hx-post": path, "hx-target": "#sign-in", "hx-swap": "innerHTML" };
}

/** The requested page and kept input. */
export function Onward({ onward, kept }: { onward: string; kept: Kept | undefined }) {
  return (
    <>
      <input type="hidden" name="then" value={onward} />
      {kept && <input type="hidden" name="kept" value={writeKept(kept)} />}
    </>
  );
}

function Credentials({
  view,
  username = "",
  problem,
  done,
  idPrefix = "",
}: SignInProps & { idPrefix?: string }) {
  const words = view.words.signIn;
  const id = `${idPrefix}password`;
  return (
    <>
      {problem !== undefined && <Note kind="bad">{problem}</Note>}
      {done !== undefined && problem === undefined && <Note kind="good">{done}</Note>}
      <Field
        name="username"
        id={`${idPrefix}username`}
        label={words.username}
        value={username}
        required
        attributes={{
          autocomplete: "username",
          autocapitalize: "none",
          spellcheck: "false",
          maxlength: 128,
          ...(username === "" && { autofocus: true }),
        }}
      />
      <div class="field">
        <label for={id}>{words.password}</label>
        <div class="reveal">
          <input
            id={id}
            name="password"
            type="password"
            autocomplete="current-password"
            maxLength={1000}
            required
            {...(username !== "" && { autofocus: true })}
          />
          <button
            type="button"
            hidden
            data-reveal
            data-show={words.show}
            data-hide={words.hide}
            aria-controls={id}
            aria-pressed="false"
          >
            {words.show}
          </button>
        </div>
      </div>
      <Button kind="solid" showKey="Enter">
        {words.submit}
      </Button>
    </>
  );
}
