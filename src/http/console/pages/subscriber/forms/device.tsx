import { told } from "../../../attempt.ts";
import { loginRuns } from "../../../../../domain/service/access/login-runs.ts";
import { mac as macField } from "../../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { changeMac, lockMac, unlockMac } from "../../../../../domain/goods/subscribers/mac.ts";
import { Button } from "../../../../pages/parts/button.tsx";
import { Field } from "../../../../pages/parts/field.tsx";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage } from "../../../guard.ts";
import { type PageContext, readPageContext } from "../context.ts";
import { formDrawer, readText } from "./form.tsx";

const PATH = "/console/subscribers/:id/device";
const SEEN = 8;

function form(context: PageContext, { mac, fault }: { mac?: string; fault?: string } = {}): Response {
  const { visit, head } = context;
  const { forms } = visit.view.words.subscriber;
  const { macAddress, macLock } = head.subscriber;
  return formDrawer({
    context,
    to: "device",
    title: forms.deviceTitle,
    status: fault === undefined ? 200 : 422,
    beside: (
      <>
        <Button kind="solid" size="large" name="do" value="lock">
          {forms.lock}
        </Button>
        <Button size="large" name="do" value="change">
          {forms.change}
        </Button>
        {macLock === 1 && (
          <Button size="large" name="do" value="unlock">
            {forms.unlock}
          </Button>
        )}
      </>
    ),
    children: (
      <>
        <Field
          name="mac"
          label={forms.mac}
          help={forms.macHelp}
          value={mac ?? macAddress ?? ""}
          fault={fault}
          attributes={{ autocomplete: "off", spellcheck: "false", list: "seen-devices" }}
        />
        <SeenLately context={context} />
      </>
    ),
  });
}

function SeenLately({ context: { visit, head, phrases } }: { context: PageContext }) {
  const { db, by, view } = visit;
  const runs = loginRuns(db, { subscriberId: head.subscriber.id, limit: SEEN, ispId: by.scope.ispId });
  const sessions = [...head.open, ...(head.last ? [head.last] : [])].map(({ session }) => session.mac);
  const seen = [...new Set([...runs.map(({ mac }) => mac), ...sessions])].filter((mac) => mac !== null);
  if (seen.length === 0) return null;
  return (
    <div class="field">
      <p class="legend">{view.words.subscriber.forms.seen}</p>
      <datalist id="seen-devices">
        {seen.map((mac) => (
          <option value={mac}>{phrases.device(mac)}</option>
        ))}
      </datalist>
      <ul>
        {seen.map((mac) => (
          <li>
            <span class="mono">{mac}</span> <span class="hint">{phrases.maker(mac)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export const deviceRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "lockMac");
    return form(readPageContext(visit));
  }),
  staffForm(PATH, (visit, input) => {
    const context = readPageContext(visit);
    const { db, by, now, view } = visit;
    const { said: words } = view.words.subscriber;
    const { id: subscriberId } = context.head.subscriber;
    if (input["do"] === "unlock") {
      unlockMac(db, by, { subscriberId }, { now });
      return flash(visit, { kind: "good", title: words.unlocked, text: words.unlockedText }, context.base);
    }
    const mac = readText(input["mac"]);
    const macAddress = macField.read(mac);
    if (macAddress === undefined) return form(context, { mac, fault: told(view, macField.message) });
    if (input["do"] === "change") changeMac(db, by, { subscriberId, macAddress }, { now });
    else lockMac(db, by, { subscriberId, macAddress }, { now });
    const title = input["do"] === "change" ? words.macChanged(macAddress) : words.locked(macAddress);
    return flash(visit, { kind: "good", title, text: words.takenText }, context.base);
  }),
];
