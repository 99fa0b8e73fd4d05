import { launchChromium } from "../../support/chromium.ts";
import { Notes } from "../notes.ts";
import type { Trial } from "../trial.ts";
import { lookAtPages } from "./browser.ts";
import { attackCodes, attackSessions, attackStream } from "./doors.ts";
import { forgeForms, forgeSignIn, sendWithout } from "./forms.ts";
import { sendHostile } from "./hostile-radius.ts";
import { readAsNobody, readPages } from "./scopes.ts";
import { Visitor } from "./visitor.ts";
import { accounts, openWorld } from "./world.ts";

/**
 * Whoever wants into the console, or to have somebody else do it: by what is stored, by forms of other sites, by ids of others, by sessions
 * and codes. What is attacked is every route that the console has.
 */
export const console: Trial = {
  name: "console",
  run: async (extent) => {
    const { isShort, log, browser: launch = launchChromium } = extent;
    const notes = new Notes();
    await using world = await openWorld();
    log("what routers say");
    await sendHostile(world);
    log("pages");
    await readAsNobody(world, notes);
    const paths = await readPages(world, notes, extent);
    log("forms");
    await forgeForms(world, notes, extent);
    await forgeSignIn(world, notes);
    await sendWithout(world, notes);
    log("sessions, codes, streams");
    await attackSessions(world, notes);
    await attackCodes(world, notes, extent);
    const streamed = attackStream(world, notes); // which waits for its end
    log("in a browser");
    const visitor = await Visitor.signedIn(world, accounts.operator);
    const seen = isShort ? paths.filter((_, at) => at % 24 === 0) : paths;
    await lookAtPages(world, notes, { visitor, paths: seen, launch });
    await streamed;
    const code = await world.appliance.stop();
    notes.expect(code === 0, `the server ended with ${code}`);
    return notes.outcome;
  },
};
