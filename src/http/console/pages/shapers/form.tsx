import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { createFeed, type Feed, updateFeed } from "../../../../domain/around/feeds/feeds.ts";
import { listNas } from "../../../../domain/goods/nas/nas.ts";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp, ispFields } from "../../isp-field.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import type { FormField, Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { SHAPERS, shaperHref } from "../../parts/hrefs.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { readFeed } from "./state.ts";

/** Fields of a shaper that there is, or of a new one, whose ISP is chosen. */
function buildGroups(visit: StaffVisit, values: Values, feed?: Feed) {
  const { shapers: words } = visit.view.words;
  const code = { autocapitalize: "none", spellcheck: "false", autocomplete: "off" };
  return [
    {
      title: words.place,
      lead: words.placeLead,
      fields: [
        ...(feed ? [] : ispFields(visit)),
        { name: "name", label: words.name, value: feed?.name, required: true, max: 64 },
        {
          name: "address",
          label: words.address,
          help: words.addressHelp,
          value: feed?.address,
          required: true,
          max: 45,
          attributes: code,
        },
        {
          name: "port",
          label: words.port,
          value: feed?.port ?? 1813,
          required: true,
          max: 5,
          attributes: { inputmode: "numeric" },
        },
        {
          name: "secret",
          as: "password",
          label: words.secret,
          help: feed ? words.secretKeep : words.secretHelp,
          required: !feed,
          max: 128,
          attributes: { autocomplete: "new-password" },
        } as const,
      ],
    },
    {
      title: words.routers,
      lead: words.routersLead,
      fields: [routersField(visit, feed?.ispId ?? chooseIsp(visit, values["isp_id"]), feed)],
    },
  ];
}

/** A box for each router of the ISP; none ticked is all. */
function routersField({ db, by, view }: StaffVisit, ispId: number | undefined, feed?: Feed): FormField {
  const routers = listNas(db, by).filter((one) => one.ispId === ispId);
  const chosen: readonly number[] = feed ? JSON.parse(feed.routerIds) : [];
  return {
    name: "router_ids",
    kind: "wide",
    value: chosen.join(", "),
    show: ({ value = "", fault }) => {
      const ticked = new Set(value.split(", "));
      return (
        <fieldset class="stack near">
          <legend class="unseen">{view.words.shapers.routers}</legend>
          {fault !== undefined && <p class="fault">{fault}</p>}
          {routers.map(({ id, name }) => (
            <Check
              name="router_ids"
              value={String(id)}
              label={<bdi>{name}</bdi>}
              checked={ticked.has(String(id))}
            />
          ))}
        </fieldset>
      );
    },
  };
}

/** What is sent: nothing ticked is all, and a secret that is left empty stays. */
const toInput = ({ router_ids: routers, secret, ...values }: Values): Input => ({
  ...values,
  router_ids: routers || "all",
  ...(secret && { secret }),
});

/** What is kept of it for the answer to a second press. */
type Made = Pick<Feed, "id" | "name">;

const add = form({
  path: `${SHAPERS}/new`,
  permit: "createFeed",
  of: ({ by }) => requireWholeIsp(by, "shapers"),
  content: (visit, _, values) => {
    const { shapers: words } = visit.view.words;
    return {
      title: words.new,
      back: SHAPERS,
      submit: words.make,
      groups: buildGroups(visit, values),
      frame: (children) => (
        <SettingsFrame visit={visit} current="shapers" title={words.new} children={children} />
      ),
    };
  },
  once: ({ id, name }): Made => ({ id, name }),
  save: ({ db, by, now }, _, values): Made => createFeed(db, by, { isp_id: "", ...toInput(values) }, { now }),
  done: ({ view }, feed) => {
    const { shapers: words } = view.words;
    return { title: words.made(view.format.name(feed.name)), text: words.madeText, to: shaperHref(feed) };
  },
});

const edit = form({
  path: `${SHAPERS}/:id/edit`,
  permit: "updateFeed",
  of: readFeed,
  content: (visit, feed, values) => {
    const { shapers: words } = visit.view.words;
    const title = words.editTitle(visit.view.format.name(feed.name));
    return {
      title,
      back: shaperHref(feed),
      submit: words.save,
      groups: buildGroups(visit, values, feed),
      frame: (children) => (
        <SettingsFrame visit={visit} current="shapers" title={title} children={children} />
      ),
    };
  },
  save: ({ db, by, now }, { id }, values) => updateFeed(db, by, { id, input: toInput(values) }, { now }),
  done: ({ view }, { name }) => view.words.shapers.saved(view.format.name(name)),
});

export const shaperForms = [...add, ...edit];
