import { must } from "../../run-steps.ts";
import { FAST_TRACK, makeAccessRouter, readExport } from "../access.ts";
import { bracketClaim, type Claim } from "../claim.ts";
import type { ChrLab } from "../chr-lab.ts";
import { ROUTER } from "../place.ts";

const NOTHING = "Nothing to change";

/** The first rule of FastTrack, which was there before us. */
async function fastTrack({ router }: ChrLab) {
  const [rule] = (await router.print("/ip/firewall/filter", FAST_TRACK)) ?? [];
  if (!rule) throw new Error("its rule of FastTrack is gone");
  return rule;
}

export const setupClaims: readonly Claim[] = [
  {
    what: "its API on the first boot lets `admin` in without a password",
    by: "router",
    isInShort: true,
    run: async (lab) => {
      const [resource] = await lab.router.run("/system/resource/print");
      await makeAccessRouter(lab.router);
      lab.exportBefore = await readExport(lab.router);
      return `RouterOS ${lab.version}, ${resource?.["board-name"]}; it is an access router now`;
    },
  },
  {
    what: "`nas setup`",
    by: "api",
    isInShort: true,
    run: async (lab) => {
      await lab.addRouter();
      const output = await lab.setUp();
      const changes = output.split("\n").filter((line) => /^ {2}(?:added|changed):/i.test(line)).length;
      must(changes > 20, `it made ${changes} changes: ${output}`);
      const answered = /^ok +.*Disconnect.*$/im.exec(output)?.[0];
      must(answered !== undefined, `no Disconnect-Request was answered: ${output}`);
      return `${changes} changes; a Disconnect-Request is answered`;
    },
  },
  {
    what: "`nas setup` once more changes nothing",
    by: "api",
    isInShort: true,
    run: async (lab) => {
      const before = await readExport(lab.router);
      const output = await lab.setUp();
      must(output.includes(NOTHING), `it changed something: ${output}`);
      must((await readExport(lab.router)) === before, "its export is another one");
      return "it says so, and the export is the same";
    },
  },
  bracketClaim("fastTrack", async (lab) => {
    const rule = await fastTrack(lab);
    const sides = [rule["in-interface"], rule["out-interface"]];
    must(
      sides.every((side) => side === "!all-ppp"),
      `it has in-interface=${sides[0]}, out-interface=${sides[1]}`,
    );
    must(rule["invalid"] !== "true", "the router calls the rule invalid");
    return "both stand there as they were written";
  }),
  bracketClaim("interfaceList", async ({ router }) => {
    const [profile] = (await router.print("/ppp/profile", { name: "gatehouse-garden" })) ?? [];
    must(profile !== undefined, "there is no profile of the garden");
    const list = profile["interface-list"];
    must(list === "gatehouse-garden", `the profile has interface-list=${list}`);
    return "the garden's profile has it";
  }),
  {
    what: "`nas test`",
    by: "api",
    run: async (lab) => {
      const output = await lab.gatehouse(["nas", "test", ROUTER]);
      must(!/^(?:failed|warning)/m.test(output), output);
      return `${output.split("\n").filter((line) => line.startsWith("ok")).length} checks, none failed`;
    },
  },
];

export const removalClaims: readonly Claim[] = [
  {
    what: "`nas setup --remove`: the export is what it was before",
    by: "api",
    isInShort: true,
    run: async (lab) => {
      await lab.setUp("--remove");
      const after = await readExport(lab.router);
      const before = lab.exportBefore.split("\n");
      const other = [
        ...before.filter((line) => !after.split("\n").includes(line)).map((line) => `- ${line}`),
        ...after.split("\n").flatMap((line) => (before.includes(line) ? [] : [`+ ${line}`])),
      ];
      must(after === lab.exportBefore, `it differs: ${other.join("; ") || "in the order of its lines"}`);
      return `${before.length} lines, the same`;
    },
  },
  bracketClaim("unset", async (lab) => {
    const rule = await fastTrack(lab);
    const left = Object.keys(rule).filter((name) => name.includes("-interface"));
    must(left.length === 0, `the rule of FastTrack still has ${left.join(", ")}`);
    return "the rule of FastTrack has none of those that a set-up gave it";
  }),
];
