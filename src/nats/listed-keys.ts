import type { KV } from "@nats-io/kv";

/** Milliseconds of silence of nats-server after which a listing is aborted. */
const QUIET = 10_000;

/**
 * The keys of a bucket. Throws when nats-server falls silent: the library waits forever for the rest of a listing whose stream
 * was lost, which would block publishing.
 */
export async function* listedKeys(bucket: Pick<KV, "keys">, quiet = QUIET): AsyncGenerator<string> {
  const keys = await bucket.keys();
  const silence = setTimeout(
    () => keys.stop(new Error("nats-server fell silent while keys were listed")),
    quiet,
  );
  try {
    for await (const key of keys) {
      silence.refresh();
      yield key;
    }
  } finally {
    clearTimeout(silence);
  }
}
