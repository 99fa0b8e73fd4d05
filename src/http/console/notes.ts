/** A message about something done, for a toast or the next page. */
export interface Flash {
  readonly kind: "good" | "bad" | "wait";
  readonly title: string;
  readonly text?: string | undefined;
  readonly links?: readonly { readonly href: string; readonly label: string }[];
}

const MAX_SESSIONS = 1000;
const MAX_NOTES = 5;

/** Messages for a session's next page, for browsers without scripts. */
export class Notes {
  readonly #notes = new Map<string, Flash[]>();

  add(sessionKey: string, note: Flash): void {
    const before = this.take(sessionKey);
    this.#notes.set(sessionKey, [...before, note].slice(-MAX_NOTES));
    if (this.#notes.size <= MAX_SESSIONS) return;
    const [oldest = ""] = this.#notes.keys();
    this.#notes.delete(oldest);
  }

  take(sessionKey: string): Flash[] {
    const notes = this.#notes.get(sessionKey) ?? [];
    this.#notes.delete(sessionKey);
    return notes;
  }
}
