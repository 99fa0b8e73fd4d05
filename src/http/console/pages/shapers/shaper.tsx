import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { Feed } from "../../../../domain/around/feeds/feeds.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { shaperHref } from "../../parts/hrefs.ts";
import { RowButtons } from "../../parts/plain.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { feedPlace, feedStanding, readFeed } from "./state.ts";

interface Props {
  visit: StaffVisit;
  feed: Feed;
}

const manages = ({ by }: StaffVisit) => may(by, "nas_manage") && seesWholeIsp(by.scope);

/** One shaper: how it is told, its files, and what can be done with it. */
export function showShaper(visit: StaffVisit): Response {
  const feed = readFeed(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="shapers"
      title={feed.name}
      actions={
        manages(visit) && (
          <RowButtons
            href={shaperHref(feed)}
            words={visit.view.words.shapers}
            isOff={feed.disabledAt !== null}
          />
        )
      }
    >
      <Goes visit={visit} feed={feed} />
      <div class="split">
        {manages(visit) && <Files visit={visit} feed={feed} />}
        <Known visit={visit} feed={feed} />
      </div>
    </SettingsFrame>,
  );
}

/** How it is told: a sentence where it is, else what is the matter and what mends it. */
function Goes({ visit, feed }: Props) {
  const { view, now, formToken } = visit;
  const { shapers: words } = view.words;
  const { goes } = words;
  const standing = feedStanding(feed, now);
  const near = (at: number | null) => view.format.timeNear(at ?? now, now);
  const waiting = goes.waiting(feed.waiting);
  if (standing === "off")
    return (
      <Verdict
        tone="quiet"
        icon="power"
        label={goes.label}
        title={goes.offTitle}
        text={goes.offText(near(feed.disabledAt))}
        actions={
          manages(visit) && (
            <Action action={`${shaperHref(feed)}/enable`} formToken={formToken} kind="solid" icon="check">
              {words.enable}
            </Action>
          )
        }
      />
    );
  if (standing === "silent")
    return (
      <Verdict
        tone="bad"
        icon="alert"
        label={goes.label}
        title={goes.silentTitle(near(feed.silentSince))}
        text={`${waiting} ${goes.silentText(feedPlace(feed))}`}
      />
    );
  if (standing === "behind")
    return (
      <Verdict
        tone="warn"
        icon="alert"
        label={goes.label}
        title={goes.behindTitle(near(feed.behindSince))}
        text={`${waiting} ${goes.behindText}`}
      />
    );
  if (standing === "untold")
    return (
      <Verdict
        tone="warn"
        icon="alert"
        label={goes.label}
        title={goes.untoldTitle}
        text={goes.untoldText(near(feed.createdAt))}
      />
    );
  return (
    <p class="sentence">
      {standing === "new" ? goes.newText : `${goes.good(near(feed.answeredAt))} ${waiting}`}
    </p>
  );
}

/** What LibreQoS reads beside what it is told. */
function Files({ visit: { view }, feed }: Props) {
  const { files } = view.words.shapers;
  const href = shaperHref(feed);
  return (
    <Card title={files.title} lead={files.lead}>
      <div class="stack near">
        <div class="actions">
          <Button href={`${href}/ShapedDevices.csv`} icon="download">
            ShapedDevices.csv
          </Button>
          <Button href={`${href}/network.json`} icon="download">
            network.json
          </Button>
        </div>
        <p class="hint">
          {files.text} <a href={`${href}/ShapedDevices.csv?names=1`}>{files.withNames}</a>
        </p>
      </div>
    </Card>
  );
}

function Known({ visit, feed }: Props) {
  const { view, now } = visit;
  const { shapers: words } = view.words;
  const near = (at: number) => view.format.timeNear(at, now);
  return (
    <Card title={words.facts} aside={<AuditLogLink visit={visit} entity="feed" entityId={feed.id} />}>
      <Facts
        facts={[
          [words.where, <bdi class="mono">{feedPlace(feed)}</bdi>],
          [
            words.routers,
            feed.allRouters === 1 ? words.allRouters : <bdi>{feed.routers || words.noRouters}</bdi>,
          ],
          [words.secret, words.secretKept],
          [words.answeredAt, feed.answeredAt === null ? words.never : near(feed.answeredAt)],
          [words.waits, feed.disabledAt === null ? view.format.number(feed.waiting) : null],
          [words.madeAt, near(feed.createdAt)],
        ]}
      />
    </Card>
  );
}
