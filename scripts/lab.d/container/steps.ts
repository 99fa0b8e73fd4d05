import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RadiusClient } from "../../../test/support/radius-client.ts";
import { authorization, dataSet, makeLogin, SECRET } from "../../bench.d/data-set.ts";
import { must, type StepOf } from "../run-steps.ts";
import { type Contained, done, EmulatedRoot, PodmanContainer, ports } from "./contained.ts";

/** The archives that scripts/release made, and where. */
export interface Archives {
  readonly folder: string;
  readonly amd64: string;
  readonly arm64: string;
  readonly checkout: string;
}
type Step = StepOf<Archives>;

const SUBSCRIBERS = 5000;
/** Megabytes that so many subscribers, all of them online, may take. */
const MEMORY = 200;
/** How often that is measured, because it is not the same each time. */
const ROUNDS = 3;
const ACTIVE = { current_expiration_date: `${new Date().getUTCFullYear() + 1}-12-01 00:00:00` };
const checksums = ({ folder }: Archives) => readFileSync(join(folder, "SHA256SUMS-container"), "utf8");

export const steps: readonly Step[] = [
  {
    what: "`scripts/release --container` twice",
    run: async (made) => {
      const before = checksums(made);
      await Bun.$`scripts/release --container`.cwd(made.checkout).quiet();
      must(checksums(made) === before, `the checksums differ:\n${before}${checksums(made)}`);
      return "the same bytes for amd64 and arm64";
    },
  },
  {
    what: "podman and skopeo read it, as OCI and as `docker save`",
    run: async ({ folder, amd64, arm64 }) => {
      for (const [file, architecture] of [
        [amd64, "amd64"],
        [arm64, "arm64"],
      ] as const) {
        const seen = await Promise.all(
          ["oci-archive", "docker-archive"].map((kind) =>
            done(["skopeo", "inspect", "--config", `${kind}:${join(folder, file)}`]),
          ),
        );
        for (const config of seen)
          must(JSON.parse(config).architecture === architecture, `${file} says ${config}`);
      }
      const name = await done(["podman", "load", "--quiet", "--input", join(folder, amd64)]);
      must(/gatehouse:\d/.test(name), `podman calls it ${name}`);
      return name.replace(/^Loaded image: /, "");
    },
  },
  {
    what: `podman runs it: ${SUBSCRIBERS} subscribers, all of them online, ${ROUNDS} times`,
    run: async ({ folder, amd64 }) => {
      const image = await done(["podman", "pull", "--quiet", `docker-archive:${join(folder, amd64)}`]);
      const seen: Memory[] = [];
      while (seen.length < ROUNDS) seen.push(await lifeInPodman(image));
      const most = Math.max(...seen.map((memory) => memory.most));
      must(most < MEMORY, `it took ${most} MB`);
      const now = seen.map((memory) => memory.now).sort((a, b) => a - b);
      return `healthy; ${now[0]} to ${now.at(-1)} MB of memory, ${most} MB at the most; stopped in order, started again with every session`;
    },
  },
  {
    what: "the root for arm64 under qemu's emulation",
    run: async ({ folder, arm64 }) => {
      const saved = JSON.parse(await done(["tar", "xOf", join(folder, arm64), "manifest.json"]));
      await using emulated: Contained = await EmulatedRoot.of(join(folder, arm64), saved[0].Layers[0]);
      must(
        /first-password/.test(await emulated.start()),
        "it does not say where the password of the first Admin is",
      );
      await emulated.gatehouse(["import", "-"], dataSet(50, ACTIVE));
      await everybodyOnline(50);
      must((await openSessions()) === 50, "sessions are missing in the API");
      const page = await readPortal(makeLogin(7));
      must(page.includes(">Sign out<"), `the subscriber who signed in sees ${page.slice(0, 500)}`);
      await emulated.gatehouse(["check", "--serving"]);
      await emulated.stop();
      return "logins by PAP, CHAP and MS-CHAPv2, accounting, the API and the pages of a subscriber who signs in, as its own user";
    },
  },
];

/** A new container in which everybody comes online, and which is stopped and started again; the memory it took until then. */
async function lifeInPodman(image: string): Promise<Memory> {
  await using container = new PodmanContainer(image);
  must(
    /first-password/.test(await container.start()),
    "it does not say where the password of the first Admin is",
  );
  must((await container.health()) === 0, "its health check says that it is ill");
  await container.gatehouse(["import", "-"], dataSet(SUBSCRIBERS, ACTIVE));
  await everybodyOnline(SUBSCRIBERS);
  const memory = residentMegabytes(await container.pid());
  const seconds = await container.stop();
  must(seconds < 10, `it took ${seconds} s to stop`);
  await container.start();
  must((await openSessions()) === SUBSCRIBERS, "sessions are missing after a restart");
  must((await container.health()) === 0, "its health check says that it is ill after a restart");
  return memory;
}

/** Logs subscribers in, starts their sessions and updates them once, from a router of a hundred requests at once. */
async function everybodyOnline(count: number): Promise<void> {
  const router = new RadiusClient({
    host: "127.0.0.1",
    port: ports.auth,
    acctPort: ports.acct,
    secret: SECRET,
    timeout: 20_000,
  });
  const methods = ["pap", "chap", "mschapv2"] as const;
  try {
    const work = Array.from({ length: count }, (_, index) => index + 1);
    const one = async (id: number) => {
      const { username, password } = makeLogin(id);
      const line = [
        ["User-Name", username],
        ["Acct-Session-Id", `8100${id}`],
        ["NAS-Port", id],
        ["Framed-IP-Address", `10.${20 + (id >> 16)}.${(id >> 8) & 255}.${id & 255}`],
      ] as const;
      const answer = await router.access({ name: username, password, method: methods[id % 3] ?? "pap" });
      must(answer?.code === "Access-Accept", `the login of ${username} was answered with ${answer?.code}`);
      must((await router.accounting("Start", [...line])) !== null, "a Start was not answered");
      const counted = [
        ["Acct-Session-Time", 60],
        ["Acct-Input-Octets", 1000],
        ["Acct-Output-Octets", 9000],
      ] as const;
      must(
        (await router.accounting("Interim-Update", [...line, ...counted])) !== null,
        "an update was not answered",
      );
    };
    const worker = async () => {
      for (let id = work.shift(); id !== undefined; id = work.shift()) await one(id);
    };
    await Promise.all(Array.from({ length: 100 }, worker));
  } finally {
    await router.close();
  }
}

/** The first page of a subscriber who signs in to the portal, by its form and without a script. */
async function readPortal({ username, password }: { username: string; password: string }): Promise<string> {
  const origin = `http://127.0.0.1:${ports.http}`;
  const form = await fetch(`${origin}/portal/sign-in`);
  const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await form.text()) ?? [];
  const entered = await fetch(`${origin}/portal/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: readCookies(form) },
    body: new URLSearchParams({ username, password, form_token: token }),
  });
  must(entered.status === 303, `the portal answers ${entered.status} to who signs in`);
  return (await fetch(`${origin}/portal`, { headers: { cookie: readCookies(entered) } })).text();
}

const readCookies = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** How many sessions the API calls open. */
async function openSessions(): Promise<number> {
  let total = 0;
  let before = "";
  for (;;) {
    const answer = await fetch(
      `http://127.0.0.1:${ports.http}/api/v1/session/list?open=1&limit=1000${before}`,
      {
        headers: { authorization },
      },
    );
    must(answer.ok, `the API answers ${answer.status}: ${await answer.clone().text()}`);
    const page = (await answer.json()) as { id: number }[];
    total += page.length;
    const last = page.at(-1);
    if (!last || page.length < 1000) return total;
    before = `&before=${last.id}`;
  }
}

/** Megabytes of a process, now and at the most. */
interface Memory {
  readonly now: number;
  readonly most: number;
}

/** As the system counts it. */
function residentMegabytes(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1]) / 1024);
  return { now: field("VmRSS"), most: field("VmHWM") };
}
