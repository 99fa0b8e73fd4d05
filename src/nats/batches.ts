interface Needs {
  /** Most entries of a batch. As many again are buffered; beyond that the sender waits. */
  readonly most: number;
  /** Resolves when the next batch may start; what arrives until then is part of it. */
  readonly ready: () => Promise<void>;
}

/**
 * Groups a stream into batches of whatever arrived while the last one was worked on, so that a backlog is caught up in larger
 * batches. The pending count of a message cannot be used: it is from when the message was sent. Throws what `entries` throws.
 */
export async function* inBatches<T>(entries: AsyncIterable<T>, { most, ready }: Needs): AsyncGenerator<T[]> {
  let come: T[] = [];
  let isOver = false;
  let news = Promise.withResolvers<void>();
  let room = Promise.withResolvers<void>();
  const collect = async () => {
    for await (const entry of entries) {
      if (isOver) return;
      come.push(entry);
      news.resolve();
      if (come.length >= most) await room.promise;
    }
  };
  const collecting = collect().finally(() => {
    isOver = true;
    news.resolve();
  });
  collecting.catch(() => {}); // it is thrown below
  try {
    for (;;) {
      await news.promise;
      if (come.length === 0) break; // it is over
      await ready();
      const batch = come;
      come = [];
      if (!isOver) news = Promise.withResolvers();
      room.resolve();
      room = Promise.withResolvers();
      yield batch;
    }
    await collecting;
  } finally {
    isOver = true;
    room.resolve();
  }
}
