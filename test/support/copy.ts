/** What is followed by its `changes`. */
export const nouns = ["subscriber", "payment", "invoice", "session"] as const;

export type Json = { readonly [name: string]: unknown };
export type Get = (path: string) => Promise<Json>;

/** A copy of the books as a program would keep it: all that it remembers is text, so that it may be stopped at any moment. */
export class Copy {
  readonly #get: Get;
  readonly #rows: number;
  readonly #kept: {
    records: Record<string, Record<string, Json>>;
    cursors: Record<string, string>;
    events: Json[];
  };

  /** `rows`: of a page. */
  constructor(get: Get, kept = '{"records":{},"cursors":{},"events":[]}', rows = 3) {
    this.#get = get;
    this.#rows = rows;
    this.#kept = JSON.parse(kept);
  }

  get text(): string {
    return JSON.stringify(this.#kept);
  }

  of(noun: string): Record<string, Json> {
    return (this.#kept.records[noun] ??= {});
  }

  get events(): readonly Json[] {
    return this.#kept.events;
  }

  /** At most `pages`, as if it were stopped then. */
  async follow(pages = Infinity): Promise<void> {
    for (const noun of nouns)
      await this.#read(`${noun}/changes`, pages, ({ records }) => {
        for (const record of records as Json[]) this.of(noun)[String(record["id"])] = record;
      });
  }

  /** What a webhook brought; the newest id is where the list goes on. */
  hear(event: Json): void {
    this.#kept.events.push(event);
    this.#kept.cursors["event/list"] = String(event["id"]);
  }

  async catchUp(): Promise<void> {
    await this.#read("event/list", Infinity, ({ events }) => this.#kept.events.push(...(events as Json[])));
  }

  async #read(path: string, pages: number, take: (page: Json) => void): Promise<void> {
    for (let page = 0, isMore = true; isMore && page < pages; page++) {
      const answer = await this.#get(
        `/api/v1/${path}?limit=${this.#rows}&after=${this.#kept.cursors[path] ?? ""}`,
      );
      take(answer);
      this.#kept.cursors[path] = String(answer["cursor"]);
      isMore = answer["has_more"] === true;
    }
  }
}
