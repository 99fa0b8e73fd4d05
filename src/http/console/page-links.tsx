import { Icon } from "../pages/icons.tsx";
import type { ConsoleView } from "./view.ts";

/** More pages than any list has, few enough that an offset stays a whole number to the store. */
const MOST_PAGES = 1e9;

/** The page of a list that an address asks for: 1 where it names none. */
export function pageAsked(query: URLSearchParams): number {
  const asked = Number(query.get("page"));
  return Number.isSafeInteger(asked) && asked > 0 && asked <= MOST_PAGES ? asked : 1;
}

/** To the pages before and after one of a list; nothing where there is one page. `href` leads to a page by its number. */
export function PageLinks({
  view: { words },
  href,
  page,
  pages,
}: {
  view: ConsoleView;
  href: (page: number) => string;
  page: number;
  pages: number;
}) {
  const say = words.list;
  if (pages <= 1) return null;
  return (
    <nav class="actions" aria-label={say.pages}>
      {page > 1 && (
        <a class="button small" rel="prev" href={href(page - 1)}>
          <Icon name="back" />
          {say.previous}
        </a>
      )}
      {page < pages && (
        <a class="button small" rel="next" href={href(page + 1)}>
          {say.next}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}
