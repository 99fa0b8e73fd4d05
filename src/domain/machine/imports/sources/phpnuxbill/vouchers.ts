import type { MovedVoucher } from "../../model.ts";
import { readText } from "../row-text.ts";
import type { Around } from "./customers.ts";
import { type Kept, nameKey } from "./tables.ts";

/** Unused vouchers, redeemed for a plan or balance. Where codes are also logins (recharges without a customer), hotspot ones are access cards. */
export function listVouchers(around: Around): MovedVoucher[] {
  const { tables, options } = around;
  const known = new Set([...tables.customers.values()].map(({ row }) => nameKey(readText(row, "username"))));
  const isLoggedIn = tables.spentCodes.some(({ code }) => {
    const key = nameKey(code);
    return tables.recharges.has(key) && !known.has(key);
  });
  const vouchers = tables.vouchers.map((kept) => toVoucher(kept, around, isLoggedIn));
  const ofHotspots = tables.vouchers.filter(isForHotspot).length;
  if (ofHotspots > 0)
    options.notices.add(
      "note",
      null,
      "tbl_voucher",
      isLoggedIn
        ? `vouchers of hotspots: ${ofHotspots}; codes are logged in with there, and so they are here`
        : `vouchers of hotspots: ${ofHotspots}; customers entered them for a package there, nobody logged in with one, and so it is here`,
    );
  return vouchers;
}

const isForHotspot = ({ row }: Kept) => readText(row, "type").toLowerCase() === "hotspot";

function toVoucher(kept: Kept, { plans }: Around, isLoggedIn: boolean): MovedVoucher {
  const { at, row } = kept;
  const plan = readText(row, "id_plan");
  const day = readText(row, "created_at").slice(0, 10);
  const voucher = { at, code: readText(row, "code"), batch: day === "" ? null : `phpnuxbill ${day}` };
  const balance = plans.findBalance(plan);
  if (balance !== undefined) return { ...voucher, kind: "refill", package: null, price: balance };
  const key = plans.findOrAddKey(plan, "", at);
  const sold = { ...voucher, package: key, price: plans.findPrice(key) };
  return isLoggedIn && isForHotspot(kept)
    ? { ...sold, kind: "access", uptimeSeconds: plans.findUptime(plan) }
    : { ...sold, kind: "package" };
}
