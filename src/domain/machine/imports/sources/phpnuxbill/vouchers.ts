import type { MovedVoucher } from "../../model.ts";
import { textOf } from "../row-text.ts";
import type { Around } from "./customers.ts";
import { type Kept, nameKey } from "./tables.ts";

/** Unused vouchers, redeemed for a plan or balance. Where codes are also logins (recharges without a customer), hotspot ones are access cards. */
export function vouchersOf(around: Around): MovedVoucher[] {
  const { tables, options } = around;
  const known = new Set([...tables.customers.values()].map(({ row }) => nameKey(textOf(row, "username"))));
  const isLoggedIn = tables.spentCodes.some(({ code }) => {
    const key = nameKey(code);
    return tables.recharges.has(key) && !known.has(key);
  });
  const vouchers = tables.vouchers.map((kept) => voucherOf(kept, around, isLoggedIn));
  const ofHotspots = tables.vouchers.filter(isOfHotspot).length;
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

const isOfHotspot = ({ row }: Kept) => textOf(row, "type").toLowerCase() === "hotspot";

function voucherOf(kept: Kept, { plans }: Around, isLoggedIn: boolean): MovedVoucher {
  const { at, row } = kept;
  const plan = textOf(row, "id_plan");
  const day = textOf(row, "created_at").slice(0, 10);
  const voucher = { at, code: textOf(row, "code"), batch: day === "" ? null : `phpnuxbill ${day}` };
  const balance = plans.balanceOf(plan);
  if (balance !== undefined) return { ...voucher, kind: "refill", package: null, price: balance };
  const key = plans.keyOf(plan, "", at);
  const sold = { ...voucher, package: key, price: plans.priceOf(key) };
  return isLoggedIn && isOfHotspot(kept)
    ? { ...sold, kind: "access", uptimeSeconds: plans.uptimeOf(plan) }
    : { ...sold, kind: "package" };
}
