import { doMove, type MoveNotice, type MoveOrder } from "../domain/moving/runs/work.ts";

declare const self: Worker;

// a thread of its own: reading a large file and comparing it with the store would keep HTTP waiting
self.addEventListener("message", ({ data }: MessageEvent<MoveOrder>) => {
  void doMove(data, (notice) => self.postMessage(notice satisfies MoveNotice));
});
