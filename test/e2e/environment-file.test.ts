import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Appliance, program } from "../support/appliance.ts";

/** A command as somebody who owns nothing here. */
const asNobody =
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program]
    : [program];

test("a command reads the file of the service as systemd does, its time zone too", async () => {
  await using appliance = new Appliance({ TZ: "" });
  const folder = join(appliance.folder, "my data");
  const file = join(appliance.folder, "gatehouse.env");
  writeFileSync(
    file,
    `# of the service\n  GATEHOUSE_DATA_DIR = '${appliance.folder}/my'" data" \nTZ="Asia/Tokyo"\r\nGATEHOUSE_LOG_LEVEL=\\\ndebug\n`,
  );
  appliance.command = ["env", "-u", "TZ", `GATEHOUSE_ENV_FILE=${file}`, program];
  expect(await appliance.run(["init"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`created ${folder}\n`),
  });
  expect(await appliance.run(["settings", "get", "currency"])).toMatchObject({ code: 0, stdout: "USD\n" });
  const check = await appliance.run(["check"]);
  const clock = /clock: it says (\S+ \S+)/.exec(check.stdout)?.[1] ?? "";
  const ahead = (Date.parse(`${clock.replace(" ", "T")}Z`) - Date.now()) / 3_600_000;
  expect(Math.round(ahead)).toBe(9);
  // what is said on the command line itself counts
  appliance.command = ["env", `GATEHOUSE_ENV_FILE=${file}`, `GATEHOUSE_DATA_DIR=${folder}/other`, program];
  expect(await appliance.run(["settings", "list"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`there is no database in ${folder}/other; run: gatehouse init`),
  });
});

test("a wrong value in the file, or a file that is no text, is said", async () => {
  await using appliance = new Appliance();
  const file = join(appliance.folder, "gatehouse.env");
  appliance.command = ["env", `GATEHOUSE_ENV_FILE=${file}`, program];
  writeFileSync(file, "GATEHOUSE_PUBLIC_LISTEN='off'\n");
  expect(await appliance.run(["settings", "list"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('GATEHOUSE_PUBLIC_LISTEN is "off"'),
  });
  writeFileSync(file, Buffer.from([0x41, 0x3d, 0xff]));
  expect(await appliance.run(["settings", "list"])).toMatchObject({
    code: 1,
    stderr: `gatehouse: ${file} is not UTF-8 text; write it again\n`,
  });
});

test("somebody without rights is told who may, and not to make a second store", async () => {
  await using appliance = new Appliance();
  chmodSync(appliance.folder, 0o755);
  const etc = join(appliance.folder, "etc");
  mkdirSync(etc);
  const file = join(etc, "gatehouse.env");
  const data = join(appliance.folder, "store");
  writeFileSync(file, `GATEHOUSE_DATA_DIR=${data}\n`);
  appliance.command = ["env", `GATEHOUSE_ENV_FILE=${file}`, program];
  expect(await appliance.run(["init"])).toMatchObject({ code: 0 });

  appliance.command = ["env", `GATEHOUSE_ENV_FILE=${file}`, ...asNobody];
  if (process.getuid?.() !== 0) chmodSync(data, 0o000);
  const closedStore = await appliance.run(["settings", "list"]);
  chmodSync(file, 0o600);
  if (process.getuid?.() !== 0) chmodSync(file, 0o000);
  const closedFile = await appliance.run(["init"]);
  const help = await appliance.run(["settings", "list", "--help"]);
  chmodSync(data, 0o700);

  const who = "run it as root (sudo gatehouse) or as the user gatehouse";
  expect(closedStore).toEqual({
    code: 1,
    stdout: "",
    stderr: `gatehouse: ${data} is not accessible to you; ${who}\n`,
  });
  expect(closedFile).toEqual({
    code: 1,
    stdout: "",
    stderr: `gatehouse: you may not read ${file}; ${who}\n`,
  });
  expect(help).toMatchObject({ code: 0 });
});
