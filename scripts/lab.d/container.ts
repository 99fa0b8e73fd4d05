import { join } from "node:path";
import { version } from "../../package.json";
import { ran } from "./container/contained.ts";
import { steps } from "./container/steps.ts";
import { CannotBoot } from "./debian.ts";
import { type Outcome, runSteps } from "./run-steps.ts";

const checkout = join(import.meta.dir, "../..");

/** The images of a release, tried where they are made. `table` is Markdown. */
export async function container({ log }: { log: (line: string) => void }): Promise<Outcome> {
  for (const program of ["podman", "skopeo", "qemu-aarch64-static", "unshare"])
    if (Bun.which(program) === null) throw new CannotBoot(`${program} is missing`);
  await Bun.$`scripts/release --container`.cwd(checkout).quiet();
  const made = {
    folder: join(checkout, "dist/release"),
    checkout,
    amd64: `gatehouse-${version}-container-amd64.tar`,
    arm64: `gatehouse-${version}-container-arm64.tar`,
  };
  const { table, faults } = await runSteps(steps, made, { log, lately: async () => "" });
  await ran(["podman", "rmi", "--force", `localhost/gatehouse:${version}`]);
  const versions = await Promise.all(
    [
      ["podman", "--version"],
      ["qemu-aarch64-static", "--version"],
      ["git", "rev-parse", "--short=12", "HEAD"],
    ].map((command) => ran(command).then(({ stdout }) => stdout.split("\n")[0] ?? "")),
  );
  return {
    table: `Version ${version}, commit ${versions[2]}, ${versions[0]}, ${versions[1]}:\n\n${table}`,
    faults,
  };
}
