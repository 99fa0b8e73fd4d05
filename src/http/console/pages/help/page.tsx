import { raw } from "hono/html";
import { filled } from "../../../../handbook/filled.ts";
import type { Page } from "../../../../handbook/pages.ts";
import { HandbookText } from "../../../pages/prose.tsx";
import { findLanguage, type LanguageName, languages } from "../../../words/languages.ts";
import { drawerLink } from "../../frame.tsx";
import { Terminal } from "../../parts/terminal.tsx";
import type { StaffVisit } from "../../guard.ts";
import { knownTo, type Reader } from "./known.ts";

/** The address below which the pictures of pages stand, by language. */
export const PICTURES = "/console/help/pictures";

/** The address at which a page of the handbook is read. */
export const helpHref = (slug: string) => `/console/help/${slug}`;

/** Markdown as it is served by itself: with what is known of this box, and links to its neighbours here. */
export function fillMarkdown(reader: Reader, { text, language }: Page): string {
  return filled(text, knownTo(reader))
    .replaceAll(/\]\((?:\.\.\/)*(?:[\w-]+\/)?([\w-]+\.md)\)/g, "]($1)")
    .replaceAll(/\]\((?:\.\.\/)+pictures\//g, `](${PICTURES}/${language}/`);
}

/** The language that a page is written in. */
export const pageLanguage = ({ language }: Page): LanguageName => findLanguage(language) ?? languages[0];

export const toReader = ({ db, by, account, request, view }: StaffVisit): Reader => ({
  db,
  by,
  ispId: account.ispId,
  account: account.username,
  brand: view.brand,
  request,
});

/** What a page says below its title and its opening; links open in the drawer that they stand in, and a script copies commands. */
export function Prose({ visit, page: one }: { visit: StaffVisit; page: Page }) {
  return (
    <HandbookText
      language={pageLanguage(one)}
      text={filled(one.text, knownTo(toReader(visit)))}
      linkTo={(slug) => ({ href: helpHref(slug), ...(visit.isPart && drawerLink(helpHref(slug))) })}
      pictureAt={(name) => `${PICTURES}/${one.language}/${name}`}
      commands={(html, place) => (
        <Terminal id={`help-${place}`} label={`${one.title}, ${place}`} visit={visit}>
          {raw(html)}
        </Terminal>
      )}
    />
  );
}
