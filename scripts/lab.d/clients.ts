import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { license, version } from "../../package.json";
import { documentRoutes } from "../../src/http/app.ts";
import { listen } from "../../src/http/server.ts";
import { insertKey, withTenants } from "../../test/support/tenants.ts";
import { generateTypes } from "./clients/types.ts";
import { CannotBoot } from "./debian.ts";
import { must, type Outcome, runSteps, type StepOf } from "./run-steps.ts";

const checkout = join(import.meta.dir, "../..");
const sources = join(import.meta.dir, "clients");
/** What scripts/release --clients packs. */
const out = join(checkout, "dist/clients");
const LINTERS = [
  "@redocly/openapi-core@2.64.0",
  "@stoplight/spectral-core@1.24.1",
  "@stoplight/spectral-rulesets@1.23.1",
];
const PYTHON = ["openapi-python-client==0.29.1", "schemathesis==4.32.5"];
const GO = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
/** What the API key that calls has of its role's. */
const KEY_FLAGS = [
  "subscriber_view",
  "subscriber_edit",
  "payment_view",
  "payment_take",
  "session_view",
  "webhook_manage",
];
/** Seconds of generated calls as each caller. */
const FUZZED = 90;

interface World {
  /** Tools, and what is tried. */
  readonly folder: string;
  readonly document: string;
  readonly address: string;
  /** Authorization of each kind of caller. */
  readonly callers: Readonly<Record<string, string>>;
}

/** What a command says; throws it where the command fails. */
async function ran(command: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, { cwd, env: { ...Bun.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [said, complained] = await Promise.all(
    [child.stdout, child.stderr].map((one) => new Response(one).text()),
  );
  must((await child.exited) === 0, `${command.slice(0, 3).join(" ")}: ${said}${complained}`.slice(-4000));
  return `${said}${complained}`.trim();
}

/** Lines that say something. */
function countLines(folder: string, pattern: string): number {
  const files = [...new Bun.Glob(pattern).scanSync(folder)];
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  return texts.reduce((sum, text) => sum + text.split("\n").filter((line) => line.trim() !== "").length, 0);
}

const lined = (count: number, most: number): string => {
  must(count < most, `${count} lines, not under ${most}`);
  return `${count.toLocaleString("en")} lines`;
};

const person = ["ada", "secret-1"];

const steps: readonly StepOf<World>[] = [
  {
    what: "Redocly and Spectral, their recommended rules",
    run: async ({ folder, document }) => {
      const at = join(folder, "linters");
      mkdirSync(at);
      writeFileSync(join(at, "package.json"), "{}");
      // Bun lays out packages so that Spectral takes another ajv than its plugins are for
      await ran(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...LINTERS], at);
      cpSync(join(sources, "lint.mjs"), join(at, "lint.mjs"));
      return ran([process.execPath, "lint.mjs", document], at);
    },
  },
  {
    what: "TypeScript: openapi-typescript, openapi-fetch",
    isInShort: true,
    run: async ({ address, document }) => {
      const at = join(out, "typescript");
      cpSync(join(sources, "typescript"), at, { recursive: true });
      writeFileSync(
        join(at, "gatehouse.d.ts"),
        await generateTypes(JSON.parse(readFileSync(document, "utf8"))),
      );
      const described = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
      writeFileSync(
        join(at, "package.json"),
        `${JSON.stringify({ ...described, version, license }, null, 2)}\n`,
      );
      await ran([process.execPath, "install"], at);
      const lines = lined(countLines(at, "gatehouse.d.ts"), 40_000);
      await ran([process.execPath, "check", "--no-script"], at);
      const [username = "", password = ""] = person;
      const { walk } = await import(join(at, "walk.ts"));
      const walked = await walk({ baseUrl: address, username, password });
      for (const left of ["node_modules", "walk.ts", "tsconfig.json", "bun.lock"])
        rmSync(join(at, left), { recursive: true });
      return `${lines}; ${walked}`;
    },
  },
  {
    what: "Python: openapi-python-client",
    isInShort: true,
    run: async ({ folder, address, document }) => {
      const [at, tools] = [join(out, "python"), join(folder, "python")];
      await ran(["python3", "-m", "venv", tools], folder);
      await ran([join(tools, "bin/pip"), "install", "-q", "--disable-pip-version-check", ...PYTHON], folder);
      const names = {
        project_name_override: "gatehouse-client",
        package_name_override: "gatehouse_client",
        package_version_override: version,
      };
      writeFileSync(join(folder, "python.json"), JSON.stringify(names));
      const PATH = `${join(tools, "bin")}:${Bun.env["PATH"]}`; // its post-processing is by ruff
      const generator = join(tools, "bin/openapi-python-client");
      const made = await ran(
        [
          generator,
          "generate",
          "--path",
          document,
          "--config",
          join(folder, "python.json"),
          "--meta",
          "setup",
          "--output-path",
          at,
        ],
        folder,
        { PATH },
      );
      must(!made.includes("WARNING"), made);
      const lines = lined(countLines(at, "gatehouse_client/**/*.py"), 90_000);
      const python = join(tools, "bin/python");
      await ran([python, "-m", "compileall", "-q", "gatehouse_client"], at);
      const imported = await ran([python, join(sources, "python/import_all.py")], at, { PYTHONPATH: at });
      const walked = await ran([python, join(sources, "python/walk.py"), address, ...person], at, {
        PYTHONPATH: at,
      });
      for (const cache of new Bun.Glob("**/__pycache__").scanSync({ cwd: at, onlyFiles: false }))
        rmSync(join(at, cache), { recursive: true, force: true });
      return `${lines}; ${imported}; ${walked}`;
    },
  },
  {
    what: "Go: oapi-codegen",
    isInShort: true,
    run: async ({ folder, address, document }) => {
      const [at, tools, walk] = [join(out, "go"), join(folder, "go-tools"), join(folder, "go-walk")];
      const env = { GOBIN: tools, GOFLAGS: "-modcacherw" };
      await ran(["go", "install", GO], folder, env);
      mkdirSync(at);
      cpSync(join(sources, "go/oapi-codegen.yaml"), join(at, "oapi-codegen.yaml"));
      await ran(
        [join(tools, "oapi-codegen"), "-config", "oapi-codegen.yaml", "-o", "gatehouse.gen.go", document],
        at,
        env,
      );
      await ran(["go", "mod", "init", "gatehouse.invalid/gatehouse-client"], at, env);
      await ran(["go", "mod", "tidy"], at, env);
      const lines = lined(countLines(at, "gatehouse.gen.go"), 110_000);
      const names = [...readFileSync(join(at, "gatehouse.gen.go"), "utf8").matchAll(/^type (\w+)/gm)].map(
        ([, name = ""]) => name,
      );
      const foreign = names.filter((name) => /InlineResponse|Body\d+$|Type\d+$/.test(name));
      must(foreign.length === 0, `types without a name of ours: ${foreign.join(", ")}`);
      mkdirSync(walk);
      cpSync(join(sources, "go/walk.go"), join(walk, "walk.go"));
      await ran(["go", "mod", "init", "gatehouse.invalid/walk"], walk, env);
      await ran(
        [
          "go",
          "mod",
          "edit",
          "-require",
          "gatehouse.invalid/gatehouse-client@v0.0.0",
          "-replace",
          `gatehouse.invalid/gatehouse-client=${at}`,
        ],
        walk,
        env,
      );
      await ran(["go", "mod", "tidy"], walk, env);
      await ran(["go", "build", "-o", "walk", "."], walk, env);
      return `${lines}; ${await ran([join(walk, "walk"), address, ...person], walk)}`;
    },
  },
  // staff change what subscribers are, so that these come first
  ...[
    { caller: "subscriber", paths: "^/api/v1/(me|subscriber/card)(/|$)", flags: undefined },
    { caller: "key", paths: "^/", flags: KEY_FLAGS },
    { caller: "clerk", paths: "^/", flags: undefined },
    { caller: "admin", paths: "^/", flags: undefined },
  ].map(({ caller, paths, flags }) => ({
    what: `schemathesis as ${caller}${flags ? `, which has ${flags.length} permissions` : ""}`,
    run: async ({ folder, address, callers }: World) => {
      const said = await ran(
        [
          join(folder, "python/bin/st"),
          "run",
          `${address}/openapi.json`,
          "--header",
          `Authorization:${callers[caller]}`,
          "--include-path-regex",
          paths,
          "--checks",
          ["not_a_server_error", "status_code_conformance", "content_type_conformance"]
            .concat("response_schema_conformance", flags ? "permission_conformance" : [])
            .join(","),
          "--phases",
          "examples,coverage,fuzzing",
          "--max-time",
          String(FUZZED),
          "--max-examples",
          "20",
          // what would leave nobody who calls, or wait for routers that there are none of
          "--exclude-operation-id-regex",
          "^(logoutAll|logout|subscriberLogout.*|changeStaffPassword|updateStaff|enableStaff|deleteStaff|updatePermissions|changeMyPassword|resetPassword|setSetting|metrics)$",
          "--no-color",
        ],
        folder,
        flags && {
          SCHEMATHESIS_HOOKS: join(sources, "python/permissions.py"),
          FLAGS: flags.join(","),
          PYTHONDONTWRITEBYTECODE: "1",
        },
      );
      const [, operations = "?"] = /Tested: (\d+)/.exec(said) ?? [];
      const [, cases = "no"] = /Test cases:\s+(\d+ generated.*)/.exec(said) ?? [];
      return `${operations} operations, ${cases}`;
    },
  })),
];

async function subscriberToken({ call }: Awaited<ReturnType<typeof withTenants>>): Promise<string> {
  const json = { username: "user1", password: "pw-1" };
  const { body } = await call("POST", "/api/v1/subscriber/login", { json });
  return (body as { data: { token: string } }).data.token;
}

/** Clients as strangers generate them, compiled and walked, and generated calls by each kind of caller. `table` is Markdown. */
export async function clients({
  isShort,
  log,
}: {
  isShort: boolean;
  log: (line: string) => void;
}): Promise<Outcome> {
  for (const program of ["python3", "go", ...(isShort ? [] : ["npm"])])
    if (Bun.which(program) === null) throw new CannotBoot(`${program} is missing`);
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-clients-"));
  const now = () => Math.floor(Date.now() / 1000);
  const app = await withTenants({ clock: now });
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  try {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const document = join(folder, "openapi.json");
    writeFileSync(document, JSON.stringify(documentRoutes()));
    const basic = (who: string) => `Basic ${btoa(who)}`;
    const callers = {
      admin: basic(person.join(":")),
      clerk: basic("mia:secret-1"),
      subscriber: `Bearer ${await subscriberToken(app)}`,
      key: `Bearer ${insertKey({ db: app.db, clock: { now: now() } }, { flags: KEY_FLAGS.join(", ") })}`,
    };
    const world = { folder, document, address: `http://${listener.address}`, callers };
    const tried = steps.filter(({ isInShort }) => !isShort || isInShort);
    return await runSteps(tried, world, { log, lately: async () => app.lines.slice(-5).join("\n") });
  } finally {
    await listener.stop();
    app[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
