import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { type Feed, listFeeds } from "../../../../domain/around/feeds/feeds.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SHAPERS, shaperHref } from "../../parts/hrefs.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { feedPlace, feedStanding } from "./state.ts";

/** Who is told of sessions: where, of which routers, and how that goes. */
export function showShapers(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const feeds = listFeeds(db, by);
  const isAny = feeds.length > 0;
  return page(
    visit,
    <SettingsFrame visit={visit} current="shapers" actions={isAny ? newButton(visit) : undefined}>
      <Shapers visit={visit} rows={feeds}>
        {isAny && <p class="sentence">{view.words.shapers.lead}</p>}
      </Shapers>
    </SettingsFrame>,
  );
}

const newButton = ({ view, by }: StaffVisit) =>
  may(by, "nas_manage") && seesWholeIsp(by.scope) ? (
    <Button href={`${SHAPERS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {view.words.shapers.new}
    </Button>
  ) : undefined;

export const Shapers = list<Feed>((visit) => {
  const { view } = visit;
  const { shapers: words, settings } = view.words;
  return {
    name: settings.tabs.shapers,
    call: "listFeeds",
    columns: [
      {
        title: words.name,
        cell: (feed) => (
          <a href={shaperHref(feed)}>
            <bdi>{feed.name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      { title: words.where, cell: (feed) => <bdi class="mono">{feedPlace(feed)}</bdi> },
      {
        title: words.routers,
        cell: ({ allRouters, routers }) =>
          allRouters === 1 ? words.allRouters : <bdi>{routers || words.noRouters}</bdi>,
        narrow: "low",
      },
      { title: words.state, cell: (feed) => <Standing visit={visit} feed={feed} /> },
    ],
    empty: { icon: "swap", title: words.none, text: words.noneText, first: newButton(visit) },
  };
});

function Standing({ visit: { view, now }, feed }: { visit: StaffVisit; feed: Feed }) {
  const { short } = view.words.shapers;
  const standing = feedStanding(feed, now);
  const at = view.format.timeNear(feed.silentSince ?? feed.behindSince ?? feed.answeredAt ?? now, now);
  if (standing === "good" || standing === "new" || standing === "off")
    return <span class="soft-text">{short[standing](at)}</span>;
  return <Chip tone={standing === "silent" ? "bad" : "warn"}>{short[standing](at)}</Chip>;
}
