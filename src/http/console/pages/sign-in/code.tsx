import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import type { Kept } from "../../kept.ts";
import type { ConsoleView } from "../../view.ts";
import { aboveForm, Onward } from "./sign-in.tsx";
import { Entry } from "../../parts/entry.tsx";

export const CODE = "/console/sign-in/code";

export interface CodeProps {
  view: ConsoleView;
  formToken: string;
  onward: string;
  kept?: Kept | undefined;
  /** A recovery code. */
  recovery: boolean;
  problem?: string | undefined;
  host?: string | undefined;
}

export function CodePage(props: CodeProps) {
  const { view, formToken, onward, kept, recovery, host } = props;
  const words = view.words.signIn;
  return (
    <Entry view={view} title={recovery ? words.recoveryTitle : words.codeTitle} host={host}>
      <h1>{recovery ? words.recoveryTitle : words.codeTitle}</h1>
      <p class="entry-lead">{recovery ? words.recoveryLead : words.codeLead}</p>
      <form method="post" action={CODE} class="stack" {...(!recovery && { "data-code": "" })}>
        <FormToken value={formToken} />
        <Onward onward={onward} kept={kept} />
        <CodeField {...props} />
        <Buttons words={words} recovery={recovery} />
      </form>
      <div class="entry-other">
        <form method="post" action="/console/sign-out">
          <FormToken value={formToken} />
          <Button kind="quiet">{words.notYou}</Button>
        </form>
      </div>
      {recovery && <p class="hint">{words.lostBoth}</p>}
    </Entry>
  );
}

export function CodePart(props: CodeProps) {
  const { recovery } = props;
  const words = props.view.words.signIn;
  return (
    <div class="entry-card">
      <h2 id="again-title">{recovery ? words.recoveryTitle : words.codeTitle}</h2>
      <p class="entry-lead">{recovery ? words.recoveryLead : words.codeLead}</p>
      <form
        method="post"
        action={CODE}
        class="stack"
        {...(!recovery && { "data-code": "" })}
        {...aboveForm("/console/sign-in/again/code")}
      >
        <FormToken value={props.formToken} />
        <CodeField {...props} />
        <Buttons words={words} recovery={recovery} />
      </form>
    </div>
  );
}

/** Submits, or switches the kind of code and keeps the input. */
function Buttons({ words, recovery }: { words: ConsoleView["words"]["signIn"]; recovery: boolean }) {
  return (
    <>
      <Button kind="solid">{words.goOn}</Button>
      <button class="button quiet" name="show" value={recovery ? "code" : "recovery"} formnovalidate>
        {recovery ? words.useCode : words.useRecovery}
      </button>
    </>
  );
}

function CodeField({ view, recovery, problem }: CodeProps) {
  const words = view.words.signIn;
  const name = recovery ? "recovery_code" : "code";
  return (
    <>
      {problem !== undefined && <Note kind="bad">{problem}</Note>}
      <div class="field code">
        <label for={name}>{recovery ? words.recoveryCode : words.code}</label>
        <input
          id={name}
          name={name}
          type="text"
          required
          autofocus
          autocapitalize="none"
          spellcheck={false}
          maxLength={recovery ? 20 : 7}
          {...(recovery
            ? { autocomplete: "off" }
            : { autocomplete: "one-time-code", inputmode: "numeric", "aria-describedby": "code-help" })}
        />
        {!recovery && (
          <p id="code-help" class="hint" hidden data-by-itself>
            {words.codeHelp}
          </p>
        )}
      </div>
    </>
  );
}
