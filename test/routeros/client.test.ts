import { afterAll, describe, expect, test } from "bun:test";
import { AnswerBudget } from "../../src/routeros/answer-budget.ts";
import { RouterosClient, type RouterosTarget } from "../../src/routeros/client.ts";
import { RouterosError } from "../../src/routeros/fault.ts";
import { endless } from "../support/endless-answers.ts";
import { FakeRouteros, type FakeRouterosOptions, type Fault, selfSigned } from "../support/fake-routeros.ts";

const certificate = await selfSigned();
const PPP = [
  { ".id": "*1", name: "sam", "caller-id": "AA:BB:CC:DD:EE:01", address: "10.0.0.1", uptime: "1h" },
];

const unexpected: unknown[] = [];
const note = (error: unknown) => unexpected.push(error);
process.on("unhandledRejection", note);
process.on("uncaughtException", note);
afterAll(() => {
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
  expect(unexpected).toEqual([]);
});

const targetOf = ({ port }: { port: number }, values: Partial<RouterosTarget> = {}): RouterosTarget => ({
  host: "127.0.0.1",
  port,
  username: "api",
  password: "secret",
  tls: false,
  fingerprint: null,
  ...values,
});

/** Milliseconds for an answer that comes; one that does not is given up far earlier. */
const PATIENCE = 20_000;
const patienceFor = (expected: string, silence: number) =>
  expected.startsWith("silent: ") ? silence : PATIENCE;

/** Signs in at a fake, runs the test and leaves nothing behind. */
async function withClient(
  options: FakeRouterosOptions,
  body: (client: RouterosClient, fake: FakeRouteros) => Promise<void>,
): Promise<void> {
  await using fake = await FakeRouteros.start(options);
  const { username = "api", password = "secret" } = options;
  const client = await RouterosClient.open(targetOf(fake, { username, password }), PATIENCE);
  try {
    await body(client, fake);
  } finally {
    client.close();
    while (fake.open > 0) await Bun.sleep(1);
  }
}

const print = (client: RouterosClient, within = PATIENCE) =>
  client.command("/ppp/active/print", ["?name=sam"], within);

/** The code and words of a RouterosError. */
async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RouterosError)) throw error;
  return `${error.code}: ${error.message}`;
}

describe.each(["plain", "challenge"] as const)("login %s", (login) => {
  test("the right password signs in", () =>
    withClient({ login, ppp: PPP }, async (client) => expect(await print(client)).toEqual(PPP)));

  test("name and password may be any text", () =>
    withClient({ login, username: "Łódź ñ €", password: "pässwörd €" }, async (client) =>
      expect(await print(client)).toEqual([]),
    ));

  test("a wrong password is refused in words, and the connection is closed", async () => {
    await using fake = await FakeRouteros.start({ login });
    const opening = RouterosClient.open(targetOf(fake, { password: "other" }), PATIENCE);
    expect(await faultOf(opening)).toMatch(
      /^login: it refused the login of api: (invalid user|cannot log in)/,
    );
    while (fake.open > 0) await Bun.sleep(1);
  });
});

describe("replies", () => {
  test.each([true, false])("nothing found, !empty %p", (saysEmpty) =>
    withClient({ saysEmpty }, async (client) => {
      expect(await print(client)).toEqual([]);
      expect(await print(client)).toEqual([]);
    }),
  );

  test.each(["trap", "fatal"] as const)("a %s of megabytes is a sentence of ours", (kind) =>
    withClient({ ppp: PPP }, async (client, fake) => {
      fake.faults["/ppp/active/print"] = { kind, message: "A".repeat(1_500_000) };
      expect(await faultOf(print(client))).toBe(`${kind}: ${"A".repeat(500)}...`);
    }),
  );

  test("a trap refuses one command, and the connection goes on", () =>
    withClient({ ppp: [...PPP] }, async (client, fake) => {
      fake.faults["/ppp/active/remove"] = { kind: "trap", message: "no such item (4)" };
      const removal = client.command("/ppp/active/remove", ["=.id=*9"], PATIENCE);
      expect(await faultOf(removal)).toBe("trap: no such item (4)");
      expect(await print(client)).toEqual(PPP);
    }));

  test("values keep their equals signs and their UTF-8", () => {
    const row = { ".id": "*1", name: "sam", comment: "a=b=c Łódź ñ €" };
    return withClient({ ppp: [row] }, async (client) => expect(await print(client)).toEqual([row]));
  });

  test.each([127, 128, 16_383, 16_384, 300_000])("a word of about %d bytes", (length) => {
    const row = { ".id": "*1", name: "sam", comment: "x".repeat(length) };
    return withClient({ ppp: [row] }, async (client) => expect(await print(client)).toEqual([row]));
  });

  test("twenty commands at once get their own answers", () => {
    const ppp = Array.from({ length: 20 }, (_, at) => ({ ".id": `*${at}`, name: `user${at}` }));
    return withClient({ ppp, segments: "bytes" }, async (client) => {
      const answers = await Promise.all(
        ppp.map(({ name }) => client.command("/ppp/active/print", [`?name=${name}`], PATIENCE)),
      );
      expect(answers).toEqual(ppp.map((row) => [row]));
    });
  });

  test("20,000 rows", () => {
    const ppp = Array.from({ length: 20_000 }, (_, at) => ({ ".id": `*${at}`, name: "sam" }));
    return withClient({ ppp }, async (client) => expect(await print(client, 60_000)).toHaveLength(20_000));
  });

  test("the words of a command are not changed, and an empty one is refused before it is sent", () =>
    withClient({}, async (client, fake) => {
      const words = ["?name=sam"];
      await client.command("/ppp/active/print", words, PATIENCE);
      expect(words).toEqual(["?name=sam"]);
      const before = fake.commands.length;
      expect(await faultOf(client.command("/ppp/active/print", ["", "?name=sam"], PATIENCE))).toStartWith(
        "trap: ",
      );
      expect(fake.commands).toHaveLength(before);
    }));
});

test("replies may be cut anywhere", async () => {
  const options: FakeRouterosOptions = { ppp: PPP };
  await withClient(options, async (client) => {
    for (let cut = 1; cut < 160; cut++) {
      options.segments = cut;
      expect(await print(client)).toEqual(PPP);
    }
    options.segments = "bytes";
    expect(await print(client)).toEqual(PPP);
  });
});

describe("what goes wrong with a command settles it, and ends the connection", () => {
  test.each<[string, Fault, string]>([
    ["a fatal reply", { kind: "fatal", message: "session terminated" }, "fatal: session terminated"],
    ["a hang-up", { kind: "close", after: 0 }, "closed: it closed the connection"],
    ["a hang-up in a sentence", { kind: "close", after: 20 }, "closed: it closed the connection"],
    ["a reset", { kind: "reset", after: 3 }, "closed: "],
    ["silence", { kind: "silence" }, "silent: it did not answer /ppp/active/print within 0.2 s"],
    ["a reply that nobody knows", { kind: "unknown" }, "garbled: it answered !surprise"],
    ["an endless word", { kind: "garbage", bytes: Buffer.alloc(9, 0xff) }, "garbled: "],
    ["HTTP", { kind: "garbage", bytes: Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n") }, "silent: "],
  ])("%s", (_, fault, expected) =>
    withClient({ ppp: PPP }, async (client, fake) => {
      fake.faults["/ppp/active/print"] = fault;
      const within = patienceFor(expected, 200);
      const commands = [print(client, within), print(client, within), print(client, within)];
      for (const command of commands) expect(await faultOf(command)).toStartWith(expected);
      expect(client.fault).toBeDefined();
      expect(await faultOf(print(client))).toStartWith(expected);
    }),
  );

  test("a hang-up at any byte of the reply", async () => {
    for (let after = 0; after < 120; after += 1)
      await withClient(
        { ppp: PPP, faults: { "/ppp/active/print": { kind: "close", after } } },
        async (client) => {
          const outcome = await print(client).catch((error: unknown) => error);
          if (Array.isArray(outcome)) expect(outcome).toEqual(PPP);
          else expect(outcome).toMatchObject({ code: "closed" });
        },
      );
  });
});

describe("no connection", () => {
  test("a port where nothing listens", async () => {
    const fake = await FakeRouteros.start();
    const target = targetOf(fake);
    await fake[Symbol.asyncDispose]();
    expect(await faultOf(RouterosClient.open(target, PATIENCE))).toBe(
      "unreachable: the connection was refused",
    );
  });

  test("a name that does not resolve", async () => {
    const target = targetOf({ port: 8728 }, { host: "no-such-router.invalid" });
    expect(await faultOf(RouterosClient.open(target, PATIENCE))).toMatch(/^unreachable: /);
  });

  test.each<[string, Fault, string]>([
    ["hangs up at once", { kind: "close", after: 0 }, "closed: it closed the connection"],
    ["speaks something else", { kind: "garbage", bytes: Buffer.from("SSH-2.0-ROSSSH\r\n") }, "silent: "],
  ])("a server that %s", async (_, connect, expected) => {
    await using fake = await FakeRouteros.start({ faults: { connect } });
    const opening = RouterosClient.open(targetOf(fake), patienceFor(expected, 300));
    expect(await faultOf(opening)).toStartWith(expected);
  });

  test.each<[string, Fault, string]>([
    ["silent", { kind: "silence" }, "silent: it did not answer /login within 1 s"],
    ["closed", { kind: "close", after: 2 }, "closed: "],
    [
      "fatal",
      { kind: "fatal", message: "too many sessions" },
      "login: it refused the login of api: too many sessions",
    ],
    ["unknown", { kind: "unknown" }, "garbled: "],
  ])("a login that is answered by: %s", async (_, fault, expected) => {
    await using fake = await FakeRouteros.start({ faults: { "/login": fault } });
    const opening = RouterosClient.open(targetOf(fake), patienceFor(expected, 1000));
    expect(await faultOf(opening)).toStartWith(expected);
    while (fake.open > 0) await Bun.sleep(1);
  });
});

describe("api-ssl", () => {
  test.each([certificate.fingerprint, null])("the certificate %p is accepted", async (fingerprint) => {
    await using fake = await FakeRouteros.start({ tls: certificate, ppp: PPP });
    const client = await RouterosClient.open(targetOf(fake, { tls: true, fingerprint }), PATIENCE);
    expect(await print(client)).toEqual(PPP);
    client.close();
  });

  test("another certificate is refused before the password is sent", async () => {
    await using fake = await FakeRouteros.start({ tls: certificate });
    const fingerprint = certificate.fingerprint.replace(/^../, (byte) => (byte === "00" ? "01" : "00"));
    const opening = RouterosClient.open(targetOf(fake, { tls: true, fingerprint }), PATIENCE);
    expect(await faultOf(opening)).toBe(
      `certificate: its certificate has the fingerprint ${certificate.fingerprint}, not the one that is stored`,
    );
    expect(fake.commands).toEqual([]);
  });

  test("TLS at the plain port says so", async () => {
    await using fake = await FakeRouteros.start({
      faults: { connect: { kind: "garbage", bytes: Buffer.from("neither TLS nor SSL") } },
    });
    const opening = RouterosClient.open(targetOf(fake, { tls: true }), PATIENCE);
    expect(await faultOf(opening)).toMatch(/^tls: TLS failed: /);
  });
});

const ENDLESS: [what: keyof typeof endless, fault: RegExp][] = [
  ["rows", /^flood: it answers with more than 50,000 rows or 4 MB/],
  ["short rows", /^flood: /],
  ["wide rows", /^flood: /],
  ["rows after a trap", /^flood: /],
  ["rows of nobody's command", /^flood: /],
  ["nothing found", /^flood: /],
  ["a word", /^flood: /],
  ["a sentence", /^(flood|garbled): /],
  ["empty sentences", /^garbled: /],
  ["a row now and then", /^silent: it did not answer \/ppp\/active\/print within 1 s/],
];
test.each(ENDLESS)("an answer without an end: %s", async (what, fault) => {
  await withClient({ faults: { "/ppp/active/print": endless[what] } }, async (client) => {
    // what floods does so within that time on a busy machine too
    await print(client, String(fault).startsWith("/^silent") ? 1000 : 60_000).catch(() => {});
    while (!client.fault) await Bun.sleep(1);
    expect(`${client.fault.code}: ${client.fault.message}`).toMatch(fault);
    expect(await faultOf(print(client))).toMatch(fault);
  });
});

test("the answers of all connections together are bounded, and what is complete counts no more", async () => {
  await using fake = await FakeRouteros.start({
    ppp: Array.from({ length: 25_000 }, (_, i) => ({ ".id": `*${i}`, name: "sam", comment: "x".repeat(60) })),
  });
  const shared = AnswerBudget.ofAll();
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => RouterosClient.open(targetOf(fake), 30_000, shared)),
  );
  try {
    for (const client of clients) expect(await print(client, 60_000)).toHaveLength(25_000);
    fake.faults = { "/ppp/active/print": { kind: "unended" } };
    // the first that is too much ends, and only that one
    const ends: string[] = [];
    await Promise.race(
      clients.map(async (client) => {
        ends.push(await faultOf(print(client, 60_000)));
      }),
    );
    expect(ends).toEqual([expect.stringMatching(/^flood: the answers of all routers together/)]);
  } finally {
    for (const client of clients) client.close();
  }
});
