import { AsyncLocalStorage } from "node:async_hooks";

/** How an answer writes what it says. */
export interface Form {
  /** In the server's zone, or with the offset. */
  readonly time: "server" | "iso";
  /** Amounts alone, or with their minor units beside them. */
  readonly money: "plain" | "minor";
}

export const usualForm: Form = { time: "server", money: "plain" };
/** All that there are, the usual one first. */
export const forms: readonly Form[] = [
  usualForm,
  { time: "iso", money: "plain" },
  { time: "server", money: "minor" },
  { time: "iso", money: "minor" },
];

const asked = new AsyncLocalStorage<Form>();
/** Whether anybody ever asked: to look for a form costs more than to write a time, and few do. */
let isAsked = false;

/** Does `work` so that what it writes has a form, also behind an `await` and in a stream that it makes. */
export function inForm<T>(form: Form, work: () => T): T {
  isAsked ||= form !== usualForm;
  return isAsked ? asked.run(form, work) : work();
}

export const formNow = (): Form => (isAsked ? asked.getStore() : undefined) ?? usualForm;
