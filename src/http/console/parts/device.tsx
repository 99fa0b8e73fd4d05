import { findMaker, PRIVATE } from "../../../domain/goods/devices/maker.ts";
import type { ConsoleWords } from "../../words/console.ts";

/** Who made a device, or that its address is one that it made up. */
export function makerIn({ online }: Pick<ConsoleWords, "online">, mac: string): string | null {
  const maker = findMaker(mac);
  return maker === PRIVATE ? online.privateAddress : maker;
}

export function Device({ words, mac }: { words: ConsoleWords; mac: string | null }) {
  if (mac === null) return null;
  const maker = makerIn(words, mac);
  return (
    <span class="device">
      <span class="mono">{mac}</span>
      {maker !== null && <span class="soft-text">{maker}</span>}
    </span>
  );
}
