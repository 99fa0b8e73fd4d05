import type { Topic } from "../../../domain/service/live/topics.ts";
import type { Counts, LiveFeed } from "../../../domain/service/live/feed.ts";
import type { Scope } from "../../../domain/core/actor/actor.ts";

export interface Listener {
  readonly staffId: number;
  readonly scope: Scope;
  readonly topics: readonly Topic[];
  /** Whether the session still exists with the same scope and flags. */
  readonly stands: () => boolean;
}

/** Open streams at the most, of an account and in all: one account cannot take everybody's. */
const MOST_OF_ACCOUNT = 200;
const MOST = 1000;
/** Seconds; the server ends a connection after thirty silent ones. */
const SIGN_EVERY = 15;
/** Milliseconds until a browser reconnects. */
const RETRY = 3000;
/** Messages queued for a browser that does not read. */
const BACKLOG = 50;

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-accel-buffering": "no",
};

interface Stream extends Listener {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  unwatch: () => void;
}

/** Server-sent events: topics that changed, never data, which pages load with their own permissions. */
export class LiveStreams {
  readonly #feed: LiveFeed;
  readonly #streams = new Set<Stream>();
  readonly #encoder = new TextEncoder();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(feed: LiveFeed) {
    this.#feed = feed;
  }

  get count(): number {
    return this.#streams.size;
  }

  /** 204, after which browsers do not reconnect, where there are too many. */
  open(listener: Listener): Response {
    const own = [...this.#streams].filter(({ staffId }) => staffId === listener.staffId);
    if (this.#isClosed || own.length >= MOST_OF_ACCOUNT || this.#streams.size >= MOST)
      return new Response(null, { status: 204 });
    let opened: Stream | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const stream: Stream = { ...listener, controller, unwatch: () => {} };
        opened = stream;
        stream.unwatch = this.#feed.watch(listener.scope, (counts) => this.#tell(stream, counts));
        this.#streams.add(stream);
        this.#send(stream, `retry: ${RETRY}\n\n`);
      },
      cancel: () => {
        if (opened) this.#forget(opened);
      },
    });
    this.#timer ??= setInterval(() => this.look(), SIGN_EVERY * 1000);
    return new Response(body, { headers });
  }

  /** Closes streams of ended sessions and pings the others; called by a timer. */
  look(): void {
    for (const stream of this.#streams) {
      if (stream.stands()) this.#send(stream, ":\n\n");
      else this.#end(stream);
    }
  }

  /** At the end of the program, which waits for no browser. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) this.#end(stream);
  }

  #tell(stream: Stream, counts: Counts): void {
    const changed = stream.topics.flatMap((topic) => (counts[topic] ? [[topic, counts[topic]]] : []));
    if (changed.length > 0)
      this.#send(stream, `event: topics\ndata: ${JSON.stringify(Object.fromEntries(changed))}\n\n`);
  }

  #send(stream: Stream, text: string): void {
    if ((stream.controller.desiredSize ?? 0) < -BACKLOG) this.#end(stream);
    else stream.controller.enqueue(this.#encoder.encode(text));
  }

  #end(stream: Stream): void {
    this.#forget(stream);
    stream.controller.close();
  }

  #forget(stream: Stream): void {
    stream.unwatch();
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
