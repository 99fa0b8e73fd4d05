import { Icon } from "./icons.tsx";
import type { View } from "../portal/layout.tsx";

interface PagerProps {
  view: View;
  href: string;
  page: number;
  pages: number;
}

/** Links to the pages of a list; empty where there is one page. */
export function Pager({ view: { words }, href, page, pages }: PagerProps) {
  if (pages === 1 && page === 1) return null;
  const { newer, older, of, label } = words.pages;
  return (
    <nav class="pager" aria-label={label}>
      {page > 1 ? (
        <a rel="prev" href={page === 2 ? href : `${href}?page=${Math.min(page - 1, pages)}`}>
          <Icon name="back" />
          {newer}
        </a>
      ) : (
        <span />
      )}
      <span class="hint">{of(page, pages)}</span>
      {page < pages ? (
        <a rel="next" href={`${href}?page=${page + 1}`}>
          {older}
          <Icon name="forward" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
