import { BrandMark } from "../../../pages/brand.tsx";
import { Document, FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import type { Child } from "hono/jsx";
import { consoleScript, consoleStyle, htmxScript } from "../../assets.ts";
import type { ConsoleView } from "../../view.ts";

/** A page of somebody who is not signed in: one card. */
export function Entry({ view, title, children }: { view: ConsoleView; title: string; children: Child }) {
  return (
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={view.brand}
      title={title}
      kind="console entry"
      styles={[consoleStyle.path]}
      libraries={[htmxScript.path]}
      scripts={[consoleScript.path]}
      head={<meta name="htmx-config" content='{"includeIndicatorCSS":false}' />}
    >
      <main class="entry-card" id="content">
        <BrandMark brand={view.brand} />
        {children}
      </main>
    </Document>
  );
}

interface SignInProps {
  view: ConsoleView;
  formToken: string;
  /** Where to go on to. */
  next: string;
  username?: string;
  /** What went wrong with the last attempt. */
  problem?: string | undefined;
  /** What was done before. */
  done?: string | undefined;
}

export function SignInPage({ view, formToken, next, username = "", problem, done }: SignInProps) {
  const words = view.words.signIn;
  return (
    <Entry view={view} title={words.title}>
      <h1>{words.title}</h1>
      <p class="entry-lead">{words.lead(view.brand.name)}</p>
      <form method="post" action="/console/sign-in" class="stack">
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        {done !== undefined && problem === undefined && <Note kind="good">{done}</Note>}
        <FormToken value={formToken} />
        <input type="hidden" name="then" value={next} />
        <Field
          name="username"
          label={words.username}
          value={username}
          required
          attributes={{
            autocomplete: "username",
            autocapitalize: "none",
            spellcheck: "false",
            maxlength: 128,
            autofocus: true,
          }}
        />
        <div class="field">
          <label for="password">{words.password}</label>
          <div class="reveal">
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              maxLength={1000}
              required
            />
            <button
              type="button"
              hidden
              data-reveal
              data-show={words.show}
              data-hide={words.hide}
              aria-controls="password"
              aria-pressed="false"
            >
              {words.show}
            </button>
          </div>
        </div>
        <Button kind="solid" showKey="Enter">
          {words.submit}
        </Button>
      </form>
      <p class="hint">
        {words.forgotten} {words.subscriber} <a href="/portal">{words.portal}</a>
      </p>
    </Entry>
  );
}
