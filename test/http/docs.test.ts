import { expect, test } from "bun:test";
import { documentRoutes } from "../../src/http/app.ts";
import { buildContents } from "../../src/http/docs/contents.ts";
import { makeExamples } from "../../src/http/docs/examples.ts";
import { guides } from "../../src/http/docs/guides.ts";
import { listen } from "../../src/http/server.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { type TestApp, undoneApps } from "../support/http.ts";
import { callers, undoneTenants } from "../support/tenants.ts";

const temporaryApp = undoneApps();

const withTenants = undoneTenants();

const contents = buildContents(documentRoutes());
const slugs = [...contents.chapters, ...guides(), { slug: "events" }].map(({ slug }) => slug);
const addresses = ["/docs", ...slugs.map((slug) => `/docs/${slug}`), "/docs/search?q=payment"];

/** A page as a browser asks for it: its text, and how many bytes of it are sent. */
async function read({ app }: Pick<TestApp, "app">, address: string, headers: Record<string, string> = {}) {
  const asked = new Request(`http://box.example:8080${address}`, {
    headers: { "accept-encoding": "gzip", host: "box.example:8080", ...headers },
  });
  const answer: Response = await app.handle(asked);
  const sent = new Uint8Array(await answer.arrayBuffer());
  const isPacked = answer.headers.get("content-encoding") === "gzip";
  const text = new TextDecoder().decode(isPacked ? Bun.gunzipSync(sent) : sent);
  return { status: answer.status, headers: answer.headers, text, bytes: sent.length };
}

const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

test("each call of the document has its place in its chapter, and stands on the first page", async () => {
  using app = temporaryApp();
  const first = await read(app, "/docs");
  for (const { slug, operations } of contents.chapters) {
    const ids = idsOf((await read(app, `/docs/${slug}`)).text);
    for (const { id } of operations) {
      expect([...ids]).toContain(id);
      expect(first.text).toContain(`/docs/${slug}#${id}`);
    }
  }
  const count = Object.values(documentRoutes().paths).flatMap((methods) => Object.keys(methods)).length;
  expect(contents.chapters.flatMap(({ operations }) => operations)).toHaveLength(count);
});

test("no page has a script, is heavy, or leads nowhere", async () => {
  using app = temporaryApp();
  const pages = new Map<string, Awaited<ReturnType<typeof read>>>();
  for (const address of addresses) pages.set(address, await read(app, address));
  for (const [address, { status, headers, text, bytes }] of pages) {
    expect({ address, status, type: headers.get("content-type") }).toEqual({
      address,
      status: 200,
      type: "text/html; charset=utf-8",
    });
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(text).not.toMatch(/<script| style=| on[a-z]+="/);
    expect(bytes, address).toBeLessThan(60_000);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids, `${address} says an id twice`).toHaveLength(new Set(ids).size);
    for (const [, href = ""] of text.matchAll(/ href="([^"]+)"/g)) {
      if (href.startsWith("https:")) continue;
      const [path = "", id] = href.split("#");
      const there = path === "" ? text : pages.get(path)?.text;
      if (id !== undefined) expect(idsOf(there ?? ""), `${href} of ${address}`).toContain(id);
      else if (there === undefined)
        expect([200, 302, 303], `${href} of ${address}`).toContain((await read(app, href)).status);
    }
  }
  expect((await read(app, "/docs/nothing")).status).toBe(404);
});

test("a guide leads to the guides beside it, and has the words alone of pages that are not here", async () => {
  using app = temporaryApp();
  const { text } = await read(app, "/docs/guide-payments");
  expect(text).toMatch(/<a href="\/docs\/guide-arrived">payments that nobody was found for/);
  expect(text).toContain("through the walled garden of your routers");
});

test("what looks like a tag in a word that was looked for is text", async () => {
  using app = temporaryApp();
  const { text } = await read(app, `/docs/search?q=${encodeURIComponent('<b>"x"')}`);
  expect(text).not.toContain("<b>");
  expect(text).toContain("Nothing is found");
});

test("a search finds by names, fields and permissions, what is called so first", async () => {
  using app = temporaryApp();
  const found = async (words: string) => {
    const { text } = await read(app, `/docs/search?q=${encodeURIComponent(words)}`);
    return [...text.matchAll(/href="\/docs\/[a-z-]+#(\w+)"/g)].map(([, id]) => id);
  };
  expect((await found("payment/take"))[0]).toBe("takePayment");
  expect(await found("wallet_adjust")).toContain("adjustWallet");
  expect(await found("isp_id reason payment")).toContain("reversePayment");
  expect(await found("  ")).toEqual([]);
});

test("examples name the box as it was reached, and who is signed in at the console", async () => {
  using app = await withTenants();
  const nobody = await read(app, "/docs/money");
  expect(nobody.text).toContain("curl -u ACCOUNT:PASSWORD http://box.example:8080/api/v1/payment/take");
  const cookie = await consoleSessionOf(app, callers.admin);
  const name = callers.admin.split(":")[0] ?? "";
  const { text } = await read(app, "/docs/money", { cookie });
  expect(text).toContain(`curl -u ${name}:PASSWORD http://box.example:8080/api/v1/payment/take`);
  expect(text).not.toContain("ORIGIN");
  // a name that a shell would read otherwise stands in no example
  app.db.$client.run("UPDATE staff SET username = 'a;reboot' WHERE username = ?", [name]);
  expect((await read(app, "/docs/money", { cookie })).text).not.toContain("reboot");
});

test("examples of every call are TypeScript, Python has brackets that close, and what curl sends is JSON", () => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  for (const operation of contents.chapters.flatMap(({ operations }) => operations)) {
    const caller = { origin: "http://127.0.0.1:8080", account: 'o\'hara "x"' };
    const [curl, typescript, python] = makeExamples(operation, { ...caller, account: "ada" });
    expect(() => transpiler.transformSync(`async () => {${typescript?.text}}`), operation.id).not.toThrow();
    expect(python?.text.match(/[([{]/g)?.length).toBe(python?.text.match(/[)\]}]/g)?.length ?? -1);
    const sent = /-d '(.*)'$/s.exec(curl?.text ?? "")?.[1];
    if (sent !== undefined) expect(() => JSON.parse(sent.replaceAll(String.raw`'\''`, "'"))).not.toThrow();
    expect(curl?.text).not.toContain("{id}");
  }
});

test("examples read an answer as what it is", () => {
  const readings: Record<string, string[]> = {
    "application/json": ["console.log(await answer.json());", "print(answer.json())"],
    nothing: ["console.log(answer.status);", "print(answer.status_code)"],
  };
  const texts = ["console.log(await answer.text());", "print(answer.text)"];
  for (const operation of contents.chapters.flatMap(({ operations }) => operations)) {
    const [, ...programs] = makeExamples(operation, { origin: "http://127.0.0.1:8080", account: "ada" });
    const type = operation.answers[0]?.media?.type ?? "nothing";
    const last = programs.map(({ text }) => text.split("\n").at(-1));
    expect([operation.id, last]).toEqual([operation.id, readings[type] ?? texts]);
  }
});

test("every answer in JSON is shown, and nothing is said to be anything that is one thing", async () => {
  using app = temporaryApp();
  for (const { slug, operations } of contents.chapters) {
    const { text } = await read(app, `/docs/${slug}`);
    const shown = text.match(/<summary>An answer<\/summary>/g)?.length ?? 0;
    const answered = operations.filter(({ answers: [done] }) => done?.media?.type === "application/json");
    expect([slug, shown], slug).toEqual([slug, answered.length]);
    expect(text).not.toContain("or anything");
  }
  const { text } = await read(app, "/docs/payments-that-arrive");
  expect(text).toMatch(/&quot;stripe&quot; \| .*&quot;own&quot;, or null/);
});

test("curl's example answers as it stands", async () => {
  using app = await withTenants();
  const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  try {
    const operations = contents.chapters.flatMap((chapter) => chapter.operations);
    const [account = "", password = ""] = callers.admin.split(":");
    for (const id of ["listSubscribers", "getSubscriber", "takePayment"]) {
      const operation = operations.find((one) => one.id === id);
      if (!operation) throw new Error(`there is no ${id}`);
      const body = operation.body && {
        ...operation.body,
        example: { user_id: 1, amount: 2, method: "cash" },
      };
      const [curl] = makeExamples({ ...operation, body }, { origin: `http://${lan.address}`, account });
      const command = (curl?.text ?? "").replace("PASSWORD", password);
      const child = Bun.spawn(["sh", "-c", `${command} -s -o /dev/null -w '%{http_code}'`], {
        stdout: "pipe",
      });
      expect(await child.stdout.text(), command).toBe("200");
    }
  } finally {
    await lan.stop(0);
  }
});
