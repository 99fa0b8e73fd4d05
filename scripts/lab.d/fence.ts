import { join } from "node:path";
import { type Outcome, runSteps } from "./run-steps.ts";
import { FenceLab } from "./fence/fence-lab.ts";
import { steps } from "./fence/steps.ts";
import { UmlGuest } from "./uml.ts";

const checkout = join(import.meta.dir, "../..");
/** What the guest has beside a minimal Debian: what a router is made of, a tunnel through names, and what loads a line. */
const PACKAGES = "iproute2,procps,kmod,iptables,ipset,conntrack,iputils-ping,iperf3,iodine,dnsmasq-base";

/** A router with the rules and queues that a set-up makes, and houses that try to get past them, step after step, until one fails. */
export async function fence({ log }: { log: (line: string) => void }): Promise<Outcome> {
  await using guest = await UmlGuest.make(join(checkout, "dist/lab"), PACKAGES);
  const lab = new FenceLab(guest);
  await lab.start();
  const { table, faults } = await runSteps(steps, lab, { log, lately: () => lab.lately() });
  const about = await lab.root(
    ". /etc/os-release; echo $PRETTY_NAME; echo Linux $(uname -r) in user mode; dpkg-query -W -f '${Package} ${Version}, ' iptables iodine dnsmasq-base",
  );
  return { table: `${about.replaceAll("\n", ", ").replace(/,\s*$/, "")}:\n\n${table}`, faults };
}
