import type { ApplianceCertificate } from "../../../../domain/machine/appliance/process.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Note } from "../../../pages/note.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ended } from "./ended.ts";

const DAY = 86_400;
/** Days before the end from which the page asks for a new one. */
const SOON = 30;

/** The certificate, its end, and how to replace it. */
export function Certificate({
  visit: { view, now },
  certificate,
}: {
  visit: StaffVisit;
  certificate: ApplianceCertificate | null;
}) {
  const { words, format } = view;
  const { appliance: a } = words.backups;
  if (certificate === null)
    return (
      <Card title={a.certificate}>
        <p class="hint">{a.noCertificate}</p>
        <div class="how-steps">
          <pre class="mono" tabindex={0}>
            {a.makeOne}
          </pre>
        </div>
      </Card>
    );
  const { file, keyFile, subject, issuer, endsAt, fingerprint, fault } = certificate;
  const days = endsAt === null ? null : Math.floor((endsAt - now) / DAY);
  return (
    <Card title={a.certificate}>
      <div class="stack">
        {fault !== null && <Note kind="bad">{ended(fault)}</Note>}
        {days !== null && days < SOON && (
          <Note kind={days < 0 ? "bad" : "wait"}>{days < 0 ? a.ended : a.renewSoon}</Note>
        )}
        {endsAt !== null && days !== null && (
          <Facts
            facts={[
              [a.subject, commonName(subject)],
              [a.issuer, issuer === subject ? a.selfSigned : commonName(issuer)],
              [a.ends, `${format.date(endsAt)}${days < 0 ? "" : `, ${a.endsIn(days, days)}`}`],
              [a.fingerprint, <span class="mono breaks">{fingerprint}</span>],
            ]}
          />
        )}
        <p class="hint">{a.replace(file, keyFile)}</p>
      </div>
    </Card>
  );
}

/** `CN=isp.example` as `isp.example`; others on one line as they are. */
function commonName(name: string | null): string {
  return /(?:^|\n)CN=(.+)/.exec(name ?? "")?.[1] ?? (name ?? "").replaceAll("\n", ", ");
}
