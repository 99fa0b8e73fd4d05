import { commandOf, menuSabotages, type MenuSabotage } from "../../../../test/support/router-sabotages.ts";
import { must } from "../../run-steps.ts";
import type { Claim } from "../claim.ts";
import type { ChrLab, Finding } from "../chr-lab.ts";
import { ADMIN } from "../place.ts";

/** Of an image that is as old as it is nothing can be mended. */
const ofImage = ({ finding }: Finding) => finding.startsWith("version_");
const inWords = (findings: readonly Finding[]) =>
  findings.map(({ finding, key }) => `${finding} ${key}`.trim()).join(", ") || "nothing";

/** Rounds of the button: what stands first where it should not is found by what it stands before, too. */
const ROUNDS = 3;

/** Spoils the router so, has it found and mended, and takes away what it brought; undefined: this version has nothing like it. */
async function sabotaged(lab: ChrLab, { kind, steps }: MenuSabotage): Promise<true | undefined> {
  const { router } = lab;
  const made: { menu: string; id: string }[] = [];
  try {
    for (const step of steps) {
      const rows = await router.print(step.menu);
      if (rows === null) return undefined;
      const [path = "", ...words] = commandOf(step, rows);
      const [answer] = await router.run(path, ...words);
      if (answer?.["ret"] !== undefined) made.push({ menu: step.menu, id: answer["ret"] });
    }
    const found = await lab.watch();
    must(
      found.some(({ finding }) => finding === kind),
      `${kind} was not found, but ${inWords(found)}`,
    );
    await lab.mend(found.filter(({ finding }) => finding === kind));
    for (let round = 0; round < ROUNDS; round++) {
      const left = (await lab.findings()).filter((one) => !ofImage(one));
      if (left.length === 0) return true;
      must(round < ROUNDS - 1, `after its button there was still ${inWords(left)}`);
      await lab.mend(left);
    }
    return true;
  } catch (error) {
    // a property that this version does not know, as pools of IPv6 where 6.49 has no IPv6
    if (made.length === 0 && error instanceof Error && error.message.startsWith("unknown parameter"))
      return undefined;
    throw error;
  } finally {
    for (const { menu, id } of made.toReversed())
      if (((await router.print(menu)) ?? []).some((row) => row[".id"] === id))
        await router.run(`${menu}/remove`, `=.id=${id}`);
  }
}

async function sabotagedAll(
  lab: ChrLab,
  sabotages: readonly (readonly [name: string, sabotage: MenuSabotage])[],
): Promise<string> {
  const faults: string[] = [];
  const missing: string[] = [];
  for (const [name, sabotage] of sabotages) {
    try {
      if ((await sabotaged(lab, sabotage)) === undefined) missing.push(name);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      // what one left behind is not the next one's fault
      await lab.setUp();
      await lab.watch();
    }
  }
  must(faults.length === 0, `${faults.length} of ${sabotages.length} went wrong: ${faults.join("; ")}`);
  const done = `${sabotages.length - missing.length} were`;
  return missing.length === 0 ? done : `${done}; not here: ${missing.join("; ")}`;
}

const all = Object.entries<MenuSabotage>(menuSabotages);
/** One for each way in which a router goes wrong: it does not ask, lets somebody in by itself, or sends packets past the rules. */
const few = all.filter(([name]) =>
  ["lines do not ask us", "a secret of PPP has the name of a subscriber", "FastTrack takes lines"].includes(
    name,
  ),
);

export const sabotageClaims: readonly Claim[] = [
  {
    what: "`nas watch` finds nothing after a set-up",
    by: "api",
    isInShort: true,
    run: async (lab) => {
      await lab.setUp();
      const found = await lab.watch();
      const left = found.filter((one) => !ofImage(one));
      must(left.length === 0, `it found ${inWords(left)}`);
      return found.length === 0 ? "nothing" : `nothing but what the image is: ${inWords(found)}`;
    },
  },
  {
    what: "sabotages of its menus, each found by `nas watch` and mended by its button",
    by: "api",
    isInShort: true,
    run: (lab) => sabotagedAll(lab, lab.isShort ? few : all),
  },
  {
    what: "the policy api,read is enough to watch; a button then asks for the Admin's login",
    by: "api",
    run: async (lab) => {
      const { router } = lab;
      const [group] = (await router.print("/user/group", { name: "gatehouse" })) ?? [];
      await router.run("/user/group/set", `=.id=${group?.[".id"] ?? ""}`, "=policy=api,read");
      await router.run("/ppp/aaa/set", "=use-radius=no");
      const found = (await lab.watch()).filter((one) => !ofImage(one));
      must(
        found.some(({ finding }) => finding === "lines_ask"),
        `it found ${inWords(found)}`,
      );
      const refused = await lab.mend(found).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      must(refused !== undefined, "our account, which may only read, changed the router");
      await lab.mend(found, ADMIN);
      const left = (await lab.findings()).filter((one) => !ofImage(one));
      must(left.length === 0, `after the Admin's login there was still ${inWords(left)}`);
      await lab.setUp(); // gives the account its policy again
      return "it sees what lines do not ask, and mends it by the Admin's login";
    },
  },
  {
    what: "a finding that is meant so is hidden, and told again when it changes",
    by: "api",
    run: async (lab) => {
      const [secret] = (await lab.router.print("/ppp/secret", { name: "office" })) ?? [];
      const id = `=.id=${secret?.[".id"] ?? ""}`;
      await lab.router.run("/ppp/secret/set", id, "=name=user1");
      const found = (await lab.watch()).find(({ finding }) => finding === "ppp_name");
      must(found !== undefined, "it was not found");
      await lab.api("/api/v1/nas/finding/hide", { nas_id: 1, id: found.id, reason: "the lab's own" });
      must(!(await lab.watch()).some(({ finding }) => finding === "ppp_name"), "it is still told");
      await lab.router.run("/ppp/secret/set", id, "=name=late");
      must(
        (await lab.watch()).some(({ finding }) => finding === "ppp_name"),
        "another name is not told",
      );
      await lab.router.run("/ppp/secret/set", id, "=name=office");
      await lab.watch(); // it is gone with the second look that has it not
      must((await lab.watch()).every(ofImage), `there is still ${inWords(await lab.findings())}`);
      return "hidden; told of another name, and gone with that";
    },
  },
];
