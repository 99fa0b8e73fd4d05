import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { withoutProgress } from "../support/progress.ts";
import { makeStore } from "../support/store.ts";

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  /** Whether what is printed goes to a terminal. */
  isTerminal?: boolean;
}

/** The command line in this process, with a data folder of its own. */
export class CommandLine implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  readonly data = join(this.folder, "data");

  /** Of a text, what stands between blanks is an argument. */
  async run(argv: string | string[], { stdin = "", env = {}, isTerminal = false }: RunOptions = {}) {
    const args = typeof argv === "string" ? argv.split(" ") : argv;
    return runWith(args, { GATEHOUSE_DATA_DIR: this.data, ...env }, input(stdin), isTerminal);
  }

  /** What `--json` prints, of a command that has to succeed. */
  async json(argv: string, stdin = ""): Promise<unknown> {
    const { code, stdout, stderr } = await this.run(`${argv} --json`, { stdin });
    if (code !== 0) throw new Error(`${argv}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** What `init` says of a store that is empty: to have it made takes twenty times as long. */
  async init(options = ""): Promise<Outcome> {
    makeStore(this.data);
    return this.run(`init${options}`);
  }

  /** What `import` says of a data set, into an empty store where there is none yet. */
  async import(dataSet: unknown): Promise<Outcome> {
    if (!existsSync(this.data)) makeStore(this.data);
    return this.run("import -", { stdin: JSON.stringify(dataSet) });
  }

  /** Types at a terminal; returns what happened and whether the terminal echoed at any key. */
  async type(argv: string, keys: string): Promise<Outcome & { rawModes: boolean[] }> {
    const rawModes: boolean[] = [];
    const stdin = { ...input(keys), isTTY: true, setRawMode: (raw: boolean) => rawModes.push(raw) };
    const outcome = await runWith(argv.split(" "), { GATEHOUSE_DATA_DIR: this.data }, stdin);
    return { ...outcome, rawModes };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function runWith(
  argv: string[],
  env: Record<string, string>,
  stdin: AsyncIterable<Uint8Array>,
  isTTY = false,
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const code = await run(argv, env, {
    stdin,
    stdout: { isTTY, write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, stdout: written.stdout, stderr: withoutProgress(written.stderr) };
}

/** Split in the middle of characters, as pipes may. */
function input(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  const half = Math.floor(bytes.length / 2);
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes.subarray(0, half);
      yield bytes.subarray(half);
    },
  };
}

/** A small ISP, the parts of which tests replace. */
export function smallIsp() {
  return {
    isps: [{ id: 1, name: "Northlink", branches: [{ id: 1, name: "Centre" }] }],
    staff: [
      { id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 },
      { id: 2, isp_id: 1, name: "Sol", username: "sol", password: "secret-2", profile_type: 2 },
    ],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "10.0.0.1", secret: "testing123" }],
    packages: [
      {
        id: 1,
        isp_id: 1,
        name: "Home 10",
        price: "15.00",
        billing_type: "prepaid",
        duration: 1,
        duration_unit: "month",
        rate_limit: "10M/10M",
      },
    ],
    subscribers: [subscriber(1, "sam"), subscriber(2, "tom")],
  };
}

export function subscriber(id: number, username: string, more: object = {}) {
  return {
    id,
    isp_id: 1,
    name: username,
    username,
    password: `pw-${username}`,
    package_id: 1,
    connection_type_id: 1,
    salesperson_id: 1,
    nas_id: 1,
    nic_number: `N${id}`,
    mobile_number: `M${id}`,
    ...more,
  };
}
