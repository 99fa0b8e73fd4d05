import { join } from "node:path";
import { type Outcome, runSteps } from "./run-steps.ts";
import { AccessLab } from "./ppp/access-lab.ts";
import { isp } from "./ppp/isp.ts";
import { steps } from "./ppp/steps.ts";
import { UmlGuest } from "./uml.ts";

const checkout = join(import.meta.dir, "../..");
/** What the guest has beside a minimal Debian: the access server, the houses' end of it, and what moves and counts. */
const PACKAGES = "iproute2,procps,kmod,ppp,pppoe,hostapd,wpasupplicant,curl,busybox-static,netcat-openbsd";

/** Lines that dial in to a real access server, step after step, until one fails. `table` is Markdown. */
export async function ppp({ log }: { log: (line: string) => void }): Promise<Outcome> {
  const executable = join(checkout, "dist/gatehouse");
  await Bun.$`scripts/build`.cwd(checkout).quiet();
  await using guest = await UmlGuest.make(join(checkout, "dist/lab"), PACKAGES);
  const lab = new AccessLab(guest);
  await lab.start(executable, isp());
  const { table, faults } = await runSteps(steps, lab, { log, lately: () => lab.lately() });
  const about = await lab.root(
    ". /etc/os-release; gatehouse version; echo $PRETTY_NAME; echo Linux $(uname -r) in user mode; dpkg-query -W -f '${Package} ${Version}, ' ppp pppoe hostapd",
  );
  return { table: `${about.replaceAll("\n", ", ").replace(/,\s*$/, "")}:\n\n${table}`, faults };
}
