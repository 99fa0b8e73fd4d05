import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Appliance, program } from "../support/appliance.ts";

const free = () => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return `127.0.0.1:${probe.port}`;
};

const canMount = Bun.spawnSync(["unshare", "--map-root-user", "--mount", "true"]).success;

test("a folder for backups that no command can write to is refused when it is set", async () => {
  await using appliance = new Appliance();
  await appliance.load({});
  writeFileSync(join(appliance.folder, "file"), "");
  const folder = join(appliance.folder, "file/backups");
  const refused = await appliance.run(["settings", "set", "backup_folder", folder]);
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr: `gatehouse: backup_folder stays as it was: ${folder} cannot be: a part of the path is a file, not a folder; check the path\n`,
  });
  expect(await appliance.run(["settings", "get", "backup_folder"])).toMatchObject({ stdout: "\n" });
  const logo = join(appliance.folder, "none.png");
  expect(await appliance.run(["settings", "set", "portal_logo", logo])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`portal_logo stays as it was: ${logo} cannot be read`),
  });
});

test("a running server tries the folder at once, and the command that sets it says what came of it", async () => {
  await using appliance = new Appliance({ GATEHOUSE_HTTP_LISTEN: free() });
  await appliance.load({});
  await appliance.serve();
  const folder = join(appliance.folder, "elsewhere");
  const set = await appliance.run(["settings", "set", "backup_folder", folder]);
  expect(set).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
  expect(existsSync(folder)).toBe(true);
});

test.skipIf(!canMount)(
  "what the service alone may not write to is told with the drop-in to make",
  async () => {
    await using appliance = new Appliance({ GATEHOUSE_HTTP_LISTEN: free() });
    await appliance.load({});
    const folder = join(appliance.folder, "mnt");
    mkdirSync(folder);
    // as ProtectSystem=strict does it: the same folder, read-only for this process alone
    const script = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && NOTIFY_SOCKET=/none exec "$2" serve`;
    appliance.command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder, program];
    const at = await appliance.serve();
    appliance.command = [program];
    const result = `the service may not write to ${folder}; run: install -d -o gatehouse -g gatehouse -m 700 ${folder}; then: systemctl edit gatehouse, with the two lines [Service] and ReadWritePaths=${folder}; then: systemctl restart gatehouse`;
    expect(await appliance.run(["settings", "set", "backup_folder", folder])).toEqual({
      code: 1,
      stdout: `${folder}\n`,
      stderr: `gatehouse: backup_folder is set, but no backup can be made: ${result}\n`,
    });
    expect(await appliance.run(["check"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`error    backups: none can be made: ${result}\n`),
    });
    const metrics = await (await fetch(`http://${at.http}/metrics`)).text();
    expect(metrics).toContain("\ngatehouse_backup_folder_usable 0\n");
    const text = appliance.log.split("\n").filter((line) => line.includes("no backup can be made"));
    expect(text).toEqual([expect.not.stringContaining("stack")]);
  },
);
