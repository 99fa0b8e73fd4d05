import type { Enrolment } from "../../../../domain/people/staff/enrolment.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Qr } from "../../../pages/parts/qr.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Entry } from "../../parts/entry.tsx";

interface StepProps {
  visit: StaffVisit;
  problem?: string | undefined;
}

/** A new secret, confirmed by its first code. Shown alone to who has to have one. */
export function EnrolPage({
  visit,
  enrolment,
  problem,
  onward,
}: StepProps & { enrolment: Enrolment; onward: string }) {
  const { view, formToken, lacks } = visit;
  const words = view.words.me;
  return (
    <Entry view={view} title={words.enrolTitle}>
      <h1>{words.enrolTitle}</h1>
      <p class="entry-lead">{lacks === "enrolment" ? words.factorNeeded : words.enrolLead}</p>
      <form method="post" action="/console/me/second-factor" class="stack">
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <FormToken value={formToken} />
        <input type="hidden" name="sealed" value={enrolment.sealed} />
        <input type="hidden" name="then" value={onward} />
        <p>1. {words.scan}</p>
        <Qr text={enrolment.uri} label={words.picture} />
        <p class="hint">
          {words.typeIt} <span class="mono secret">{enrolment.secret.replace(/(.{4})(?=.)/g, "$1 ")}</span>
        </p>
        <p>2. {words.thenCode}</p>
        <Code view={view} />
        <Button kind="solid">{words.switchOn}</Button>
      </form>
      <Leave visit={visit} />
    </Entry>
  );
}

export function CodesPage({
  visit,
  codes,
  onward,
}: StepProps & { codes: readonly string[]; onward: string }) {
  const words = visit.view.words.me;
  return (
    <Entry view={visit.view} title={words.codesTitle}>
      <h1>{words.codesTitle}</h1>
      <p class="entry-lead">{words.codesLead}</p>
      <ol class="recovery-codes mono">
        {codes.map((code) => (
          <li>{code}</li>
        ))}
      </ol>
      <div class="stack">
        <button type="button" class="button" hidden data-print>
          {words.print}
        </button>
        <Button href={onward} kind="solid">
          {words.keptThem}
        </Button>
      </div>
    </Entry>
  );
}

function Code({ view }: Pick<StaffVisit, "view">) {
  return (
    <div class="field code">
      <label for="code">{view.words.signIn.code}</label>
      <input
        id="code"
        name="code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        maxLength={20}
        required
      />
    </div>
  );
}

/** Back, or signs out where nothing else may be seen. */
function Leave({ visit: { view, formToken, lacks } }: StepProps) {
  const words = view.words.signIn;
  return (
    <div class="entry-other">
      {lacks === "nothing" ? (
        <a class="button quiet" href="/console/me">
          {words.leave}
        </a>
      ) : (
        <form method="post" action="/console/sign-out">
          <FormToken value={formToken} />
          <Button kind="quiet">{words.notYou}</Button>
        </form>
      )}
    </div>
  );
}
