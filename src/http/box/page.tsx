import { ownFaults, ownWords, type OwnStanding } from "../../domain/machine/access-boxes/own-standing.ts";
import { CLOCKS_APART } from "../../domain/service/box-standing/standing.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { asset } from "../pages/assets.ts";
import base from "../pages/css/base.css" with { type: "text" };
import card from "../pages/css/card.css" with { type: "text" };
import staff from "../pages/css/staff.css" with { type: "text" };
import tokens from "../pages/css/tokens.css" with { type: "text" };
import verdict from "../pages/css/verdict.css" with { type: "text" };
import { Format } from "../pages/format.ts";
import { Document } from "../pages/document.tsx";
import { Icon } from "../pages/icons.tsx";
import { Card } from "../pages/parts/card.tsx";
import { Facts } from "../pages/parts/facts.tsx";
import { Verdict } from "../pages/parts/verdict.tsx";
import { loadMessages } from "../words/messages.ts";
import own from "./box.css" with { type: "text" };

const style = asset("/assets", "box", "css", [tokens, base, staff, card, verdict, own].join("\n"));

const words = loadMessages("en").box;

export const boxAssets = [style];

interface BoxPageProps {
  own: OwnStanding;
  isListening: boolean;
  now: Seconds;
}

/** The state of an access box, public on its LAN: names no subscriber and no router. */
export function BoxPage({ own: box, isListening, now }: BoxPageProps) {
  const title = words.title(box.name);
  const faults = ownFaults(box);
  return (
    <Document
      title={title}
      kind="box-page"
      styles={[style.path]}
      head={<meta http-equiv="refresh" content="10" />}
    >
      <main class="stack">
        <h1>{title}</h1>
        <State box={box} isListening={isListening} now={now} />
        {faults.length > 0 && (
          <Card title={words.faults}>
            <ul class="box-faults">
              {faults.map(({ message }) => (
                <li>
                  <Icon name="alert" />
                  <span>{message}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Known box={box} now={now} />
      </main>
    </Document>
  );
}

function State({ box, isListening, now }: { box: OwnStanding; isListening: boolean; now: Seconds }) {
  if (!isListening)
    return <Verdict tone="bad" icon="alert" label={words.label} title={words.shut} text={words.shutText} />;
  const title = !box.isCutOff ? words.hears : box.knownOf === null ? words.alone : words.cutOff;
  const sentence = words.sentence(
    box.isCutOff && box.knownOf !== null ? `is ${ownWords(box, now)}` : ownWords(box, now),
  );
  return (
    <Verdict
      tone={box.isCutOff ? "warn" : "good"}
      icon={box.isCutOff ? "alert" : "check"}
      label={words.label}
      title={title}
      text={box.isCutOff && box.knownOf !== null ? `${sentence} ${words.goesOn}` : sentence}
    />
  );
}

function Known({ box: { report, ahead, beatAge }, now }: { box: OwnStanding; now: Seconds }) {
  const format = new Format("en-GB");
  const ago = (seconds: Seconds | null) =>
    seconds === null ? words.never : words.ago(format.duration(seconds));
  const { disk, waiting, waitingFor } = report;
  return (
    <Card title={words.state}>
      <Facts
        facts={[
          [words.beat, beatAge === null ? words.notYet : ago(beatAge)],
          [words.sessions, format.number(report.sessions)],
          [words.login, ago(report.loginAgo)],
          [words.accounting, ago(report.accountingAgo)],
          [
            words.waiting,
            waiting === 0
              ? words.nothing
              : words.rows(format.number(waiting), format.timeNear(now - waitingFor, now)),
          ],
          [
            words.clock,
            Math.abs(ahead) > CLOCKS_APART ? words.apart(format.number(Math.abs(ahead))) : words.together,
          ],
          [words.disk, words.left(format.bytes(disk.free), format.bytes(disk.total))],
          [words.key, report.isKeyInFile ? words.inFile : words.notInFile],
          [words.version, report.version],
        ]}
      />
    </Card>
  );
}
