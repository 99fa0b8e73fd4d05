import type { QuotaCrossed } from "../domain/sessions/accounting.ts";
import type { BooksLinkState } from "./books-link.ts";
import type { BoxLinkState } from "./box-link.ts";
import type { NatsOptions } from "./connection.ts";

/** What main asks the thread of a link for. */
export type LinkOrder =
  | { readonly kind: "serve"; readonly folder: string; readonly options: Omit<NatsOptions, "seed"> }
  | { readonly kind: "stop" };

/** What the thread tells main. */
export type LinkNotice =
  | { readonly kind: "state"; readonly state: BooksLinkState | BoxLinkState }
  | { readonly kind: "crossed"; readonly crossed: readonly QuotaCrossed[] }
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly what: string; readonly error: string }
  | { readonly kind: "stopped" };
