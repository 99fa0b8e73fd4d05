import type { QuotaCrossed } from "../domain/service/accounting/accounting.ts";
import type { Carried } from "../domain/money/sums/carried.ts";
import type { OnlineAnswer, RouterAnswer } from "../domain/service/control/routers.ts";
import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import type { PrimaryLinkState, NodeLinkState } from "../domain/machine/access-boxes/link-state.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { NatsOptions } from "./connection.ts";

/** What main orders the link thread to do. */
export type LinkOrder =
  | {
      readonly kind: "serve";
      readonly folder: string;
      readonly version: string;
      readonly options: Omit<NatsOptions, "seed">;
      /** As of `shareTurns`. */
      readonly turns?: SharedArrayBuffer | undefined;
    }
  | { readonly kind: "ask"; readonly id: number; readonly box: string; readonly request: NodeRequest }
  | { readonly kind: "put"; readonly id: number; readonly file: string }
  | { readonly kind: "look"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: NodeAnswer }
  | { readonly kind: "stop" };

/** Result of storing a backup: its size there, or the error. */
export type PutAnswer = { readonly bytes: number } | { readonly fault: string };

/** The newest backup in the object store, null for none, or the error. */
export type LookAnswer =
  { readonly newest: { readonly at: Seconds; readonly bytes: number } | null } | { readonly fault: string };

export type NodeAnswer = RouterAnswer | OnlineAnswer;

/** What the thread posts to main; an answer is undefined when none came. */
export type LinkNotice =
  | { readonly kind: "state"; readonly state: PrimaryLinkState | NodeLinkState }
  | { readonly kind: "crossed"; readonly crossed: readonly QuotaCrossed[] }
  | { readonly kind: "carried"; readonly sums: readonly Carried[] }
  | { readonly kind: "changed" }
  | { readonly kind: "asked"; readonly id: number; readonly request: NodeRequest }
  | { readonly kind: "answered"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "put"; readonly id: number; readonly answer: PutAnswer }
  | { readonly kind: "looked"; readonly id: number; readonly answer: LookAnswer }
  | { readonly kind: "failed"; readonly what: string; readonly error: string }
  | { readonly kind: "stopped" };
