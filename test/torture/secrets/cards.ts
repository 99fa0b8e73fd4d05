import { openWriter } from "../../../db/open.ts";
import { printedCode } from "../../../src/domain/cards/codes.ts";
import { makeBatch } from "../../support/card-codes.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { basic, json } from "../raw-http.ts";
import type { TalkingHttp } from "./http.ts";
import type { Needles } from "./needles.ts";
import { planted, STAFF } from "./store.ts";

/** Codes of cards that go in by every door. */
export interface PlantedCodes {
  /** A card that logs in, one that is sold and made void, and one that the operator prints again. */
  readonly used: string;
  readonly sold: string;
  readonly printed: string;
  /** Of the same form, and nobody's. */
  readonly guessed: string;
}

/** Makes cards; each code, as it is kept and as it is printed, is a secret. */
export function plantCodes(dataFolder: string, needles: Needles): PlantedCodes {
  const db = openWriter(dataFolder, { busyTimeout: 5000 });
  const now = Math.floor(Date.now() / 1000);
  const made = makeBatch(db, { quantity: 4, length: 12, devices: 100 }, now).map(({ code }) => code);
  const [used = "", sold = "", printed = "", like = ""] = made;
  const guessed = `${like.slice(0, -2)}${like.endsWith("22") ? "33" : "22"}`;
  db.$client.close();
  for (const [name, code] of Object.entries({ used, sold, printed, guessed }))
    for (const form of [code, code.toLowerCase(), printedCode(code)])
      needles.add(
        `code that is ${name}, as ${form === code ? "kept" : form.includes("-") ? "printed" : "typed"}`,
        form,
      );
  return { used, sold, printed, guessed };
}

/** Logins by a code and by one that is none, in every writing, and accounting under the code. */
export async function logInByCards(
  { auth, acct }: { auth: number; acct: number },
  { used, guessed }: PlantedCodes,
): Promise<void> {
  const target = { host: "127.0.0.1", port: auth, acctPort: acct, timeout: 2000 };
  const client = new RadiusClient({ ...target, secret: planted["NAS secret"] });
  const first = await client.access({ name: used, password: used, method: "pap" });
  if (first?.code !== "Access-Accept") throw new Error(`a card was answered ${first?.code ?? "nothing"}`);
  for (const method of ["pap", "chap", "mschap", "mschapv2"] as const)
    for (const code of [used, guessed])
      for (const name of [code, code.toLowerCase(), printedCode(code), `hotspot\\${code}`])
        await client.access({ name, password: code, method });
  for (const status of ["Start", "Interim-Update", "Stop"] as const)
    for (const [session, code] of [
      ["82000001", used.toLowerCase()],
      ["82000002", guessed],
    ] as const)
      await client.accounting(status, [
        ["User-Name", code],
        ["Acct-Session-Id", session],
        ["Framed-IP-Address", "10.0.0.8"],
      ]);
  await client.close();
}

/** What staff do with cards by their codes. Printing alone shows one. */
export async function sellCards(
  http: TalkingHttp,
  { used, sold, printed, guessed }: PlantedCodes,
): Promise<void> {
  const admin = basic(STAFF, planted["staff password"]);
  const post = (action: string, value: object, more: Record<string, string> = {}) => {
    const sent = json(`/api/v1/card/${action}`, value);
    return { ...sent, headers: { ...sent.headers, ...admin, ...more } };
  };
  for (const code of [used, sold, guessed, printedCode(used)]) await http.ask(post("find", { code }));
  for (const code of [sold, sold, guessed])
    await http.ask(post("sell", { code, method: "cash" }, { "idempotency-key": `sale ${code === sold}` }));
  for (const target of [
    "/api/v1/card/list",
    "/api/v1/card_batch/list",
    "/api/v1/report/cards",
    "/api/v1/session/list",
  ])
    await http.ask({ target, headers: admin });
  await http.ask(post("void", { id: 2, reason: "was handed back" }));
  await http.ask(post("unlock", { id: 1 }));
  const forms = ["kept", "printed", "typed"].map((form) => `code that is printed, as ${form}`);
  const { body } = await http.ask(post("reprint", { id: 3 }), forms);
  if (!body.replaceAll("-", "").includes(printed)) throw new Error(`no code in ${body.slice(0, 200)}`);
}
