import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { natsCopies } from "../../src/domain/machine/backup/nats-copies.ts";
import { Appliance } from "../support/appliance.ts";
import { aPackage, aSubscriber, NAS_SECRET } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";

const PASSPHRASE = "nine lives of a ginger cat";
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1)],
  subscribers: [1, 2, 3].map((id) => aSubscriber(id)),
};

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 900) throw new Error(`never: ${isSo.toString()}`);
    await Bun.sleep(100);
  }
}

function subscribersOf({ folder }: Appliance): number | undefined {
  using store = new Database(join(folder, "data/gatehouse.db"), { readonly: true });
  return store.query<{ n: number }, []>("SELECT count(*) AS n FROM subscribers").get()?.n;
}

/** Runs a command that waits to be let in, and lets it in by the line that it prints, as its reader would. */
async function letIn(fresh: Appliance, nats: NatsServer, args: string[], stdin = "") {
  const child = fresh.spawn(args, stdin);
  const decoder = new TextDecoder();
  let text = "";
  const reading = (async () => {
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true });
      const line = /^\{ nkey: U.*\}$/m.exec(text)?.[0];
      if (line !== undefined && !nats.configuration?.includes(line))
        nats.reload((nats.configuration ?? "").replace("users: [", `users: [\n${line}`));
    }
  })();
  const [code, stdout] = await Promise.all([child.exited, child.stdout.text(), reading]);
  return { code, stdout, output: text };
}

test("the machine of the books burns: another one fetches their backup from nats-server", async () => {
  await using old = new Appliance();
  const done = async (args: string[], stdin = "") => {
    const outcome = await old.run(args, stdin);
    expect({ args, ...outcome }).toMatchObject({ code: 0 });
    return outcome.stdout;
  };
  await old.load(dataSet);
  await done(["box", "add", "tower-1"]);
  await done(["settings", "set", "backup_to_nats", "true"]);
  await done(["backup-passphrase", "--passphrase-stdin"], PASSPHRASE);
  await using nats = await NatsServer.start(await done(["box", "server"]));
  const env = { GATEHOUSE_NATS_URL: nats.url, GATEHOUSE_NATS_CA: nats.certificate };
  await old.serve(env);
  await until(() => natsCopies(join(old.folder, "data"))?.fault === null);
  expect(await done(["check"])).toContain("backups in NATS");

  // nats-server loses its disk: what lay there is not praised any more, and another one lies there soon
  const lies = () => natsCopies(join(old.folder, "data"));
  const first = lies()?.last?.at ?? 0;
  await nats.kill();
  nats.loseStore();
  await nats.up();
  await until(() => old.log.includes("nats-server has lost the last backup"));
  await until(() => lies()?.fault === null && (lies()?.last?.at ?? 0) > first);
  await old.stop("SIGKILL");
  const key = join(old.folder, "data/secret.key");

  // a machine that has nothing but the address of nats-server, and the passphrase
  await using fresh = new Appliance(env);
  const wrong = await letIn(
    fresh,
    nats,
    ["restore", "--from-nats", "--passphrase-stdin"],
    "not the passphrase",
  );
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("the passphrase is not the one") });
  expect(existsSync(join(fresh.folder, "data/gatehouse.db"))).toBeFalse();
  // the line that was written into nats-server.conf lets it in again and again, also to look, until one is restored
  const lines = () => nats.configuration?.match(/nkey: U/g)?.length;
  const before = lines();
  const text = await letIn(fresh, nats, ["restore", "--from-nats", "--list"]);
  expect(text).toMatchObject({ code: 0, output: "" });
  expect(text.stdout).toContain("to put the newest in place: gatehouse restore --from-nats;");
  const { code, stdout, output } = await letIn(
    fresh,
    nats,
    ["restore", "--from-nats", "--passphrase-stdin"],
    PASSPHRASE,
  );
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringMatching(/fetching hour-\d\d, as of /),
  });
  expect(output).not.toContain("add this line");
  expect(output).toContain("take this machine's line out of /etc/nats-server.conf");
  expect(lines()).toBe(before);
  expect(existsSync(join(fresh.folder, "data/restore-from-nats.nkey"))).toBeFalse();
  expect(stdout).toContain("restored the store as of");
  expect(stdout).toContain("gatehouse recover");
  expect(subscribersOf(fresh)).toBe(3);
  expect(readFileSync(join(fresh.folder, "data/secret.key"), "utf8")).toBe(readFileSync(key, "utf8"));
  expect(existsSync(join(fresh.folder, "data/backup-from-nats.db"))).toBeFalse();

  // or the key that was kept apart; the name is one of those that are listed
  await using another = new Appliance(env);
  const listed = await letIn(another, nats, ["restore", "--from-nats", "--list", "--json"]);
  const [{ name, has_key: hasKey }] = JSON.parse(listed.stdout) as [{ name: string; has_key: boolean }];
  expect(hasKey).toBeTrue();
  expect(await letIn(another, nats, ["restore", "--from-nats", "hour-99"])).toMatchObject({
    code: 1,
    output: expect.stringContaining(`nats-server has no backup hour-99; there are ${name}`),
  });
  expect(await letIn(another, nats, ["restore", "--from-nats", name, "--key", key])).toMatchObject({
    code: 0,
  });
  expect(subscribersOf(another)).toBe(3);

  expect(await another.run(["restore", "file.db", "--from-nats"])).toMatchObject({ code: 1 });
  await nats.kill();
  expect(await another.run(["restore", "--from-nats"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nats-server cannot be reached"),
  });
});
