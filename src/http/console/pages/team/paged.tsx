import { Button } from "../../../pages/parts/button.tsx";
import type { StaffVisit } from "../../guard.ts";

/** The page of a long list that is asked for, from 1. */
export function pageIn(query: URLSearchParams): number {
  const asked = query.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

interface PagesProps {
  visit: StaffVisit;
  total: number;
  limit: number;
  path: string;
}

/** Below a long list: what of it is shown, and the ways to the rest; nothing where all of it is. */
export function Pages({ visit: { query, view }, total, limit, path }: PagesProps) {
  if (total <= limit) return null;
  const words = view.words.team;
  const { format } = view;
  const current = pageIn(query);
  const from = (current - 1) * limit;
  const href = (number: number) => {
    const changed = new URLSearchParams(query);
    changed.set("page", String(number));
    return `${path}?${String(changed)}`;
  };
  return (
    <div class="pages">
      <span>
        {words.range(
          format.number(Math.min(from + 1, total)),
          format.number(Math.min(from + limit, total)),
          format.number(total),
        )}
      </span>
      {current > 1 && (
        <Button href={href(current - 1)} size="small" icon="back">
          {words.previous}
        </Button>
      )}
      {from + limit < total && (
        <Button href={href(current + 1)} size="small" icon="forward">
          {words.next}
        </Button>
      )}
    </div>
  );
}
