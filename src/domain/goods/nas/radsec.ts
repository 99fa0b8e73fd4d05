import { isIP } from "node:net";

export const RADSEC_SECRET = "radsec";

/** Why a router cannot use RadSec; undefined: it can. */
export function radsecFault({ address }: { readonly address: string }): string | undefined {
  if (isIP(address) !== 0) return undefined;
  return address.includes("/")
    ? "RadSec needs one address for each router, for a certificate says who it is; add the routers one by one"
    : "RadSec is served by the books alone, not by access boxes; give the router an address without a box";
}
