import { BrandMark } from "../../pages/brand.tsx";
import { FormToken } from "../../pages/document.tsx";
import { ContactLines, Document, hasContact, Reach, type View } from "../layout.tsx";
import { LanguageMenu } from "../language.tsx";
import { Note } from "../../pages/note.tsx";

interface SignInProps {
  view: View;
  formToken: string;
  request: Request;
  username?: string;
  problem?: string | undefined;
  done?: string | undefined;
  /** Leads back to a card, which was not redeemed. */
  isForCard?: boolean;
}

export function SignInPage({
  view,
  formToken,
  request,
  username = "",
  problem,
  done,
  isForCard = false,
}: SignInProps) {
  const { signIn: words, help } = view.words;
  return (
    <Document view={view} title={words.title} kind="single">
      <main class="single-card">
        <BrandMark brand={view.brand} />
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        {done !== undefined && problem === undefined && (
          <Note kind={isForCard ? "wait" : "good"}>{done}</Note>
        )}
        <form method="post" action={`/portal/sign-in${isForCard ? "?done=card" : ""}`} class="stack">
          <FormToken value={formToken} />
          <div class="field">
            <label for="username">{words.username}</label>
            <input
              id="username"
              name="username"
              value={username}
              autocomplete="username"
              dir="auto"
              autocapitalize="none"
              autocorrect="off"
              spellcheck={false}
              maxLength={128}
              required
            />
          </div>
          <div class="field">
            <label for="password">{words.password}</label>
            <div class="reveal" dir="ltr">
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
          <button class="button solid wide" type="submit">
            {words.submit}
          </button>
        </form>
        <LanguageMenu view={view} request={request} />
      </main>
      {hasContact(view.brand) && (
        <footer class="single-help">
          <p>{help}</p>
          <Reach view={view} />
          <ContactLines lines={view.brand.contact} />
        </footer>
      )}
    </Document>
  );
}
