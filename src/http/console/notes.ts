/** What happened to something that was asked, and what can be done next. */
export interface Flash {
  readonly kind: "good" | "bad" | "wait";
  /** Who answered what: "Tower-1 ended the session." */
  readonly title: string;
  /** The rest: figures, what stands now. */
  readonly text?: string | undefined;
  readonly links?: readonly { readonly href: string; readonly label: string }[];
}

const MAX_SESSIONS = 1000;
const MAX_NOTES = 5;

/** What is to be said on the next page of a session, for browsers without a script. */
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
