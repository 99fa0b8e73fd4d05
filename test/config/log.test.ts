import { expect, test } from "bun:test";
import { createLog } from "../../src/log.ts";

function lines(level: "error" | "warn" | "info" | "debug", log: (log: ReturnType<typeof createLog>) => void) {
  let written = "";
  log(createLog(level, { write: (line) => (written += line) }));
  return written
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));
}

test("each line is one JSON object with its level in words", () => {
  const [line, ...others] = lines("info", (log) => log.info({ path: "/x\ny" }, "two\nlines"));
  expect(line).toMatchObject({ level: "info", path: "/x\ny", msg: "two\nlines" });
  expect(others).toEqual([]);
});

test("the level is that of the configuration", () => {
  const written = lines("warn", (log) => {
    log.debug("no");
    log.info("no");
    log.warn("yes");
    log.error("yes");
  });
  expect(written.map(({ level }) => level)).toEqual(["warn", "error"]);
});

test("secrets are redacted at every depth, in bindings and in errors too", () => {
  const error = Object.assign(new Error("boom"), { request: { password: "hunter2", user: "sam" } });
  const written = lines("info", (log) => {
    log.info({
      user: "sam",
      password: "hunter2",
      deep: [{ headers: { Authorization: "Bearer hunter2", cookie: "s=hunter2", host: "h" } }],
      radius: { sharedSecret: "hunter2", passwordSealed: Buffer.from("hunter2") },
      headers: new Headers({ authorization: "hunter2", accept: "json" }),
      nothing: { token: null },
    });
    log.child({ token: "hunter2", component: "radius" }).info("child");
    log.error({ err: error }, "failed");
  });
  expect(JSON.stringify(written)).not.toContain("hunter2");
  expect(written[0]).toMatchObject({
    user: "sam",
    password: "[redacted]",
    deep: [{ headers: { host: "h" } }],
    headers: { accept: "json" },
    nothing: { token: null },
  });
  expect(written[1]).toMatchObject({ component: "radius", msg: "child" });
  expect(written[2]).toMatchObject({ err: { type: "Error", message: "boom", request: { user: "sam" } } });
  expect(JSON.stringify(written[2])).toContain("log.test.ts"); // the stack
});

test("no line holds a character that moves the cursor of whoever reads it", () => {
  let written = "";
  const message = "\u001b[2J\u009b31m\u202e\u2028\u{e0001}x";
  createLog("info", { write: (line) => (written += line) }).info({ path: message }, message);
  expect(written).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028]/u);
  expect(JSON.parse(written)).toMatchObject({ path: message, msg: message });
});
