import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";

/** Why a currency cannot change; undefined: it can. Books are kept in it. 0 is the appliance. */
export function currencyFault(db: Db, ispId: number, currency: unknown): Phrase | undefined {
  const known = setting(db, "currency", ispId);
  if (known === currency) return undefined;
  const bound = db.$client
    .query<{ name: string }, [number, number]>(
      `SELECT name FROM isps i WHERE EXISTS (SELECT 1 FROM ledger_days d WHERE d.isp_id = i.id)
         AND (i.id = ? OR (? = 0 AND NOT EXISTS (SELECT 1 FROM settings s WHERE s.isp_id = i.id AND s.key = 'currency')))
       ORDER BY i.id LIMIT 1`,
    )
    .get(ispId, ispId);
  if (!bound) return undefined;
  return phrase`stays ${known}: the books of ${bound.name} are kept in it; another currency needs an ISP without bookings`;
}
