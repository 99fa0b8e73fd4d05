import { seeOther } from "../pages/respond.tsx";
import { Icon } from "../pages/icons.tsx";
import { targetQuery } from "../target.ts";
import { languages } from "../words/languages.ts";
import type { View } from "./layout.tsx";

/** Cookie and query parameter. */
const NAME = "gatehouse_language";
const YEAR = 365 * 86_400;

/** The language that the visitor chose; empty: none. */
export function chosenLanguage(request: Request): string {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(NAME) ?? "";
}

/** Stores the query's language and redirects; undefined without one. */
export function languageSwitch(request: Request): Response | undefined {
  const query = new URLSearchParams(targetQuery(request));
  const tag = query.get(NAME);
  if (tag === null || !languages.some((known) => known.tag === tag)) return undefined;
  query.delete(NAME);
  const cookie = new Bun.Cookie(NAME, tag, { httpOnly: true, sameSite: "lax", path: "/", maxAge: YEAR });
  return seeOther(`?${query}`, [cookie.toString()]); // of this very path, whatever it is
}

interface LanguagesProps {
  view: View;
  request: Request;
}

/** A link for each language, named in itself. */
export function Languages({ view: { words }, request }: LanguagesProps) {
  const query = new URLSearchParams(targetQuery(request));
  return (
    <ul class="languages">
      {languages.map(({ tag, name }) => {
        query.set(NAME, tag);
        return (
          <li>
            <a
              href={`?${query}`}
              hreflang={tag}
              rel="nofollow"
              {...(tag === words.tag && { "aria-current": "true" as const })}
            >
              <bdi lang={tag}>{name}</bdi>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The same in a menu, which opens without a script. */
export function LanguageMenu({ view, request }: LanguagesProps) {
  const { words } = view;
  return (
    <details class="language-menu">
      <summary aria-label={words.labelled(words.language, words.name)}>
        <Icon name="globe" />
        {words.name}
      </summary>
      <Languages view={view} request={request} />
    </details>
  );
}
