import { must } from "../../run-steps.ts";
import { bracketClaim, type Claim, NotHere } from "../claim.ts";
import type { ChrLab } from "../chr-lab.ts";
import { ROUTER } from "../place.ts";

const nasSet = (lab: ChrLab, ...options: string[]) => lab.gatehouse(["nas", "set", ROUTER, ...options]);

/** The queue of lines by PPPoE, without what versions from 7.19 on say twice. */
async function readLineQueue({ router }: ChrLab): Promise<string | undefined> {
  const [profile] = (await router.print("/ppp/profile", { name: "lines" })) ?? [];
  return profile?.["queue-type"]?.split("/")[0];
}

async function findType({ router }: ChrLab, name: string) {
  return ((await router.print("/queue/type", { name })) ?? [])[0];
}

/** 6.49 has no such queues, and is told so in words. */
async function refused(lab: ChrLab): Promise<string> {
  await nasSet(lab, "--shaper", "fq_codel");
  const output = await lab.setUp();
  await nasSet(lab, "--shaper", "none");
  must(/7\.1/.test(output), `the set-up does not say why it has no such queue: ${output}`);
  must((await readLineQueue(lab)) === "default-small", "lines have another queue");
  return "6.49 keeps its queues, and the set-up says so";
}

export const queueClaims: readonly Claim[] = [
  {
    what: "queues without a wait: `nas set --shaper fq_codel`, then `cake`, then `none`",
    by: "api",
    run: async (lab) => {
      if (lab.major < 7) return refused(lab);
      const shapers = { fq_codel: "gatehouse-fq-codel", cake: "gatehouse-cake" };
      for (const [shaper, name] of Object.entries(shapers)) {
        await nasSet(lab, "--shaper", shaper);
        await lab.setUp();
        must((await readLineQueue(lab)) === name, `lines have the queue ${await readLineQueue(lab)}`);
        must((await findType(lab, name)) !== undefined, `there is no kind ${name}`);
      }
      must((await findType(lab, shapers.fq_codel)) === undefined, "the kind that nobody has is still there");
      await nasSet(lab, "--shaper", "none");
      await lab.setUp();
      must((await readLineQueue(lab)) === "default-small", "the queue of lines is not what it was");
      return "the profiles of lines have each, and then what they had";
    },
  },
  bracketClaim("leases", async (lab) => {
    if (lab.major < 7) throw new NotHere("no such kinds before 7.1");
    await nasSet(lab, "--shaper", "cake", "--shaper-leases");
    await lab.setUp();
    const kind = (await findType(lab, "default-small"))?.["kind"];
    must(kind === "cake", `it is of the kind ${kind}`);
    await nasSet(lab, "--shaper", "none", "--no-shaper-leases");
    await lab.setUp();
    const after = (await findType(lab, "default-small"))?.["kind"];
    must(after === "pfifo", `it was given back as ${after}`);
    return "it was cake, and is pfifo again";
  }),
];
