import { testShortForms } from "./short-form.ts";
import { ofTheConsole } from "./trials.ts";

testShortForms(ofTheConsole);
