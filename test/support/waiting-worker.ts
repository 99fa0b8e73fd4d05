import type { MoveNotice, MoveOrder } from "../../src/domain/moving/runs/work.ts";

declare const self: Worker;

// at work until it is to stop
self.addEventListener("message", ({ data: { stop } }: MessageEvent<MoveOrder>) => {
  const look = setInterval(() => {
    if (Atomics.load(stop, 0) === 0) return;
    clearInterval(look);
    self.postMessage({ kind: "stopped" } satisfies MoveNotice);
  }, 10);
});
