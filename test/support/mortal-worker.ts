import type { Notice, Order } from "../../src/radius/server/threads.ts";

declare const self: Worker;
const post = (notice: Notice) => self.postMessage(notice);
const starts = Number(Bun.env["STARTS"]);

// A RADIUS thread that dies soon after its first start, cannot listen at the second, and lives from the third on.
self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
  if (data.kind === "stop") return post({ kind: "stopped" });
  if (starts === 2) return post({ kind: "refused", message: "not this time" });
  post({
    kind: "counted",
    counts: [{ nas: "core", kind: "Access-Request", outcome: "accepted", count: starts }],
  });
  post({ kind: "listening" });
  if (starts === 1) setTimeout(() => process.exit(1), 20);
});
