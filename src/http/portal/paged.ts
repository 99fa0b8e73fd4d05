import type { Part, Window } from "../../domain/desk/portal/history.ts";
import { targetQuery } from "../target.ts";

const SIZE = 20;

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly pages: number;
}

/** The page of a list that a request names, `?page=2`; anything else is the first. */
export function paged<T>(request: Request, read: (window: Window) => Part<T>): Page<T> {
  const text = new URLSearchParams(targetQuery(request)).get("page") ?? "";
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  const { items, total } = read({ limit: SIZE, offset: (page - 1) * SIZE });
  return { items, page, pages: Math.max(1, Math.ceil(total / SIZE)) };
}
