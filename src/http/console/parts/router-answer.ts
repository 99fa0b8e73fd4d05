import { verbatim } from "../../../domain/core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { type ChangeApplied, saleApplied } from "../../../domain/service/control/apply-change.ts";
import type { ControlNeeds } from "../../../domain/service/control/disconnect.ts";

/** Milliseconds that a page waits for a router; the request goes on. */
export const PATIENCE = 4000;

export async function awaitRouter(
  db: Db,
  sale: { subscriberId: number; invoiceId: number },
  needs: ControlNeeds,
  late: string,
): Promise<ChangeApplied> {
  const later = Bun.sleep(PATIENCE).then(() => ({ words: verbatim(late), isLeft: true }));
  return Promise.race([saleApplied(db, sale, needs), later]);
}
