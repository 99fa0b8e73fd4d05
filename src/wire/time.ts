import { AsyncLocalStorage } from "node:async_hooks";
import { formatOffsetTime, formatTime, type Seconds } from "../domain/core/time/time.ts";

/** How an answer writes what it says. */
export interface Form {
  readonly time: "server" | "iso";
}

export const usualForm: Form = { time: "server" };
/** All that there are, the usual one first. */
export const forms: readonly Form[] = [usualForm, { time: "iso" }];

const asked = new AsyncLocalStorage<Form>();
/** Whether anybody ever asked: to look for a form costs more than to write a time, and few do. */
let isAsked = false;

/** Does `work` so that what it writes has a form, also behind an `await` and in a stream that it makes. */
export function inForm<T>(form: Form, work: () => T): T {
  isAsked ||= form !== usualForm;
  return isAsked ? asked.run(form, work) : work();
}

const formNow = (): Form => (isAsked ? asked.getStore() : undefined) ?? usualForm;

/** A time of an answer: the only place where records write one. */
export const writeTime = (at: Seconds): string =>
  formNow().time === "iso" ? formatOffsetTime(at) : formatTime(at);
