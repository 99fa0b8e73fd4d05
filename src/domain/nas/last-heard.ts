import { desc, eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import type { Seconds } from "../time.ts";

/** The newest accounting of a NAS: when, from which of its addresses, and to which of ours. Its authenticator was right. */
export function lastHeard(
  db: Db,
  nasId: number,
): { at: Seconds; nasAddress: string; localAddress: string | null } | undefined {
  return db
    .select({
      at: sessions.updatedAt,
      nasAddress: sessions.nasAddress,
      localAddress: sessions.localAddress,
    })
    .from(sessions)
    .where(eq(sessions.nasId, nasId))
    .orderBy(desc(sessions.id))
    .limit(1)
    .get();
}
