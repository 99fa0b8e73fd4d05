import { may } from "../../../../domain/core/actor/actor.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import {
  type ApiKey,
  createKey,
  revokeKey,
  rotateKey,
  updateKey,
  type WithSecret,
} from "../../../../domain/people/api-keys/api-keys.ts";
import { type RoleForKeys, rolesForKeys } from "../../../../domain/people/api-keys/roles.ts";
import { listPlaces } from "../../../../domain/people/places/places.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { FormField, Values } from "../../parts/field.tsx";
import { flagDoes, flagGroups, flagNames, groupNames } from "../../parts/flags.ts";
import { form } from "../../parts/form.tsx";
import { KEYS, keyHref } from "../../parts/hrefs.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { showSecret } from "./secret.tsx";
import { keyIn } from "./state.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

const formatDay = (at: number | null) => (at === null ? "" : formatTime(at).slice(0, 10));

function buildGroups(visit: StaffVisit, role: RoleForKeys | undefined, key?: ApiKey) {
  const { apiKeys: words } = visit.view.words;
  const roleName = visit.view.format.name(role?.name ?? "");
  return [
    {
      title: words.who,
      fields: [
        { name: "name", label: words.name, help: words.nameHelp, value: key?.name, required: true, max: 64 },
        ...branchField(visit, key?.ispId ?? role?.ispId, key),
      ],
    },
    {
      title: words.may,
      lead: words.mayLead(roleName),
      fields: role ? flagFields(visit, role, key) : [],
    },
    {
      title: words.where,
      fields: [
        {
          name: "addresses",
          label: words.addresses,
          help: words.addressesHelp,
          value: key?.addresses?.replaceAll(",", ", ") ?? "",
          max: 3000,
          attributes: { autocapitalize: "none", spellcheck: "false", autocomplete: "off" },
        },
        {
          name: "ends_at",
          label: words.ends,
          help: words.endsHelp,
          value: formatDay(key?.endsAt ?? null),
          attributes: { type: "date" },
        },
      ],
    },
  ];
}

/** The branch, where there are any; who is of one branch makes keys of that. */
function branchField({ db, by, view }: StaffVisit, ispId: number | undefined, key?: ApiKey): FormField[] {
  const { apiKeys: words } = view.words;
  if (by.scope.branchId !== null || !may(by, "place_view")) return [];
  const among = { sort: "name", descending: false, limit: 1000, offset: 0 } as const;
  const branches = listPlaces(db, by, "branch", among).records.filter((one) => one.ispId === ispId);
  if (branches.length === 0) return [];
  const options = branches.map(({ id, name }) => ({ value: id, label: name }));
  return [
    {
      name: "branch_id",
      label: words.branch,
      value: key?.branchId ?? "",
      options: [{ value: "", label: words.wholeIsp }, ...options],
    },
  ];
}

/** A tick for each permission of the role, by subject; none ticked is all. */
function flagFields({ view }: StaffVisit, { flags }: RoleForKeys, key?: ApiKey): FormField[] {
  const { team } = view.words;
  const known: ReadonlySet<string> = new Set(flagNames);
  const groups = groupNames.map((group): readonly [title: string, flags: readonly string[]] => {
    const own: readonly string[] = flagGroups[group];
    // those that the installation has beside ours are of programs too
    const isTicked = (flag: string) => own.includes(flag) || (group === "programs" && !known.has(flag));
    return [team.groups[group], flags.filter(isTicked)];
  });
  return groups
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => ({
      name: "flags",
      value: key?.flags?.replaceAll(",", ", ") ?? "",
      show: ({ value = "", fault }) => (
        <fieldset class="stack near">
          <legend>{title}</legend>
          {fault !== undefined && <p class="fault">{fault}</p>}
          {some.map((flag) => (
            <Check
              name="flags"
              value={flag}
              label={flagDoes(team, flag) ?? flag}
              checked={value.split(", ").includes(flag)}
            />
          ))}
        </fieldset>
      ),
    }));
}

/** Whether those are ticked that the form showed ticked: of a part whose permissions the role no longer has it shows none. */
function isAsShown(ticked: string, role: RoleForKeys | undefined, { flags }: ApiKey): boolean {
  const own = new Set(flags?.split(","));
  const shown = new Set(role?.flags).intersection(own);
  const sent = new Set(ticked.split(", ").filter((flag) => flag !== ""));
  return shown.symmetricDifference(sent).size === 0;
}

const withCode = (roles: readonly RoleForKeys[], code: string | number | null) =>
  roles.find((one) => String(one.code) === String(code));

/** Which role a new key has is chosen before what of it. */
function chooseRole(visit: StaffVisit, roles: readonly RoleForKeys[]): Response {
  const { by, view } = visit;
  const { apiKeys: words } = view.words;
  return page(
    visit,
    <SettingsFrame visit={visit} current="keys" title={words.new}>
      {roles.length === 0 ? (
        <section class="card">
          <Empty icon="people" title={words.noRole} text={words.noRoleText}>
            {may(by, "role_view") && <Button href={settingsPages.roles.href}>{words.toRoles}</Button>}
          </Empty>
        </section>
      ) : (
        <Card title={words.whichRole} lead={words.whichRoleText}>
          <ul class="rows">
            {roles.map(({ code, name, ispName, flags }) => (
              <li>
                <a href={`${KEYS}/new?role=${code}`}>
                  <bdi>{name}</bdi>
                </a>
                <span class="at-end hint">
                  {words.permissions(flags.length)}
                  {by.scope.ispId === null && (
                    <>
                      {" · "}
                      <bdi>{ispName}</bdi>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </SettingsFrame>,
  );
}

/** What is kept of it for the answer to a second press: no secret. */
type Made = Pick<ApiKey, "id" | "name"> & { readonly made?: WithSecret };

const add = form({
  path: `${KEYS}/new`,
  permit: "createKey",
  said: ({ code, ispId }: RoleForKeys) => ({ role_code: String(code), isp_id: String(ispId) }),
  of: (visit) => {
    const roles = rolesForKeys(visit.db, visit.by);
    return withCode(roles, visit.query.get("role")) ?? chooseRole(visit, roles);
  },
  content: (visit, role) => {
    const { apiKeys: words } = visit.view.words;
    return {
      title: words.new,
      back: KEYS,
      submit: words.make,
      answersPage: true,
      groups: buildGroups(visit, role),
      frame: (children) => (
        <SettingsFrame visit={visit} current="keys" title={words.new} children={children} />
      ),
    };
  },
  once: ({ id, name }): Made => ({ id, name }),
  save: ({ db, by, now }, { code, ispId }, values): Made => {
    const made = createKey(db, by, { ...toInput(values), isp_id: ispId, role_code: code }, { now });
    return { id: made.key.id, name: made.key.name, made };
  },
  done: (visit, { id, name, made }) => {
    if (made) return showSecret(visit, made, "made");
    const { apiKeys: words } = visit.view.words;
    const title = words.shownBefore(visit.view.format.name(name));
    return { title, text: words.shownBeforeText, to: keyHref({ id }) };
  },
});

/** A branch is left out where none can be chosen. */
const toInput = ({ key: _key, ...values }: Values): Input => values;

const edit = form({
  path: `${KEYS}/:id/edit`,
  permit: "updateKey",
  of: keyIn,
  content: (visit, key) => {
    const { apiKeys: words } = visit.view.words;
    const title = words.editTitle(visit.view.format.name(key.name));
    return {
      title,
      back: keyHref(key),
      submit: words.save,
      groups: buildGroups(visit, withCode(rolesForKeys(visit.db, visit.by), key.roleCode), key),
      frame: (children) => <SettingsFrame visit={visit} current="keys" title={title} children={children} />,
    };
  },
  save: (visit, key, { ends_at: ends, flags, ...values }) => {
    const { db, by, now } = visit;
    const input = {
      ...toInput(values),
      // a day that stays keeps its time, and ticks that stay what has none: to send none would be to give all
      ...(ends !== formatDay(key.endsAt) && { ends_at: ends }),
      ...(flags !== undefined &&
        !isAsShown(flags, withCode(rolesForKeys(visit.db, visit.by), key.roleCode), key) && { flags }),
    };
    return updateKey(db, by, { id: key.id, input }, { now });
  },
  done: ({ view }, { name }) => view.words.apiKeys.saved(view.format.name(name)),
});

/** Hours that the secret before stays valid. */
const keptHours = [
  [0, "none"],
  [1, "hour"],
  [24, "day"],
  [168, "week"],
] as const;

const rotation = form({
  path: `${KEYS}/:id/rotate`,
  permit: "rotateKey",
  of: keyIn,
  content: ({ view }, key) => {
    const { apiKeys: words } = view.words;
    return {
      title: words.rotateTitle(view.format.name(key.name)),
      back: keyHref(key),
      submit: words.rotateSubmit,
      answersPage: true,
      text: <p>{words.rotateText}</p>,
      fields: [
        {
          name: "keep_hours",
          label: words.keep,
          value: "24",
          options: keptHours.map(([value, name]) => ({ value, label: words.keeps[name] })),
        },
      ],
    };
  },
  save: ({ db, by, now }, { id }, values) => rotateKey(db, by, { id, input: values }, { now }),
  done: (visit, made) => showSecret(visit, made, "rotated"),
});

const revocation = form({
  path: `${KEYS}/:id/revoke`,
  permit: "revokeKey",
  of: keyIn,
  content: ({ view }, key) => {
    const { apiKeys: words } = view.words;
    return {
      title: words.revokeTitle(view.format.name(key.name)),
      back: keyHref(key),
      submit: words.revoke,
      danger: true,
      text: <p>{words.revokeText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => revokeKey(db, by, { id }, { now }),
  done: ({ view }, { name }) => view.words.apiKeys.revoked(view.format.name(name)),
});

export const keyForms = [...add, ...edit, ...rotation, ...revocation];
