import type { ApplianceProcess } from "../../../../domain/machine/appliance/process.ts";
import { applianceStore, type ApplianceStore } from "../../../../domain/machine/appliance/store.ts";
import type { Finding } from "../../../../domain/machine/check/finding.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { Note } from "../../../pages/note.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { faultView } from "../../parts/remedies.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { Certificate } from "./certificate.tsx";
import { ended } from "./ended.ts";
import { Steps } from "./how-to.tsx";
import { History } from "./appliance-history.tsx";
import { settingsPages } from "../../parts/settings-pages.ts";

interface ApplianceProps {
  visit: StaffVisit;
  running: ApplianceProcess;
  store: ApplianceStore;
}

const DAY = 86_400;
/** Seconds; a longer forecast is only "long". */
const LONG = 3650 * DAY;

export function showAppliance(visit: StaffVisit): Response {
  const { db, by, needs, view } = visit;
  const store = applianceStore(db, by);
  const running = needs.appliance();
  const findings = needs.findings();
  const props = { visit, running, store };
  const { appliance: a } = view.words.backups;
  return page(
    visit,
    <SettingsFrame visit={visit} current="appliance">
      <div class="split">
        <div>
          <State visit={visit} running={running} findings={findings} />
          <Findings visit={visit} findings={findings} />
          <Store {...props} />
          <History {...props} />
          <Card title={a.update}>
            <Steps
              steps={[
                [a.updateSteps.get, null],
                [
                  a.updateSteps.install,
                  "tar xzf gatehouse-VERSION-linux-x64.tar.gz && cd gatehouse-VERSION-linux-x64 && sudo ./install",
                ],
                [a.updateSteps.check, "gatehouse check"],
              ]}
            />
          </Card>
        </div>
        <div>
          <Program {...props} />
          <Listening {...props} />
          <Certificate visit={visit} certificate={running.certificate} />
        </div>
      </div>
    </SettingsFrame>,
  );
}

/** The page of instructions for faults that no page fixes. */
const HERE = settingsPages.appliance.href;

interface FindingsProps {
  visit: StaffVisit;
  findings: readonly Finding[];
}

const tones: Readonly<Record<Finding["severity"], Tone>> = { ok: "quiet", warning: "warn", error: "bad" };

function State({ visit: { view, now }, running, findings }: FindingsProps & { running: ApplianceProcess }) {
  const { words, format } = view;
  const { appliance: a } = words.backups;
  const errors = findings.filter(({ severity }) => severity === "error");
  const faults = findings.filter(({ severity }) => severity !== "ok");
  const tone = errors.length > 0 ? "bad" : faults.length > 0 ? "warn" : "good";
  const title =
    errors.length > 0 ? a.wrong(errors.length) : faults.length > 0 ? a.warned(faults.length) : a.fine;
  return (
    <Verdict
      tone={tone}
      icon={tone === "good" ? "check" : "alert"}
      label={a.label}
      title={title}
      text={a.running(running.version, format.time(running.startedAt), format.ago(running.startedAt, now))}
      hint={a.check}
    />
  );
}

function Findings({ visit: { view }, findings }: FindingsProps) {
  const { appliance: a } = view.words.backups;
  const order = ["error", "warning", "ok"];
  const sorted = findings.toSorted(
    (one, other) => order.indexOf(one.severity) - order.indexOf(other.severity),
  );
  if (sorted.length === 0) return null;
  return (
    <Card title={a.findings} id="findings">
      <ul class="rows findings">
        {sorted.map((finding) => (
          <li>
            <Chip tone={tones[finding.severity]}>{a.severity[finding.severity]}</Chip>
            <Found view={view} finding={finding} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A finding in the console's words if a page fixes it, else as the terminal says it. */
function Found({ view, finding }: { view: StaffVisit["view"]; finding: Finding }) {
  const faultWords = finding.severity === "ok" ? undefined : faultView(finding.about, view);
  if (faultWords === undefined || faultWords.href.startsWith(HERE))
    return (
      <p>
        <strong>{ended(finding.subject).slice(0, -1)}</strong> <bdi>{view.format.times(finding.message)}</bdi>
      </p>
    );
  return (
    <>
      <p>
        <strong>{faultWords.title}.</strong> {faultWords.text}
      </p>
      <Button href={faultWords.href} size="small">
        {faultWords.remedy}
      </Button>
    </>
  );
}

function Program({ visit: { view, now }, running }: ApplianceProps) {
  const { words, format } = view;
  const { appliance: a } = words.backups;
  return (
    <Card title={a.program}>
      <Facts
        facts={[
          [a.version, running.version],
          [a.commit, <span class="mono">{running.commit}</span>],
          [a.bun, running.bun],
          [a.since, format.near(running.startedAt, now)],
          [a.memory, format.bytes(running.memory)],
        ]}
      />
      <p class="card-foot">
        <a href={`${HERE}/licences`}>{a.licences}</a>
      </p>
    </Card>
  );
}

function Listening({ visit: { view }, running: { listeners, threads } }: ApplianceProps) {
  const { words } = view;
  const { appliance: a } = words.backups;
  return (
    <>
      <Card title={a.listeners}>
        <ul class="rows">
          {listeners.map(({ name, address, tls }) => (
            <li>
              <span>{a.listener[name]}</span>
              {address === null ? (
                <Chip tone="bad">{a.shut}</Chip>
              ) : (
                <span class="end push">
                  <bdi class="mono">{address}</bdi>
                  {!name.startsWith("radius") && (
                    <span class="hint nowrap"> {tls ? a.encrypted : a.plain}</span>
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title={a.threads}>
        <Facts
          facts={threads.map(({ role, isListening, silence }) => [
            a.thread[role],
            isListening ? a.alive(Math.round(silence)) : <span class="bad-text">{a.dead}</span>,
          ])}
        />
      </Card>
    </>
  );
}

function Store({ visit: { view, now }, store }: ApplianceProps) {
  const { words, format } = view;
  const { appliance: a } = words.backups;
  const { growth, disk, isClockSet } = store;
  const clock = isClockSet === null ? a.clockUnknown : isClockSet ? a.clockSet : a.clockUnset;
  return (
    <Card title={a.store}>
      <Facts
        facts={[
          [a.folder, <span class="mono">{store.folder}</span>],
          [a.size, format.bytes(store.bytes)],
          [a.log, format.bytes(store.logBytes)],
          [a.free, a.freeOf(format.bytes(disk.free), format.bytes(disk.total))],
          [
            a.growth,
            growth === null
              ? a.growthUnknown
              : growth.perDay <= 0
                ? a.shrinks(growth.days)
                : a.grows(format.bytes(growth.perDay), growth.days),
          ],
          [
            a.clock,
            `${a.clockSays(format.time(now), Temporal.Now.timeZoneId())}${view.words.list.semicolon}${clock}`,
          ],
        ]}
      />
      {growth !== null && growth.perDay > 0 && (
        <p class="hint card-foot">{lasting(view, (disk.free / growth.perDay) * DAY, now)}</p>
      )}
      {isClockSet === false && <Note kind="wait">{a.clockUnset}</Note>}
    </Card>
  );
}

function lasting({ words, format }: StaffVisit["view"], seconds: number, now: number): string {
  const { appliance: a } = words.backups;
  return seconds > LONG ? a.lastsLong : a.lasts(format.date(now + Math.floor(seconds)));
}
