import { raw } from "hono/html";
import { filled } from "../../../../handbook/filled.ts";
import type { Page } from "../../../../handbook/pages.ts";
import { drawerLink } from "../../frame.tsx";
import { Terminal } from "../../parts/terminal.tsx";
import type { StaffVisit } from "../../guard.ts";
import { knownTo, type Reader } from "./known.ts";

/** Where a page of the handbook is read. */
export const hrefOf = (slug: string) => `/console/help/${slug}`;

/** Markdown as it is served by itself: with what is known of this box, and links to its neighbours here. */
export function markdownOf(reader: Reader, { text }: Page): string {
  return filled(text, knownTo(reader)).replaceAll(/\]\((?:\.\.\/[\w-]+\/)?([\w-]+\.md)\)/g, "]($1)");
}

export const readerOf = ({ db, by, account, request, view }: StaffVisit): Reader => ({
  db,
  by,
  ispId: account.ispId,
  account: account.username,
  brand: view.brand,
  request,
});

/** What a page says below its title and its opening. */
export function Prose({ visit, page }: { visit: StaffVisit; page: Page }) {
  const [, , , , ...lines] = markdownOf(readerOf(visit), page).split("\n");
  const html = Bun.markdown.html(lines.join("\n"), { noHtmlBlocks: true, noHtmlSpans: true });
  return (
    <div class="prose stack" lang="en" dir="ltr">
      {raw(withCopies(visit, page, withLinks(visit, html)))}
    </div>
  );
}

/** Within a drawer a link to another page opens in it. */
function withLinks({ isPart }: StaffVisit, html: string): string {
  return html.replaceAll(/<a href="([\w-]+)\.md"/g, (_, slug: string) => {
    const attributes = Object.entries({ href: hrefOf(slug), ...(isPart && drawerLink(hrefOf(slug))) });
    return `<a ${attributes.map(([name, value]) => `${name}="${value}"`).join(" ")}`;
  });
}

/** Blocks of commands with a button that copies them, which a script shows. */
function withCopies(visit: StaffVisit, { title }: Page, html: string): string {
  let count = 0;
  return html.replaceAll(
    /<pre><code class="language-(?:sh|rsc)">([^]*?)<\/code><\/pre>/g,
    (_, code: string) => {
      const id = `help-${++count}`;
      return String(
        <Terminal id={id} label={`${title}, ${count}`} visit={visit}>
          {raw(code)}
        </Terminal>,
      );
    },
  );
}
