import { expect, test } from "bun:test";
import { Progress } from "../../src/cli/progress.ts";

function listener(isTTY: boolean) {
  let written = "";
  const stderr = { write: (text: string) => (written += text), isTTY };
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  return { io: { stdin: nothing(), stdout: { write: () => {} }, stderr }, output: () => written };
}

test("on a terminal one line changes and is gone at the end", async () => {
  const { io, output: text } = listener(true);
  {
    using progress = new Progress(io);
    progress.step("copying", () => 0.5);
    while (!text().includes("%")) await Bun.sleep(20);
  }
  expect(text()).toContain("\r\x1b[Kcopying, 0 s");
  expect(text()).toMatch(/Kcopying 50 %, \d s/);
  expect(text()).toEndWith("\r\x1b[K");
  expect(text()).not.toContain("\n");
});

test("in a log there are plain lines, one a step while it is short", async () => {
  const { io, output: text } = listener(false);
  {
    using progress = new Progress(io, { quiet: 0 });
    progress.step("copying", () => 0.5);
    await Bun.sleep(300);
    progress.step("verifying");
    for (let done = 0; done < 1; done += 0.01) progress.report(done);
  }
  expect(text()).toMatch(/^copying, 0 s\nverifying, \d s\n$/);
});

test("in a log a short command says nothing, a long one how far it is", async () => {
  const { io, output: text } = listener(false);
  using progress = new Progress(io, { quiet: 2000 });
  progress.step("copying", () => 0.25);
  await Bun.sleep(100);
  expect(text()).toBe("");
  while (text() === "") await Bun.sleep(20);
  expect(text()).toMatch(/^copying 25 %, \d s\n$/);
});
