import type { Actor } from "../domain/core/actor/actor.ts";
import type { SubscriberRecord } from "../domain/goods/subscribers/record.ts";
import { printable } from "../domain/core/fields/text.ts";
import type { Cli } from "./cli.ts";
import type { Io } from "./io.ts";

export const DAMAGED =
  "cannot be opened, for what is stored was damaged; set a new one (POST /api/v1/subscriber/reset_password)";

/** Who asks for passwords may read all of them: one that is missing all the same cannot be opened. */
export function warnAboutDamage(io: Io, records: readonly SubscriberRecord[]): void {
  for (const { username, password } of records)
    if (password === null) io.stderr.write(`gatehouse: the password of ${printable(username)} ${DAMAGED}\n`);
}

/** Passwords are shown on request only, for terminals are logged and looked at. */
export function reader({ by }: Cli, secrets: boolean | undefined): Actor {
  return secrets ? by : { ...by, admin: false, flags: new Set(["subscriber_view"]) };
}
