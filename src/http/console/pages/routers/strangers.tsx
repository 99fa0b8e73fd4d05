import type { Stranger } from "../../../../domain/goods/nas/arrivals.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { routerHref, ROUTERS } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  strangers: readonly Stranger[];
  /** A router that this may be; absent: a new one. */
  nasId?: number;
}

export function Strangers({ visit, strangers, nasId }: Props) {
  const { view, now, formToken } = visit;
  const { strangers: words } = view.words.routers;
  return (
    <ul class="strangers">
      {strangers.map(({ address, count, last }) => (
        <li>
          <p>
            <span class="dotted">
              <Dot state="refused" />
              <strong>{words.title(address)}</strong>
            </span>{" "}
            {words.text(count, view.format.timeNear(last, now))} {nasId !== undefined && words.ask}
          </p>
          {nasId === undefined ? (
            <Button href={`${ROUTERS}/new?address=${encodeURIComponent(address)}`} size="small">
              {words.add}
            </Button>
          ) : (
            <Action
              action={routerHref(nasId, "/address")}
              formToken={formToken}
              fields={{ address }}
              size="small"
            >
              {words.use}
            </Action>
          )}
        </li>
      ))}
    </ul>
  );
}
