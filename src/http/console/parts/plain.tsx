import type { Child } from "hono/jsx";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../../domain/core/actor/actor.ts";
import type { permit } from "../../../domain/core/actor/permissions.ts";
import type { Seconds } from "../../../domain/core/time/time.ts";
import { Button } from "../../pages/parts/button.tsx";
import { flash } from "../answers.tsx";
import type { Place } from "../frame.tsx";
import { type ConsoleRoute, staffForm, type StaffVisit } from "../guard.ts";
import type { ConsoleView } from "../view.ts";
import { form } from "./form.tsx";

/* What the pages of a noun with few rows ask and say when one is switched on or off, or deleted. */

/** A sentence about a row, which may name it. */
type Said = string | ((name: string) => string);

interface Noun<Row, Words> {
  /** Of its list; the page of a row is its number below it. */
  readonly path: string;
  readonly place?: Place;
  readonly of: (visit: StaffVisit) => Row;
  readonly name: (row: Row) => string;
  readonly words: (words: ConsoleView["words"]) => Words;
}

interface Does<Row, Choice> {
  readonly permit: Parameters<typeof permit>[1];
  readonly run: (db: Db, by: Actor, choice: Choice, at: { readonly now: Seconds }) => Row;
}

interface SwitchWords {
  readonly enabled: Said;
  readonly enabledText?: string;
  readonly disable: string;
  readonly disableTitle: (name: string) => string;
  readonly disableText: string;
  readonly disabled: Said;
}

interface DeleteWords {
  readonly delete: string;
  readonly deleteTitle: (name: string) => string;
  readonly deleteText: string;
  readonly deleted: Said;
}

/** Switches a row on at once, and off where that is confirmed. */
export function switching<Row extends { readonly id: number }>(
  noun: Noun<Row, SwitchWords>,
  { permit, run }: Does<Row, { readonly id: number; readonly enabled: boolean }>,
): readonly ConsoleRoute[] {
  const { path, place = "settings", of, words } = noun;
  const page = ({ id }: Row) => `${path}/${id}`;
  const off = form({
    path: `${path}/:id/disable`,
    permit,
    said: () => ({ enabled: "0" }),
    of,
    content: ({ view }, row) => {
      const { disable, disableTitle, disableText } = words(view.words);
      const title = disableTitle(view.format.name(noun.name(row)));
      return { title, back: page(row), submit: disable, danger: true, place, text: <p>{disableText}</p> };
    },
    save: ({ db, by, now }, { id }) => run(db, by, { id, enabled: false }, { now }),
    done: ({ view }, row) => said(view, noun, row, words(view.words).disabled),
  });
  const on = (visit: StaffVisit) => {
    const { db, by, now, view } = visit;
    const row = run(db, by, { id: of(visit).id, enabled: true }, { now });
    const { enabled, enabledText: text } = words(view.words);
    return flash(visit, { kind: "good", title: said(view, noun, row, enabled), text }, page(row));
  };
  return [staffForm(`${path}/:id/enable`, on), ...off];
}

/** Deletes a row once that is confirmed, and leads to the list. */
export function removal<Row extends { readonly id: number }>(
  noun: Noun<Row, DeleteWords>,
  { permit, run }: Does<Row, { readonly id: number }>,
): readonly ConsoleRoute[] {
  const { path, place = "settings", of, words } = noun;
  return form({
    path: `${path}/:id/delete`,
    permit,
    of,
    content: ({ view }, row) => {
      const { delete: submit, deleteTitle, deleteText } = words(view.words);
      const title = deleteTitle(view.format.name(noun.name(row)));
      const text = <p>{deleteText}</p>;
      return { title, back: `${path}/${row.id}`, submit, danger: true, leaves: true, place, text };
    },
    save: ({ db, by, now }, { id }) => run(db, by, { id }, { now }),
    done: ({ view }, row) => ({ title: said(view, noun, row, words(view.words).deleted), to: path }),
  });
}

const said = <Row,>({ format }: ConsoleView, { name }: Pick<Noun<Row, never>, "name">, row: Row, of: Said) =>
  typeof of === "string" ? of : of(format.name(name(row)));

interface RowButtonsProps {
  href: string;
  words: { readonly edit: string; readonly disable: string; readonly delete: string };
  isOff: boolean;
  children?: Child;
}

/** What the page of a row leads to; `children` stand after what changes it. */
export function RowButtons({ href, words, isOff, children }: RowButtonsProps) {
  return (
    <>
      <Button href={`${href}/edit`} icon="edit">
        {words.edit}
      </Button>
      {children}
      {!isOff && (
        <Button href={`${href}/disable`} icon="power" kind="danger" drawer>
          {words.disable}
        </Button>
      )}
      <Button href={`${href}/delete`} kind="danger" drawer>
        {words.delete}
      </Button>
    </>
  );
}
