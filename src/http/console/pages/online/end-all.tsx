import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../domain/core/errors/phrase.ts";
import { endSessionsAt } from "../../../../domain/service/control/end-at-router.ts";
import { onlineNow } from "../../../../domain/service/sessions/online-routers.ts";
import { attempt } from "../../attempt.ts";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { timed } from "./answered.ts";
import { ONLINE } from "../../parts/hrefs.ts";
import { flashAll } from "./ending.ts";

const listRouters = ({ db, by, now }: StaffVisit) =>
  onlineNow(db, by, { now }).flatMap(({ nasId: id, name, sessions }) =>
    id === null || name === null ? [] : [{ id, name, sessions }],
  );

/** Ends every session of a router whose name was typed. */
export const endAllForm = form({
  path: `${ONLINE}/end-all`,
  of: listRouters,
  content: ({ query, view }, routers, { nas_id: values }) => {
    const { endAll: words } = view.words.online;
    const chosen = routers.find(({ id }) => String(id) === (values ?? query.get("router")));
    const filter = { title: words.title, lead: words.lead, back: ONLINE, place: "online" as const };
    if (routers.length === 0) return { ...filter, text: <p>{words.none}</p> };
    return {
      ...filter,
      submit: words.submit,
      danger: true,
      fields: [
        {
          name: "nas_id",
          label: words.router,
          value: (chosen ?? routers[0])?.id,
          options: routers.map(({ id, name, sessions }) => ({
            value: id,
            label: words.option(name, sessions),
          })),
        },
        {
          name: "confirm",
          label: chosen ? words.confirm(chosen.name) : words.confirmAny,
          help: words.help,
          required: true,
          attributes: { autocapitalize: "none", spellcheck: "false", autofocus: true },
        },
      ],
    };
  },
  save: async (visit, _, { nas_id: id, confirm = "" }) => {
    const { db, by, needs, sessionKey, view } = visit;
    const { routers, answers } = timed(needs.routers);
    const query = { nasId: Number(id), confirm };
    const ended = await attempt(visit, () => endSessionsAt(db, by, query, { clock: needs.clock, routers }));
    if (ended instanceof DomainError) {
      if (ended.kind !== "invalid") throw ended;
      const wrong = verbatim(view.words.online.endAll.wrong);
      throw new DomainError("invalid", wrong, { fields: { confirm: [wrong] } });
    }
    // remaining rows show their router's answer
    const at = needs.clock();
    const noted = answers.flatMap(({ session, answer, took }) =>
      session ? [{ sessionId: session.id, answer, took, at }] : [],
    );
    needs.answered.add(sessionKey, noted);
    return { ...query, ended };
  },
  done: (visit, { nasId, confirm: router, ended }) => flashAll(visit, { nasId, router, ended }),
});
