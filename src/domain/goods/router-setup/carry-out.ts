import { DomainError } from "../../core/errors/errors.ts";
import { type Phrase, verbatim } from "../../core/errors/phrase.ts";
import type { Change } from "./plan.ts";
import type { ReadMenus, RouterMenus } from "./menus.ts";
import { differing, fits, isSame, type Item, pick, type Values } from "./values.ts";

export type TellProgress = (done: number, all: number) => void;

/** The outcome: all is done, or a change failed and this remains (null: unknown). */
export type CarriedOut =
  | { readonly kind: "done" }
  | { readonly kind: "undone"; readonly failed: Change; readonly reason: Phrase }
  | {
      readonly kind: "halfway";
      readonly failed: Change;
      readonly reason: Phrase;
      readonly stays: readonly Change[];
      readonly since: Phrase;
    };

export type OpenMenus = <T>(body: (menus: RouterMenus) => Promise<T>) => Promise<T>;

/** Applies changes in order; a failure is undone, over a new connection if needed. `snapshot`: the state before. */
export async function carryOut(
  menus: RouterMenus,
  changes: readonly Change[],
  { open, snapshot, tell }: { open: OpenMenus; snapshot: ReadMenus; tell: TellProgress },
): Promise<CarriedOut> {
  for (const [done, change] of changes.entries()) {
    tell(done, changes.length);
    try {
      await make(menus, change);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const begun = changes.slice(0, done + 1);
      const undone = await undo(begun, { open, snapshot });
      const failed = { failed: change, reason: error.phrases.message };
      return undone === null
        ? { kind: "undone", ...failed }
        : { kind: "halfway", ...failed, stays: undone.stays, since: undone.reason };
    }
  }
  tell(changes.length, changes.length);
  return { kind: "done" };
}

async function make(menus: RouterMenus, { kind, menu, id, values, place }: Change): Promise<void> {
  if (kind === "add") return menus.add(menu, values, place);
  if (kind === "set") return menus.set(menu, id, values);
  if (id !== null) await menus.remove(menu, id);
}

/** Failures after which the rest is left, because each may be a timeout. */
const MOST_FAILURES = 3;

/** Restores by comparing with the present state, for the last command may have arrived. null: all restored. */
async function undo(
  begun: readonly Change[],
  { open, snapshot }: { open: OpenMenus; snapshot: ReadMenus },
): Promise<{ stays: readonly Change[]; reason: Phrase } | null> {
  const rest = [...begun];
  const stays: Change[] = [];
  let reason = verbatim("");
  while (rest.length > 0 && stays.length < MOST_FAILURES) {
    let isOpen = false;
    try {
      await open(async (menus) => {
        isOpen = true;
        for (let change = rest.at(-1); change; change = rest.at(-1)) {
          await takeBack(menus, change, snapshot);
          rest.pop();
        }
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      reason = error.phrases.message;
      const failed = isOpen ? rest.pop() : undefined;
      if (!failed) break;
      stays.unshift(failed);
    }
  }
  return rest.length + stays.length === 0 ? null : { stays: [...rest, ...stays], reason };
}

async function takeBack(menus: RouterMenus, change: Change, snapshot: ReadMenus): Promise<void> {
  const { kind, menu, id, values, before } = change;
  const was = snapshot.get(menu) ?? [];
  const list = values["list"] ?? before["list"];
  const now = (await menus.print(menu, list === undefined ? {} : { list })) ?? [];
  if (kind === "add") {
    const known = new Set(was.map((item) => item[".id"]));
    const made = now.find((item) => !known.has(item[".id"]) && fits(item, readable(item, values)));
    if (made?.[".id"] !== undefined) await menus.remove(menu, made[".id"]);
  } else if (kind === "set") {
    const item = id === null ? now[0] : now.find((one) => one[".id"] === id);
    const back = item ? differing(item, before) : {};
    if (Object.keys(back).length > 0) await menus.set(menu, id, back);
  } else if (!now.some((item) => item[".id"] === id)) {
    const at = was.findIndex((item) => item[".id"] === id);
    const next = was.slice(at + 1).find((item) => now.some((one) => one[".id"] === item[".id"]));
    await menus.add(menu, before, next?.[".id"]);
  }
}

/** Values that the router shows: without hidden ones. */
function readable(item: Item, values: Values): Values {
  return pick(
    values,
    Object.keys(values).filter((name) => item[name] !== undefined || isSame(name, "", values[name])),
  );
}
