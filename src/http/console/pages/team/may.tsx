import { type Actor, may, nothing, seesMoney } from "../../../../domain/core/actor/actor.ts";
import { ADMIN } from "../../../../domain/core/actor/profile-types.ts";
import type { StaffLine } from "../../../../domain/people/staff/table.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { ConsoleWords } from "../../../words/console.ts";
import { listPlaces, places } from "../../places.ts";
import type { ConsoleView } from "../../view.ts";
import { flagGroups, type FlagName, type FlagGroup, groupNames, looksOnly } from "../../parts/flags.ts";

export type Allowed = Pick<Actor, "admin" | "flags">;

export const toAllowed = ({ profileType, flags }: StaffLine): Allowed => ({
  admin: profileType === ADMIN,
  flags: new Set(flags),
});

/** "Works with subscribers and money. Looks at routers. Nothing of staff." */
export function maySentence({ list, team }: Pick<ConsoleWords, "list" | "team">, allowed: Allowed): string {
  const words = team.may;
  if (allowed.admin) return words.admin;
  const groups = groupNames.filter((group) => group !== "programs");
  const has = (group: FlagGroup, only: (flag: FlagName) => boolean) =>
    flagGroups[group].some((flag) => flag !== "api_access" && only(flag) && may(toActor(allowed), flag));
  const works = groups.filter((group) => has(group, (flag) => !looksOnly(flag)));
  const looks = groups.filter((group) => !works.includes(group) && has(group, looksOnly));
  const rest = groups.filter((group) => !works.includes(group) && !looks.includes(group));
  if (works.length + looks.length === 0) return words.nothing;
  const listed = (groups: readonly FlagGroup[]) => {
    const names = groups.map((group) => team.groups[group].toLowerCase());
    const last = names.pop() ?? "";
    return names.length === 0 ? last : `${names.join(list.comma)}${words.and}${last}`;
  };
  return [
    works.length > 0 && words.works(listed(works)),
    looks.length > 0 && words.looks(listed(looks)),
    rest.length > 0 && words.notAtAll(listed(rest)),
  ]
    .filter(Boolean)
    .join(" ");
}

const nobody = { staffId: null, subscriberId: null, name: "", source: "" };

/** An actor for questions that depend on flags alone. */
function toActor({ admin, flags }: Allowed): Actor {
  return { ...nobody, admin, flags, scope: nothing };
}

export function MayPage({ view, allowed }: { view: ConsoleView; allowed: Allowed }) {
  const { words } = view;
  const by = toActor(allowed);
  const money = listMoney(words, by);
  return (
    <div class="halves">
      <Card title={words.team.may.pages} lead={words.team.may.pagesHint}>
        <ul class="rows">
          {listPlaces(by)
            .flat()
            .map((name) => (
              <li>
                <Icon name={places[name].icon} />
                {words.places[name]}
              </li>
            ))}
        </ul>
      </Card>
      <Card title={words.team.may.money}>
        {money.length === 0 ? (
          <p class="hint">{words.team.may.noMoney}</p>
        ) : (
          <ul class="rows">
            {money.map((text) => (
              <li>
                <Icon name="money" />
                {text}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={words.team.may.actions} kind="wide">
        <Actions words={words} by={by} />
      </Card>
    </div>
  );
}

function Actions({ words: { list, team }, by }: { words: ConsoleWords; by: Actor }) {
  const groups = groupNames.filter((group) => group !== "programs");
  return (
    <div class="grid broad">
      {groups.map((group) => {
        const flags: readonly FlagName[] = flagGroups[group];
        const lacking = flags.filter((flag) => !may(by, flag)).map((flag) => team.flags[flag].does);
        return (
          <section>
            <h3>{team.groups[group]}</h3>
            <ul class="may-list">
              {flags
                .filter((flag) => may(by, flag))
                .map((flag) => (
                  <li>
                    <Icon name="check" />
                    <span>
                      <strong>{capital(team.flags[flag].does)}</strong>
                      <span class="hint">{team.flags[flag].text}</span>
                    </span>
                  </li>
                ))}
              {lacking.length > 0 && (
                <li class="soft-text">
                  <Icon name="close" />
                  <span>{team.may.not(lacking.join(list.comma))}</span>
                </li>
              )}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function listMoney({ team }: Pick<ConsoleWords, "team">, by: Actor): string[] {
  const words = team.may.moneyOf;
  return [
    seesMoney(by) && may(by, "subscriber_view") && words.balance,
    may(by, "payment_view") && words.payments,
    may(by, "closing_own") && words.own,
    may(by, "invoice_view") && words.invoices,
    may(by, "wallet_view") && words.wallets,
    may(by, "report_view") && words.reports,
    may(by, "package_view") && words.prices,
  ].filter((text) => text !== false);
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
