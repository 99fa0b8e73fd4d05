import { nasPage } from "../../../../domain/goods/nas/list.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import type { Known } from "../../../../handbook/filled.ts";
import type { StaffVisit } from "../../guard.ts";

const first = { limit: 1, offset: 0, sort: "id", descending: false } as const;

/** What commands of the handbook are filled with for whoever reads: nothing that the reader may not see elsewhere. */
export function knownTo({ db, by, account, request, view }: StaffVisit): Known {
  const [router] = may(by, "nas_view") ? nasPage(db, by, {}, first).rows : [];
  const portal = URL.parse(setting(db, "portal_url", account.ispId ?? undefined));
  return {
    box: request.headers.get("host") ?? "",
    router: router?.name,
    routerAddress: router?.address,
    isp: view.brand.ispId,
    ispName: view.brand.name,
    account: account.username,
    publicHost: portal?.protocol === "https:" ? portal.host : undefined,
  };
}
