import { type Size, ShortMemory } from "../../src/domain/core/memory/short-memory.ts";

declare const self: Worker;

interface Order {
  readonly room: SharedArrayBuffer;
  readonly size: Size;
  readonly who: number;
  readonly times: number;
}

// Adds 1 to the entry 5 so many times, holding it.
self.addEventListener("message", ({ data: { room, size, who, times } }: MessageEvent<Order>) => {
  const memory = new ShortMemory(room, size, who);
  const place = memory.find(5);
  for (let nth = 0; nth < times; nth++) {
    memory.hold(5);
    memory.setWord(place, 0, memory.word(place, 0) + 1);
    memory.release();
  }
  self.postMessage("done");
});
