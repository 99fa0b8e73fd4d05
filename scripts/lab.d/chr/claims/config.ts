import { existsSync, readFileSync } from "node:fs";
import { must } from "../../run-steps.ts";
import { bracketClaim, type Claim } from "../claim.ts";
import type { ChrLab } from "../chr-lab.ts";
import { ADMIN, OFFICE_PASSWORD, ROUTER, SECRET } from "../place.ts";

interface Saved {
  readonly changed: boolean;
  readonly copy: { readonly id: number; readonly source: string; readonly bytes: number };
  readonly note: string | null;
}

const config = (lab: ChrLab, ...words: string[]) => lab.gatehouse(["nas", "config", ROUTER, ...words]);
const save = async (lab: ChrLab): Promise<Saved> => JSON.parse(await config(lab, "save", "--json"));

export const configClaims: readonly Claim[] = [
  bracketClaim("export", async (lab) => {
    const { copy, note } = await save(lab);
    // read menu by menu, which the copy says, is no fault of Gatehouse: the bracket is decided all the same
    if (copy.source !== "export") return `**no**: ${note ?? "it was read menu by menu"}`;
    must(note === null, `it exported, and: ${note}`);
    const files = (await lab.router.print("/file", { name: "gatehouse-config.rsc" })) ?? [];
    must(files.length === 0, "its file stays there");
    return `it does: ${copy.bytes} bytes, and its file is gone`;
  }),
  bracketClaim("hides", async (lab) => {
    const text = await config(lab, "show");
    const secrets = { SECRET, OFFICE_PASSWORD, admin: ADMIN.password };
    const told = Object.entries(secrets).filter(([, secret]) => text.includes(secret));
    must(told.length === 0, `the copy has ${told.map(([name]) => name).join(", ")}`);
    must(text.includes("office"), "the copy lacks the account whose password is looked for");
    return "no secret of /radius, of /ppp secret or of a user";
  }),
  {
    what: "`nas config`: what was changed, a copy of it as a file, and no second copy of the same",
    by: "api",
    run: async (lab) => {
      await save(lab);
      must(!(await save(lab)).changed, "the same configuration was kept twice");
      const bank = { list: "gatehouse-allowed", address: "203.0.113.80" };
      await lab.router.add("/ip/firewall/address-list", bank);
      must((await save(lab)).changed, "another configuration was not kept");
      const words = await config(lab, "diff");
      must(words.includes(bank.address), `the difference does not name it: ${words}`);
      const file = lab.path("copy.rsc");
      await config(lab, "download", "--out", file);
      must(existsSync(file) && readFileSync(file, "utf8").includes(bank.address), "the file lacks it");
      await lab.router.remove("/ip/firewall/address-list", bank);
      return "one address more is told, and stands in the file";
    },
  },
];
