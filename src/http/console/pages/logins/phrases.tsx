import type { Decision } from "../../../../domain/service/access/decisions.ts";
import { confines, isReason, reasonWords } from "../../../../domain/service/access/outcomes.ts";
import type { StaffVisit } from "../../guard.ts";

export function outcomeOf({ accepted, reason }: Pick<Decision, "accepted" | "reason">): "in" | "pay" | "out" {
  if (accepted === 0) return "out";
  return confines(reason) ? "pay" : "in";
}

/** The decision and its reason as a sentence. */
export function Phrases({ visit, decision }: { visit: StaffVisit; decision: Decision }) {
  const { logins } = visit.view.words;
  const { like } = decision;
  if (decision.reason !== "unknown_user" || like === null) return <>{decisionText(visit, decision)}</>;
  return (
    <>
      {logins.said.unknown_user} {logins.like}{" "}
      <a href={`/console/subscribers/${like.subscriberId}`}>
        <bdi>{like.username}</bdi>
      </a>
      : {logins.likeAsk}
    </>
  );
}

function decisionText({ view }: StaffVisit, decision: Decision): string {
  const { reason, packageName, framedIp, expiresAt, at } = decision;
  const { said: phrases } = view.words.logins;
  const line = [packageName, framedIp].filter((part) => part !== null).join(view.words.list.comma);
  if (!isReason(reason)) return reasonWords(reason);
  const ago = expiresAt !== null && expiresAt <= at ? view.format.duration(at - expiresAt) : undefined;
  switch (reason) {
    case "accepted":
      return line === "" ? view.words.logins.reasons.accepted : line;
    case "accepted_slowed_down":
      return phrases.slowed(line);
    case "accepted_expired":
      return ago === undefined ? phrases.expired : phrases.expiredSince(ago);
    case "accepted_quota_used_up":
      return phrases.quota;
    case "expired":
      return ago === undefined ? phrases.expiredNever : phrases.expiredRefused(ago);
    default:
      return phrases[reason];
  }
}
