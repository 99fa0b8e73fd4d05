import { fuzzHttp } from "./http.ts";
import { floodFromRouters } from "./flood.ts";
import { fuzzImport } from "./import.ts";
import { fuzzRadius } from "./radius.ts";
import { fuzzRouter, fuzzRouteros } from "./routeros.ts";
import { Dice } from "../mutate.ts";
import { Notes } from "../notes.ts";
import type { Trial } from "../trial.ts";

/**
 * What comes from outside and is read, with changes that know its structure: RADIUS packets, the answers of RouterOS, data
 * sets, the heads of HTTP requests. (Bun tells no coverage to a running program, so the changes are not led by it.)
 */
export const fuzz: Trial = {
  name: "fuzz",
  run: async ({ isShort, seed, log }) => {
    const notes = new Notes();
    const dice = new Dice(seed);
    const share = isShort ? 150 : 13_000;
    for (const part of [fuzzRadius, fuzzRouteros, fuzzRouter, floodFromRouters, fuzzImport, fuzzHttp]) {
      log(part.name);
      await part(notes, dice, { until: performance.now() + share, isShort });
    }
    return notes.outcome;
  },
};
