import { deleteFeed, setFeedEnabled } from "../../../../domain/around/feeds/feeds.ts";
import { shaperFiles } from "../../../../domain/around/feeds/files.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { SHAPERS, shaperHref } from "../../parts/hrefs.ts";
import { feedOf } from "./state.ts";

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { id } = feedOf(visit);
  const feed = setFeedEnabled(db, by, { id, enabled: true }, { now });
  const { shapers: words } = view.words;
  const what = { title: words.enabled(view.format.name(feed.name)), text: words.madeText };
  return flash(visit, { kind: "good", ...what }, shaperHref(feed));
}

const disabling = form({
  path: `${SHAPERS}/:id/disable`,
  permit: "setFeedEnabled",
  of: feedOf,
  content: ({ view }, feed) => {
    const { shapers: words } = view.words;
    return {
      title: words.disableTitle(view.format.name(feed.name)),
      back: shaperHref(feed),
      submit: words.disable,
      danger: true,
      text: <p>{words.disableText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => setFeedEnabled(db, by, { id, enabled: false }, { now }),
  done: ({ view }, { name }) => view.words.shapers.disabled(view.format.name(name)),
});

const removal = form({
  path: `${SHAPERS}/:id/delete`,
  permit: "deleteFeed",
  of: feedOf,
  content: ({ view }, feed) => {
    const { shapers: words } = view.words;
    return {
      title: words.deleteTitle(view.format.name(feed.name)),
      back: shaperHref(feed),
      submit: words.delete,
      danger: true,
      leaves: true,
      text: <p>{words.deleteText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deleteFeed(db, by, { id }, { now }),
  done: ({ view }, { name }) => ({ title: view.words.shapers.deleted(view.format.name(name)), to: SHAPERS }),
});

export const shaperConfirmations = [...disabling, ...removal];

/** The lines of the shaper's ISP, with names of people only where they are asked for. */
export function devicesFile(visit: StaffVisit): Response {
  const withNames = visit.query.get("names") === "1";
  return file("ShapedDevices.csv", "text/csv", filesOf(visit, withNames).devices);
}

/** The boxes in the street whose capacity is known. */
export function networkFile(visit: StaffVisit): Response {
  return file("network.json", "application/json", filesOf(visit).network);
}

function filesOf(visit: StaffVisit, withNames = false) {
  const { ispId } = feedOf(visit);
  return shaperFiles(visit.db, visit.by, { ispId, withNames }, { now: visit.now });
}

/** Under the name by which LibreQoS looks for it. */
const file = (name: string, type: string, body: string) =>
  new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
