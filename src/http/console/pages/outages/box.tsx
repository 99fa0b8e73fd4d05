import type { BoxLine, BoxPage, PortState } from "../../../../domain/service/boxes/box.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Back } from "../../../pages/parts/back.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { callHref } from "../../../pages/parts/call-link.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { StaffVisit } from "../../guard.ts";
import { dots, Faceplate } from "./faceplate.tsx";
import { clockTime, outageAdvice, outageEvidence, outageTitle, portList } from "../../parts/outage-words.ts";
import { boxHref, outageHref, personHref } from "../../parts/hrefs.ts";

interface Props {
  readonly visit: StaffVisit;
  readonly box: BoxPage;
}

export function Box({ visit, box }: Props) {
  const { boxes } = visit.view.words;
  return (
    <div
      id="box"
      class="box-page stack"
      data-live="sessions logins"
      hx-get={boxHref(box.boxNumber)}
      hx-select="#box"
      hx-target="this"
      hx-swap="outerMorph"
      hx-trigger="live:sessions from:body throttle:2s, live:logins from:body throttle:2s"
    >
      <Head visit={visit} box={box} />
      <OutageText visit={visit} box={box} />
      <Faceplate visit={visit} lines={box.lines} />
      <div class="row">
        <Button href={boxHref(box.boxNumber)} icon="renew">
          {boxes.again}
        </Button>
        <Button href={`/console/outages?box=${encodeURIComponent(box.boxNumber)}`} icon="history">
          {boxes.history}
        </Button>
      </div>
      <ul class="card rows">
        {box.lines.map((line) => (
          <Line visit={visit} box={box} line={line} />
        ))}
      </ul>
      <Foot visit={visit} box={box} />
    </div>
  );
}

function Head({ visit: { view }, box: { boxNumber, boxAddress, nasName, place } }: Props) {
  const { boxes } = view.words;
  const where = [boxAddress, nasName].filter((one) => one !== null).join(" · ");
  return (
    <header class="page-head">
      <p class="way">
        <Back href="/console/boxes">{boxes.title}</Back>
      </p>
      <div>
        <h1>
          <bdi>{boxNumber}</bdi>
        </h1>
        {where !== "" && <p class="soft-text">{where}</p>}
      </div>
      {place && (
        <Button href={mapHref(place)} icon="pin" label={boxes.mapOf(boxNumber)}>
          {boxes.map}
        </Button>
      )}
    </header>
  );
}

const mapHref = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `geo:${latitude},${longitude}?q=${latitude},${longitude}`;

function OutageText({ visit, box }: Props) {
  const { view } = visit;
  const { boxes } = view.words;
  const { outage, lines } = box;
  const label = boxes.diagnosis;
  if (outage) return <Verdict tone="bad" icon="alert" label={label} {...outageText(visit, box, outage)} />;
  const off = lines.filter(({ state }) => state === "dark" || state === "refused").length;
  const count = view.format.number;
  return off === 0 ? (
    <Verdict
      tone="good"
      icon="check"
      label={label}
      title={boxes.allOnline(count.call(view.format, lines.filter(({ state }) => state === "online").length))}
      text={boxes.allOnlineText}
    />
  ) : (
    <Verdict tone="warn" icon="box" label={label} title={boxes.someOff(off)} text={boxes.someOffText(off)} />
  );
}

/** The outage of a box by ports, of anything else by name. */
function outageText({ view }: StaffVisit, { boxNumber }: BoxPage, outage: NonNullable<BoxPage["outage"]>) {
  const { boxes, outages } = view.words;
  const { evidence, beganAt } = outage;
  const link = <a href={outageHref(outage.id)}>{outages.see}</a>;
  if (outage.boxNumber !== boxNumber || evidence.sign !== "lost") {
    const text = (
      <>
        {outageEvidence(outage, view)}. {outageAdvice(outage, view.words)} {link}
      </>
    );
    return { title: boxes.outside(outageTitle(outage, view)), text };
  }
  const { ports, answeringPorts } = evidence;
  const title =
    ports.length > 0 ? boxes.wentDark(portList(ports, view.words)) : boxes.linesWentDark(outage.lines);
  const advice =
    answeringPorts.length > 0
      ? boxes.lit(portList(answeringPorts, view.words))
      : outageAdvice(outage, view.words);
  const when = boxes.within(Math.max(1, evidence.seconds), view.format.timeNear(beganAt, view.now));
  return {
    title,
    text: (
      <>
        {when} {evidence.answering === 0 ? boxes.unlit : advice} {link}
      </>
    ),
  };
}

function Line({ visit, box, line }: Props & { line: BoxLine }) {
  const { view, by } = visit;
  const { boxes } = view.words;
  const { name, port, state, mobile, latitude, longitude } = line;
  const call = mobile === null ? undefined : callHref(mobile);
  const isNewDevice = line.reason === "mac_locked" && line.mac !== null && may(by, "subscriber_mac");
  return (
    <li class={state}>
      <span>
        <span>{port ?? "–"}</span>
        <Dot state={dots[state]} />
      </span>
      <div>
        <a class="plain name" href={personHref(line.subscriberId)}>
          <bdi>{name}</bdi>
        </a>
        <p class={stateTone[state]}>{stateText(line, visit)}</p>
        <p class="hint">
          {[line.address, line.fiberColor]
            .filter((one) => one !== null)
            .map((one) => view.format.name(one))
            .join(view.words.list.comma)}
        </p>
      </div>
      {latitude !== null && longitude !== null && (
        <Button href={mapHref({ latitude, longitude })} kind="quiet" icon="pin" label={boxes.mapOf(name)} />
      )}
      {call !== undefined && <Button href={call} icon="call" label={boxes.call(name)} />}
      {state === "refused" && (
        <div class="actions">
          {isNewDevice && (
            <Action
              action={`${boxHref(box.boxNumber)}/take`}
              formToken={visit.formToken}
              fields={{ user_id: line.subscriberId }}
              kind={isFirstNew(box, line) ? "solid" : "outline"}
              icon="unlock"
            >
              {boxes.take}
            </Action>
          )}
          <Action
            action={`${boxHref(box.boxNumber)}/test`}
            formToken={visit.formToken}
            fields={{ user_id: line.subscriberId }}
          >
            {boxes.test}
          </Action>
        </div>
      )}
    </li>
  );
}

const isFirstNew = ({ lines }: BoxPage, line: BoxLine) =>
  lines.find(({ reason, mac }) => reason === "mac_locked" && mac !== null) === line;

const stateTone: Record<PortState, string> = {
  online: "soft-text",
  refused: "warn-text",
  dark: "bad-text",
  off: "soft-text",
};

function stateText(line: BoxLine, { view }: StaffVisit): string {
  const { boxes } = view.words;
  const { state, rate, since, reason, status } = line;
  if (state === "online")
    return rate === null ? boxes.lineOnline : boxes.lineOnlineAt(Math.round(rate / 1e5) / 10);
  if (state === "refused") return refusal(reason, boxes);
  if (state === "off") return boxes.off[status];
  return since === null ? boxes.lineNever : boxes.lineDark(clockTime(since, view));
}

function refusal(reason: string | null, boxes: StaffVisit["view"]["words"]["boxes"]): string {
  if (reason === "mac_locked") return boxes.refusedDevice;
  const { reasons } = boxes;
  switch (reason) {
    case "wrong_password":
    case "too_many_sessions":
    case "expired":
    case "quota_used_up":
      return reasons[reason];
    default:
      return reasons.other;
  }
}

function Foot({ visit: { view, now }, box: { note } }: Props) {
  const { boxes } = view.words;
  return (
    <p class="hint">
      {boxes.heard(view.format.clock(now))}{" "}
      {note && (
        <>
          {boxes.last(note.by, view.format.date(note.at))} <q>{note.text}</q>
        </>
      )}
    </p>
  );
}
