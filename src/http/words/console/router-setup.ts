import type { Phrase } from "../../../domain/core/errors/phrase.ts";
import type { CarriedOut } from "../../../domain/goods/router-setup/carry-out.ts";
import type { EndedConnections } from "../../../domain/goods/router-setup/garden/connections.ts";
import type { Left } from "../../../domain/goods/router-setup/parts.ts";
import type { Change } from "../../../domain/goods/router-setup/plan.ts";
import type { Messages } from "../compiled/messages.ts";

const secrets = new Set(["secret", "password"]);

/** For pages and command. */
export function routerSetupWords({ list, routerSetup: m }: Pick<Messages, "list" | "routerSetup">) {
  const places: Readonly<Record<string, string>> = m.places;
  const boolWords: Readonly<Record<string, string>> = { true: m.boolYes, false: m.boolNo, "": m.none };
  const format = (name: string, value: string) =>
    secrets.has(name) ? m.hidden : (boolWords[value] ?? value);
  const leftWords: Readonly<Record<Left["reason"], (what: string) => string>> = {
    ...m.leftWords,
    same: (what) => what,
    no_hotspot: () => m.leftWords.no_hotspot,
    has_clock: () => m.leftWords.has_clock,
  };
  const changePlace = ({ menu }: Pick<Change, "menu">) => places[menu] ?? menu;

  function changeValues({ kind, values, before, place, key }: Change): string {
    const describe = (row: Change["values"]) =>
      Object.entries(row).flatMap(([name, value]) =>
        value === "" ? [] : [m.isNow(name, format(name, value))],
      );
    if (kind === "add")
      return [...describe(values), ...(place === undefined ? [] : [m.before])].join(list.comma);
    if (kind === "remove") return describe(before).join(list.comma);
    const name = key["name"] ?? key["address"] ?? key["action"];
    const changed = Object.entries(values).map(([property, value]) =>
      m.turns(
        property,
        before[property] === undefined ? m.hidden : format(property, before[property]),
        format(property, value),
      ),
    );
    return `${name === undefined ? "" : `${name}: `}${changed.join(list.comma)}`;
  }

  function leftInWords(left: readonly Left[]): string[] {
    const same = [
      ...new Set(left.filter(({ reason }) => reason === "same").map(({ what }) => places[what] ?? what)),
    ];
    const others = left
      .filter(({ reason }) => reason !== "same")
      .map(({ reason, what }) => leftWords[reason](what));
    return [...new Set(others), ...(same.length > 0 ? [m.same(same.join(list.comma))] : [])];
  }

  function failureInWords(
    outcome: Exclude<CarriedOut, { kind: "done" }>,
    tell: (reason: Phrase) => string,
  ): string[] {
    const why = m.failed(changePlace(outcome.failed), tell(outcome.reason));
    if (outcome.kind === "undone") return [why, m.undoneText];
    return [
      why,
      m.halfwayText(tell(outcome.since), [...new Set(outcome.stays.map(changePlace))].join(list.comma)),
    ];
  }

  return {
    ...m,
    changePlace,
    changeValues,
    leftInWords,
    failureInWords,
    counts: (added: number, changed: number, removed: number) =>
      [
        ...(added > 0 ? [m.counts.added(added)] : []),
        ...(changed > 0 ? [m.counts.changed(changed)] : []),
        ...(removed > 0 ? [m.counts.removed(removed)] : []),
      ].join(list.comma),
    connections: (connections: EndedConnections) =>
      connections.kind === "left" ? m.connectionsLeft : m.connectionsEnded(connections.count),
  };
}
