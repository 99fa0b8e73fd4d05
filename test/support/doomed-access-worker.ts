import "../../src/radius/server/access-worker.ts";

// The thread of Access-Requests, which dies soon after its first start.
if (Bun.env["STARTS"] === "1") setTimeout(() => process.exit(1), 300);
