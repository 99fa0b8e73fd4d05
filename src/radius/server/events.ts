import type { AccessEvent } from "../auth/access.ts";

/*
 * Decisions on their way from the access thread to main: as one text, because the engine copies objects one property after
 * the other, which took the access thread milliseconds at a time in a storm.
 */

type Packed = Omit<AccessEvent, "class"> & { class: string | null };

export function packEvents(events: readonly AccessEvent[]): string {
  const packed = events.map(({ class: bytes, ...event }) =>
    Object.assign(event, { class: bytes && hexOf(bytes) } satisfies Pick<Packed, "class">),
  );
  return JSON.stringify(packed);
}

export function unpackEvents(text: string): AccessEvent[] {
  const packed: Packed[] = JSON.parse(text);
  return packed.map(({ class: hex, ...event }) =>
    Object.assign(event, { class: hex === null ? null : Buffer.from(hex, "hex") }),
  );
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}
