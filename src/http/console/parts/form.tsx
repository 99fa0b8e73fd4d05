import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { permit } from "../../../domain/core/actor/permissions.ts";
import { DomainError, type FieldErrors } from "../../../domain/core/errors/errors.ts";
import { FormToken } from "../../pages/document.tsx";
import { Note } from "../../pages/note.tsx";
import { Button } from "../../pages/parts/button.tsx";
import { Card } from "../../pages/parts/card.tsx";
import { Fold } from "../../pages/parts/fold.tsx";
import { drawer, page, flash } from "../answers.tsx";
import { attempt } from "../attempt.ts";
import { DrawerForm } from "../drawer-form.tsx";
import type { Place } from "../frame.tsx";
import { type ConsoleRoute, type FormVisit, staffForm, staffPage, type StaffVisit } from "../guard.ts";
import type { Flash } from "../notes.ts";
import { hereWith } from "./pager.tsx";
import { sentence, unstopped } from "./phrases.ts";
import {
  faultsBeside,
  FieldControl,
  type FormField,
  lostIn,
  trimmed,
  type Values,
  valuesIn,
} from "./field.tsx";
import { AsCall, formCall, type Said } from "./call.tsx";
import { doOnce, FormKey } from "./once.tsx";

interface FieldGroup {
  readonly title: string;
  readonly lead?: Child;
  readonly text?: Child;
  readonly fields: readonly FormField[];
  /** Folded unless something in it is wrong, or open from the beginning. */
  readonly fold?: "closed" | "open";
}

/** What a form shows; in a drawer or in a frame of its own. */
interface FormContent {
  readonly title: string;
  readonly lead?: Child;
  /** Above the fields; without any, what is confirmed. */
  readonly text?: Child;
  readonly fields?: readonly FormField[];
  /** Replaces `fields` on a page. */
  readonly groups?: readonly FieldGroup[];
  readonly submit?: string | undefined;
  /** The message of a refusal, in place of "nothing was saved". */
  readonly notDone?: (why: string) => string;
  /** Cannot be undone. */
  readonly danger?: boolean;
  readonly beside?: Child;
  readonly back: string;
  /** Success leads to another page. */
  readonly leaves?: boolean;
  /** Success is a page, so no script sends the form. */
  readonly answersPage?: boolean;
  readonly place?: Place;
  /** The page around it, where it opens in no drawer. */
  readonly frame?: (form: Child) => JSX.Element;
}

/** Success; `to` replaces `back` as the next page. */
type Outcome = Response | string | (Omit<Flash, "kind"> & Partial<Flash> & { readonly to?: string });

interface FormOf<Of, Done> {
  readonly path: string;
  readonly on?: string;
  /** Shown only to who may do this operation, and as its call. */
  readonly permit?: Parameters<typeof permit>[1];
  /** What its call says beside the fields. */
  readonly said?: (of: Of) => Said;
  /** What the form is about, or an answer in its place. Throws `not_found`. */
  readonly of: (visit: StaffVisit) => Of | Response | Promise<Of | Response>;
  /** Defaults that are sent as shown. */
  readonly chosen?: (of: Of) => Readonly<Record<string, string>>;
  /** `values` are typed ones, empty at first. */
  readonly content: (visit: StaffVisit, of: Of, values: Values) => FormContent;
  readonly done: (visit: FormVisit, done: Done, of: Of) => Outcome | Promise<Outcome>;
}

type Saving<Of, Done> =
  | {
      readonly once?: undefined;
      readonly save: (visit: FormVisit, of: Of, values: Values) => Done | Promise<Done>;
    }
  | {
      /** A second press does nothing: `save` is one transaction on the visit's `db`, and this is what is stored of its result. */
      readonly once: (done: Done) => Done;
      readonly save: (visit: FormVisit, of: Of, values: Values) => Done;
    };

interface Refused {
  readonly values: Values;
  readonly key: unknown;
  readonly error: DomainError;
  /** Fields to be typed again beside the faults. */
  readonly lost: FieldErrors;
}

/**
 * A form from its declaration: its page and its target. A refusal shows it again as typed, each fault at its field (the first
 * focused), others above.
 */
export function form<Of, Done>(declared: FormOf<Of, Done> & Saving<Of, Done>): readonly ConsoleRoute[] {
  const { path, on = path, of, content } = declared;
  const isPage = declared.on === undefined;
  const begin = (visit: StaffVisit) => {
    if (declared.permit !== undefined) permit(visit.by, declared.permit);
    return of(visit);
  };
  const show = (visit: StaffVisit, about: Of, refused?: Refused) =>
    answer(visit, {
      form: content(visit, about, refused?.values ?? {}),
      action: fillAction(path, visit, declared.chosen?.(about)),
      refused,
      isOnce: declared.once !== undefined,
      isPage,
      operation: declared.permit,
      said: declared.said?.(about) ?? {},
      path,
    });
  const shown = staffPage(on, async (visit) => {
    const about = await begin(visit);
    return about instanceof Response ? about : show(visit, about);
  });
  return [
    declared.permit === undefined ? shown : { ...shown, operation: declared.permit },
    staffForm(path, async (visit, input) => {
      const begun = begin(visit);
      const about = begun instanceof Promise ? await begun : begun; // after an await nothing is tried again while another connection writes
      if (about instanceof Response) return about;
      const requested = content(visit, about, {});
      const { back, leaves = false } = requested;
      const fields = allFields(requested);
      const values = valuesIn(fields, input);
      const sent = trimmed(fields, values);
      let first: Done | undefined;
      const done = await (declared.once
        ? doOnce(visit, visit.path, input, (tx) => () => {
            first = declared.save({ ...visit, db: tx }, about, sent);
            return declared.once(first);
          })
        : attempt(visit, async () => declared.save(visit, about, sent)));
      if (done instanceof DomainError) {
        const lost = lostIn(fields, values, visit.view.words.frame.typeAgain);
        return show(visit, about, { values, key: input["key"], error: done, lost });
      }
      const came = await declared.done(visit, first ?? done, about);
      if (came instanceof Response) return came;
      const { to = back, ...what } = typeof came === "string" ? { title: came } : came;
      return flash(visit, { kind: "good", ...what }, to, { leaves });
    }),
  ];
}

const allFields = ({ fields = [], groups = [] }: Pick<FormContent, "fields" | "groups">) => [
  ...fields,
  ...groups.flatMap((group) => group.fields),
];

/** The page's address with its query, which says what the form is about. */
function fillAction(
  path: string,
  { params, query }: StaffVisit,
  chosen: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return hereWith({ path: filled, query }, chosen);
}

interface Answered {
  readonly form: FormContent;
  readonly action: string;
  readonly isOnce: boolean;
  /** A page, not a drawer. */
  readonly isPage: boolean;
  readonly operation: string | undefined;
  readonly said: Said;
  /** Of the form, with names in place of ids. */
  readonly path: string;
  readonly refused: Refused | undefined;
}

function answer(visit: StaffVisit, answered: Answered): Response {
  const { form: content, refused } = answered;
  const { title, lead, back, place = "settings", frame } = content;
  const status = refused ? 422 : 200;
  if (frame) return page(visit, frame(<OnPage visit={visit} {...answered} />), { status });
  const children = <InDrawer visit={visit} {...answered} />;
  return drawer(visit, { title, lead, back, place, status, children });
}

type FormProps = Answered & { visit: StaffVisit };

/** The same as a call of the API, with what stands in the fields. */
function Called({ visit, form: content, operation, path, said, refused }: FormProps) {
  if (operation === undefined) return null;
  const call = formCall(operation, {
    form: path,
    params: visit.params,
    fields: allFields(content),
    values: refused?.values ?? {},
    said,
  });
  return <AsCall visit={visit} call={call} />;
}

function InDrawer(props: FormProps) {
  const { visit, form: content, action, isOnce, refused } = props;
  const { text, fields = [], submit, beside, danger = false, answersPage = false } = content;
  const beyond = refused ? faultsBeside(visit.view, fields, refused.error) : [];
  return (
    <DrawerForm action={action} visit={visit} leaves={answersPage}>
      {isOnce && <FormKey value={refusedKey(refused)} />}
      <div class="drawer-body">
        {beyond.length > 0 && <Note kind="bad">{beyond.map((fault) => sentence(fault)).join(" ")}</Note>}
        {text}
        <Fields fields={fields} refused={refused} />
        <Called {...props} />
      </div>
      {(submit !== undefined || beside !== undefined) && (
        <div class="drawer-foot">
          {submit !== undefined && (
            <Button kind={danger ? "danger" : "solid"} size="large">
              {submit}
            </Button>
          )}
          {beside}
        </div>
      )}
    </DrawerForm>
  );
}

function OnPage(props: FormProps) {
  const { visit, form: content, action, isOnce, isPage, refused } = props;
  const { text, fields, groups = [], submit, beside, back } = content;
  return (
    <form class="stack" method="post" action={action}>
      <FormToken value={visit.formToken} />
      {isOnce && <FormKey value={refusedKey(refused)} />}
      {refused && <Note kind="bad">{describeProblem(visit, content, refused.error)}</Note>}
      {text}
      {fields && (
        <div class="form-fields">
          <Fields fields={fields} refused={refused} />
        </div>
      )}
      {groups.map((group) => (
        <Group group={group} refused={refused} />
      ))}
      <div class="actions">
        {submit !== undefined && (
          <Button kind="solid" {...(isPage && { size: "large" })}>
            {submit}
          </Button>
        )}
        {beside}
        {isPage && (
          <Button href={back} size="large">
            {visit.view.words.frame.goBack}
          </Button>
        )}
      </div>
      {isPage && <Called {...props} />}
    </form>
  );
}

function Group({ group, refused }: { group: FieldGroup; refused: Refused | undefined }) {
  const { title, lead, text, fields, fold } = group;
  const inner = (
    <>
      {text}
      <div class="form-fields">
        <Fields fields={fields} refused={refused} />
      </div>
    </>
  );
  return fold === undefined ? (
    <Card title={title} {...(lead !== undefined && { lead })}>
      {inner}
    </Card>
  ) : (
    <Fold summary={title} kind="folded" open={fold === "open"}>
      {inner}
    </Fold>
  );
}

function Fields({ fields, refused }: { fields: readonly FormField[]; refused: Refused | undefined }) {
  const faults = { ...refused?.lost, ...refused?.error.fields };
  return (
    <>
      {fields.map((field) => (
        <FieldControl field={field} values={refused?.values ?? {}} faults={faults} />
      ))}
    </>
  );
}

/** The message above a refused page. */
function describeProblem({ view }: StaffVisit, content: FormContent, error: DomainError): string {
  const beyond = faultsBeside(view, allFields(content), error);
  const why = beyond.length > 0 ? beyond.join(view.words.list.semicolon) : error.message;
  return content.notDone?.(sentence(why)) ?? view.words.frame.notSaved(unstopped(why));
}

const refusedKey = (refused: Refused | undefined) =>
  typeof refused?.key === "string" ? refused.key : undefined;
