import { join } from "node:path";
import { DUMMY_HASH } from "../../src/domain/people/staff/passwords.ts";
import { noteStatements } from "./noted-statements.ts";

/* Runs in each process of the tests before its first file (bunfig.toml). A program that a test starts is as it is. */

/* Passwords cost argon2id the least that there is, where the product has each take 30 ms of a core: tests have thousands. */
const { hash, hashSync, verify } = Bun.password;
const LEAST = { memoryCost: 8, timeCost: 1 } as const;
const cheapDummy = hashSync("x", { algorithm: "argon2id", ...LEAST });
const cheapHash: typeof hash = (password, cost) =>
  hash(password, typeof cost === "object" && cost.algorithm === "argon2id" ? { ...cost, ...LEAST } : cost);
const cheapVerify: typeof verify = (password, expected, algorithm) =>
  verify(password, expected === DUMMY_HASH ? cheapDummy : expected, algorithm);
Object.assign(Bun.password, { hash: cheapHash, verify: cheapVerify });

/* Elysia asks for a collection with each app, which takes as long as building it; one that a test asks for takes place. */
const { gc } = Bun;
const gcWhenForced: typeof gc = (force) => (force ? gc(true) : 0);
Object.assign(Bun, { gc: gcWhenForced });

/* Elysia writes the functions of each app's routes as text, the same for all apps: a text is compiled once, and warm after it. */
const compiled = new Map<string, Function>();
const compileOnce = (texts: string[], compile: () => Function): Function => {
  const key = texts.join("\0");
  const known = compiled.get(key) ?? compile();
  compiled.set(key, known);
  return known;
};
globalThis.Function = new Proxy(Function, {
  apply: (target, self, texts) => compileOnce(texts, () => Reflect.apply(target, self, texts)),
  construct: (target, texts) => compileOnce(texts, () => Reflect.construct(target, texts)),
});

/* Threads of the product begin with what scripts/test has bundled for them: from source each takes 90 ms of a core more, and tests start hundreds. */
const { GATEHOUSE_TEST_THREADS: threads = "" } = process.env;
const source = new URL("../../src/", import.meta.url).href;
class BundledWorker extends Worker {
  constructor(script: string | URL, options?: WorkerOptions) {
    const { href } = new URL(script);
    const isOurs = href.startsWith(source);
    super(isOurs ? join(threads, href.slice(source.length).replace(/\.ts$/, ".js")) : script, options);
  }
}
if (threads) globalThis.Worker = BundledWorker;

/* How scripts/test has these processes compile and keep memory is not for the programs that they start. */
for (const name of ["BUN_JSC_useFTLJIT", "MIMALLOC_PURGE_DELAY"]) delete process.env[name];

/* scripts/test names the folder, and looks through what is noted there after the tests. */
const { GATEHOUSE_TEST_STATEMENTS: notes } = process.env;
if (notes) noteStatements(notes);
