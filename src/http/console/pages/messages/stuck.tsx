import type { StuckChannel } from "../../../../domain/around/messages/outbox-state.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { messagePages } from "../../parts/messages-frame.tsx";
import { counted } from "./words.ts";
import { outboxHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  channels: readonly StuckChannel[];
  chosen: number | undefined;
}

/** Channels that send nothing: since when, why, what waits, and the fix. */
export function Stuck({ visit, channels, chosen }: Props) {
  const visible = channels.filter(({ id }) => chosen === undefined || id === chosen);
  // one primary button: the first channel's
  return visible.map((channel, index) => <One visit={visit} channel={channel} isFirst={index === 0} />);
}

function One({ visit, channel, isFirst }: { visit: StaffVisit; channel: StuckChannel; isFirst: boolean }) {
  const { view, now } = visit;
  const { stuck } = view.words.outbox;
  const { format } = view;
  const { id, disabledAt, downSince, downReason, tryAt, waiting } = channel;
  const name = format.name(channel.name);
  const since = format.timeNear(disabledAt ?? downSince ?? now, now);
  const waits = stuck.waits(waiting, counted(view, waiting));
  const next = tryAt === null ? "" : stuck.tried(format.timeNear(Math.max(tryAt, now), now));
  return (
    <Verdict
      tone={disabledAt === null ? "bad" : "warn"}
      icon={disabledAt === null ? "alert" : "power"}
      label={stuck.label}
      title={disabledAt === null ? stuck.down(name, since) : stuck.off(name, since)}
      text={
        disabledAt === null
          ? [downReason === null ? stuck.unknown : sentence(downReason, view.format), waits, next].join(" ")
          : stuck.offText(waiting, counted(view, waiting))
      }
      actions={
        <>
          <Button href={messagePages.channels} kind={isFirst ? "solid" : "outline"}>
            {stuck.open}
          </Button>
          {waiting > 0 && <Button href={outboxHref({ state: "waiting", channel: id })}>{stuck.see}</Button>}
        </>
      }
      {...(disabledAt === null && { hint: stuck.remedy })}
    />
  );
}
