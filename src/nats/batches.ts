interface Needs {
  /** Of one batch; as many again are kept at hand, and whoever sends waits with the rest. */
  readonly most: number;
  /** Resolves when the next batch may be worked on: what comes until then is in it. */
  readonly ready: () => Promise<void>;
}

/**
 * What comes, in batches of all that has come while the one before was worked on: whoever is behind takes more at once, and so comes up
 * with it. What is said of a message when it is sent does not tell whether there are others by the time it is read. Throws what `entries` throws.
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
