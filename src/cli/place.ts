import { verbatim } from "../domain/core/errors/phrase.ts";
import { Argument, type Command } from "commander";
import type { Db } from "../../db/open.ts";
import { namesById } from "../domain/core/references/names.ts";
import { type PlaceKind, placeKinds, placeRules } from "../domain/people/places/kinds.ts";
import {
  createPlace,
  deletePlace,
  listPlaces,
  type Place,
  placeNamed,
  updatePlace,
} from "../domain/people/places/places.ts";
import { placeToJson } from "../wire/place.ts";
import type { Cli } from "./cli.ts";
import { type Cell, CommandError, printJson, printLine, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";

interface Options {
  isp?: string;
  name?: string;
  /** false: --no-in. */
  in?: string | false;
  json?: boolean;
}

const EVERY = { sort: "name", descending: false, limit: Number.MAX_SAFE_INTEGER, offset: 0 } as const;
const kindArgument = () => new Argument("<kind>", "what kind of place").choices(placeKinds);

export function addPlaceCommands(program: Command, cli: Cli): void {
  const place = program.command("place").description("ISPs and their branches, cities, areas and subareas");
  addList(place, cli);
  addAdd(place, cli);
  addSet(place, cli);
  place
    .command("remove")
    .description("remove a place; refuses while anything refers to it, and says what")
    .addArgument(kindArgument())
    .argument("<place>", "its name or id")
    .action(async (kind: PlaceKind, named: string) => {
      const { by } = cli;
      const { name } = await cli.withStore((db) =>
        deletePlace(db, by, kind, { id: placeNamed(db, by, kind, named).id }, { now: cli.now() }),
      );
      printLine(cli.io, `removed the ${placeRules[kind].one} ${name}`);
    });
}

function addList(place: Command, cli: Cli): void {
  place
    .command("list")
    .description("print every place of a kind")
    .addArgument(kindArgument())
    .option("--json", "print JSON")
    .action(async (kind: PlaceKind, { json }: Options) => {
      const { lies } = placeRules[kind];
      const { places, isps, within } = await cli.withStore((db) => ({
        places: listPlaces(db, cli.by, kind, EVERY).records,
        isps: namesById(db, cli.by).isps,
        within: new Map(
          lies ? listPlaces(db, cli.by, lies.in, EVERY).records.map(({ id, name }) => [id, name]) : [],
        ),
      }));
      if (json)
        return printJson(
          cli.io,
          places.map((one) => placeToJson(kind, one)),
        );
      const columns: Record<string, (place: Place) => Cell> = {
        ID: ({ id }) => id,
        ...(kind !== "isp" && { ISP: ({ ispId }) => isps.get(ispId) }),
        NAME: ({ name }) => name,
        ...(lies && { [lies.in.toUpperCase()]: ({ liesIn }) => liesIn && within.get(liesIn) }),
      };
      printTable(
        cli.io,
        Object.keys(columns),
        places.map((one) => Object.values(columns).map((cell) => cell(one))),
      );
    });
}

function addAdd(place: Command, cli: Cli): void {
  place
    .command("add")
    .description("add a place")
    .addArgument(kindArgument())
    .argument("<name>")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .option("--in <place>", "the city of an area, the area of a subarea, by name or id")
    .option("--json", "print JSON")
    .action(async (kind: PlaceKind, name: string, options: Options) => {
      const added = await cli.withStore((db) => {
        const isp =
          kind === "isp" ? {} : { isp_id: chooseIsp(db, cli, options.isp, verbatim("whose place it is")) };
        const input = { ...isp, name, ...lyingIn(db, cli, kind, options.in) };
        return createPlace(db, cli.by, kind, input, { now: cli.now() });
      });
      if (options.json) printJson(cli.io, placeToJson(kind, added));
      else printLine(cli.io, `added the ${placeRules[kind].one} ${added.name} with the id ${added.id}`);
    });
}

function addSet(place: Command, cli: Cli): void {
  place
    .command("set")
    .description("change a place; what is not named stays")
    .addArgument(kindArgument())
    .argument("<place>", "its name or id")
    .option("--name <name>", "a new name")
    .option("--in <place>", "another city of an area, another area of a subarea, by name or id")
    .option("--no-in", "it lies in none")
    .option("--json", "print JSON")
    .action(async (kind: PlaceKind, named: string, options: Options) => {
      // commander says true where neither --in nor --no-in is given
      const moved = typeof options.in === "boolean" && options.in ? undefined : options.in;
      if (options.name === undefined && moved === undefined)
        throw new CommandError("say what to change; see: gatehouse place set --help");
      const changed = await cli.withStore((db) => {
        const { id } = placeNamed(db, cli.by, kind, named);
        const input = { name: options.name, ...lyingIn(db, cli, kind, moved) };
        return updatePlace(db, cli.by, kind, { id, input }, { now: cli.now() });
      });
      if (options.json) printJson(cli.io, placeToJson(kind, changed));
      else printLine(cli.io, `changed the ${placeRules[kind].one} ${changed.name}`);
    });
}

/** The parent's field of a place; false: none. Throws for a kind that has no parent. */
function lyingIn(db: Db, { by }: Cli, kind: PlaceKind, named: string | false | undefined) {
  if (named === undefined) return {};
  const { lies, one } = placeRules[kind];
  if (!lies) throw new CommandError(`a place of the kind ${one} lies in no other; leave --in out`);
  return { [lies.field]: named === false ? null : placeNamed(db, by, lies.in, named).id };
}
