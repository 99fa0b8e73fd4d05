import { mayDo } from "../../parts/may.ts";
import { BULK } from "../../parts/hrefs.ts";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import type { StaffVisit } from "../../guard.ts";
import { CHOSEN, ChosenBar } from "../../choosing.tsx";
import { keptFields } from "./query.ts";

/** Operations in the order of the bar. */
export const offered = [
  "extend",
  "package",
  "router",
  "area",
  "salesperson",
  "message",
  "sms",
  "auto_renew",
  "disable",
  "enable",
] as const;
export type Offered = (typeof offered)[number];

const icons: Readonly<Record<Offered, IconName>> = {
  extend: "history",
  package: "swap",
  router: "router",
  area: "pin",
  salesperson: "person",
  message: "chat",
  sms: "settings",
  auto_renew: "renew",
  disable: "power",
  enable: "check",
};

export function BulkBar({ visit, total }: { visit: StaffVisit; total: number }) {
  const { view, query } = visit;
  const words = view.words.subscribers.bulk;
  const places = (["router", "area", "salesperson"] as const).filter((name) => mayDo(visit, name));
  return (
    <ChosenBar label={words.bar} action={BULK} method="get" counted={words.selected}>
      {keptFields(query).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label class="check">
        <input type="checkbox" name="all" value="1" data-all />
        <span>{words.all(total)}</span>
      </label>
      {(["extend", "package"] as const).map(
        (name) => mayDo(visit, name) && <Operation name={name} label={words[name]} />,
      )}
      {places.length > 0 && (
        <Menu label={words.move} icon="pin">
          {places.map((name) => (
            <button name="operation" value={name} {...opens(name)}>
              <Icon name={icons[name]} />
              {words[name]}
            </button>
          ))}
        </Menu>
      )}
      {(["message", "sms", "auto_renew"] as const).map(
        (name) => mayDo(visit, name) && <Operation name={name} label={words[name]} />,
      )}
      {(["disable", "enable"] as const).map(
        (name) =>
          mayDo(visit, name) && <Operation name={name} label={words[name]} isDanger={name === "disable"} />,
      )}
    </ChosenBar>
  );
}

function Operation({ name, label, isDanger }: { name: Offered; label: string; isDanger?: boolean }) {
  return (
    <button
      class={isDanger ? "button small danger" : "button small"}
      name="operation"
      value={name}
      {...opens(name)}
    >
      <Icon name={icons[name]} />
      <span>{label}</span>
    </button>
  );
}

/** A drawer where there is a script. */
const opens = (name: Offered) => ({
  "hx-get": `${BULK}?operation=${name}`,
  "hx-include": `#${CHOSEN}, [form=${CHOSEN}]`,
  "hx-target": "#drawer",
  "hx-swap": "innerHTML",
});
