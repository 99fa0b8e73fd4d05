import { endSessionsAt } from "../../../../domain/service/control/end-at-router.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { onlineNow } from "../../../../domain/service/sessions/online-routers.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { drawer, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { timed } from "./answered.ts";
import { PATH } from "./asked.ts";
import { saidOfAll } from "./ending.ts";
import { DrawerForm } from "../../drawer-form.tsx";

interface FormProps {
  /** 0: none is chosen yet. */
  nasId: number;
  typed?: string;
  fault?: string;
}

/** Asks for the router's name before everybody at it is cut off. */
export function endAllDrawer(
  visit: StaffVisit,
  { nasId, typed = "", fault }: FormProps,
  status = 200,
): Response {
  const { endAll } = visit.view.words.online;
  const { db, by, now, view } = visit;
  const routers = onlineNow(db, by, { now }).flatMap(({ nasId: id, name, sessions }) =>
    id === null || name === null ? [] : [{ id, name, sessions }],
  );
  const [first] = routers;
  const chosen = routers.find(({ id }) => id === nasId);
  const label = chosen ? endAll.confirm(chosen.name) : endAll.confirmAny;
  const action = `${PATH}/end-all`;
  return drawer(visit, {
    title: endAll.title,
    lead: endAll.lead,
    place: "online",
    back: PATH,
    status,
    children: (
      <DrawerForm action={action} visit={visit}>
        <div class="drawer-body">
          {first === undefined ? (
            <p>{endAll.none}</p>
          ) : (
            <>
              <Select
                name="nas_id"
                label={endAll.router}
                value={(chosen ?? first).id}
                options={routers.map(({ id, name, sessions }) => ({
                  value: id,
                  label: endAll.option(name, view.format.number(sessions)),
                }))}
              />
              <Field
                name="confirm"
                label={label}
                value={typed}
                help={endAll.help}
                fault={fault}
                required
                attributes={{
                  autocomplete: "off",
                  autocapitalize: "none",
                  spellcheck: "false",
                  autofocus: true,
                }}
              />
            </>
          )}
        </div>
        {first !== undefined && (
          <div class="drawer-foot">
            <Button kind="danger" size="large" icon="power">
              {endAll.submit}
            </Button>
          </div>
        )}
      </DrawerForm>
    ),
  });
}

/** Ends every session of a router whose name was typed. */
export async function endAll(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, needs, sessionKey } = visit;
  const { routers, answers } = timed(needs.routers);
  const nasId = Number(input["nas_id"]);
  const confirm = String(input["confirm"] ?? "").trim();
  try {
    const ended = await endSessionsAt(db, by, { nasId, confirm }, { clock: needs.clock, routers });
    // the rows that are still there say what the router said of each
    const at = needs.clock();
    const noted = answers.flatMap(({ session, answer, took }) =>
      session ? [{ sessionId: session.id, answer, took, at }] : [],
    );
    needs.answered.add(sessionKey, noted);
    return said(visit, saidOfAll(visit, { nasId, router: confirm, ended }), PATH);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "invalid") throw error;
    return endAllDrawer(visit, { nasId, typed: confirm, fault: visit.view.words.online.endAll.wrong }, 422);
  }
}
